/** Measures llm-proxy beside a minimal reverse proxy and Portkey's gateway, in turn, before the same upstream, in one run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '@codelab/testkit';
import { measureCase, type Size } from './llm-proxy/measure-case.js';
import { renderFigures, type Row } from './llm-proxy/render-figures.js';
import { startBaseline, startOurs, startPortkey, type Subject } from './llm-proxy/subjects.js';
import { peakBytes, residentBytes } from './measure/process-cost.js';
import { startProcess } from './start-processes.js';

const SIZE: Size = {
  rounds: Number(process.env['BENCH_ROUNDS'] ?? '5'),
  roundMs: Number(process.env['BENCH_ROUND_MS'] ?? '1000'),
  firstBytes: Number(process.env['BENCH_FIRST_BYTES'] ?? '60'),
  warmUpMs: Number(process.env['BENCH_WARM_UP_MS'] ?? '6000'),
};

const MEGABYTE = 1024 * 1024;
const DIALECTS = ['chat', 'messages'] as const;
const CASES = [
  ...DIALECTS.map((dialect) => ({ caller: dialect, upstream: dialect })),
  ...DIALECTS.map((dialect) => ({ caller: dialect, upstream: dialect === 'chat' ? ('messages' as const) : ('chat' as const) })),
];

async function measureMemory(subjects: readonly Subject[]): Promise<Row[]> {
  const of = async (read: (pid: number) => Promise<number>): Promise<Row['figures']> =>
    Object.fromEntries(await Promise.all(subjects.map(async ({ name, pid }) => [name, (await read(pid)) / MEGABYTE] as const)));
  return [
    { name: 'memory after it all', unit: 'MB', figures: await of(residentBytes) },
    { name: 'memory at its peak', unit: 'MB', figures: await of(peakBytes) },
  ];
}

const dataDir = await mkdtemp(join(tmpdir(), 'codelab-bench-'));
const redis = await startRedis({ aof: true });
const upstream = await startProcess('llm-proxy/upstream.ts', {});
const places = { upstream: `http://127.0.0.1:${String(upstream.port)}`, redis: redis.url, dataDir };
const subjects: Subject[] = [];
try {
  for (const start of [startOurs, startBaseline, startPortkey]) subjects.push(await start(places));
  const rows: Row[] = [];
  for (const some of CASES) rows.push(...(await measureCase(some, subjects, SIZE)));
  rows.push(...(await measureMemory(subjects)));
  const table = renderFigures(rows);
  process.stdout.write(`${table}\n`);
  const file = process.env['BENCH_OUT'];
  if (file !== undefined) await writeFile(file, `${table}\n`);
} finally {
  await Promise.all([upstream, ...subjects].map((process) => process.stop()));
  await redis.close();
  await rm(dataDir, { recursive: true, force: true });
}
