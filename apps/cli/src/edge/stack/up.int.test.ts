import { afterEach, beforeEach, expect, test } from 'vitest';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readConfig } from '@codelab/service-shell';
import { verifies } from '@codelab/testkit';
import { findLocalStack, holdStack, type StackInfo } from '@codelab/client/local-stack';
import { toRedisAddress } from '../../core/stack/redis-address.js';
import { askRedis } from './ask-redis.js';
import { CliConfig } from '../config.js';
import { endStack, useMatchingStack } from './use-matching-stack.js';
import { LocalGateway } from './local-gateway.js';
import { isAlive } from './process-identity.js';
const fixture = fileURLToPath(new URL('./__fixtures__/up-with-fakes.ts', import.meta.url));
const register = pathToFileURL(fileURLToPath(new URL('../../../../../scripts/register-swc.mjs', import.meta.url))).href;

let dataDir: string;
const started: ChildProcess[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'codelab up '));
});
afterEach(async () => {
  const alive = started.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  for (const child of alive) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});

function up(...words: string[]) {
  return upWith({}, ...words);
}

function upWith(variables: Readonly<Record<string, string>>, ...words: string[]) {
  const environment = { PATH: process.env['PATH'], CODELAB_DATA_DIR: dataDir, ...variables };
  const child = spawn(process.execPath, ['--conditions=codelab-source', '--import', register, fixture, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  started.push(child);
  return child;
}

async function ready(child: ReturnType<typeof up>): Promise<StackInfo> {
  child.stderr.resume();
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit')])) as [string];
  return JSON.parse(line) as StackInfo;
}

const ask = async (url: string, commands: readonly string[][]) => {
  const address = toRedisAddress(url);
  return address && askRedis(address, commands);
};

const pidsOf = ({ gateways, runtimes, proxies, redis }: StackInfo) =>
  [...gateways, ...runtimes, ...proxies, redis].map(({ pid }) => pid ?? 0);

async function until(what: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 10_000; !(await what()); await delay(20))
    if (Date.now() > deadline) throw new Error('it did not happen within 10 s');
}
const gone = async (pids: readonly number[]) => (await Promise.all(pids.map(isAlive))).every((alive) => !alive);

test('up --json prints one line that names every service, Redis and the token, and keeps a private record of it', async () => {
  const child = up();
  const everything = text(child.stdout);
  const info = await ready(child);
  const gateway = {
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    ws: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/ws$/),
    pid: expect.any(Number),
  };
  const service = { url: gateway.url, pid: gateway.pid };
  expect(info).toEqual({
    gateways: [gateway, gateway],
    runtimes: [service],
    proxies: [service],
    redis: { url: expect.stringMatching(/^redis:\/\/:\w+@127\.0\.0\.1:\d+$/), pid: expect.any(Number) },
    token: (await readFile(join(dataDir, 'token'), 'utf8')).trim(),
  });
  expect(await (await fetch(`${info.gateways[1]?.url}/health`)).json()).toMatchObject({ pid: info.gateways[1]?.pid });
  expect(await findLocalStack(dataDir)).toEqual({ ...info, pid: child.pid, provider_settings: {} });
  for (const name of ['stack.json', 'token', 'redis/redis.conf']) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);

  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect((await everything).trim().split('\n')).toHaveLength(1);
  expect(await gone(pidsOf(info))).toBe(true);
  expect(await findLocalStack(dataDir)).toBeUndefined();
});

test('a second stack on the same data directory is refused in one sentence', async () => {
  const first = up();
  await ready(first);
  const second = up();
  const said = text(second.stderr);
  expect(await once(second, 'exit')).toEqual([75, null]);
  expect(await said).toBe(
    `A stack runs on ${dataDir} already (process ${first.pid}): stop it, or set CODELAB_DATA_DIR to another folder.\n`,
  );
});

