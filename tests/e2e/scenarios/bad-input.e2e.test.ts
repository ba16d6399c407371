import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { WebSocket } from 'ws';
import { runCommand, startSystem, type System } from '../start-system.js';
import { connectWire } from '../wire-client.js';

let system: System;
let folder: string;

beforeAll(async () => {
  system = await startSystem();
  folder = await mkdtemp(join(tmpdir(), 'codelab-input-'));
});

afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true, force: true });
});

const statusOfUpgrade = (path: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${system.gateways[0]?.ws ?? ''}${path}`, { headers });
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('error', reject);
  });

test(
  verifies('G1:upgrade', 'a wrong token is refused before the upgrade, a token in the URL is a bad request, a foreign page is forbidden'),
  async () => {
    const bearer = { authorization: `Bearer ${system.token}` };
    expect(await statusOfUpgrade('/s', { authorization: 'Bearer wrong' })).toBe(401);
    expect(await statusOfUpgrade(`/s?token=${system.token}`)).toBe(400);
    expect(await statusOfUpgrade('/s', { ...bearer, origin: 'https://evil.example' })).toBe(403);
    expect(await statusOfUpgrade('/not%20a%20name', bearer)).toBe(400);
    expect(await statusOfUpgrade('/s', bearer)).toBe(101);
  },
);

test(verifies('G2:connection-lives', 'after bad frames of every kind the connection still answers good ones'), async () => {
  const client = await connectWire({ ws: system.gateways[0]?.ws ?? '', token: system.token, hello: { client_id: 'c' } });
  await client.waitForType('welcome');
  const bad = [
    '',
    '{',
    '[]',
    'null',
    '{"type":"shutdown"}',
    '{"type":"ack"}',
    '{"type":"ack","seq":-1}',
    `{"type":"ack","seq":${'['.repeat(100_000)}`,
  ];
  for (const text of bad) client.sendText(text);
  await client.waitFor(() => client.frames.filter(({ type }) => type === 'error').length === bad.length, 'an error for each');
  client.send({ type: 'user_message', content: 'help', message_id: 'm' });
  expect(await client.waitForType('message_accepted')).toMatchObject({ message_id: 'm', state: 'started' });
  await client.waitForType('turn_ended');
  await client.close();
});

const ofUp = (env: Record<string, string>): ReturnType<typeof runCommand> =>
  runCommand(['up', '--json'], { env: { ...system.env, CODELAB_DATA_DIR: join(folder, 'data'), ...env } });

const oneSentence = (stderr: string): string => stderr.trim().split('\n').at(-1) ?? '';

test(verifies('G2:commands', 'a command that cannot work says so in one sentence, and what to do'), async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const noFolder = await runCommand(['exec', '--workspace', file, '--url', 'ws://127.0.0.1:1/ws', '--token', 't', 'hi'], {
    env: system.env,
  });
  expect(noFolder.code).toBe(2);
  expect(oneSentence(noFolder.stderr)).toMatch(/not a folder|no folder/i);
  const wrongToken = await runCommand(['exec', '--workspace', folder, '--url', system.gateways[0]?.ws ?? '', '--token', 'wrong', 'hi'], {
    env: system.env,
  });
  expect(wrongToken.code).toBe(1);
  expect(oneSentence(wrongToken.stderr)).toMatch(/token/i);
  const usage = await runCommand(['exec', '--approve', 'sometimes', 'hi'], { env: system.env });
  expect(usage.code).toBe(2);
});

test(verifies('G2:ports', 'a port in use is named'), async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const result = await ofUp({ GATEWAY_PORT: String(port) });
  expect(result.code).not.toBe(0);
  expect(result.stdout).toBe('');
  expect(result.stderr).toContain(String(port));
  server.close();
});
