import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, type SpanContext, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  type IdGenerator,
  RandomIdGenerator,
  SamplingDecision,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Exporting, TracedProgram } from '../exporting.js';
import { contextNamed, type TraceContext } from '../trace-context.js';
import type { RecordedSpan, SpanKind as OurKind, Tracing } from '../tracing.js';
import { createSampler } from './create-sampler.js';

const KINDS: Readonly<Record<OurKind, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** How long the last spans may take to be sent. */
const CLOSE_MS = 1_500;

/** Tracing by OpenTelemetry's SDK. Nothing is registered globally: no library of this process is instrumented. */
export function createTracing(program: TracedProgram, exporting: Exporting, tell: (message: string) => void): Tracing {
  tellErrors(tell);
  const ids = new GivenIds();
  const random = new RandomIdGenerator();
  const sampler = createSampler(exporting.sampler, exporting.samplerArgument);
  const { scheduledDelayMs: scheduledDelayMillis, maxQueueSize } = exporting;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': program.name, 'service.version': program.version }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: new AlwaysOnSampler(), // decided at the beginning of each span, by `begin`
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter: createExporter(exporting), scheduledDelayMillis, maxQueueSize })],
  });
  const tracer = provider.getTracer('codelab', program.version);
  return {
    begin(parent, name) {
      const own = name === undefined ? { traceId: random.generateTraceId(), spanId: random.generateSpanId() } : contextNamed(name);
      const traceId = parent?.traceId ?? own.traceId;
      const above = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, toSpanContext(parent));
      const { decision } = sampler.shouldSample(above, traceId, '', SpanKind.INTERNAL, {}, []);
      return { traceId, spanId: own.spanId, isSampled: decision === SamplingDecision.RECORD_AND_SAMPLED };
    },
    record(span) {
      if (!span.context.isSampled) return;
      ids.next = span.context;
      const { parentSpanId } = span;
      const parent = parentSpanId === undefined ? undefined : toSpanContext({ ...span.context, spanId: parentSpanId });
      const above = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      const recorded = tracer.startSpan(span.name, toOptions(span), above);
      if (span.error !== undefined) recorded.setStatus({ code: SpanStatusCode.ERROR, message: span.error });
      recorded.end(toTime(Math.max(span.endMs, span.startMs)));
    },
    close: () => withinTime(provider.shutdown()),
  };
}

const toSpanContext = ({ traceId, spanId, isSampled }: TraceContext): SpanContext => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});

const toOptions = ({ kind = 'internal', startMs, attributes, error, links }: RecordedSpan) => ({
  kind: KINDS[kind],
  startTime: toTime(startMs),
  attributes: {
    ...(attributes as Record<string, string | number | boolean | string[]>),
    'error.type': error,
  },
  links: links?.map((context) => ({ context: toSpanContext(context) })),
});

/** Seconds and nanoseconds: the SDK takes a small number for a time since the process began. */
const toTime = (ms: number): [number, number] => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];

/** Gives a span the ids that it is to have. */
class GivenIds implements IdGenerator {
  next: TraceContext = { traceId: '', spanId: '', isSampled: true };

  generateTraceId = (): string => this.next.traceId;
  generateSpanId = (): string => this.next.spanId;
}

function createExporter({ exporter, protocol, headers: text = '' }: Exporting): SpanExporter {
  if (exporter === 'console') return new ConsoleSpanExporter();
  const headers = parseHeaders(text); // they may have come from a file
  return protocol === 'http/json' ? new JsonExporter({ headers }) : new ProtobufExporter({ headers });
}

/** `name=value`, comma-separated, percent-encoded: as in W3C baggage. */
function parseHeaders(text: string): Record<string, string> {
  const entries = text.split(',').flatMap((entry) => {
    const equals = entry.indexOf('=');
    return equals < 1 ? [] : [[entry.slice(0, equals).trim(), decode(entry.slice(equals + 1).trim())] as const];
  });
  return Object.fromEntries(entries);
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The SDK's own words about its troubles: which collector can't be reached, how many spans were dropped. */
function tellErrors(onTrouble: (message: string) => void): void {
  const tell = (message: string): void => onTrouble(message.slice(0, 300));
  const quiet = (): void => undefined;
  diag.setLogger(
    { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

async function withinTime(done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
  await Promise.race([done.catch(() => undefined), late]);
  clearTimeout(timer);
}
