import { oneByOne, askOnce, requestsPerSecond, type Drive } from '../measure/drive-requests.js';
import { percentile } from '../measure/percentile.js';
import { cpuDuring } from '../measure/process-cost.js';
import { answerText, STREAM_TOKENS } from './canned-answers.js';
import { inTurn, type Samples } from './in-turn.js';
import { readAnswer } from './read-answer.js';
import type { Row } from './render-figures.js';
import { toRequest, type Case } from './requests.js';
import type { Subject } from './subjects.js';

const MANY = 32;
/** Long streams of one round. */
const STREAMS = 3;

export interface Size {
  readonly rounds: number;
  /** How long requests are counted in a round. */
  readonly roundMs: number;
  /** Streams of a round whose first byte is timed. */
  readonly firstBytes: number;
  /** Until then a program under test is not yet compiled to what it runs as for the rest of its life. */
  readonly warmUpMs: number;
}

const driveOf = (subject: Subject, request: Case): Drive => ({ port: subject.port, request: toRequest(request, subject.headers(request)) });

const median =
  <T>(of: (sample: T) => number) =>
  (samples: readonly T[]): number =>
    percentile(samples.map(of), 0.5);

const figures = <T>(samples: Samples<T>, of: (some: readonly T[]) => number): Row['figures'] =>
  Object.fromEntries([...samples].map(([{ name }, some]) => [name, of(some)]));

/** Whether the subject gives the right answer: Portkey is left out where it can't, and the table says so. */
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

/** The subjects that can do it, warmed up. */
async function prepare(subjects: readonly Subject[], request: Case, { warmUpMs }: Size): Promise<readonly Subject[]> {
  const able: Subject[] = [];
  for (const subject of subjects) if (await answersRightly(subject, request)) able.push(subject);
  for (const subject of able) await requestsPerSecond(driveOf(subject, request), MANY, warmUpMs);
  return able;
}

async function measureThroughput(name: string, request: Case, subjects: readonly Subject[], size: Size): Promise<Row[]> {
  const aim = request.caller === request.upstream ? { baseline: 0.7, portkey: 5 } : { baseline: 0.5 };
  const measure = (connections: number): Promise<Samples<{ readonly perSecond: number; readonly cpuMs: number }>> =>
    inTurn(subjects, size.rounds, async (subject) => {
      const run = () => requestsPerSecond(driveOf(subject, request), connections, size.roundMs);
      const { value, cpu } = await cpuDuring({ it: subject.pid }, run);
      return { perSecond: value.perSecond, cpuMs: (cpu['it'] ?? 0) / value.requests };
    });
  const one = await measure(1);
  const many = await measure(MANY);
  const rate = median<{ readonly perSecond: number }>(({ perSecond }) => perSecond);
  const cost = median<{ readonly cpuMs: number }>(({ cpuMs }) => cpuMs);
  return [
    { name: `${name}: requests/s, 1 connection`, unit: '', aim, figures: figures(one, rate) },
    { name: `${name}: requests/s, ${String(MANY)} connections`, unit: '', aim, figures: figures(many, rate) },
    { name: `${name}: CPU per request, ${String(MANY)} connections`, unit: 'ms', figures: figures(many, cost) },
  ];
}

async function measureFirstByte(name: string, request: Case, subjects: readonly Subject[], size: Size): Promise<Row[]> {
  const times = await inTurn(subjects, size.rounds, async (subject) => {
    const answers = await oneByOne(driveOf(subject, request), size.firstBytes);
    return answers.map(({ firstByteMs }) => firstByteMs);
  });
  const row = (word: string, fraction: number): Row => ({
    ...{ name: `${name}: first streamed byte, ${word}`, unit: 'ms', aim: { overBaseline: 1 } },
    figures: figures(times, (samples) => percentile(samples.flat(), fraction)),
  });
  return [row('p50', 0.5), row('p95', 0.95)];
}

async function measureLongStream(name: string, request: Case, subjects: readonly Subject[], size: Size): Promise<Row> {
  const rates = await inTurn(subjects, size.rounds, async (subject) => {
    const answers = await oneByOne(driveOf(subject, request), STREAMS);
    const totalMs = answers.reduce((sum, answer) => sum + answer.totalMs, 0);
    return (answers.length * STREAM_TOKENS.long * 1_000) / totalMs;
  });
  return { name: `${name}: tokens/s, one long stream`, unit: '', figures: figures(rates, median(Number)) };
}

/** Everything about one pair of dialects. The baseline translates nothing: it is asked in the dialect of the caller. */
export async function measureCase(request: Pick<Case, 'caller' | 'upstream'>, subjects: readonly Subject[], size: Size): Promise<Row[]> {
  const { caller, upstream } = request;
  const name = caller === upstream ? caller : `${caller} → ${upstream}`;
  const [short, long] = [{ ...request, stream: 'short' } as const, { ...request, stream: 'long' } as const];
  return [
    ...(await measureThroughput(name, request, await prepare(subjects, request, size), size)),
    ...(await measureFirstByte(name, short, await prepare(subjects, short, size), size)),
    await measureLongStream(name, long, await prepare(subjects, long, size), size),
  ];
}
