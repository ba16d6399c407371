import { childOf, readTraceparent, type Tracing, writeTraceparent } from '@codelab/tracing';

/** Where a turn stands in a trace. It is stored with the turn, so that whoever holds the session goes on with it. */
export interface TurnTrace {
  /** Of the span that calls and requests of the turn stand below: the turn's own, or that of whoever asked where we record none. */
  readonly traceparent: string;
  /** The turn has a span of its own: it is recorded when the turn ends, by whoever holds the session then. */
  readonly isOwn?: true;
  /** The span above the turn's own; absent for the root of the trace. */
  readonly parentSpanId?: string;
}

/** Begins the trace of a turn; answers the same when a step is computed again. */
export type BeginTrace = (turnId: string, traceparent: string | undefined) => TurnTrace | undefined;

/** How turns are traced: with spans of their own where tracing is on; else the caller's context is only passed on. */
export const traceTurns =
  (tracing: Pick<Tracing, 'begin'> | undefined): BeginTrace =>
  (turnId, text) => {
    const above = readTraceparent(text);
    if (tracing === undefined) return above && { traceparent: writeTraceparent(above) };
    return { traceparent: writeTraceparent(tracing.begin(above, turnId)), isOwn: true, parentSpanId: above?.spanId };
  };

/** What a call or a model request of the turn carries: the span that is recorded for it, by its id. */
export function traceparentOf(trace: TurnTrace | undefined, id: string): string | undefined {
  const turn = readTraceparent(trace?.traceparent);
  if (turn === undefined || trace === undefined) return undefined;
  return trace.isOwn ? writeTraceparent(childOf(turn, id)) : trace.traceparent;
}
