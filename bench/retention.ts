/**
 * What sessions leave behind. `parked`: bytes of a session that waits for a human, by the kind of key, as it waits and when it has been put away, and
 * the memory of the servers. `ended`: what stays in Redis of sessions whose turns are over, after their TTL and a walk of the janitor. `results`: bytes,
 * commands and time of sessions with 50 results of 64 KB, each its own (`BENCH_SAME=0`) or all the same.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectBus } from '@codelab/bus/redis';
import { connectRedis, startScriptedProvider } from '@codelab/testkit';
import { startSystem } from '../tests/e2e/start-system.js';
import { memoryOf, type Memory } from './measure/idle-connections.js';
import { cpuDuring } from './measure/process-cost.js';
import { measureKeys, renderUses, type KindUse } from './retention/measure-keys.js';
import { driveResults } from './retention/drive-results.js';
import { driveSession } from './retention/park-session.js';

const [mode = 'parked'] = process.argv.slice(2);
const ENDS = mode === 'ended';
const RESULTS = mode === 'results';
const SESSIONS = Number(process.env['BENCH_SESSIONS'] ?? (ENDS ? '10000' : RESULTS ? '8' : '1000'));
const TTL_MS = Number(process.env['BENCH_TTL_MS'] ?? '60000');
const AT_ONCE = 50;
/** Of a session in `results`. */
const STEPS = 50;
const RESULT_BYTES = 64 * 1024;

/** Reads a file, and then asks a human; or ends. */
const provider = await startScriptedProvider({
  script: ({ body }) => {
    const results = body.messages.filter(({ role }) => role === 'tool').length;
    const [name, args] = results === 0 ? ['read_file', '{"path":"README.md"}'] : ['run_command', '{"command":"make deploy"}'];
    if (RESULTS)
      return results >= STEPS
        ? { text: 'Done.' }
        : {
            toolCalls: [
              { id: `call_${String(results)}`, name: 'read_file', arguments: JSON.stringify({ path: `file-${String(results)}.md` }) },
            ],
          };
    return ENDS && results > 0 ? { text: 'Done.' } : { toolCalls: [{ id: `call_${String(results)}`, name, arguments: args }] };
  },
});
const folder = await mkdtemp(join(tmpdir(), 'codelab-memory-'));
const preload = `--require ${fileURLToPath(new URL('measure/report-memory.cjs', import.meta.url))}`;
const times = ENDS ? { CODELAB_SESSION_TTL_MS: String(TTL_MS), RUNTIME_JANITOR_INTERVAL_MS: '5000' } : { RUNTIME_FREEZE_AFTER_MS: '0' };
const common = { OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'bench', CODELAB_MODEL: 'scripted', LOG_LEVEL: 'error' };
const system = await startSystem({
  env: { ...common, RUNTIME_LINGER_MS: '500', NODE_OPTIONS: preload, BENCH_MEMORY_DIR: folder, ...times },
});
const place = { ws: system.gateways[0]?.ws ?? '', token: system.token };
const redis = connectRedis(system.redis.url);
const pids = { gateway: system.gateways[0]?.pid ?? 0, runtime: system.runtimes[0]?.pid ?? 0, proxy: system.proxies[0]?.pid ?? 0 };
const memory = (): Promise<Memory[]> => Promise.all(Object.values(pids).map((pid) => memoryOf(pid, folder)));
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const used = async (): Promise<string> => /used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? '';

const drive = async (prefix: string, sessions: number): Promise<void> => {
  for (let n = 0; n < sessions; n += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, sessions - n) }, (_, k) => driveSession(place, `${prefix}-${String(n + k)}`));
    await Promise.all(some);
  }
};

