import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eventually, startOtlpCollector, type OtlpCollector } from '@codelab/testkit';
import type { Exporting } from './exporting.js';
import { openTracing } from './open-tracing.js';
import { readTraceparent } from './trace-context.js';

let collector: OtlpCollector;
beforeAll(async () => {
  collector = await startOtlpCollector();
});
afterAll(() => collector.close());
afterEach(() => vi.unstubAllEnvs());

const PROGRAM = { name: 'a-program', version: '1.2.3' };
const told: string[] = [];

/** What the SDK reads by itself it reads from the environment. */
const open = (changes: Partial<Exporting> = {}) => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.endpoint);
  const usual = {
    isDisabled: false,
    exporter: 'otlp',
    endpoint: collector.endpoint,
    protocol: 'http/json',
    sampler: 'parentbased_always_on',
  };
  return openTracing(PROGRAM, { ...usual, scheduledDelayMs: 20, maxQueueSize: 100, ...changes }, (message) => told.push(message));
};

test('spans come to the collector with the ids, times and outcome that they were recorded with', async () => {
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment=tests');
  const tracing = (await open({ headers: 'api-key=a%20b' }))!;
  const root = tracing.begin(undefined, 'turn_7');
  tracing.record({ name: 'root', context: root, startMs: 1_000.25, endMs: 3_000, attributes: { count: 2, absent: undefined } });
  const child = tracing.begin(root);
  tracing.record({
    name: 'child',
    kind: 'client',
    context: child,
    parentSpanId: root.spanId,
    startMs: 2_000,
    endMs: 1_000,
    error: 'timeout',
  });
  await tracing.close();
  expect(await collector.waitFor('root')).toEqual({
    ...{ service: 'a-program', name: 'root', traceId: root.traceId, spanId: root.spanId, parentSpanId: '', kind: 1 },
    ...{ startMs: 1_000.25, endMs: 3_000, attributes: { count: 2 } },
  });
  expect(await collector.waitFor('child')).toMatchObject({
    ...{ traceId: root.traceId, spanId: child.spanId, parentSpanId: root.spanId, kind: 3, error: 'timeout' },
    ...{ startMs: 2_000, endMs: 2_000, attributes: { 'error.type': 'timeout' } },
  });
  expect(collector.bodies.at(-1)?.headers).toMatchObject({ 'api-key': 'a b' });
  expect(collector.bodies.at(-1)?.bytes.toString()).toContain('deployment.environment');
});

test('protobuf is spoken, too, and the name of the service is that of the environment', async () => {
  vi.stubEnv('OTEL_SERVICE_NAME', 'renamed');
  const tracing = (await open({ protocol: 'http/protobuf' }))!;
  tracing.record({ name: 'in protobuf', context: tracing.begin(undefined), startMs: 1, endMs: 2 });
  await tracing.close();
  const body = await eventually('the body', () => collector.bodies.find(({ bytes }) => bytes.includes('in protobuf')));
  expect(body.headers['content-type']).toBe('application/x-protobuf');
  expect(body.bytes.includes('renamed')).toBe(true);
});

test.each<[string, Partial<Exporting>, boolean, boolean]>([
  ['always_off', { sampler: 'always_off' }, false, false],
  ['a share of none', { sampler: 'traceidratio', samplerArgument: '0' }, false, false],
  ['whoever asks decides', { sampler: 'parentbased_always_off' }, true, false],
  ['all', { sampler: 'always_on' }, true, true],
  ['all, with an argument that it does not take', { sampler: 'always_on', samplerArgument: 'endpoint=http://a' }, true, true],
])('a sampler decides alike wherever it is asked: %s', async (_, changes, ofSampled, ofRoot) => {
  const tracing = (await open(changes))!;
  const parent = readTraceparent(`00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`);
  expect([tracing.begin(parent).isSampled, tracing.begin(undefined, 'turn').isSampled]).toEqual([ofSampled, ofRoot]);
  await tracing.close();
});

test.each<[string, Partial<Exporting>, RegExp | undefined]>([
  ['without an endpoint', { endpoint: undefined }, undefined],
  ['disabled', { isDisabled: true }, undefined],
  ['no exporter', { exporter: 'none' }, undefined],
  ['gRPC', { protocol: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL is grpc: set it to/],
  ['another exporter', { exporter: 'jaeger' }, /OTEL_TRACES_EXPORTER is jaeger: set it to/],
  ['a sampler of elsewhere', { sampler: 'xray' }, /OTEL_TRACES_SAMPLER is xray: set it to/],
  ['no share', { sampler: 'parentbased_traceidratio', samplerArgument: '1.5' }, /OTEL_TRACES_SAMPLER_ARG is 1\.5: set it to the share/],
  ['words for a share', { sampler: 'traceidratio', samplerArgument: 'endpoint=x' }, /OTEL_TRACES_SAMPLER_ARG is endpoint=x: set it to/],
])('nothing is traced %s, and the log says why where it seems to be wanted', async (_, changes, why) => {
  told.length = 0;
  expect(await open(changes)).toBeUndefined();
  expect(told).toEqual(why === undefined ? [] : [expect.stringMatching(why)]);
});
