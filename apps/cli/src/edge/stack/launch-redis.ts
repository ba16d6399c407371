import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@codelab/service-shell';
import { CommandError } from '../../core/command-error.js';
import type { RedisAddress } from '../../core/stack/redis-address.js';
import { toRedisConf } from '../../core/stack/redis-conf.js';
import { askRedis } from './ask-redis.js';
import { signalProcess, whenEnded } from './end-process.js';
import type { Launch } from './kept-process.js';
import { isAlive, processProgram } from './process-identity.js';

/**
 * Starts redis-server, waits for its end, and ends it two seconds after our end of stdin is closed: however we die, it doesn't outlive us,
 * and the services have those seconds to hand over.
 */
const KEEPER = `
exec 3<&0
"$@" </dev/null 3<&- &
redis=$!
{ cat >/dev/null; sleep 2; kill -TERM $redis; } <&3 >/dev/null 2>&1 &
watch=$!
exec 3<&-
wait $redis
code=$?
kill $watch 2>/dev/null
exit $code
`;
const START_MS = 60_000;
const PREVIOUS_MS = 10_000;
const OLDEST_REDIS = 7;

/** How long Redis may take to write what it has; what it had answered is on disk either way. */
export const REDIS_GRACE_MS = 10_000;

export interface RedisSettings {
  /** The redis-server that is started: its path. */
  readonly program: string;
  readonly dataDir: string;
  readonly port: number;
  readonly logger: Logger;
}

/**
 * A Redis of our own: on loopback, behind a password, every write on disk, data in `<dataDir>/redis`. Started again it has the same address
 * and its data. It ends with us, also when we are killed.
 */
export function launchRedis({ program, dataDir, port, logger }: RedisSettings): { readonly launch: Launch; readonly url: string } {
  const directory = join(dataDir, 'redis');
  const password = randomBytes(18).toString('hex');
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const launch: Launch = async (abort) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await endPrevious(directory);
    await writeFile(join(directory, 'redis.conf'), toRedisConf({ port, password, directory }), { mode: 0o600 });
    const { keeper, ended, lastLine } = spawnKeeper([program, join(directory, 'redis.conf')], directory, logger);
    const attempt = new AbortController();
    const server = await Promise.race([
      whenItAnswers(
        { at: { host: '127.0.0.1', port }, tls: false, login: ['AUTH', password], shown: url },
        AbortSignal.any([abort, attempt.signal]),
      ),
      ended,
    ]);
    attempt.abort();
    if (!server || server.major < OLDEST_REDIS) {
      signalProcess(-(keeper.pid ?? 0), 'SIGKILL');
      await ended;
      if (server)
        throw new CommandError(`redis-server ${server.version} is too old: install Redis 7 or newer, or set REDIS_URL to one that runs.`);
      throw new Error(`The private Redis on ${directory} did not start (${lastLine()})`);
    }
    const { pid } = server;
    return { pid, ended, end: (signal) => signalProcess(pid, signal) };
  };
  return { launch, url };
}

function spawnKeeper(command: readonly string[], directory: string, logger: Logger) {
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'codelab-redis', ...command], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true, // Ctrl-C in the terminal is for us; Redis ends last
  });
  let last = 'it said nothing';
  createInterface({ input: keeper.stdout }).on('line', (line) => {
    last = line;
    logger.debug({ event: 'redis.line', line });
  });
  keeper.stdin.on('error', () => undefined); // it is gone: `ended` tells
  const ended = whenEnded(keeper).then(() => void keeper.stdin.destroy());
  return { keeper, ended, lastLine: () => last };
}

interface Server {
  readonly pid: number;
  readonly version: string;
  readonly major: number;
}

/** The Redis there as soon as it has loaded its data; undefined when that takes too long. */
async function whenItAnswers(address: RedisAddress, abort: AbortSignal): Promise<Server | undefined> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline && !abort.aborted;) {
    const [pong, info] = await askRedis(address, [['PING'], ['INFO', 'server']], 1_000).catch(() => []); // not there yet
    const said = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(typeof info === 'string' ? info : '')?.[1] ?? '';
    const version = said('redis_version');
    if (pong === 'PONG') return { pid: Number(said('process_id')), version, major: Number.parseInt(version, 10) };
    await delay(20);
  }
  return undefined;
}

/** Two Redis on one folder would ruin its data: one that a killed stack left behind is ended first. */
async function endPrevious(directory: string): Promise<void> {
  const text = await readFile(join(directory, 'redis.pid'), 'utf8').catch(() => ''); // the usual case: it took its file away
  const pid = Number.parseInt(text, 10);
  if (!(pid > 0) || !(await processProgram(pid)).startsWith('redis-server')) return;
  signalProcess(pid, 'SIGTERM');
  for (const deadline = Date.now() + PREVIOUS_MS; await isAlive(pid); await delay(20)) {
    if (Date.now() > deadline) signalProcess(pid, 'SIGKILL');
  }
}
