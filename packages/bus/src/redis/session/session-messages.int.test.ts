import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { newId } from '../../new-id.js';
import { sessionRef } from '../../session-ref.js';
import { useBus } from '../../../test/bus-fixture.js';
import type { TestSession } from '../../../test/test-session.js';

const fixture = useBus();
const refused = (code: string) => ({ kind: 'refused', code });
const types = (log: readonly string[]) => log.map((text) => (JSON.parse(text) as { type: string }).type);

describe('a message', () => {
  test(verifies('G2:message-once', 'a repeat of a message gets the first answer, whatever the session does now'), async () => {
    const session = await fixture.session();
    const [first, second] = [await session.say('one', 'enqueue', 'm\x1f1'), await session.say('two', 'enqueue', 'm2')];
    expect(first).toMatchObject({ kind: 'accepted', messageId: 'm\x1f1', state: 'started' });
    expect(second).toMatchObject({ kind: 'accepted', messageId: 'm2', state: 'queued', position: 1 });
    const before = await session.dump();
    expect(await session.say('one', 'enqueue', 'm\x1f1')).toEqual(first);
    expect(await session.say('two', 'reject', 'm2')).toEqual(second);
    expect(await session.dump()).toEqual(before);
    const texts = (await session.take()).inbox;
    expect(texts).toMatchObject([
      { kind: 'message', messageId: 'm\x1f1', steered: false, frame: '{"type":"user_message","content":"one"}' },
    ]);
  });

  test(verifies('G2:message-strategies', 'while a turn runs a message waits, joins, is refused, or interrupts'), async () => {
    const session = await fixture.session();
    const started = await session.say('go');
    const turnId = started.kind === 'accepted' ? started.turnId : '';
    expect(await session.say('no', 'reject')).toEqual(refused('BUSY'));
    expect(await session.say('later', 'enqueue', 'later')).toMatchObject({ state: 'queued', position: 1 });
    expect(await session.say('also', 'steer', 'also')).toEqual({ kind: 'accepted', messageId: 'also', turnId, state: 'steered' });
    expect(await session.say('now', 'interrupt', 'now')).toMatchObject({ state: 'queued', position: 1 });
    // A turn that is being cancelled cannot be joined any more.
    expect(await session.say('head', 'steer', 'head')).toMatchObject({ state: 'queued', position: 1 });
    const reading = await fixture.bus.store.read(session.ref, { historyItems: 0 });
    expect(reading?.queue.map(({ messageId }) => messageId)).toEqual(['head', 'now', 'later']);
    expect(reading?.meta.cancelTurnId).toBe(turnId);
    expect(reading?.steering.map(({ messageId }) => messageId)).toEqual(['also']);
    expect((await session.take()).inbox.map(({ kind }) => kind)).toEqual(['message', 'message', 'cancel']);
    expect((await session.log()).at(-1)).toBe(
      '{"seq":4,"type":"queue_updated","queue":[{"message_id":"head","content":"head"},{"message_id":"now","content":"now"},{"message_id":"later","content":"later"}],"steering":[{"message_id":"also","content":"also"}]}',
    );
  });

  test(verifies('G2:message-refusals', 'a session that is not there and a full queue refuse, and store nothing'), async () => {
    const { bus } = fixture;
    const nowhere = sessionRef({ tenant: 'acme', sub: 'ann' }, 'nowhere');
    const message = { messageId: 'm', turnId: 't', frame: '{}', summary: '{}', whenBusy: 'enqueue' } as const;
    expect(await bus.store.deliverMessage(nowhere, message)).toEqual(refused('SESSION_NOT_FOUND'));
    const session = await fixture.session();
    for (let index = 0; index < 33; index += 1) await session.say(String(index), index % 2 === 0 ? 'enqueue' : 'steer');
    const before = await session.dump();
    expect(await session.say('one too many')).toEqual(refused('QUEUE_FULL'));
    expect(await session.say('one too many', 'interrupt')).toEqual(refused('QUEUE_FULL'));
    expect(await session.say('one too many', 'steer')).toEqual(refused('QUEUE_FULL'));
    expect(await session.dump()).toEqual(before);
  });

  test(verifies('S1:owners', 'the same name of two owners is two sessions'), async () => {
    const { bus } = fixture;
    const [ann, bob] = [sessionRef({ tenant: 'acme', sub: 'ann' }, 'same'), sessionRef({ tenant: 'acme', sub: 'bob' }, 'same')];
    await bus.store.join(ann, { protocolVersion: '1.0' }, { create: true });
    expect(await bus.store.readMeta(bob)).toBeUndefined();
    expect(await bus.store.join(bob, { protocolVersion: '1.0' }, { create: false })).toBeUndefined();
    expect(await bus.store.list(bob.owner, { offset: 0, limit: 10 })).toEqual([]);
    expect((await bus.store.list(ann.owner, { offset: 0, limit: 100 })).map(({ ref }) => ref.sessionId)).toContain('same');
  });
});

