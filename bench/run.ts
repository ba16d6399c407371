import { writeFile } from 'node:fs/promises';
import { startProcess, type BenchProcess } from './start-processes.js';
import { startSystem, type System } from '../tests/e2e/start-system.js';
import { driveTurn, type Target } from './measure/drive-turn.js';
import { idleConnectionBytes } from './measure/idle-connections.js';
import { percentile } from './measure/percentile.js';
import { cpuDuring } from './measure/process-cost.js';

const SEQUENTIAL_TURNS = Number(process.env['BENCH_TURNS'] ?? '10');
const SESSIONS = Number(process.env['BENCH_SESSIONS'] ?? '200');
const IDLE_CONNECTIONS = Number(process.env['BENCH_IDLE'] ?? '2000');

interface Subject {
  readonly target: Target;
  readonly pids: Readonly<Record<string, number>>;
}

interface Figures {
  readonly ackP50: number;
  readonly ackP99: number;
  readonly stepP50: number;
  readonly stepP99: number;
  readonly stepsPerSecond: number;
  readonly cpuPerStep: Readonly<Record<string, number>>;
}

let round = 0;

const measureSequential = async (subject: Subject): Promise<Pick<Figures, 'ackP50' | 'ackP99' | 'stepP50' | 'stepP99'>> => {
  const acknowledgements: number[] = [];
  const steps: number[] = [];
  await driveTurn(subject.target, `warm-${String((round += 1))}`);
  for (let turn = 0; turn < SEQUENTIAL_TURNS; turn += 1) {
    const times = await driveTurn(subject.target, `seq-${String((round += 1))}`);
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

const measureThroughput = async (subject: Subject): Promise<Pick<Figures, 'stepsPerSecond' | 'cpuPerStep'>> => {
  const started = performance.now();
  const { value, cpu } = await cpuDuring(subject.pids, () =>
    Promise.all(Array.from({ length: SESSIONS }, (_, n) => driveTurn(subject.target, `many-${String((round += 1))}-${String(n)}`))),
  );
  const steps = value.reduce((sum, times) => sum + times.steps.length, 0);
  return {
    stepsPerSecond: (steps * 1000) / (performance.now() - started),
    cpuPerStep: Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / steps])),
  };
};

const hello = (session: string): object[] => [
  {
    type: 'hello',
    protocol_versions: ['1.0'],
    client_id: `bench-${session}`,
    tools: ['read_file'],
    client: { name: 'bench', version: '1' },
  },
];

const startFloor = async (system: System, upstream: string): Promise<{ subject: Subject; processes: BenchProcess[] }> => {
  const env = { REDIS_URL: system.redis.url, OPENAI_BASE_URL: upstream };
  const [gateway, worker, model] = await Promise.all([
    startProcess('floor/gateway.ts', env),
    startProcess('floor/worker.ts', env),
    startProcess('floor/model.ts', env),
  ]);
  const target = { name: 'floor', ws: `ws://127.0.0.1:${String(gateway.port)}`, token: '', greeting: () => [] };
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
const ms = (value: number): string => `${value.toFixed(2)} ms`;

const report = (codelab: Figures, floor: Figures, idle: { codelab: number; bare: number }): string => {
  const services = ['gateway', 'runtime', 'proxy', 'redis'];
  const rows: string[][] = [
    ['tool result → acknowledged, p50', ms(codelab.ackP50), ms(floor.ackP50), ratio(codelab.ackP50, floor.ackP50)],
    ['tool result → acknowledged, p99', ms(codelab.ackP99), ms(floor.ackP99), ratio(codelab.ackP99, floor.ackP99)],
    ['agent step, p50', ms(codelab.stepP50), ms(floor.stepP50), ratio(codelab.stepP50, floor.stepP50)],
    ['agent step, p99', ms(codelab.stepP99), ms(floor.stepP99), ratio(codelab.stepP99, floor.stepP99)],
    [
      `steps/s, ${String(SESSIONS)} sessions`,
      codelab.stepsPerSecond.toFixed(0),
      floor.stepsPerSecond.toFixed(0),
      ratio(codelab.stepsPerSecond, floor.stepsPerSecond),
    ],
    ...services.map((name) => {
      const [a, b] = [codelab.cpuPerStep[name] ?? 0, floor.cpuPerStep[name] ?? 0];
      return [`CPU per step, ${name}`, ms(a), ms(b), ratio(a, b)];
    }),
    ['idle connection', `${(idle.codelab / 1024).toFixed(1)} KiB`, `${(idle.bare / 1024).toFixed(1)} KiB`, ratio(idle.codelab, idle.bare)],
  ];
  return ['| | CodeLab | floor | ratio |', '|---|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
};

const upstream = await startProcess('upstream.ts', {});
const upstreamUrl = `http://127.0.0.1:${String(upstream.port)}/v1`;
const system = await startSystem({
  env: { OPENAI_BASE_URL: upstreamUrl, OPENAI_API_KEY: 'bench', CODELAB_MODEL: 'bench', LOG_LEVEL: 'error' },
});
const floor = await startFloor(system, upstreamUrl);
const bare = await startProcess('floor/bare-ws.ts', {});
try {
  const codelab = ours(system);
  const oursSequential = await measureSequential(codelab);
  const floorSequential = await measureSequential(floor.subject);
  const floorThroughput = await measureThroughput(floor.subject);
  const oursThroughput = await measureThroughput(codelab);
  const idle = {
    codelab: await idleConnectionBytes(codelab.target, codelab.pids['gateway'] ?? 0, IDLE_CONNECTIONS),
    bare: await idleConnectionBytes(
      { ...codelab.target, name: 'bare', ws: `ws://127.0.0.1:${String(bare.port)}` },
      bare.pid,
      IDLE_CONNECTIONS,
    ),
  };
  const table = report({ ...oursSequential, ...oursThroughput }, { ...floorSequential, ...floorThroughput }, idle);
  process.stdout.write(`${table}\n`);
  const file = process.env['BENCH_OUT'];
  if (file !== undefined) await writeFile(file, `${table}\n`);
} finally {
  await Promise.all([upstream, bare, ...floor.processes].map((child) => child.stop()));
  await system.stop();
}
