export { openTracing, type Exporting, type TracedProgram } from './open-tracing.js';
export { childOf, contextNamed, readTraceparent, type TraceContext, writeTraceparent } from './trace-context.js';
export type { Attributes, RecordedSpan, SpanKind, Tracing } from './tracing.js';
export { wallClock } from './wall-clock.js';