test(
  verifies('R4:local-stack-heals', 'a service and Redis that are killed come back at the same address, Redis with its data'),
  async () => {
    const info = await ready(up());
    const [gateway] = info.gateways;
    await ask(info.redis.url, [['SET', 'kept', 'yes']]);
    process.kill(gateway?.pid ?? 0, 'SIGKILL');
    process.kill(info.redis.pid ?? 0, 'SIGKILL');
    await until(async () => {
      const record = await findLocalStack(dataDir);
      return (
        record !== undefined && record.gateways[0]?.pid !== gateway?.pid && record.redis.pid !== info.redis.pid && record.redis.pid !== null
      );
    });
    const record = await findLocalStack(dataDir);
    expect(record?.gateways[0]?.url).toBe(gateway?.url);
    expect(await (await fetch(`${gateway?.url}/health`)).json()).toMatchObject({ pid: record?.gateways[0]?.pid });
    expect(await ask(info.redis.url, [['GET', 'kept']])).toEqual(['yes']);
  },
);

test('nothing outlives an up that was killed, and the next one takes its place', async () => {
  const first = up();
  const info = await ready(first);
  await ask(info.redis.url, [['SET', 'kept', 'yes']]);
  first.kill('SIGKILL');
  const next = await ready(up());
  expect(await ask(next.redis.url, [['GET', 'kept']])).toEqual(['yes']);
  await until(() => gone(pidsOf(info)));
});

test('a stack that is kept for its users ends when the last one is gone', async () => {
  const child = up('--while-held');
  await ready(child);
  const record = await findLocalStack(dataDir);
  const [one, another] = [record && (await holdStack(record)), record && (await holdStack(record))];
  one?.();
  expect(await findLocalStack(dataDir)).toBeDefined();
  another?.();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('where llm-proxy is said to be, another one may be already: then it takes any free port', async () => {
  const holder = createServer().on('error', () => undefined); // somebody else holds it: as good
  holder.listen(8002, '127.0.0.1');
  try {
    const { proxies } = await ready(up('--while-held'));
    expect(proxies[0]?.url).toMatch(/^http:\/\/127\.0\.0\.1:(?!8002)\d+$/);
  } finally {
    holder.close();
  }
});

test('a holder without the token is turned away', async () => {
  await ready(up('--while-held'));
  const record = await findLocalStack(dataDir);
  expect(record && (await holdStack({ ...record, token: 'x'.repeat(record.token.length) }))).toBeUndefined();
});

test(verifies('R4:local-stack-moves', 'a client of the stack of this machine finds it where it is started again'), async () => {
  const first = up();
  await ready(first);
  const record = (await findLocalStack(dataDir))!;
  const gateway = new LocalGateway(dataDir, { record, stop: () => undefined }, undefined);
  first.kill('SIGTERM');
  await once(first, 'exit');
  await gateway.follow();
  expect([gateway.ws, gateway.token]).toEqual([record.gateways[0]!.ws, record.token]);
  const next = await ready(up('--while-held'));
  await gateway.follow();
  expect([gateway.ws, gateway.http, gateway.token]).toEqual([next.gateways[0]!.ws, next.gateways[0]!.url, next.token]);
  const { pid } = (await findLocalStack(dataDir))!;
  gateway.stop();
  await until(() => gone([pid]));
});

test('a stack that was started with other providers than ours is used as it is, said so, and ended only where the person wants it', async () => {
  await ready(upWith({ OPENAI_API_KEY: 'theirs', ANTHROPIC_API_KEY: 'the same' }));
  const config = readConfig(CliConfig, { CODELAB_DATA_DIR: dataDir });
  const said: string[] = [];
  const use = async (mayRestart?: () => Promise<boolean>) => useMatchingStack(config, (text) => void said.push(text), mayRestart);
  const before = { ...process.env };
  try {
    Object.assign(process.env, { ANTHROPIC_API_KEY: 'the same' });
    await use();
    expect(said).toEqual([]);
    Object.assign(process.env, { OPENAI_API_KEY: 'ours' });
    await use();
    expect(said).toEqual([expect.stringMatching(/started with other settings of OPENAI_API_KEY: yours have no effect/)]);
    const { record } = await use(() => Promise.resolve(false));
    expect(said).toHaveLength(1);
    expect(JSON.stringify(record)).not.toMatch(/theirs|the same/);
    await endStack(record);
    expect(await gone(pidsOf(record))).toBe(true);
  } finally {
    for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY']) delete process.env[name];
    Object.assign(process.env, before);
  }
});
