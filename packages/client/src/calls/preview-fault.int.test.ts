import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, startWsPeer, verifies, type PeerConnection, type WsPeer } from '@codelab/testkit';
import { openWorkspace } from '@codelab/workspace';
import {
  acknowledgeResult,
  askedCall,
  defaultArgs,
  letIn,
  makeClient,
  makeFolder,
  resolved,
  ScriptedExecutor,
} from '../../test/support.js';
import type { ApprovalRequest } from '../approvals/approval-request.js';
import type { ClientOptions } from '../client-options.js';
import { openLocalPolicy } from '../local-policy/open-local-policy.js';
import { workspaceExecutor } from './tool-executor.js';

let peer: WsPeer;
let root: string;
let dataDir: string;
let asked: ApprovalRequest[];
let refused: unknown[];
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  peer = await startWsPeer();
  cleanups.push(() => peer.close());
  [root, dataDir] = [await makeFolder(cleanups), await makeFolder(cleanups)];
  [asked, refused] = [[], []];
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A client of a real workspace; its human is asked and says nothing. */
const start = async (options: Partial<ClientOptions> = {}, version = '2.1'): Promise<PeerConnection> => {
  const { client } = makeClient(peer, join(dataDir, 'journal'), {
    sessionId: 's1',
    approve: (request) => {
      asked.push(request);
      return Promise.resolve(undefined);
    },
    onRefused: (...call) => refused.push(call),
    ...options,
    executor: (options.executor ?? workspaceExecutor(await openWorkspace({ root, dataDir }))) as ScriptedExecutor, // a real one does as well
  });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer, { protocol_version: version });
  await connecting;
  return connection;
};

const call = (seq: number, id: string, tool_name: string, args: object): object => askedCall(seq, id, { tool_name, args });
const patch = (from: string, to: string): string => `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-${from}\n+${to}\n`;

test.each([
  ['a path outside of the workspace', 'write_file', { path: '../a.txt', content: 'x' }, 'PATH_OUTSIDE_WORKSPACE'],
  ['a file that is missing', 'delete_file', { path: 'b.txt' }, 'FILE_NOT_FOUND'],
  ['a patch that does not fit', 'apply_patch', { diff: patch('other', 'new'), allow_dirty: true }, 'PATCH_APPLY_FAILED'],
  ['a content that is not the one expected', 'write_file', { path: 'a.txt', content: 'x', expected_sha256: 'none' }, 'CONFLICT'],
  ['a target that exists', 'move_file', { from: 'a.txt', to: 'c.txt' }, 'CONFLICT'],
  ['a directory that a command can not start in', 'run_command', { command: 'ls', cwd: 'nowhere' }, 'FILE_NOT_FOUND'],
])(
  verifies('H1:preview-fault', 'a call for %s is answered with its error, and no human is asked about it'),
  async (_what, tool, args, code) => {
    for (const file of ['a.txt', 'c.txt']) await writeFile(join(root, file), 'old\n');
    const connection = await start();
    connection.send(call(1, 'c1', tool, args));
    const result = await acknowledgeResult(connection, 'c1');
    expect(result).toMatchObject({ preview_failed: true, error: { code } });
    expect([asked, refused]).toEqual([[], [['c1', result['error']]]]);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('old\n');
  },
);

test('servers before 2.1 would refuse such an answer: the human is asked, and reads that the call would fail', async () => {
  const connection = await start({}, '2.0');
  connection.send(call(1, 'c1', 'delete_file', { path: 'b.txt' }));
  const request = await eventually('the question', () => asked[0]);
  expect(request.preview?.text).toContain('would fail. Error [FILE_NOT_FOUND]');
});

