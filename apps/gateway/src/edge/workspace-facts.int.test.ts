import { expect, test } from 'vitest';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { hello } from './__fixtures__/frame-client.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis);
const { newSession, connect, join } = edge;

const facts = (content: string) => ({
  type: 'workspace_facts',
  environment: { branch: 'main' },
  files: [{ path: 'AGENTS.md', scope: 'workspace', bytes: content.length, content }],
});
const latest = async (session: ReturnType<typeof newSession>): Promise<string> => (await edge.bus.store.readFacts(session)).latest;

test('a welcome names the room for facts; what the executor says is kept, and the last word counts', async () => {
  const session = newSession();
  const client = await connect(session);
  client.send(hello('c1'));
  expect(await client.next('welcome')).toMatchObject({ limits: { max_facts_bytes: 196_608 } });
  client.send(facts('one'));
  client.send(facts('two'));
  await eventually('the facts are kept', async () => (await latest(session)).includes('"two"'));
  expect(await edge.bus.store.readFacts(session)).toMatchObject({ first: expect.stringContaining('"two"') });
});

test('what a session began with stays, whatever is said later', async () => {
  const session = newSession();
  const client = await join(session);
  client.send(facts('one'));
  client.send({ type: 'user_message', content: 'go' });
  await client.next('message_accepted');
  for (const text of ['two', 'three']) client.send(facts(text));
  await eventually('the facts are kept', async () => (await latest(session)).includes('"three"'));
  expect((await edge.bus.store.readFacts(session)).first).toContain('"one"');
});

test(verifies('S1:facts', 'only the executor of a session says what its workspace is like, and it goes with the session'), async () => {
  const session = newSession();
  const executor = await join(session, 'c1');
  executor.send(facts('mine'));
  await eventually('the facts are kept', async () => (await latest(session)).includes('mine'));
  const observer = await join(session, 'c2', { tools: [] });
  observer.send(facts('yours'));
  expect(await observer.next('error')).toMatchObject({ code: 'FORBIDDEN', reply_to_type: 'workspace_facts' });
  expect(await latest(session)).toContain('mine');
  expect((await edge.ask('DELETE', `/sessions/${session.sessionId}`)).status).toBe(204);
  expect(await latest(session)).toBe('');
});

test('facts that are too large are refused by name, and the connection lives', async () => {
  const client = await join();
  const file = { path: 'a.md', scope: 'workspace', bytes: 1, content: 'é'.repeat(32_000) };
  client.send({ type: 'workspace_facts', files: Array.from({ length: 4 }, () => file) });
  expect(await client.next('error')).toMatchObject({ code: 'INVALID_FIELD', message: expect.stringContaining('at most 196608') });
  client.send({ type: 'user_message', content: 'go' });
  await client.next('message_accepted');
});
