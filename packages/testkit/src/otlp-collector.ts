import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { eventually } from './eventually.js';

/** A span as a collector got it. */
export interface CollectedSpan {
  /** `service.name` of the resource. */
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** '' for the root of a trace. */
  readonly parentSpanId: string;
  /** As the protocol numbers them: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The status is an error; its message. */
  readonly error?: string;
}

/** A collector of OpenTelemetry's protocol by HTTP and JSON. */
export interface OtlpCollector {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` is to be. */
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything that came, as it came. */
  readonly bodies: readonly { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }[];
  /** The environment of a process whose spans come here at once. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when a span of this name is there. */
  waitFor(name: string | RegExp, where?: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  close(): Promise<void>;
}

/** Starts a collector. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: { headers: IncomingHttpHeaders; bytes: Buffer }[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((raw) => {
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
      bodies.push({ headers: request.headers, bytes });
      if (request.headers['content-type']?.startsWith('application/json') === true) spans.push(...readSpans(bytes.toString()));
      response.writeHead(200, { 'content-type': request.headers['content-type'] ?? 'application/json' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ endpoint, spans, bodies },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_BSP_SCHEDULE_DELAY: '50' },
    waitFor: (name, where = () => true) => {
      const isIt = (span: CollectedSpan): boolean => (typeof name === 'string' ? span.name === name : name.test(span.name)) && where(span);
      return eventually(`a span ${String(name)}`, () => spans.find(isIt));
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface TracesData {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

interface WireSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

function readSpans(text: string): readonly CollectedSpan[] {
  return (JSON.parse(text) as TracesData).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(toValues(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => toSpan(service, span)));
  });
}

const toSpan = (service: string, span: WireSpan): CollectedSpan => ({
  ...{ service, name: span.name, traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId ?? '', kind: span.kind },
  startMs: Number(span.startTimeUnixNano) / 1e6,
  endMs: Number(span.endTimeUnixNano) / 1e6,
  attributes: toValues(span.attributes ?? []),
  ...(span.status?.code === 2 && { error: span.status.message ?? '' }),
});

const toValues = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [[kind, plain] = ['', undefined]] = Object.entries(value);
      return [key, kind === 'intValue' ? Number(plain) : plain];
    }),
  );
