import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Registry } from 'prom-client';
import { newId, type SessionRef } from '@codelab/bus';
import { connectBus, type Bus } from '@codelab/bus/redis';
import type { ServerFrame } from '@codelab/protocol';
import { followSession, eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { answerOf, Client, startModel } from './__fixtures__/peers.js';
import { PrometheusMeter } from './metrics.js';
import { startRuntime } from './start-runtime.js';

const LIMITS = { maxRounds: 50, turnTimeoutMs: 60_000, approvalTimeoutMs: 0, defaultModel: 'fake', defaultVocabulary: 'codelab' as const };
const write = (path: string) => ({ providerId: 'p', name: 'write_file', arguments: JSON.stringify({ path, content: 'x' }) });
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let redis: TestRedis;
let peers: Bus;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  redis = await startRedis();
  peers = await connectBus({ url: redis.url });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await peers.close();
  await redis.close();
});

/** A runtime, a client, and a model that writes one file after the other, or several at once, or makes another call. */
const begin = async (name: string, atOnce = 1, call = write): Promise<{ client: Client; bus: Bus }> => {
  const bus = await connectBus({ url: redis.url });
  const meter = new PrometheusMeter(new Registry());
  const runtime = await startRuntime({ bus, log: silent, meter, limits: LIMITS, lingerMs: 10_000, maxHotSessions: 10 });
  closing.push(async () => {
    await runtime.stopTaking();
    await runtime.handOver(AbortSignal.timeout(5_000));
    await bus.close();
  });
  const model = await startModel(peers, async (history) => {
    const done = history.filter(({ role }) => role === 'tool').length;
    const writes = Array.from({ length: atOnce }, (_, place) => call(`src/${String(done + place)}`));
    return done < 3 ? answerOf({ toolCalls: writes }) : answerOf({ text: 'done' });
  });
  closing.push(() => model.close());
  const client = await Client.open(peers, name);
  closing.push(() => client.close());
  return { client, bus };
};
const allow = { rule: JSON.stringify({ effect: 'allow', tool: 'write_file', path: 'src/**' }), by: 'ana', expiresAtMs: 0 };

/** A program begins something in the client's session; `frames` are those of its child. */
const beginProgram = async ({ ref }: Client): Promise<{ child: SessionRef; frames: ServerFrame[] }> => {
  const opened = await peers.children.open(ref, {
    ...{ sessionId: newId('ses'), turnId: newId('turn'), model: 'fake', base: '{"messages":[]}', maxToolRounds: 0 },
    ...{ callerTools: [], serverTools: [], executorTools: ['write_file'] },
  });
  if (opened.kind === 'refused') throw new Error(opened.code);
  const { child } = opened;
  const frames: ServerFrame[] = [];
  const feed = await followSession(peers.streams, child.ref, { epoch: child.epoch, seq: 0 }, (event) => {
    if (event.kind === 'logged') frames.push(...event.frames.map(({ text }) => JSON.parse(text) as ServerFrame));
  });
  closing.push(() => feed.close());
  return { child: child.ref, frames };
};
const callAt = (client: Client, place: number) => eventually('tool_call', () => client.of('tool_call')[place]);

test(
  verifies('H1:rule-next-call', 'a rule counts for the next call, and a revoked one for none: rules are read for each answer'),
  async () => {
    const { client, bus } = await begin('fresh');
    await client.say('write');
    const first = await callAt(client, 0);
    expect(first.state).toBe('waiting_approval');
    const kept = await peers.rules.keep({ scope: 'session', session: client.ref }, allow);
    await client.decide(first.call_id, 'approved');
    await client.settle(first.call_id, {});
    const second = await callAt(client, 1);
    expect([second.state, second.requires_approval]).toEqual(['ready', false]);
    expect(await peers.rules.revoke(client.ref.owner, 'ruleId' in kept ? kept.ruleId : '', 'ana')).toBe(1);
    await client.settle(second.call_id, {});
    expect((await callAt(client, 2)).state).toBe('waiting_approval');
    expect(bus.counters.roundTrips.get('read-rules')).toBe(3);
    const { entries } = await peers.audit.readSession(client.ref, { limit: 20 });
    expect(entries.map(({ outcome }) => outcome).reverse()).toEqual([
      ...['asked', 'rule_created', 'approved', 'allowed', 'rule_removed', 'asked'],
    ]);
  },
);

test.each([
  ['at once, by the word of the gateway', true],
  ['a second later, where the gateway died before it', false],
])(
  verifies('R2:rule-siblings-once', 'calls that wait side by side are settled by a rule that is made of one of them: %s'),
  async (_when, told) => {
    const { client } = await begin(told ? 'told' : 'untold', 3);
    await client.say('write');
    const third = await callAt(client, 2);
    const [first, second] = client.of('tool_call');
    await client.decide(first!.call_id, 'approved', { remembered: true });
    await peers.rules.keep({ scope: 'session', session: client.ref }, allow);
    if (told) await peers.store.reviewQuestions(client.ref);
    await eventually('three decisions', () => client.of('approval_resolved').length === 3);
    expect(client.of('approval_resolved').map(({ call_id, outcome, by }) => [call_id, outcome, by])).toEqual([
      [first!.call_id, 'approved', 'ana'],
      [second!.call_id, 'approved', 'policy'],
      [third.call_id, 'approved', 'policy'],
    ]);
    for (const { call_id } of client.of('tool_call'))
      expect(await client.settle(call_id, { success: true, bytes_written: 1 })).toBe('accepted');
    expect(await eventually('the end', () => client.of('turn_ended')[0])).toMatchObject({ status: 'completed' });
  },
);

