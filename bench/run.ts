import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOOLS } from '@codelab/tools';
import { startProcess, type BenchProcess } from './start-processes.js';
import { startSystem, type System } from '../tests/e2e/start-system.js';
import { driveTurns, type Target } from './measure/drive-turn.js';
import { idleConnectionCost, type Memory } from './measure/idle-connections.js';
import { percentile } from './measure/percentile.js';
import { cpuDuring } from './measure/process-cost.js';
import { renderProfiles } from './profile/render-profiles.js';

const SEQUENTIAL_TURNS = Number(process.env['BENCH_TURNS'] ?? '10');
const SESSIONS = (process.env['BENCH_SESSIONS'] ?? '20,200').split(',').map(Number);
/** Few sessions go on for two turns, so that every row has some thousand steps and histories grow. */
const turnsOf = (sessions: number): number => (sessions > 50 ? 1 : 2);
const profileFolder = process.argv.includes('--profile') ? await mkdtemp(join(tmpdir(), 'codelab-profile-')) : undefined;
const IDLE_CONNECTIONS = Number(process.env['BENCH_IDLE'] ?? '2000');

interface Subject {
  readonly target: Target;
  readonly pids: Readonly<Record<string, number>>;
}

interface Load {
  readonly p50: number;
  readonly p99: number;
  readonly stepsPerSecond: number;
  readonly cpuPerStep: Readonly<Record<string, number>>;
}

interface Figures {
  readonly ackP50: number;
  readonly ackP99: number;
  readonly stepP50: number;
  readonly stepP99: number;
  /** In the order of `SESSIONS`. */
  readonly loads: readonly Load[];
}

let round = 0;

const measureSequential = async (subject: Subject): Promise<Pick<Figures, 'ackP50' | 'ackP99' | 'stepP50' | 'stepP99'>> => {
  const acknowledgements: number[] = [];
  const steps: number[] = [];
  await driveTurns(subject.target, `warm-${String((round += 1))}`);
  for (let turn = 0; turn < SEQUENTIAL_TURNS; turn += 1) {
    const times = await driveTurns(subject.target, `seq-${String((round += 1))}`);
    acknowledgements.push(...times.acknowledgements);
    steps.push(...times.steps);
  }
  return {
    ackP50: percentile(acknowledgements, 0.5),
    ackP99: percentile(acknowledgements, 0.99),
    stepP50: percentile(steps, 0.5),
    stepP99: percentile(steps, 0.99),
  };
};

const measureLoad = async (subject: Subject, sessions: number): Promise<Load> => {
  const started = performance.now();
  const { value, cpu } = await cpuDuring(subject.pids, () =>
    Promise.all(
      Array.from({ length: sessions }, (_, n) =>
        driveTurns(subject.target, `many-${String((round += 1))}-${String(n)}`, turnsOf(sessions)),
      ),
    ),
  );
  const times = value.flatMap(({ steps }) => steps);
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    stepsPerSecond: (times.length * 1000) / (performance.now() - started),
    cpuPerStep: Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / times.length])),
  };
};

const measure = async (subject: Subject): Promise<Figures> => {
  const sequential = await measureSequential(subject);
  const loads: Load[] = [];
  for (const sessions of SESSIONS) loads.push(await measureLoad(subject, sessions));
  return { ...sequential, loads };
};

const hello = (session: string): object[] => [
  {
    type: 'hello',
    protocol_versions: ['2.0'],
    client_id: `bench-${session}`,
    tools: TOOLS.map(({ name }) => name),
    client: { name: 'bench', version: '1' },
  },
];

const startBaseline = async (system: System, upstream: string): Promise<{ subject: Subject; processes: BenchProcess[] }> => {
  const prefix = await (await fetch(upstream)).text(); // CodeLab has asked by now
  const env = { REDIS_URL: system.redis.url, OPENAI_BASE_URL: upstream, BENCH_PREFIX: prefix };
  const [gateway, worker, model] = await Promise.all([
    startProcess('baseline/gateway.ts', env),
    startProcess('baseline/worker.ts', env),
    startProcess('baseline/model.ts', env),
  ]);
  const target = { name: 'baseline', ws: `ws://127.0.0.1:${String(gateway.port)}`, token: '', greeting: () => [] };
  const pids = { gateway: gateway.pid, runtime: worker.pid, proxy: model.pid, redis: system.redis.pid ?? 0 };
  return { subject: { target, pids }, processes: [gateway, worker, model] };
};

const ours = (system: System): Subject => {
  const [gateway] = system.gateways;
  const target = { name: 'codelab', ws: gateway?.ws ?? '', token: system.token, greeting: hello };
  return {
    target,
    pids: {
      gateway: gateway?.pid ?? 0,
      runtime: system.runtimes[0]?.pid ?? 0,
      proxy: system.proxies[0]?.pid ?? 0,
      redis: system.redis.pid ?? 0,
    },
  };
};

