import { spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { findLocalStack, holdStack, readStackFile, type StackRecord } from '@codelab/client/local-stack';
import { PlaceError, type Place } from '../../core/place/place.js';
import { stackEnvironment } from '../config.js';
import { findCommand } from './find-command.js';

const START_MS = 120_000;
/** The exit code of `codelab up` where another process starts or holds the stack of this data directory. */
const BUSY = 75;

interface Options {
  readonly dataDir: string;
  /** The setting; '': look in the PATH. */
  readonly command: string;
  readonly say: (text: string) => void;
}

/** The services of this machine, started if none run; they end when nobody holds them any more. Throws `PlaceError`. */
export async function useLocalStack(options: Options): Promise<Place> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const record = await findLocalStack(options.dataDir);
    const letGo = record && (await holdStack(record));
    if (record && letGo) return placeOf(options.dataDir, record, letGo);
    if (Date.now() > deadline) throw new PlaceError('failed', `The services did not get ready: see ${logOf(options.dataDir)}.`);
    if ((await start(options)) === 'busy') await delay(200);
  }
}

function placeOf(dataDir: string, first: StackRecord, hold: () => void): Place {
  let record = first;
  let letGo = hold;
  let stopped = false;
  const gateway = () => record.gateways[0]!; // a record without one is none
  return {
    name: 'local',
    get ws() {
      return gateway().ws;
    },
    get http() {
      return gateway().url;
    },
    get token() {
      return record.token;
    },
    async follow() {
      const now = await readStackFile(dataDir);
      if (now === undefined || stopped) return;
      if (now.pid === record.pid) return void (record = now);
      const next = await holdStack(now);
      if (next === undefined) return;
      if (stopped) return next();
      letGo();
      [record, letGo] = [now, next];
    },
    stop() {
      stopped = true;
      letGo();
    },
  };
}

const logOf = (dataDir: string): string => join(dataDir, 'stack.log');

/** Starts `codelab up` as a process of its own: other windows and terminals may use it, too. Its log is `<dataDir>/stack.log`. */
async function start({ dataDir, command, say }: Options): Promise<'started' | 'busy'> {
  const program = await findCommand(command);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const log = await open(logOf(dataDir), 'a', 0o600);
  say('CodeLab: starting the services …');
  const child = spawn(program, ['up', '--json', '--while-held'], {
    ...{ cwd: dataDir, detached: true, env: stackEnvironment(dataDir), windowsHide: true },
    stdio: ['ignore', 'pipe', log.fd],
    shell: program.endsWith('.cmd'),
  });
  const ended = new Promise<number | Error>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', resolve);
  });
  const ready = new Promise<'ready'>((resolve) => createInterface({ input: child.stdout! }).once('line', () => resolve('ready')));
  const outcome = await Promise.race([ready, ended, delay(START_MS, 'late' as const, { ref: false })]);
  await log.close();
  child.stdout?.destroy();
  child.unref();
  if (outcome === BUSY) return 'busy';
  if (outcome === 'ready') return 'started';
  throw new PlaceError('failed', await explain(dataDir, program, outcome));
}

/** What `up` said last for people: everything else in its log is JSON. */
async function explain(dataDir: string, program: string, outcome: number | Error | 'late'): Promise<string> {
  if (outcome instanceof Error) return `${program} can't be started: ${outcome.message}`;
  const lines = (await readFile(logOf(dataDir), 'utf8').catch(() => '')).split('\n');
  const said = lines.filter((line) => line !== '' && !line.startsWith('{') && !line.endsWith('…')).slice(-3);
  return said.length === 0 ? `The services did not start: see ${logOf(dataDir)}.` : said.join(' ');
}
