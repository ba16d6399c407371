import { createHash } from 'node:crypto';

/** Where a span stands: W3C trace context. */
export interface TraceContext {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
  /** Whether the trace is recorded. */
  readonly isSampled: boolean;
}

/** version 00: trace id, parent id, flags (https://www.w3.org/TR/trace-context/#traceparent-header). Later versions may be longer. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** The context that a `traceparent` names; `undefined` where it is none. */
export function readTraceparent(text: unknown): TraceContext | undefined {
  const match = typeof text === 'string' ? TRACEPARENT.exec(text) : null;
  if (match === null) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The `traceparent` of a context. */
export const writeTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/**
 * The ids of the span that stands for something with a name of its own, such as a turn: whoever knows the name knows the ids, so that a span
 * may begin in one process and be recorded by another one, once, after the first was killed.
 */
export function contextNamed(name: string): Pick<TraceContext, 'traceId' | 'spanId'> {
  const digest = createHash('sha256').update(name).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

/** The span of that name below another one. */
export const childOf = ({ traceId, isSampled }: TraceContext, name: string): TraceContext => ({
  traceId,
  spanId: contextNamed(name).spanId,
  isSampled,
});
