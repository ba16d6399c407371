/** Measures what a step costs late in a conversation, beside one at its beginning: CPU time of each service and of Redis. */
import { writeFile } from 'node:fs/promises';
import { TOOLS } from '@codelab/tools';
import { startProcess } from './start-processes.js';
import { startSystem } from '../tests/e2e/start-system.js';
import { driveTurns, type Target } from './measure/drive-turn.js';
import { cpuMs } from './measure/process-cost.js';

const SESSIONS = Number(process.env['BENCH_SESSIONS'] ?? '40');
/** A turn is a message of the user, four calls with their results, and an answer. */
const STEPS = 4;
const MESSAGES = 2 * STEPS + 2;
/** Of each window so many turns are measured, from the one that begins with message 11, 191 or 391. */
const WINDOW = 3;
const PLACES = [10, 190, 390];
const TURNS = Math.max(...PLACES) / MESSAGES + WINDOW;

type Cpu = Readonly<Record<string, number>>;

const upstream = await startProcess('upstream.ts', { BENCH_STEPS: String(STEPS) });
const system = await startSystem({
  env: {
    ...{ OPENAI_BASE_URL: `http://127.0.0.1:${String(upstream.port)}/v1`, OPENAI_API_KEY: 'bench' },
    ...{ CODELAB_MODEL: 'bench', LOG_LEVEL: 'error' },
  },
});
const pids = {
  gateway: system.gateways[0]!.pid,
  runtime: system.runtimes[0]!.pid,
  proxy: system.proxies[0]!.pid,
  redis: system.redis.pid ?? 0,
};
const target: Target = {
  ...{ name: 'codelab', ws: system.gateways[0]!.ws, token: system.token },
  greeting: (session) => [
    { type: 'hello', protocol_versions: ['2.0'], client_id: `bench-${session}`, tools: TOOLS.map(({ name }) => name) },
  ],
};

const readCpu = async (): Promise<Cpu> =>
  Object.fromEntries(await Promise.all(Object.entries(pids).map(async ([name, pid]) => [name, await cpuMs(pid)] as const)));

/** Runs all sessions turn by turn, none ahead of the others. Gives the CPU time used until the end of each turn. */
async function converse(name: string): Promise<readonly Cpu[]> {
  const used: Cpu[] = [];
  let waiting: (() => void)[] = [];
  const between = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < SESSIONS) return;
      const all = waiting;
      waiting = [];
      void readCpu().then((cpu) => {
        used.push(cpu);
        for (const goOn of all) goOn();
      });
    });
  await Promise.all(Array.from({ length: SESSIONS }, (_, n) => driveTurns(target, `${name}-${String(n)}`, TURNS, between)));
  return used;
}

/** Milliseconds of CPU for each model request of a window. */
function costAt(used: readonly Cpu[], place: number, name: string): number {
  const turn = place / MESSAGES;
  return (used[turn + WINDOW - 1]![name]! - used[turn - 1]![name]!) / (SESSIONS * WINDOW * (STEPS + 1));
}

try {
  await converse('warm-up');
  const used = await converse('measured');
  const rows = ['gateway', 'runtime', 'proxy', 'redis'].map((name) => [name, PLACES.map((place) => costAt(used, place, name))] as const);
  const sums = PLACES.map((_, place) => rows.reduce((sum, [, costs]) => sum + costs[place]!, 0));
  const lines = [...rows, ['all', sums] as const].map(
    ([name, costs]) =>
      `| ${name} | ${costs.map((cost) => `${cost.toFixed(2)} ms`).join(' | ')} | ${(costs.at(-1)! / costs[0]!).toFixed(2)} × |`,
  );
  const table = [
    `| CPU per step | ${PLACES.map((place) => `message ${String(place)}`).join(' | ')} | ratio |`,
    '|---|---|---|---|---|',
    ...lines,
  ];
  process.stdout.write(`${table.join('\n')}\n`);
  const file = process.env['BENCH_OUT'];
  if (file !== undefined) await writeFile(file, `${table.join('\n')}\n`);
} finally {
  await Promise.all([upstream.stop(), system.stop()]);
}
