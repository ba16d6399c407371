/** Measures llm-proxy beside a minimal reverse proxy and Portkey's gateway, in turn, before the same upstream, in one run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '@codelab/testkit';
import { answerText, STREAM_TOKENS } from './llm-proxy/canned-answers.js';
import { readAnswer } from './llm-proxy/read-answer.js';
import { renderFigures, type Row } from './llm-proxy/render-figures.js';
import { toRequest, type Case } from './llm-proxy/requests.js';
import { startFloor, startOurs, startPortkey, type Subject } from './llm-proxy/subjects.js';
import { askOnce, oneByOne, requestsPerSecond, type Drive } from './measure/drive-requests.js';
import { percentile } from './measure/percentile.js';
import { cpuDuring, peakBytes, residentBytes } from './measure/process-cost.js';
import { startProcess } from './start-processes.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? '7');
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? '1000');
const FIRST_BYTES = Number(process.env['BENCH_FIRST_BYTES'] ?? '60');
const MEGABYTE = 1024 * 1024;

const CASES: readonly (Case & { readonly name: string; readonly isCross: boolean })[] = [
  { name: 'chat', caller: 'chat', upstream: 'chat', isCross: false },
  { name: 'messages', caller: 'messages', upstream: 'messages', isCross: false },
  { name: 'chat → messages', caller: 'chat', upstream: 'messages', isCross: true },
  { name: 'messages → chat', caller: 'messages', upstream: 'chat', isCross: true },
];

const driveOf = (subject: Subject, request: Case): Drive => ({ port: subject.port, request: toRequest(request, subject.headers(request)) });

/** Whether the subject gives the right answer: one that can't is left out, and the table says so. */
async function answersRightly(subject: Subject, request: Case): Promise<boolean> {
  const expected = answerText(STREAM_TOKENS[request.stream ?? 'short']);
  try {
    const text = readAnswer(await askOnce(driveOf(subject, request)), request);
    if (text.trim() === expected.trim()) return true;
    throw new Error(`another text: ${text.slice(0, 80)}…`);
  } catch (error) {
    if (subject.name !== 'portkey') throw error;
    process.stderr.write(`${subject.name}, ${request.caller} → ${request.upstream}, ${request.stream ?? 'JSON'}: ${String(error)}\n`);
    return false;
  }
}

/** Measures each subject in each round, so that the machine is in all figures; the first of a round is another one each time. */
async function inTurn<T>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject) => Promise<T>,
): Promise<Map<Subject, T[]>> {
  const results = new Map<Subject, T[]>(subjects.map((subject) => [subject, []]));
  for (const subject of subjects) await measure(subject); // warms it up
  for (let round = 0; round < rounds; round += 1) {
    const order = subjects.map((_, index) => subjects[(index + round) % subjects.length]!);
    for (const subject of order) results.get(subject)?.push(await measure(subject));
  }
  return results;
}

const figures = <T>(results: Map<Subject, T[]>, of: (samples: readonly T[]) => number): Row['figures'] =>
  Object.fromEntries([...results].map(([{ name }, samples]) => [name, of(samples)]));

const median =
  <T>(of: (sample: T) => number) =>
  (samples: readonly T[]): number =>
    percentile(samples.map(of), 0.5);

async function measureCase({ name, isCross, ...request }: (typeof CASES)[number], subjects: readonly Subject[]): Promise<Row[]> {
  const rows: Row[] = [];
  const aim = isCross ? { floor: 0.5 } : { floor: 0.7, portkey: 5 };
  const able = async (some: Case): Promise<readonly Subject[]> => {
    const judged = await Promise.all(subjects.map(async (subject) => ((await answersRightly(subject, some)) ? [subject] : [])));
    return judged.flat();
  };
  const whole = await able(request);
  for (const connections of [1, 32]) {
    const results = await inTurn(whole, ROUNDS, async (subject) => {
      const drive = driveOf(subject, request);
      const { value, cpu } = await cpuDuring({ it: subject.pid }, () => requestsPerSecond(drive, connections, ROUND_MS));
      return { perSecond: value.perSecond, cpuMs: (cpu['it'] ?? 0) / value.requests };
    });
    const of = `${String(connections)} connection${connections === 1 ? '' : 's'}`;
    rows.push({
      name: `${name}: requests/s, ${of}`,
      unit: '',
      aim,
      figures: figures(
        results,
        median(({ perSecond }) => perSecond),
      ),
    });
    if (connections === 32) {
      rows.push({
        name: `${name}: CPU per request, ${of}`,
        unit: 'ms',
        figures: figures(
          results,
          median(({ cpuMs }) => cpuMs),
        ),
      });
    }
  }

  const short = { ...request, stream: 'short' } as const;
  const first = await inTurn(await able(short), ROUNDS, async (subject) => {
    const answers = await oneByOne(driveOf(subject, short), FIRST_BYTES);
    return answers.map(({ firstByteMs }) => firstByteMs);
  });
  for (const [word, fraction] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    const ofAll = figures(first, (samples) => percentile(samples.flat(), fraction));
    rows.push({ name: `${name}: first streamed byte, ${word}`, unit: 'ms', figures: ofAll, ...(!isCross && { aim: { overFloor: 1 } }) });
  }

  const long = { ...request, stream: 'long' } as const;
  const streams = await inTurn(await able(long), ROUNDS, async (subject) => {
    const answers = await oneByOne(driveOf(subject, long), 3);
    return (answers.length * STREAM_TOKENS.long * 1_000) / answers.reduce((sum, { totalMs }) => sum + totalMs, 0);
  });
  rows.push({
    name: `${name}: tokens/s, one long stream`,
    unit: '',
    figures: figures(
      streams,
      median((perSecond) => perSecond),
    ),
  });
  return rows;
}

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
  for (const start of [startOurs, startFloor, startPortkey]) subjects.push(await start(places));
  const rows: Row[] = [];
  for (const some of CASES) rows.push(...(await measureCase(some, subjects)));
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