const measureParked = async (): Promise<void> => {
  await drive('warm', SESSIONS); // what a process keeps anyway is there then
  const before = await memory();
  await drive('parked', SESSIONS);
  const after = await memory();
  say(`as they wait:\n${renderUses(await measureKeys(redis), 2 * SESSIONS)}\n`);
  const bus = await connectBus({ url: system.redis.url });
  const { frozen } = await bus.janitor.run({ keys: Infinity, graceMs: 0, freezeAfterMs: 1 });
  await bus.close();
  say(`${String(frozen)} put away:\n${renderUses(await measureKeys(redis), 2 * SESSIONS)}\n`);
  Object.keys(pids).forEach((name, at) => {
    const per = (kind: keyof Memory): string => String(Math.round((after[at]![kind] - before[at]![kind]) / SESSIONS));
    say(`${name}: ${per('live')} bytes a session in use, ${per('resident')} resident`);
  });
};

const measureEnded = async (): Promise<void> => {
  const isFleeting = (name: string): boolean => name.includes('{sid}') || name.includes('{blob:');
  const perished = (uses: ReadonlyMap<string, KindUse>): boolean => ![...uses.keys()].some(isFleeting);
  const settled = async (): Promise<ReadonlyMap<string, KindUse>> => {
    for (const until = Date.now() + 10 * 60_000; Date.now() < until; await pause(2_000)) {
      const uses = await measureKeys(redis);
      if (perished(uses)) return uses;
    }
    return measureKeys(redis);
  };
  await drive('warm', 50);
  say(`base line, ${await used()} bytes used:\n${renderUses(await settled(), 50)}\n`);
  await drive('ended', SESSIONS);
  const most = await measureKeys(redis);
  say(
    `${String([...most.values()].reduce((sum, { keys }) => sum + keys, 0))} keys, ${await used()} bytes used when the last turn was over\n`,
  );
  const uses = await settled();
  say(`after ${String(SESSIONS)} sessions, ${await used()} bytes used:\n${renderUses(uses, SESSIONS)}`);
};

/** Commands that Redis served, those inside of scripts as well, and bytes that it took in. */
const work = async (): Promise<{ commands: number; bytes: number }> => {
  const [stats, commands] = await Promise.all([redis.info('stats'), redis.info('commandstats')]);
  const calls = [...commands.matchAll(/calls=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return { commands: calls, bytes: Number(/total_net_input_bytes:(\d+)/.exec(stats)?.[1]) };
};

const measureResults = async (): Promise<void> => {
  const isSame = process.env['BENCH_SAME'] !== '0';
  const lines = (name: string): string =>
    `${name} `
      .padEnd(64, 'x')
      .concat('\n')
      .repeat(RESULT_BYTES / 65);
  await driveResults(place, 'warm', (call) => lines(`warm ${String(call)}`));
  const [before, usedBefore, startedMs] = [await work(), Number(await used()), performance.now()];
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
  const { cpu } = await cpuDuring({ ...pids, redis: redisPid }, () =>
    Promise.all(
      Array.from({ length: SESSIONS }, (_, n) =>
        driveResults(place, `results-${String(n)}`, (call) => lines(isSame ? 'same' : `${String(n)} ${String(call)}`)),
      ),
    ),
  );
  const [after, seconds, steps] = [await work(), (performance.now() - startedMs) / 1_000, SESSIONS * STEPS];
  const perStep = ([name, ms]: [string, number]): string => `${name} ${(ms / steps).toFixed(1)}`;
  say(`${(steps / seconds).toFixed(0)} steps/s; ms of CPU a step: ${Object.entries(cpu).map(perStep).join(', ')}`);
  const kib = ((after.bytes - before.bytes) / steps / 1_024).toFixed(0);
  say(`${((after.commands - before.commands) / steps).toFixed(1)} commands and ${kib} KiB into Redis a step`);
  say(`${String(Number(await used()) - usedBefore)} bytes more used`);
  say(renderUses(await measureKeys(redis), SESSIONS + 1));
};

try {
  await (RESULTS ? measureResults() : ENDS ? measureEnded() : measureParked());
} finally {
  redis.disconnect();
  await system.stop();
  await provider.close();
  await rm(folder, { recursive: true });
}
