import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, startWsPeer, verifies, type PeerConnection, type WsPeer } from '@codelab/testkit';
import {
  acknowledgeResult,
  askedCall,
  defaultArgs,
  letIn,
  makeClient,
  makeFolder,
  resolved,
  ScriptedExecutor,
  toolCall,
  welcome,
} from '../../test/support.js';
import type { ApprovalRequest } from '../approvals/approval-request.js';

const MISMATCH = { error: { code: 'APPROVAL_MISMATCH' } };
const PATH = 'c1.txt';

let peer: WsPeer;
let folder: string;
/** The digest of the only file. */
let disk: string;
/** The files that each run was bound to. */
let ran: unknown[];
let asked: { readonly request: ApprovalRequest; readonly signal: AbortSignal }[];
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  peer = await startWsPeer();
  cleanups.push(() => peer.close());
  folder = await makeFolder(cleanups);
  [disk, ran, asked] = ['h1', [], []];
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A client that writes where the file is as it was shown; its human says nothing. */
const start = async (greeting: object = {}): Promise<PeerConnection> => {
  const executor = new ScriptedExecutor(
    {
      write_file: (_args, { operands }) => {
        ran.push(operands?.map(({ sha256 }) => sha256));
        const isAsShown = operands?.every(({ sha256 }) => sha256 === disk);
        if (isAsShown === true) return { ok: true, result: { success: true } };
        return { ok: false, error: { code: 'APPROVAL_MISMATCH', message: `${PATH} changed` } };
      },
    },
    () => Promise.resolve({ preview: { kind: 'text', text: disk }, operands: [{ path: PATH, sha256: disk }] }),
  );
  const { client } = makeClient(peer, folder, {
    sessionId: 's1',
    executor,
    approve: (request, signal) => {
      asked.push({ request, signal });
      return Promise.resolve(undefined);
    },
  });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer, greeting);
  await connecting;
  return connection;
};

const restart = async (): Promise<PeerConnection> => {
  await cleanups.shift()?.();
  return start();
};

/** What the frame says of its question. */
const about = (question: number | undefined, more: object = {}): { readonly approval: object } => ({
  approval: { reason: 'it writes', risk: 'medium', choices: ['approve', 'reject'], question, ...more },
});
const again = (seq: number, fields: object): object => toolCall(seq, 'c1', { ...fields, redelivered: true });
const asking = (seq: number, question?: number): object => askedCall(seq, 'c1', about(question));
const decided = (seq: number, question?: number): object =>
  again(seq, { requires_approval: true, ...about(question, { outcome: 'approved', by: 'ann', at_ms: 1 }) });
const approved = (seq: number): object => resolved(seq, 'c1', defaultArgs('c1'));

/** Puts a question and waits until it is shown with the file as it is. */
const ask = async (connection: PeerConnection, seq: number, question?: number): Promise<void> => {
  const before = asked.length;
  connection.send(asking(seq, question));
  const { request } = await eventually('the question', () => asked[before]);
  expect(request.operands).toEqual([{ path: PATH, sha256: disk }]);
};

/** The first question is approved, then the file changes: the second one is put, and shows it as it is now. */
const askTwice = async (connection: PeerConnection, second?: number): Promise<void> => {
  await ask(connection, 1);
  disk = 'h2';
  connection.send(approved(2));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject(MISMATCH);
  expect(ran).toEqual([['h1']]);
  await ask(connection, 3, second);
};

/** The servers lost what came last: the call is what it was before. The next frame has the number 3. */
const setBack = (connection: PeerConnection, call: object): void => {
  const snapshot = { seq: 2, history: [], turn: { turn_id: 't1' }, open_calls: [call], todos: [], queue: [] };
  connection.send(welcome({ recovered: false, epoch: 'e2', seq: 2, snapshot }));
  connection.send(call);
};

test.each([
  ['in the same process', false, undefined],
  ['in the same process, told by its number', false, 1],
  ['in a process that was started since', true, undefined],
])(
  verifies(
    'H2:replaced-question',
    'an approval of an earlier question that a store which was set back tells of lets nothing run, %s: the last one is put anew',
  ),
  async (_where, isRestarted, first) => {
    let connection = await start();
    await askTwice(connection, 2);
    if (isRestarted) connection = await restart();
    setBack(connection, decided(2, first));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject(MISMATCH);
    expect(ran).toEqual([['h1']]);
    await ask(connection, 3, 2);
    connection.send(approved(4));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
    expect(ran).toEqual([['h1'], ['h2']]);
  },
);

test(
  verifies(
    'H2:replaced-first',
    'an approval that came before the first question that a client was put lets nothing run, also where its process is another by then',
  ),
  async () => {
    await ask(await start(), 1, 3); // another client executed before
    const connection = await restart();
    setBack(connection, decided(1, 2));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject(MISMATCH);
    expect(ran).toEqual([]);
  },
);

test(
  verifies(
    'H2:replaced-undecided',
    'an approval of an earlier question that is put again when a store was set back lets nothing run that a later one showed',
  ),
  async () => {
    const connection = await start();
    await askTwice(connection, 2);
    setBack(connection, again(1, { ...asking(1), args: defaultArgs('c1') }));
    connection.send(approved(3)); // by somebody who was shown the first one
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject(MISMATCH);
    expect(ran).toEqual([['h1']]);
  },
);

test.each([
  ['the last question', 2, false],
  ['the last question, after a restart', 2, true],
  ['a question without a number, of servers that count none', undefined, false],
  ['a question without a number, of servers that count none, after a restart', undefined, true],
])('a call that comes again as decided by %s runs', async (_what, question, isRestarted) => {
  let connection = await start();
  await askTwice(connection, question);
  if (isRestarted) connection = await restart();
  setBack(connection, decided(2, question));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
  expect(ran).toEqual([['h1'], ['h2']]);
});

test('a call whose first question has a later number, because a rule had spared it, runs by that', async () => {
  const connection = await start();
  disk = 'h2';
  connection.send(toolCall(1, 'c1', { operands: [{ path: PATH, sha256: 'h1' }] }));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject(MISMATCH);
  await ask(connection, 2, 2);
  connection.send(approved(3));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
});

test.each([
  ['runs where the rule is bound to no files', undefined, { result: { success: true } }],
  ['does nothing where the rule is bound to other files', [{ path: PATH, sha256: 'h1' }], MISMATCH],
])('a call that a rule had spared when the store was set back %s', async (_what, operands, result) => {
  const connection = await start();
  await askTwice(connection, 2);
  setBack(connection, again(2, { operands }));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject(result);
});

test('a journal of a release before, which tells no number, is read: what it has shown is what a decision is bound to', async () => {
  await askTwice(await start(), 2);
  await cleanups.shift()?.();
  const [name = ''] = (await readdir(folder, { recursive: true })).filter((each) => each.endsWith('calls.ndjson'));
  const path = join(folder, name);
  const text = await readFile(path, 'utf8');
  expect(text).toContain('{"is":"reopened","call":"c1","question":2}');
  await writeFile(path, text.replaceAll(',"question":2', ''));
  const connection = await start();
  setBack(connection, decided(2, 2));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
  expect(ran).toEqual([['h1'], ['h2']]);
});
