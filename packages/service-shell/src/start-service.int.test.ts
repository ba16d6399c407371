import { afterEach, expect, test } from 'vitest';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get } from '@nestjs/common';
import { verifies } from '@codelab/testkit';
import { readConfig, ServiceConfig, startService, type RunningService, type ServiceContext, type ServiceDefinition } from './index.js';

const running: RunningService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});

@Controller('hello')
class HelloController {
  @Get()
  hello() {
    return { hello: 'world' };
  }
}
class HelloModule {}

interface Options {
  readonly port?: number;
  readonly environment?: Record<string, string>;
  readonly wire?: (context: ServiceContext) => void;
}

function definition({ port = 0, environment = {}, wire }: Options = {}): ServiceDefinition<ServiceConfig> {
  return {
    name: 'gateway',
    version: '1.2.3',
    config: () => readConfig(ServiceConfig, { LOG_LEVEL: 'silent', ...environment }),
    port: { variable: 'GATEWAY_PORT', of: () => port },
    module: (context) => {
      wire?.(context);
      return { module: HelloModule, controllers: [HelloController] };
    },
  };
}

async function start(options?: Options): Promise<RunningService> {
  const service = await startService(definition(options));
  running.push(service);
  return service;
}

test('health names the service, its pid and its version', async () => {
  const { url } = await start();
  const response = await fetch(`${url}/health`);
  expect(await response.json()).toEqual({ status: 'ok', service: 'gateway', pid: process.pid, version: '1.2.3' });
  expect(response.headers.get('x-powered-by')).toBeNull();
});

test("the service's own module answers beside the shell's endpoints", async () => {
  const { url } = await start();
  expect(await (await fetch(`${url}/hello`)).json()).toEqual({ hello: 'world' });
});

test('ready says 503 and what it waits for until every gate is open', async () => {
  let open = () => {};
  const { url } = await start({ wire: ({ readiness }) => (open = readiness.gate('redis').open) });
  const before = await fetch(`${url}/ready`);
  expect([before.status, await before.json()]).toEqual([503, { ready: false, waiting_for: ['redis'] }]);
  open();
  const after = await fetch(`${url}/ready`);
  expect([after.status, await after.json()]).toEqual([200, { ready: true, waiting_for: [] }]);
});

test('metrics are Prometheus text with our prefix and the name of the service', async () => {
  const { url } = await start();
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).toMatch(/^codelab_process_cpu_seconds_total\{service="gateway"\} [\d.]+$/m);
});

test('a port in use is one sentence that names the port and the variable', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  const { port } = holder.address() as AddressInfo;
  const closed: string[] = [];
  const failing = startService(definition({ port, wire: ({ drain }) => drain.on('close', 'redis', () => void closed.push('redis')) }));
  await expect(failing).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use: stop the program that holds it, or set GATEWAY_PORT to another port (0 takes any free one).`,
  );
  expect(closed).toEqual(['redis']);
  await new Promise((resolve) => holder.close(resolve));
});

test('a stop drains in order: no more work, what has begun, HTTP, connections', async () => {
  const order: string[] = [];
  const service = await start({
    wire: ({ drain, readiness }) => {
      drain.on('close', 'redis', () => void order.push('close'));
      drain.on('finish', 'turns', () => void order.push(`finish, ready: ${readiness.ready}`));
      drain.on('stop', 'sockets', () => void order.push('stop'));
    },
  });
  await service.stop();
  expect(order).toEqual(['stop', 'finish, ready: false', 'close']);
  await expect(fetch(`${service.url}/health`)).rejects.toThrow();
});

test(verifies('R4:drain-refuses', 'a service that drains refuses who connects, and lets a request that is under way end'), async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const service = await start({ wire: ({ drain }) => drain.on('stop', 'something long', () => ended) });
  const { port } = service;
  const late = connect(port, '127.0.0.1');
  late.write(`GET /hello HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
  await fetch(`${service.url}/health`); // the head is under way
  const stopping = service.stop();
  await expect(fetch(`${service.url}/hello`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  late.write('Connection: close\r\n\r\n');
  expect(await text(late)).toContain('{"hello":"world"}');
  end();
  await stopping;
});

test('a hook that never ends is left behind when the time is over, and the rest still runs', async () => {
  const order: string[] = [];
  const service = await start({
    environment: { DRAIN_TIMEOUT_MS: '20' },
    wire: ({ drain }) => {
      drain.on('finish', 'stuck', (signal) => {
        signal.addEventListener('abort', () => order.push('told to give up'));
        return new Promise<void>(() => {});
      });
      drain.on('close', 'redis', () => void order.push('closed'));
    },
  });
  await service.stop();
  expect(order).toEqual(['told to give up', 'closed']);
});
