export type { Exporting, TracedProgram } from './exporting.js';
export { openTracing } from './open-tracing.js';
export { childOf, contextNamed, readTraceparent, type TraceContext, writeTraceparent } from './trace-context.js';
export type { Attributes, RecordedSpan, SpanKind, Tracing } from './tracing.js';
export { wallClock } from './wall-clock.js';
