import { expect, test } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { verifies } from '@codelab/testkit';
import type { SupervisorMessage } from './index.js';

const fixture = fileURLToPath(new URL('./__fixtures__/example-service.ts', import.meta.url));
const register = new URL('../../../scripts/register-swc.mjs', import.meta.url).href;

function start(environment: Record<string, string>, channel: 'ipc' | 'ignore', more: readonly string[] = []) {
  const child = spawn(process.execPath, ['--conditions=codelab-source', '--import', register, ...more, fixture], {
    stdio: ['ignore', 'ignore', 'pipe', channel],
    env: { PATH: process.env['PATH'], EXAMPLE_PORT: '0', ...environment },
  });
  return { child, log: text(child.stderr as Readable) };
}

test('a supervisor hears where the service listens, then that it is ready; SIGTERM drains it and it ends with 0', async () => {
  const { child, log } = start({}, 'ipc');
  const messages: SupervisorMessage[] = [];
  child.on('message', (message: SupervisorMessage) => {
    messages.push(message);
    if (message.type === 'ready') child.kill('SIGTERM');
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(messages).toEqual([{ type: 'listening', port: expect.any(Number) }, { type: 'ready' }]);
  const events = (await log)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events).toContainEqual(
    expect.objectContaining({ event: 'service.listening', service: 'example', port: expect.any(Number), pid: child.pid }),
  );
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['service.waiting', 'service.ready', 'service.draining', 'example.drained', 'service.stopped']),
  );
});

test('a service whose supervisor is gone drains and ends', async () => {
  const { child } = start({}, 'ipc');
  child.on('message', ({ type }: SupervisorMessage) => type === 'ready' && child.disconnect());
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a configuration that is wrong is told to the person on stderr, to a supervisor as a message', async () => {
  const sentence = 'EXAMPLE_PORT is "banana": set it to a port.';
  const alone = start({ EXAMPLE_PORT: 'banana' }, 'ignore');
  expect(await once(alone.child, 'exit')).toEqual([1, null]);
  expect(await alone.log).toBe(`${sentence}\n`);
  const supervised = start({ EXAMPLE_PORT: 'banana' }, 'ipc');
  const [[message]] = await Promise.all([once(supervised.child, 'message'), once(supervised.child, 'exit')]);
  expect(message).toEqual({ type: 'failed', message: sentence });
});

test('a supervisor is told that a port is taken: with another one the service may go', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const { child } = start({ EXAMPLE_PORT: String(port) }, 'ipc');
  const [[message]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  expect(message).toEqual({ type: 'failed', message: expect.stringContaining(`Port ${port}`), portTaken: true });
  holder.close();
});

test('a rejection that nobody handles is logged and ends the process with 1', async () => {
  const { child, log } = start({ EXAMPLE_FAULT: 'yes' }, 'ipc');
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(await log).toMatch(/"event":"service.fault".*"message":"nobody waits for this"/);
});

/** Says at the end how many modules of OpenTelemetry's SDK were loaded, all of them CommonJS; its API, without effect alone, prom-client loads. */
const COUNT = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module';
  const { cache } = createRequire('file:///');
  process.on('exit', () => process._rawDebug('loaded ' + Object.keys(cache).filter((path) => /@opentelemetry.(?:sdk|exporter)/.test(path)).length));
`)}`;
const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };

test.each<[string, Record<string, string>, RegExp]>([
  ['without a collector', {}, /^loaded 0$/m],
  ['disabled', { ...COLLECTOR, OTEL_SDK_DISABLED: 'true' }, /^loaded 0$/m],
  ['to a collector', COLLECTOR, /^loaded [1-9]/m],
  [
    'with a share that is none',
    { ...COLLECTOR, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'endpoint=x' },
    /nothing is traced: OTEL_TRACES_SAMPLER_ARG is endpoint=x[^]*^loaded 0$/m,
  ],
])(
  verifies(
    'L1:trace-off',
    'a service starts whatever is set for traces, says what is wrong with it, and loads no SDK that it does not use: %s',
  ),
  async (_, environment, expected) => {
    const { child, log } = start(environment, 'ipc', ['--import', COUNT]);
    child.on('message', ({ type }: SupervisorMessage) => type === 'ready' && child.kill('SIGTERM'));
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await log).toMatch(expected);
  },
);