describe('the queue', () => {
  test(
    verifies('G2:queue-remove', 'a waiting message can be taken out; one that started, and one that never was, are told apart'),
    async () => {
      const { store } = fixture.bus;
      const session = await fixture.session();
      await session.say('go', 'enqueue', 'started');
      await session.say('a', 'enqueue', 'a');
      await session.say('b', 'enqueue', 'b');
      expect(await store.removeQueued(session.ref, 'a')).toEqual({
        kind: 'removed',
        frame: {
          seq: 3,
          head: { type: 'queue_updated' },
          text: '{"seq":3,"type":"queue_updated","queue":[{"message_id":"b","content":"b"}]}',
        },
      });
      expect(await store.removeQueued(session.ref, 'a')).toEqual(refused('UNKNOWN_MESSAGE'));
      expect(await store.removeQueued(session.ref, 'started')).toEqual(refused('ALREADY_RESOLVED'));
      expect(await store.removeQueued(session.ref, 'never')).toEqual(refused('UNKNOWN_MESSAGE'));
    },
  );

  test(
    verifies('R3:next-turn', 'the commit that ends a turn starts the next message, steered ones that found no model first'),
    async () => {
      const { store } = fixture.bus;
      const session = await fixture.session();
      const started = await session.say('go');
      const turnId = started.kind === 'accepted' ? started.turnId : '';
      await session.say('waits', 'enqueue', 'waits');
      await session.say('s1', 'steer', 's1', 'turn_s');
      await session.say('s2', 'steer', 's2', 'turn_s2');
      await session.take();
      expect(await session.commit({ frames: ['{"type":"turn_ended"}'], endTurn: { turnId } })).toEqual({ seq: 5, turnId: 'turn_s' });
      expect((await session.log()).slice(3)).toEqual([
        '{"seq":4,"type":"turn_ended"}',
        '{"seq":5,"type":"queue_updated","queue":[{"message_id":"s2","content":"s2"},{"message_id":"waits","content":"waits"}]}',
      ]);
      expect(await store.readInbox(session.ref.sid, 3)).toMatchObject([{ kind: 'message', messageId: 's1', turnId: 'turn_s' }]);
      expect(await session.commit({ inboxUpTo: 4, endTurn: { turnId: 'turn_s' } })).toMatchObject({ turnId: 'turn_s2' });
      expect(await session.commit({ inboxUpTo: 5, endTurn: { turnId: 'turn_s2' } })).toMatchObject({
        turnId: expect.stringMatching(/^turn_/),
      });
      expect((await store.read(session.ref, { historyItems: 0 }))?.queue).toEqual([]);
      const last = (await store.readMeta(session.ref))?.turnId ?? '';
      expect(await session.commit({ inboxUpTo: 6, endTurn: { turnId: last } })).toMatchObject({ turnId: '' });
    },
  );
});

