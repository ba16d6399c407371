import type { ChaosEvent, ChaosFrame, EventOf } from '../../recording/chaos-event.js';
import { packRows, type Bar, type Lane, type LaneGroup, type Mark, type Tone } from './timeline.js';

interface Span {
  readonly session: string;
  readonly bar: Bar;
  readonly marks: Mark[];
}

const text = (frame: ChaosFrame, name: string): string => (typeof frame[name] === 'string' ? frame[name] : '');

const ENDS: Readonly<Record<string, Tone>> = { completed: 'good', failed: 'bad', cancelled: 'warn' };
const MARKS: Readonly<Record<string, readonly [Mark['shape'], Tone]>> = {
  approval_resolved: ['diamond', 'ask'],
  hitl_decision: ['diamond', 'ask'],
  tool_ack: ['dot', 'info'],
  tool_result: ['dot', 'good'],
  tool_cancel: ['cross', 'warn'],
};

/** What the frames tell of turns and calls; the first that says a thing counts, whoever saw it. */
class Spans {
  readonly turns = new Map<string, Span>();
  readonly calls = new Map<string, Span>();

  constructor(
    private readonly sessions: ReadonlyMap<string, string>,
    private readonly end: number,
  ) {}

  hear({ at, observer, frame }: EventOf<'frame'>, event: number): void {
    const session = this.sessions.get(observer) ?? text(frame, 'session_id');
    const turn = text(frame, 'turn_id');
    if (frame.type === 'turn_started') this.begin(this.turns, turn, session, at, event, 'turn');
    if (frame.type === 'turn_ended') this.finish(this.turns, turn, at, ENDS[text(frame, 'status')] ?? 'plain', text(frame, 'status'));
    const call = text(frame, 'call_id');
    if (frame.type === 'tool_call') this.begin(this.calls, call, session, at, event, text(frame, 'tool_name'));
    const [shape, tone] = MARKS[frame.type] ?? [];
    if (shape !== undefined && tone !== undefined) this.calls.get(call)?.marks.push({ at, shape, tone, event });
    if (frame.type === 'tool_result_ack' && frame['status'] === 'accepted') this.finish(this.calls, call, at, 'good');
  }

  private begin(spans: Map<string, Span>, id: string, session: string, at: number, event: number, label: string): void {
    if (id === '' || spans.has(id)) return;
    spans.set(id, { session, bar: { from: at, to: this.end, tone: 'soft', event, open: true, label }, marks: [] });
  }

  private finish(spans: Map<string, Span>, id: string, at: number, tone: Tone, label?: string): void {
    const span = spans.get(id);
    if (span?.bar.open !== true) return;
    spans.set(id, { ...span, bar: { ...span.bar, to: at, tone, open: false, label: label ?? span.bar.label } });
  }
}

const lanesOf = (name: string, spans: readonly Span[], gap: number): Lane[] =>
  packRows(
    spans.map((span) => ({ from: span.bar.from, to: span.bar.to, span })),
    gap,
  ).map((row, at) => ({
    name: at === 0 ? name : '',
    bars: row.map(({ span }) => span.bar),
    marks: row.flatMap(({ span }) => span.marks),
    marksBelow: true,
  }));

/** For each session its turns, and below them its calls with their acknowledgements, decisions and results. */
export function sessionLanes(events: readonly ChaosEvent[], end: number): LaneGroup {
  const sessions = new Map(events.flatMap((event) => (event.kind === 'observer' ? [[event.observer, event.session] as const] : [])));
  const spans = new Spans(sessions, end);
  events.forEach((event, index) => {
    if (event.kind === 'frame') spans.hear(event, index);
  });
  const names = new Set([...spans.turns.values(), ...spans.calls.values()].map(({ session }) => session));
  const of = (all: ReadonlyMap<string, Span>, name: string): Span[] => [...all.values()].filter(({ session }) => session === name);
  return {
    title: 'Sessions',
    lanes: [...names].flatMap((name) => [
      ...lanesOf(`${name} · turns`, of(spans.turns, name), 0),
      ...lanesOf('calls', of(spans.calls, name), end / 150),
    ]),
  };
}
