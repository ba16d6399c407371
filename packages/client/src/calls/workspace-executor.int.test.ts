import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { argsDigest } from '@codelab/tools';
import { openWorkspace } from '@codelab/workspace';
import { startWsPeer, verifies } from '@codelab/testkit';
import { acknowledgeResult, askedCall, letIn, makeFolder, QUICK, resolved, toolCall } from '../../test/support.js';
import { CodeLabClient } from '../client.js';
import { workspaceExecutor } from './tool-executor.js';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

test(
  verifies(
    'H2:client-operands',
    'a file that changed since its approver saw it is not written; asked anew, and edited onto another path, it is',
  ),
  async () => {
    const peer = await startWsPeer();
    cleanups.push(() => peer.close());
    const [root, dataDir] = [await makeFolder(cleanups), await makeFolder(cleanups)];
    const client = new CodeLabClient({
      ...{ url: peer.url, token: 't', sessionId: 's1', clientId: 'c', client: { name: 'test', version: '1' }, backoff: QUICK },
      journalDir: join(dataDir, 'journal'),
      executor: workspaceExecutor(await openWorkspace({ root, dataDir })),
    });
    cleanups.unshift(() => client.close());
    const connecting = client.connect();
    const { connection } = await letIn(peer);
    await connecting;
    const args = { path: 'a.txt', content: 'new\n' };
    await writeFile(join(root, 'a.txt'), 'old\n');
    connection.send(askedCall(1, 'c1', { args }));
    expect(await connection.next('tool_preview')).toMatchObject({ preview: { kind: 'diff', text: expect.stringContaining('+new') } });
    await writeFile(join(root, 'a.txt'), 'changed meanwhile\n');
    connection.send(resolved(2, 'c1', args));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ error: { code: 'APPROVAL_MISMATCH' } });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('changed meanwhile\n');

    connection.send(askedCall(3, 'c1', { args }));
    expect(await connection.next('tool_preview')).toMatchObject({ preview: { text: expect.stringContaining('-changed meanwhile') } });
    const edited = { path: 'b.txt', content: 'edited\n' };
    connection.send(resolved(4, 'c1', edited, { outcome: 'edited', args: edited, args_sha256: argsDigest(edited) }));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('edited\n');
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('changed meanwhile\n');
  },
);

test.each([
  ['2.0', { content: 'one\n', encoding: 'utf-8' }],
  ['2.1', { content: 'one\n', encoding: 'utf-8', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), lines_total: 1, truncated: false }],
])(verifies('L3:additions', 'servers of version %s get the fields that it has, and no others'), async (version, expected) => {
  const peer = await startWsPeer();
  cleanups.push(() => peer.close());
  const [root, dataDir] = [await makeFolder(cleanups), await makeFolder(cleanups)];
  const client = new CodeLabClient({
    ...{ url: peer.url, token: 't', sessionId: 's1', clientId: 'c', client: { name: 'test', version: '1' }, backoff: QUICK },
    journalDir: join(dataDir, 'journal'),
    executor: workspaceExecutor(await openWorkspace({ root, dataDir })),
  });
  cleanups.unshift(() => client.close());
  await writeFile(join(root, 'a.txt'), 'one\n');
  const connecting = client.connect();
  const { connection, hello } = await letIn(peer, { protocol_version: version });
  expect(hello).toMatchObject({ protocol_versions: expect.arrayContaining(['2.0', '2.1']), tools: expect.arrayContaining(['media.read']) });
  await connecting;
  connection.send(toolCall(1, 'c1', { tool_name: 'read_file', args: { path: 'a.txt' }, idempotency: 'safe' }));
  expect((await acknowledgeResult(connection, 'c1'))['result']).toEqual(expected);
  connection.send(toolCall(2, 'c2', { tool_name: 'process.output', args: { process_id: 'p' }, idempotency: 'safe' }));
  expect(await acknowledgeResult(connection, 'c2')).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
});