describe('a steered message', () => {
  const waitingOf = async (session: TestSession) => {
    const { queue, steering } = (await fixture.bus.store.read(session.ref, { historyItems: 0 }))!;
    return { queue: queue.map(({ messageId }) => messageId), steering: steering.map(({ messageId }) => messageId) };
  };

  test(verifies('G2:steer-taken', 'waits until the commit that puts it into the turn, which tells who still waits'), async () => {
    const session = await fixture.session();
    await session.say('go');
    for (const id of ['a', 'b', 'c']) await session.say(id, 'steer', id);
    expect(await waitingOf(session)).toEqual({ queue: [], steering: ['a', 'b', 'c'] });
    await session.take();
    expect(await session.commit({ history: ['{"role":"user"}'], taken: ['a', 'b'] })).toMatchObject({ seq: 4 });
    expect(await waitingOf(session)).toEqual({ queue: [], steering: ['c'] });
    expect((await session.log()).at(-1)).toBe('{"seq":4,"type":"queue_updated","queue":[],"steering":[{"message_id":"c","content":"c"}]}');
    expect(await fixture.bus.store.removeQueued(session.ref, 'a')).toEqual(refused('ALREADY_RESOLVED'));
  });

  test(verifies('G2:steer-removed', 'is taken out while it waits, and then no commit puts it into the turn'), async () => {
    const { store } = fixture.bus;
    const session = await fixture.session();
    await session.say('go');
    for (const id of ['a', 'b']) await session.say(id, 'steer', id);
    await session.take();
    expect(await store.removeQueued(session.ref, 'a')).toMatchObject({
      kind: 'removed',
      frame: { text: '{"seq":3,"type":"queue_updated","queue":[],"steering":[{"message_id":"b","content":"b"}]}' },
    });
    expect(await store.removeQueued(session.ref, 'a')).toEqual(refused('UNKNOWN_MESSAGE'));
    const before = await session.dump();
    expect(await session.commit({ history: ['{}'], taken: ['a', 'b'] })).toBe('cancelled');
    expect(await session.dump()).toEqual(before);
    expect(await store.readInbox(session.ref.sid, 3)).toEqual([{ id: 4, kind: 'removed', messageId: 'a' }]);
    expect(await session.commit({ inboxUpTo: 4, history: ['{}'], taken: ['b'] })).toMatchObject({ seq: 4 });
    expect(await waitingOf(session)).toEqual({ queue: [], steering: [] });
  });

  test(
    verifies('G2:steer-unlisted', 'that a gateway of a former release left to the inbox alone begins the next turn, once, in its place'),
    async () => {
      const session = await fixture.session();
      const started = await session.say('go');
      const turnId = started.kind === 'accepted' ? started.turnId : '';
      await session.say('a', 'steer', 'a', 'turn_a');
      const { client } = fixture.redis;
      const queue = (await client.keys(`*{${session.ref.sid}}:queue`))[0]!;
      const listed = await client.hgetall(queue);
      for (const id of ['old', 'gone']) await session.say(id, 'steer', id);
      await fixture.bus.store.removeQueued(session.ref, 'gone');
      await client.del(queue);
      await client.hset(queue, listed);
      await session.say('b', 'steer', 'b', 'turn_b');
      const { inbox } = await session.take();
      const endTurn = { turnId, leftOver: [] };
      const unread = inbox.find((entry) => entry.kind === 'message' && entry.messageId === 'old')!.id - 1;
      const before = await session.dump();
      expect(await session.commit({ inboxUpTo: unread, endTurn })).toBe('cancelled');
      expect(await session.dump()).toEqual(before);
      const leftOver = ['a', 'old', 'gone', 'b'].map((id) => ({
        ...{ messageId: id, turnId: `turn_of_${id}` },
        frame: `{"type":"user_message","content":"${id}"}`,
      }));
      expect(await session.commit({ endTurn: { turnId, leftOver } })).toMatchObject({ turnId: 'turn_a' });
      expect(await waitingOf(session)).toEqual({ queue: ['old', 'b'], steering: [] });
      expect((await session.log()).at(-1)).toContain('"queue":[{"message_id":"old","content":"old"},{"message_id":"b","content":"b"}]');
      expect(await session.commit({ inboxUpTo: 7, endTurn: { turnId: 'turn_a' } })).toMatchObject({ turnId: 'turn_of_old' });
    },
  );

  test(verifies('G2:steer-cancelled', 'goes with the queue when a cancel empties it'), async () => {
    const session = await fixture.session();
    await session.say('go');
    await session.say('a', 'steer', 'a');
    expect(await fixture.bus.store.requestCancel(session.ref, { queue: true })).toMatchObject({ kind: 'cancelling' });
    expect(await waitingOf(session)).toEqual({ queue: [], steering: [] });
    expect((await session.log()).at(-1)).toBe('{"seq":2,"type":"queue_updated","queue":[]}');
  });
});