test(
  verifies('H1:rule-workspace', 'a rule of a project counts where the executor works on that workspace, whatever it is called'),
  async () => {
    const { client } = await begin('workspace');
    const { owner } = client.ref;
    const hello = { clientId: client.clientId, tools: '["write_file"]', protocolVersion: '1.0' };
    await peers.store.join(client.ref, { ...hello, workspace: '{"id":"mine","name":"repo"}' }, { create: false });
    await peers.rules.keep({ scope: 'project', owner, workspaceId: 'other' }, allow);
    await client.say('write');
    const first = await callAt(client, 0);
    expect(first.state).toBe('waiting_approval');
    await peers.rules.keep({ scope: 'project', owner, workspaceId: 'mine' }, allow);
    await client.decide(first.call_id, 'approved');
    await client.settle(first.call_id, {});
    expect((await callAt(client, 1)).state).toBe('ready');
  },
);

test(
  verifies('H1:child-rules', 'what a program does is judged by the rules of the session that it uses, if they say that they hold for it'),
  async () => {
    const { client } = await begin('program');
    const forProxy = { ...allow, rule: JSON.stringify({ effect: 'allow', tool: 'write_file', path: 'src/1', proxy: true }) };
    for (const rule of [allow, forProxy]) await peers.rules.keep({ scope: 'session', session: client.ref }, rule);
    const { child, frames } = await beginProgram(client);
    const callsOf = () => frames.filter((frame) => frame.type === 'tool_call');
    const [first] = await eventually('the first call', () => (callsOf().length > 0 ? callsOf() : undefined));
    expect(first).toMatchObject({ state: 'waiting_approval', origin: 'proxy' });
    const atChild = new Client(peers, child, client.clientId);
    await atChild.decide(first!.call_id, 'approved');
    await atChild.settle(first!.call_id, {});
    const second = await eventually('the second call', () => callsOf()[1]);
    expect(second.state).toBe('ready');
    await atChild.settle(second.call_id, {});
    await eventually('the third call', () => callsOf()[2]);
    await peers.children.close(client.ref, child);
    expect(await eventually('the end', () => frames.find(({ type }) => type === 'turn_ended'))).toMatchObject({ status: 'cancelled' });
    expect(client.frames).toEqual([]);
  },
);

test(verifies('H1:child-tightened', 'what a program does is judged by the mode that its session has by now'), async () => {
  const { client } = await begin('tightened');
  await peers.store.patch(client.ref, { mode: 'permissive' });
  const { child, frames } = await beginProgram(client);
  const first = await eventually('the first call', () => frames.find((frame) => frame.type === 'tool_call'));
  expect(first.state).toBe('ready');
  await peers.store.patch(client.ref, { mode: 'plan' });
  await new Client(peers, child, client.clientId).settle(first.call_id, {});
  await eventually('the end', () => frames.find(({ type }) => type === 'turn_ended'));
  expect(frames.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
});

test('a runtime ends what a program began that is gone', async () => {
  const { client } = await begin('abandoned');
  const { child, frames } = await beginProgram(client);
  await eventually('the call', () => frames.find(({ type }) => type === 'tool_call'));
  const { tenant, sub } = child.owner;
  await redis.client.zadd('cl:{held}', 'XX', '1', JSON.stringify([tenant, sub, child.sessionId]));
  expect(await eventually('the end', () => frames.find(({ type }) => type === 'turn_ended'))).toMatchObject({ status: 'cancelled' });
});

test(verifies('H1:plan-race', 'a mode that a human sets while a plan is accepted stays'), async () => {
  const submit = () => ({ providerId: 'p', name: 'submit_plan', arguments: '{"plan":"Write it."}' });
  const { client, bus } = await begin('plan-race', 1, submit);
  await peers.store.patch(client.ref, { mode: 'plan' });
  const commit = bus.store.commit.bind(bus.store);
  const commits: typeof commit = async (ref, lease, step) => {
    if (step.meta?.mode !== undefined) await peers.store.patch(client.ref, { mode: 'strict' });
    return commit(ref, lease, step);
  };
  Object.assign(bus.store, { commit: commits });
  await client.say('plan');
  await client.decide((await callAt(client, 0)).call_id, 'approved');
  await eventually('the end', () => client.of('turn_ended')[0]);
  expect(await peers.store.readMeta(client.ref)).toMatchObject({ mode: 'strict' });
});
