import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock, startWsPeer, type WsPeer } from '@codelab/testkit';
import type { WorkspaceFacts } from '@codelab/protocol';
import { deferred, letIn, makeClient, makeFolder, ScriptedExecutor, type TestClient } from '../../test/support.js';

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

const LIMITS = { limits: { max_facts_bytes: 100_000 } };
const file = (content: string) =>
  ({ path: 'AGENTS.md', scope: 'workspace', bytes: content.length, sha256: content.padEnd(64, '0'), content }) as const;

const start = (read: () => WorkspaceFacts): TestClient => {
  const executor = Object.assign(new ScriptedExecutor(), { readFacts: () => Promise.resolve(read()) });
  const made = makeClient(peer, folder, { executor });
  cleanups.unshift(() => made.client.close());
  return made;
};

const say = async (client: TestClient['client'], connection: Awaited<ReturnType<typeof letIn>>['connection'], text: string) => {
  const sent = client.sendMessage(text);
  const message = await connection.next('user_message');
  connection.send({ type: 'message_accepted', message_id: message['message_id'], turn_id: `t-${text}`, state: 'started' });
  await sent;
};

test('the facts go before the first message, and again before one when something lasting changed', async () => {
  let facts: WorkspaceFacts = { environment: { branch: 'main', git_status: 'clean' }, files: [file('one')] };
  const { client } = start(() => facts);
  const connecting = client.connect();
  const { connection } = await letIn(peer, LIMITS);
  await connecting;
  await say(client, connection, 'a');
  facts = { ...facts, environment: { branch: 'main', git_status: ' M a.ts' } };
  await say(client, connection, 'b');
  facts = { ...facts, files: [file('two')] };
  await say(client, connection, 'c');
  const order = connection.received.filter(({ type }) => type === 'workspace_facts' || type === 'user_message');
  expect(order.map(({ type }) => type)).toEqual(['workspace_facts', 'user_message', 'user_message', 'workspace_facts', 'user_message']);
  expect(order[3]).toMatchObject({ files: [{ path: 'AGENTS.md', content: 'two' }] });
});

test('a reconnect repeats nothing; a store that has forgotten is told again', async () => {
  const { client } = start(() => ({ files: [file('one')] }));
  const connecting = client.connect();
  const first = await letIn(peer, LIMITS);
  await connecting;
  await say(client, first.connection, 'a');
  first.connection.terminate();
  const second = await letIn(peer, LIMITS);
  await say(client, second.connection, 'b');
  expect(second.connection.received.map(({ type }) => type)).not.toContain('workspace_facts');
  second.connection.terminate();
  const third = await letIn(peer, { ...LIMITS, recovered: false });
  await say(client, third.connection, 'c');
  expect(third.connection.received.map(({ type }) => type)).toContain('workspace_facts');
});

test.each([
  ['a gateway that names no limit for them', { limits: {} }],
  ['a session that another client executes', { ...LIMITS, executor: 'other' }],
])('%s is told nothing', async (_, welcome) => {
  const { client } = start(() => ({ files: [file('one')] }));
  const connecting = client.connect();
  const { connection } = await letIn(peer, welcome);
  await connecting;
  await say(client, connection, 'a');
  expect(connection.received.map(({ type }) => type)).not.toContain('workspace_facts');
});

test('who names an agent that a file describes is told to the gateway with it, however long the reading takes', async () => {
  const facts = deferred<WorkspaceFacts>();
  const clock = new FakeClock();
  const content = '---\ndescription: Looks for races.\n---\nYou look for races.\n';
  const reviewer = {
    path: '.codelab/agents/reviewer.md',
    scope: 'workspace',
    bytes: content.length,
    sha256: '0'.repeat(64),
    content,
  } as const;
  const executor = Object.assign(new ScriptedExecutor(), { readFacts: () => facts.promise });
  const { client } = makeClient(peer, folder, { executor, clock, agent: 'reviewer' });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  await clock.advance(10_000);
  facts.resolve({ files: [reviewer] });
  const { hello } = await letIn(peer, LIMITS);
  expect(hello).toMatchObject({ agent: 'reviewer', agents: ['reviewer'] });
  await connecting;
});

test('facts that cannot be read keep no message back', async () => {
  const { client, problems } = start(() => {
    throw new Error('no folder');
  });
  const connecting = client.connect();
  const { connection } = await letIn(peer, LIMITS);
  await connecting;
  await say(client, connection, 'a');
  expect(problems).toContainEqual({ event: 'facts.failed', message: expect.stringContaining('no folder') });
});