describe('a cancel', () => {
  test(
    verifies(
      'L2:cancel',
      'the running turn is cancelled once: its open calls are told to stop, the runtime hears, the queue stays unless asked',
    ),
    async () => {
      const { store } = fixture.bus;
      const session = await fixture.session();
      const [open, answered] = [await session.openCall(), await session.openCall()];
      await session.settle(answered);
      await session.say('later');
      const { turnId } = (await store.readMeta(session.ref))!;
      expect(await store.requestCancel(session.ref, { turnId: 'turn_other', queue: false })).toEqual(refused('UNKNOWN_TURN'));
      expect(await store.requestCancel(session.ref, { queue: false })).toEqual({ kind: 'cancelling', turnId });
      const before = await session.dump();
      expect(await store.requestCancel(session.ref, { turnId, queue: false })).toEqual({ kind: 'cancelling', turnId });
      expect({ ...(await session.dump()), meta: '' }).toEqual({ ...before, meta: '' });
      expect((await session.log(3)).at(-1)).toBe(`{"seq":4,"type":"tool_cancel","call_id":"${open}","reason":"cancelled"}`);
      expect(await store.requestCancel(session.ref, { queue: true })).toMatchObject({ kind: 'cancelling' });
      expect((await session.log(4)).at(-1)).toBe('{"seq":5,"type":"queue_updated","queue":[]}');
      expect((await store.readInbox(session.ref.sid, 1)).map(({ kind }) => kind)).toEqual(['result', 'cancel']);
    },
  );

  test(verifies('L2:cancel-nothing', 'without a running turn there is nothing to cancel'), async () => {
    const session = await fixture.session();
    expect(await fixture.bus.store.requestCancel(session.ref, { queue: false })).toEqual(refused('UNKNOWN_TURN'));
  });
});