const ratio = (a: number, b: number): string => `${(a / b).toFixed(2)} ×`;
const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
const ms = (value: number): string => `${value.toFixed(2)} ms`;

const loadRows = (sessions: number, codelab: Load, baseline: Load): string[][] => [
  [
    `${String(sessions)} sessions: steps/s`,
    codelab.stepsPerSecond.toFixed(0),
    baseline.stepsPerSecond.toFixed(0),
    ratio(codelab.stepsPerSecond, baseline.stepsPerSecond),
  ],
  [`${String(sessions)} sessions: step, p50`, ms(codelab.p50), ms(baseline.p50), ratio(codelab.p50, baseline.p50)],
  [`${String(sessions)} sessions: step, p99`, ms(codelab.p99), ms(baseline.p99), ratio(codelab.p99, baseline.p99)],
  ...['gateway', 'runtime', 'proxy', 'redis'].map((name) => {
    const [a, b] = [codelab.cpuPerStep[name] ?? 0, baseline.cpuPerStep[name] ?? 0];
    return [`${String(sessions)} sessions: CPU per step, ${name}`, ms(a), ms(b), ratio(a, b)];
  }),
];

const report = (codelab: Figures, baseline: Figures, idle: { codelab: Memory; bare: Memory }): string => {
  const rows: string[][] = [
    ['tool result → acknowledged, p50', ms(codelab.ackP50), ms(baseline.ackP50), ratio(codelab.ackP50, baseline.ackP50)],
    ['tool result → acknowledged, p99', ms(codelab.ackP99), ms(baseline.ackP99), ratio(codelab.ackP99, baseline.ackP99)],
    ['agent step, p50', ms(codelab.stepP50), ms(baseline.stepP50), ratio(codelab.stepP50, baseline.stepP50)],
    ['agent step, p99', ms(codelab.stepP99), ms(baseline.stepP99), ratio(codelab.stepP99, baseline.stepP99)],
    ...SESSIONS.flatMap((sessions, i) => loadRows(sessions, codelab.loads[i]!, baseline.loads[i]!)),
    ['idle connection, resident', kib(idle.codelab.resident), kib(idle.bare.resident), ratio(idle.codelab.resident, idle.bare.resident)],
    ['idle connection, live objects', kib(idle.codelab.live), kib(idle.bare.live), ratio(idle.codelab.live, idle.bare.live)],
  ];
  return ['| | CodeLab | baseline | ratio |', '|---|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
};

const upstream = await startProcess('upstream.ts', {});
const upstreamUrl = `http://127.0.0.1:${String(upstream.port)}/v1`;
const recorder = fileURLToPath(new URL('profile/record.cjs', import.meta.url));
const memoryFolder = await mkdtemp(join(tmpdir(), 'codelab-memory-'));
const preload = `--require ${fileURLToPath(new URL('measure/report-memory.cjs', import.meta.url))}`;
const watched = { NODE_OPTIONS: preload, BENCH_MEMORY_DIR: memoryFolder };
const profiling = profileFolder && { NODE_OPTIONS: `${preload} --require ${recorder}`, BENCH_PROFILE_DIR: profileFolder };
const system = await startSystem({
  env: { OPENAI_BASE_URL: upstreamUrl, OPENAI_API_KEY: 'bench', CODELAB_MODEL: 'bench', LOG_LEVEL: 'error', ...watched, ...profiling },
});
const codelab = ours(system);
const bare = await startProcess('baseline/bare-ws.ts', watched);
let processes: BenchProcess[] = [upstream, bare];
let table: string;
try {
  const oursMeasured = await measure(codelab);
  const baseline = await startBaseline(system, upstreamUrl);
  processes = [...processes, ...baseline.processes];
  const baselineMeasured = await measure(baseline.subject);
  const idle = {
    codelab: await idleConnectionCost(codelab.target, codelab.pids['gateway'] ?? 0, IDLE_CONNECTIONS, memoryFolder),
    bare: await idleConnectionCost(
      { ...codelab.target, name: 'bare', ws: `ws://127.0.0.1:${String(bare.port)}` },
      bare.pid,
      IDLE_CONNECTIONS,
      memoryFolder,
    ),
  };
  table = report(oursMeasured, baselineMeasured, idle);
} finally {
  await Promise.all(processes.map((child) => child.stop()));
  await system.stop();
  await rm(memoryFolder, { recursive: true });
}
if (profileFolder !== undefined) {
  table = `${table}\n\n${await renderProfiles(profileFolder)}`; // written when the services have ended
  await rm(profileFolder, { recursive: true });
}
process.stdout.write(`${table}\n`);
const file = process.env['BENCH_OUT'];
if (file !== undefined) await writeFile(file, `${table}\n`);
