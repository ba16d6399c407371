import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { startSystem, type System } from '../start-system.js';
import { connectWire } from '../wire-client.js';

const EXAMPLE = fileURLToPath(new URL('../../../examples/seed-client.mjs', import.meta.url));
const run = promisify(execFile);
let system: System;
let repository: Repository;

beforeAll(async () => {
  system = await startSystem();
  repository = await makeRepository({ extra: { 'a.txt': 'alpha\n' } });
});

afterAll(async () => {
  await system.stop();
  await repository.remove();
});

const ws = (): string => system.gateways[0]?.ws ?? '';

test(verifies('G2:seed', 'a client written from the specification alone reads and writes, with the offline model'), async () => {
  const say = (message: string): Promise<{ stdout: string }> =>
    run(process.execPath, [EXAMPLE, ws(), system.token, repository.root, message]);
  expect((await say('read a.txt')).stdout).toContain('alpha');
  await say('create notes/new.txt with hello there');
  expect(await readFile(join(repository.root, 'notes/new.txt'), 'utf8')).toMatch(/^hello there\n?$/);
});

test(verifies('G2:seed-frames', 'a seed client is sent assistant_message, tool_call and error, and nothing else'), async () => {
  const client = await connectWire({ ws: ws(), token: system.token });
  client.onFrame(({ type, call_id }) => {
    if (type === 'tool_call') client.send({ type: 'tool_result', call_id, result: { content: 'alpha\n', encoding: 'utf-8' } });
  });
  client.send({ type: 'user_message', content: 'read a.txt' });
  client.send({ type: 'shutdown' });
  await client.waitForType('error');
  await client.waitFor((frame) => frame['is_final'] === true, 'the final text');
  const types = new Set(client.frames.map(({ type }) => type));
  expect([...types].sort()).toEqual(['assistant_message', 'error', 'tool_call']);
  expect(client.frames.find(({ type }) => type === 'error')).toMatchObject({ code: 'INVALID_TYPE', retryable: false });
  await client.close();
});

test(
  verifies('R2:seed-abandons', 'an unsafe call that a lost seed client had is unknown once it comes back and says something else'),
  async () => {
    const lost = await connectWire({ ws: ws(), token: system.token, session: 'seed-lost' });
    lost.send({ type: 'user_message', content: 'create x.txt with y' });
    await lost.waitForType('tool_call');
    lost.kill();
    const back = await connectWire({ ws: ws(), token: system.token, session: 'seed-lost' });
    back.send({ type: 'user_message', content: 'help' });
    await back.waitFor(() => back.frames.filter((frame) => frame['is_final'] === true).length === 2, 'the ends of both turns');
    expect(back.frames.filter(({ type }) => type === 'tool_call')).toEqual([]);
    expect(back.frames.find((frame) => frame['is_final'] === true)?.['content']).toContain('OUTCOME_UNKNOWN');
    await back.close();
  },
);

test(verifies('H1:seed-decides', 'a seed client that answers PERMISSION_DENIED has rejected the call'), async () => {
  const client = await connectWire({ ws: ws(), token: system.token, session: 'seed-rejects' });
  client.send({ type: 'user_message', content: 'create x.txt with y' });
  const call = await client.waitForType('tool_call');
  expect(call).toMatchObject({ tool_name: 'write_file', requires_approval: true });
  client.send({ type: 'tool_result', call_id: call['call_id'], error: { code: 'PERMISSION_DENIED', message: 'the user said no' } });
  await client.waitFor((frame) => frame['is_final'] === true, 'the final text');
  await client.close();
  const history = (await (
    await fetch(`${system.gateways[0]?.url ?? ''}/api/v1/sessions/seed-rejects/history`, {
      headers: { authorization: `Bearer ${system.token}` },
    })
  ).json()) as object;
  expect(JSON.stringify(history)).toContain('DENIED_BY_USER');
});