describe('who takes part', () => {
  test(verifies('R2:executor', 'the first client that declares tools executes; a human moves it'), async () => {
    const { store } = fixture.bus;
    const session = await fixture.session({ clientId: 'ide' });
    const join = (clientId: string, tools?: string) =>
      store.join(session.ref, { clientId, protocolVersion: '2.0', ...(tools === undefined ? {} : { tools }) }, { create: false });
    expect((await join('console'))?.executor).toBe('ide');
    expect((await join('laptop', '["read_file"]'))?.executor).toBe('ide');
    expect((await join('ide', '["git.diff"]'))?.executorTools).toBe('["git.diff"]');
    expect(await store.moveExecutor(session.ref, 'laptop')).toMatchObject({ executor: 'laptop', executorTools: '' });
    expect(await join('laptop', '["read_file"]')).toMatchObject({ executor: 'laptop', executorTools: '["read_file"]' });
    expect((await session.take()).inbox).toEqual([{ id: 1, kind: 'executor', executor: 'laptop' }]);
  });

  test(verifies('R2:seed-yields', 'a seed client executes until a client declares tools, unless calls were given to it'), async () => {
    const { store } = fixture.bus;
    const [idle, busy] = [await fixture.session({ seed: true }), await fixture.session({ seed: true })];
    expect(idle.meta.executor).toBe('seed');
    const callId = await busy.openCall();
    await store.giveCall(busy.ref, { callId, fence: 1, to: 'seed:1' });
    const joining = { clientId: 'ide', tools: '[]', protocolVersion: '2.0' };
    expect((await store.join(idle.ref, joining, { create: false }))?.executor).toBe('ide');
    expect((await store.join(busy.ref, joining, { create: false }))?.executor).toBe('seed');
  });

  test(verifies('R2:journal', 'what a journal knows and the session does not is told once; so is a call of unknown outcome'), async () => {
    const { store } = fixture.bus;
    const session = await fixture.session();
    const [known, unknown] = [await session.openCall(), await session.openCall()];
    const journal = JSON.stringify([
      { call_id: known, args_sha256: 'x', state: 'started' },
      { call_id: unknown, args_sha256: 'x', state: 'unknown' },
      { call_id: 'call_of_elsewhere', args_sha256: 'x', state: 'done' },
    ]);
    const joining = { clientId: 'ide', tools: '[]', protocolVersion: '2.0', journal };
    await store.join(session.ref, { ...joining, clientId: 'console' }, { create: false });
    await store.join(session.ref, joining, { create: false });
    await store.join(session.ref, joining, { create: false });
    const entries = await store.readInbox(session.ref.sid, 1);
    expect(entries).toHaveLength(1);
    const [entry] = entries;
    const calls = entry?.kind === 'journal' ? (JSON.parse(entry.calls) as { call_id: string }[]) : [];
    expect(calls.map(({ call_id }) => call_id)).toEqual([unknown, 'call_of_elsewhere']);
    expect(await session.settle('call_of_elsewhere')).toEqual(refused('UNKNOWN_CALL'));
  });

  test(
    verifies(
      'R2:journal-first',
      'a call that a journal told of before its turn had come to it is opened, decided and answered as any other',
    ),
    async () => {
      const { store } = fixture.bus;
      const session = await fixture.session();
      await session.say('go');
      await session.take();
      const callId = newId('call');
      const journal = JSON.stringify([{ call_id: callId, args_sha256: 'x', state: 'received' }]);
      await store.join(session.ref, { clientId: 'ide', tools: '[]', protocolVersion: '2.0', journal }, { create: false });
      expect(await session.settle(callId)).toEqual(refused('UNKNOWN_CALL'));
      await session.openCall({ callId, state: 'waiting_approval' });
      expect(await session.decide(callId, 'approved')).toMatchObject({ kind: 'decided' });
      expect(await session.settle(callId)).toMatchObject({ outcome: 'accepted' });
    },
  );

  test(verifies('G2:settings', 'settings change, and a runtime hears of another agent'), async () => {
    const { store } = fixture.bus;
    const session = await fixture.session();
    expect(await store.patch(session.ref, { title: 'Ü', model: 'gpt', agent: 'ask', mode: 'strict' })).toMatchObject({
      ...{ title: 'Ü', model: 'gpt', agent: 'ask', mode: 'strict' },
    });
    expect(await store.switchAgent(session.ref, 'coder', '{"type":"agent_switched","agent":"coder"}')).toEqual({
      seq: 2,
      head: { type: 'agent_switched' },
      text: '{"seq":2,"type":"agent_switched","agent":"coder"}',
    });
    expect((await session.take()).inbox).toEqual([
      { id: 1, kind: 'agent', agent: 'ask' },
      { id: 2, kind: 'agent', agent: 'coder' },
    ]);
    expect(types(await session.log())).toEqual(['mode_switched', 'agent_switched']);
  });

  test(verifies('G2:mode-told', 'another mode is logged once, whoever sets it: REST, a client that joins, a commit'), async () => {
    const { store } = fixture.bus;
    const session = await fixture.session();
    expect(await session.log()).toEqual([]);
    await store.patch(session.ref, { mode: 'plan', title: 'x' });
    await store.patch(session.ref, { mode: 'plan' });
    await store.join(session.ref, { clientId: 'other', protocolVersion: '2.0', mode: 'permissive' }, { create: true });
    await session.say('go');
    await session.take();
    await session.commit({ meta: { mode: 'medium' } });
    const frames = (await session.log()).map((text) => JSON.parse(text) as object);
    expect(frames.filter((frame) => 'mode' in frame)).toMatchObject(
      ['plan', 'permissive', 'medium'].map((mode) => ({ type: 'mode_switched', mode })),
    );
  });

  test(verifies('S1:remove', 'a removed session leaves nothing, and its holder is fenced'), async () => {
    const { bus, redis } = fixture;
    const session = await fixture.session();
    const callId = await session.openCall();
    await session.commit({ history: ['{}'], modelRequest: session.request('t') });
    expect(await bus.store.remove(session.ref)).toBe(true);
    expect(await redis.client.keys(`*{${session.ref.sid}}*`)).toEqual([]);
    expect(await bus.store.remove(session.ref)).toBe(false);
    expect(await session.commit({ frames: ['{}'] })).toBe('fenced');
    expect(await session.settle(callId)).toEqual(refused('UNKNOWN_CALL'));
    expect(await bus.store.readMeta(session.ref)).toBeUndefined();
    expect(newId('call')).not.toBe(callId);
  });
});