test('a fault that is not of the call is for the human to see to', async () => {
  const preview = { kind: 'text', text: 'This call would fail.' } as const;
  const fault = { code: 'PERMISSION_DENIED', message: 'The system denies access to a.txt.' } as const;
  const connection = await start({ executor: new ScriptedExecutor({}, () => Promise.resolve({ preview, operands: [], fault })) });
  connection.send(call(1, 'c1', 'write_file', { path: 'a.txt', content: 'x' }));
  expect(await eventually('the question', () => asked[0])).toMatchObject({ callId: 'c1', preview });
});

test(
  verifies(
    'H1:preview-fault-order',
    'a call that needs what one before it makes is looked at again when that one has run, then asked about',
  ),
  async () => {
    const connection = await start();
    const [write, edit] = [
      { path: 'a.txt', content: 'old\n' },
      { diff: patch('old', 'new'), allow_dirty: true },
    ];
    connection.send(call(1, 'write', 'write_file', write));
    connection.send(call(2, 'edit', 'apply_patch', edit));
    connection.send(call(3, 'gone', 'delete_file', { path: 'b.txt' }));
    await eventually('the first question', () => asked[0]);
    expect(asked.map(({ callId }) => callId)).toEqual(['write']);
    connection.send(resolved(4, 'write', write));
    expect(await acknowledgeResult(connection, 'write')).toMatchObject({ result: { success: true } });
    const second = await eventually('the second question', () => asked[1]);
    expect(second).toMatchObject({ callId: 'edit', preview: { kind: 'diff', text: expect.stringContaining('+new') } });
    connection.send(resolved(5, 'edit', edit));
    expect(await acknowledgeResult(connection, 'edit')).toMatchObject({ result: { success: true } });
    expect(await acknowledgeResult(connection, 'gone')).toMatchObject({ preview_failed: true, error: { code: 'FILE_NOT_FOUND' } });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('new\n');
  },
);

test(
  verifies('H1:preview-fault-order', 'a call that is asked anew keeps its place before one that waits for it: both are answered'),
  async () => {
    const preview = { kind: 'text', text: 'what it would do' } as const;
    const fault = { code: 'FILE_NOT_FOUND', message: 'There is no such file.' } as const;
    const mismatch = { code: 'APPROVAL_MISMATCH', message: 'first.txt changed' } as const;
    let looks = 0;
    const executor = new ScriptedExecutor({ write_file: () => ({ ok: false, error: mismatch }) }, () =>
      Promise.resolve({ preview, operands: [], ...((looks += 1) > 1 && { fault }) }),
    );
    const connection = await start({ executor });
    connection.send(askedCall(1, 'first'));
    await eventually('the question', () => asked[0]);
    connection.send(askedCall(2, 'second'));
    await eventually('the look at it', () => looks === 2);
    connection.send(resolved(3, 'first', defaultArgs('first')));
    expect(await connection.next('tool_result')).toMatchObject({ call_id: 'first', error: mismatch });
    connection.send(askedCall(4, 'first')); // before its answer is acknowledged
    for (const id of ['first', 'second'])
      expect(await acknowledgeResult(connection, id)).toMatchObject({ preview_failed: true, error: fault });
  },
);

test("a call that only this client's own policy asks about is answered with its error, too", async () => {
  const localPolicy = openLocalPolicy({ dataDir, onProblem: () => undefined });
  const connection = await start({ localPolicy });
  connection.send({ ...call(1, 'c1', 'delete_file', { path: 'b.txt' }), state: 'ready', requires_approval: false });
  const result = await acknowledgeResult(connection, 'c1');
  expect(result).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } });
  expect(result).not.toHaveProperty('preview_failed');
  expect(asked).toEqual([]);
});

test('a client that starts anew sends the same answer again, from its journal', async () => {
  const first = await start();
  const gone = call(1, 'c1', 'delete_file', { path: 'b.txt' });
  first.send(gone);
  const result = await first.next('tool_result');
  await cleanups.shift()?.();
  const second = await start();
  second.send({ ...gone, redelivered: true });
  expect(await acknowledgeResult(second, 'c1')).toEqual(result);
});
