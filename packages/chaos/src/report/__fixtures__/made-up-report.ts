import { drawFrom } from '../../plan/draw.js';
import type { ReportData, Series } from '../report-data.js';
import { makeRecording } from './make-recording.js';

const series = (name: string, middle: number, aimMs: number, note: string): Series => {
  const draw = drawFrom(middle, name);
  const samples = Array.from({ length: 120 }, () => middle * Math.exp((draw.integer(0, 1000) + draw.integer(0, 1000) + draw.integer(0, 1000) - 1500) / 900));
  return { name, samples, aimMs, note };
};

/** A report with one of everything; `hostile` is put wherever text from outside may stand. */
export function madeUpReport(hostile = ''): ReportData {
  const events = makeRecording(7, hostile);
  const guilty = events.flatMap((event, at) => (event.kind === 'frame' && event.frame.type === 'tool_result' ? [at] : [])).slice(4, 6);
  const violation = { promise: 'R2', text: `the call s1-t2-c1 took effect twice ${hostile}`, at: events[guilty[0] ?? 0]?.at ?? 0, events: guilty };
  const draw = drawFrom(1, 'seeds');
  const seeds = Array.from({ length: 400 }, (_, at) => ({
    seed: at + 1,
    tookMs: draw.integer(2000, 9000),
    faults: Array.from({ length: draw.integer(0, 7) }, () => draw.one(['kill gateway', 'kill runtime', 'freeze', 'restart redis', 'cut link', hostile || 'stall'])),
    violations: at === 211 ? [violation] : [],
  }));
  return {
    command: `codelab chaos --seeds 400 ${hostile}`,
    commit: 'abc1234',
    machine: `2 cores, 8 GB ${hostile}`,
    startedAt: new Date('2026-01-02T03:04:05Z'),
    tookMs: 1_512_000,
    seeds,
    sample: { seed: 7, events },
    failures: [{ seed: 212, events, violations: [violation], shrunk: ['kill runtime-1 when a call is open', `freeze redis for 800 ms ${hostile}`], repeat: `codelab chaos --seed 212 ${hostile}` }],
    recovery: [
      series('gateway SIGKILL', 310, 1000, 'next frame of the turn'),
      series('runtime SIGKILL', 1500, 3000, 'next frame of the turn'),
      series('Redis restart', 1200, 2000, 'with its append-only file'),
    ],
    mutants: [
      { name: 'settle-twice', place: 'store', promise: 'R2', fault: `a second result overwrites the first ${hostile}`, caught: { seed: 3, after: 3, promise: 'R2', text: `two results ${hostile}` }, tookMs: 21_000 },
      { name: 'ready-always', place: 'gateway', promise: 'ready', fault: '/ready says yes without a store', tookMs: 80_000 },
    ],
  };
}
