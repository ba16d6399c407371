import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWsPeer, verifies, type WsPeer } from '@codelab/testkit';
import { acknowledgeResult, askedCall, letIn, makeClient, makeFolder, ScriptedExecutor, toolCall } from '../test/support.js';

let peer: WsPeer;
let folder: string;
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  peer = await startWsPeer();
  cleanups.push(() => peer.close());
  folder = await makeFolder(cleanups);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const key = (seed: string): string => `ghp_${createHash('sha256').update(seed).digest('hex').slice(0, 36)}`;
const fingerprint = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12);
const [HIDDEN, SHOWN] = [key('a'), key('b')];

test(
  verifies('L1:client-masks', 'no key leaves the machine in a result, an output, an error or a preview, unless its human allows it'),
  async () => {
    const executor = new ScriptedExecutor(
      {
        read_file: () => ({ ok: true, result: { content: `"${HIDDEN}" ${SHOWN}` } }),
        write_file: (_args, { onOutput }) => {
          for (const piece of [`token ${HIDDEN.slice(0, 20)}`, HIDDEN.slice(20), '\nend ']) onOutput('stdout', piece);
          return { ok: false, error: { code: 'GIT_ERROR', message: `https://x:${HIDDEN}@host` } };
        },
      },
      () => Promise.resolve({ preview: { kind: 'text', text: `+${HIDDEN} ${SHOWN}` } }),
    );
    const allowedSecrets = (): Promise<ReadonlySet<string>> => Promise.resolve(new Set([fingerprint(SHOWN)]));
    const { client } = makeClient(peer, folder, { sessionId: 's1', executor, allowedSecrets });
    cleanups.unshift(() => client.close());
    const connecting = client.connect();
    const { connection } = await letIn(peer);
    await connecting;
    connection.send(toolCall(1, 'read', { tool_name: 'read_file' }));
    expect(await acknowledgeResult(connection, 'read')).toMatchObject({
      result: { content: `"[secret github-token ${fingerprint(HIDDEN)}]" ${SHOWN}` },
      allowed_secrets: [fingerprint(SHOWN)],
    });
    connection.send(toolCall(2, 'write'));
    expect(await acknowledgeResult(connection, 'write')).toMatchObject({ error: { message: expect.stringContaining('[secret ') } });
    connection.send(askedCall(3, 'asked'));
    await connection.next('tool_preview');
    const sent = JSON.stringify(connection.received);
    expect(sent).not.toContain(HIDDEN.slice(0, 30));
    expect(sent).toContain('\\nend ');
    await client.close();
    expect(await readFile(join(folder, (await journalOf(folder))!), 'utf8')).not.toContain(HIDDEN);
  },
);

test(
  verifies('L1:own-token', 'the token that a client presents leaves it in no result, output, error or preview, whatever its shape'),
  async () => {
    const token = 'team.token~without-a-shape';
    const executor = new ScriptedExecutor(
      {
        read_file: () => ({ ok: true, result: { content: `TOKEN=${token}\n${token}s are other words` } }),
        write_file: (_args, { onOutput }) => {
          for (const piece of [`node --token ${token.slice(0, 9)}`, token.slice(9), '\nend ']) onOutput('stdout', piece);
          return { ok: false, error: { code: 'GIT_ERROR', message: `Bearer ${token}` } };
        },
      },
      () => Promise.resolve({ preview: { kind: 'text', text: `+${token}` } }),
    );
    const { client } = makeClient(peer, folder, { sessionId: 's1', executor, token: () => token });
    cleanups.unshift(() => client.close());
    const connecting = client.connect();
    const { connection } = await letIn(peer);
    await connecting;
    connection.send(toolCall(1, 'read', { tool_name: 'read_file' }));
    expect(await acknowledgeResult(connection, 'read')).toMatchObject({
      result: { content: `TOKEN=[secret known ${fingerprint(token)}]\n${token}s are other words` },
    });
    connection.send(toolCall(2, 'write'));
    expect(await acknowledgeResult(connection, 'write')).toMatchObject({
      error: { message: `Bearer [secret known ${fingerprint(token)}]` },
    });
    connection.send(askedCall(3, 'asked'));
    await connection.next('tool_preview');
    const sent = JSON.stringify(connection.received).replaceAll(`${token}s`, '');
    expect(sent).not.toContain(token);
    expect(sent).toContain('\\nend ');
  },
);

const journalOf = async (directory: string): Promise<string | undefined> => {
  const { readdir } = await import('node:fs/promises');
  return (await readdir(directory, { recursive: true })).find((name) => name.endsWith('calls.ndjson'));
};

test('a list of allowed secrets that can not be read allows none, and the user is told', async () => {
  const executor = new ScriptedExecutor({ read_file: () => ({ ok: true, result: { content: SHOWN } }) });
  const allowedSecrets = (): Promise<never> => Promise.reject(new Error('secrets.json: it is not JSON'));
  const { client, problems } = makeClient(peer, folder, { sessionId: 's1', executor, allowedSecrets });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  connection.send(toolCall(1, 'read', { tool_name: 'read_file' }));
  expect(JSON.stringify(await acknowledgeResult(connection, 'read'))).not.toContain(SHOWN);
  expect(problems).toMatchObject([{ event: 'secrets.failed' }]);
});

test('attachments without content are read when the message is sent', async () => {
  const readAttachments = (specs: readonly { readonly path: string }[]): Promise<{ path: string; content: string }[]> =>
    Promise.resolve(specs.map(({ path }) => ({ path, content: `content of ${path}` })));
  const { client } = makeClient(peer, folder, { sessionId: 's1', readAttachments });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  const sending = client.sendMessage('look', { attachments: [{ path: 'a' }, { path: 'b', content: 'given' }] });
  const message = await connection.next('user_message');
  expect(message['attachments']).toEqual([
    { path: 'a', content: 'content of a' },
    { path: 'b', content: 'given' },
  ]);
  connection.send({ type: 'message_accepted', message_id: message['message_id'], turn_id: 't1', state: 'started' });
  await sending;
});
