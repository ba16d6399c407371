import { describe, expect, test, vi } from 'vitest';
import { followSession, eventually, toTestEnvelope, verifies } from '@codelab/testkit';
import { digest, type TestEffects, type TestSession } from '../../../test/test-session.js';
import { useBus } from '../../../test/bus-fixture.js';
import { RedisCommands } from '../connection/redis-commands.js';
import { createKeys } from '../keys/keys.js';

const fixture = useBus();

/** Effects of every kind at once. */
const everything = (session: TestSession, callId: string): TestEffects => ({
  inboxUpTo: 1,
  state: '{"all":true}',
  frames: ['{"type":"a"}', '{"type":"b"}'],
  history: ['{"role":"user"}', '{"role":"assistant"}'],
  calls: [{ kind: 'close', callId, synthetic: true }],
  modelRequest: session.request('turn'),
  meta: { model: 'other', agent: 'ask', title: 'title' },
  todos: '[{"content":"x"}]',
});

describe('a commit', () => {
  test(verifies('R5:commit-all', 'writes everything of its step: history, calls, frames, state, a model request'), async () => {
    const { store, models } = fixture.bus;
    const session = await fixture.session();
    const callId = await session.openCall();
    const effects = everything(session, callId);
    expect(await session.commit(effects)).toEqual({ seq: 3 });
    const reading = await store.read(session.ref, { historyItems: 1 });
    expect(reading).toMatchObject({
      meta: { seq: 3, model: 'other', agent: 'ask', title: 'title', state: '{"all":true}', historyVersion: 2, inboxDone: 1 },
      ...{ calls: [], history: ['{"role":"assistant"}'], historyFrom: 1, todos: effects.todos },
    });
    expect(await store.readHistory(session.ref, { from: 0, limit: 10 })).toEqual({ items: effects.history, total: 2 });
    expect((await store.readHistory(session.ref, { from: 1, limit: 1 })).items).toEqual(['{"role":"assistant"}']);
    expect(await store.readHistory(session.ref, { from: 0, limit: 0 })).toEqual({ items: [], total: 2 });
    expect(await session.log(1)).toEqual(['{"seq":2,"type":"a"}', '{"seq":3,"type":"b"}']);
    expect(await models.readStep(session.ref.sid, effects.modelRequest?.stepId ?? '')).toEqual({
      state: 'requested',
      attempt: 0,
      partial: '',
    });
  });

  test(verifies('G2:user-messages', 'counts what the user said, from the beginning of the session or not at all'), async () => {
    const { bus, redis } = fixture;
    const session = await fixture.session();
    const said = async () => (await bus.store.readMeta(session.ref))?.userMessages;
    await session.say('go');
    await session.take();
    expect(await said()).toBeUndefined();
    await session.commit({ history: ['{"role":"note"}'] });
    expect(await said()).toBe(0);
    await session.commit({ history: ['{"role":"user"}', '{"role":"assistant"}', '{"role":"user"}'], userMessages: 2 });
    await session.commit({});
    await session.commit({ history: ['{"role":"user"}'], userMessages: 1 });
    expect(await said()).toBe(3);
    await redis.client.hdel(createKeys().session(session.ref.sid).meta, 'user_messages');
    await session.commit({ history: ['{"role":"user"}'], userMessages: 1 });
    expect(await said()).toBeUndefined();
  });

  test(verifies('R1:commit-fenced', 'of a worker whose lease another has taken changes nothing'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall();
    const old = session.leaseFence;
    await fixture.bus.store.releaseLease(session.ref.sid, old, {});
    await session.take('successor');
    const before = await session.dump();
    const { frames = [], ...effects } = everything(session, callId);
    const step = {
      inboxUpTo: 2,
      state: '',
      history: [],
      calls: [],
      ...effects,
      frames: frames.map((frame) => (typeof frame === 'string' ? toTestEnvelope(frame) : frame)),
    };
    expect(await fixture.bus.store.commit(session.ref, { leaseFence: old, cancelSeen: '' }, step)).toBe('fenced');
    expect(await session.dump()).toEqual(before);
    expect(await fixture.bus.store.renewLeases([{ sid: session.ref.sid, leaseFence: old }])).toEqual([session.ref.sid]);
  });

  test(
    verifies('R1:commit-sent-again', 'whose command arrives twice writes its step once, and is answered as the first time'),
    async () => {
      const session = await fixture.session();
      await session.say('go');
      await session.take();
      const send = vi.spyOn(RedisCommands.prototype, 'run');
      expect(await session.commit({ frames: ['{"n":1}'] })).toEqual({ seq: 1 });
      const sent = send.mock.calls.find(([operation]) => operation === 'commit');
      const commands = send.mock.contexts[0] as RedisCommands;
      send.mockRestore();
      const [[code, seq]] = (await commands.run(...sent!)) as [[number, number]];
      expect([code, seq]).toEqual([1, 1]);
      expect(await session.log()).toHaveLength(1);
      expect(await session.commit({ frames: ['{"n":2}'] })).toEqual({ seq: 2 });
    },
  );

  test(verifies('L2:commit-cancelled', 'that does not know of the cancellation changes nothing'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall();
    const { turnId } = (await fixture.bus.store.readMeta(session.ref))!;
    await fixture.bus.store.requestCancel(session.ref, { queue: false });
    const before = await session.dump();
    expect(await session.commit(everything(session, callId))).toBe('cancelled');
    expect(await session.dump()).toEqual(before);
    expect(await session.commit({ frames: ['{"type":"turn_ended"}'], endTurn: { turnId } }, turnId)).toMatchObject({
      turnId: '',
    });
    // The next turn is another one: nothing of the old cancellation is left.
    await session.say('again');
    expect(await session.commit()).toMatchObject({ seq: 3 });
  });

  test(verifies('R2:commit-unheard', 'that would close a call over a word it has not heard changes nothing'), async () => {
    const session = await fixture.session();
    const [settled, decided] = [await session.openCall(), await session.openCall({ state: 'waiting_approval' })];
    await session.settle(settled);
    await session.decide(decided, 'approved');
    const before = await session.dump();
    expect(await session.commit({ calls: [{ kind: 'close', callId: settled, synthetic: true }] })).toBe('cancelled');
    const again = {
      kind: 'ask_again',
      callId: decided,
      frame: '{"asked":"anew"}',
      argsSha256: digest('b'),
      question: 2,
      expiresAtMs: 7,
    } as const;
    expect(await session.commit({ calls: [again] })).toBe('cancelled');
    expect(await session.commit({ calls: [{ kind: 'reassign', callId: decided, fence: 2 }] })).toBe('cancelled');
    expect(await session.dump()).toEqual(before);
    expect(await session.commit({ inboxUpTo: 3, calls: [again] })).toMatchObject({ seq: 3 });
    const [, call] = await fixture.bus.store.readCalls(session.ref.sid);
    const { frame, argsSha256, expiresAtMs } = again;
    expect(call).toMatchObject({ state: 'waiting_approval', preview: '', frame, argsSha256, expiresAtMs });
    expect(call?.decision).toBeUndefined();
  });

  test(verifies('G4:inbox-caps', 'frees the room in the inbox that it consumed; producers are told when there is none'), async () => {
    const { store } = fixture.bus;
    const session = await fixture.session();
    await session.say('go');
    await session.take();
    for (let index = 0; index < 255; index += 1) await store.switchAgent(session.ref, 'ask', '{"type":"agent_switched","agent":"ask"}');
    expect(await session.say('too many', 'steer')).toEqual({ kind: 'refused', code: 'OVERLOADED' });
    expect(await store.requestCancel(session.ref, { queue: false })).toMatchObject({ kind: 'cancelling' });
    const { turnId } = (await store.readMeta(session.ref))!;
    await session.commit({ inboxUpTo: 257 }, turnId);
    expect(await store.readInbox(session.ref.sid, 0)).toEqual([]);
    expect((await store.readMeta(session.ref))?.inboxDone).toBe(257);

    const large = await fixture.session();
    const calls = [await large.openCall(), await large.openCall(), await large.openCall(), await large.openCall()];
    const frame = `{"result":"${'x'.repeat(9 * 1024 * 1024)}"}`;
    for (const callId of calls.slice(0, 3)) await large.settle(callId, { frame });
    expect(await large.settle(calls[3] ?? '', { frame })).toEqual({ kind: 'refused', code: 'OVERLOADED' });
    await large.commit({ inboxUpTo: 2 });
    expect(await large.settle(calls[3] ?? '', { frame })).toEqual({ kind: 'settled', outcome: 'accepted' });
  });

  test(verifies('R1:hot-path', 'and a result cost two round trips, with nobody to wake'), async () => {
    const bus = await fixture.another();
    const session = await fixture.session();
    const callId = await session.openCall();
    const before = [...bus.counters.roundTrips.values()].reduce((sum, count) => sum + count, 0);
    const heard: unknown[] = [];
    await fixture.bus.alerts.watch(session.ref.sid, ({ entry }) => heard.push(entry));
    await bus.store.settleCall(session.ref, { callId, clientId: 'ide', frame: '{"result":{}}' });
    await eventually('the alert', () => heard.length === 1);
    expect(heard).toEqual([{ id: 2, kind: 'result', callId, frame: '{"result":{}}', local: false }]);
    const step = {
      inboxUpTo: 2,
      state: '',
      frames: [toTestEnvelope('{}')],
      history: ['{}'],
      calls: [{ kind: 'close', callId, synthetic: false } as const],
    };
    const request = session.request('turn');
    const effects = { ...step, modelRequest: request };
    expect(await bus.store.commit(session.ref, { leaseFence: session.leaseFence, cancelSeen: '' }, effects)).toEqual({ seq: 2 });
    expect(Object.fromEntries(bus.counters.roundTrips)).toEqual({ settleCall: 1, commit: 1 });
    expect([...bus.counters.roundTrips.values()].reduce((sum, count) => sum + count, 0) - before).toBe(2);
  });
});

describe('what goes through the store', () => {
  const TEXTS = [
    '[]',
    '{}',
    '{"n":9007199254740991,"e":1e-7,"z":-0,"deep":[[],{}]}',
    '"\u2028\u2029\u0000 \\u0000 \ud83d\ude00 "',
    '{"b":1,"a":2}',
  ];

  test(verifies('H2:bytes', 'arguments and results come out byte for byte, from the store and from the feed'), async () => {
    const { store, streams } = fixture.bus;
    const session = await fixture.session();
    const seen: string[] = [];
    await followSession(streams, session.ref, { epoch: session.meta.epoch, seq: 0 }, (event) => {
      if (event.kind === 'logged') seen.push(...event.frames.map(({ text }) => text));
    });
    for (const text of TEXTS) {
      const callId = await session.openCall({ args: text, state: 'waiting_approval' });
      const record = { outcome: 'edited', args: text, argsSha256: digest('e'), by: 'ann', atMs: 1, feedback: '\u2028"' } as const;
      await store.decideCall(session.ref, { callId, record, frame: `{"type":"approval_resolved","args":${text}}` });
      await session.settle(callId, { frame: `{"type":"tool_result","result":${text}}` });
      const call = (await store.readCalls(session.ref.sid)).at(-1);
      expect(call?.frame).toContain(`"args":${text},`);
      expect(call?.decision).toEqual(record);
      expect(call?.result).toBe(`{"type":"tool_result","result":${text}}`);
      const [decision, result] = (await store.readInbox(session.ref.sid, 0)).slice(-2);
      expect(decision).toMatchObject({ decision: record });
      expect(result).toMatchObject({ frame: `{"type":"tool_result","result":${text}}` });
    }
    await eventually('all frames', () => seen.length === 2 * TEXTS.length);
    expect(seen).toEqual(await session.log());
    expect(seen.filter((text) => text.includes('approval_resolved'))).toEqual(
      TEXTS.map((text, index) => `{"seq":${String(2 * index + 2)},"type":"approval_resolved","args":${text}}`),
    );
  });
});
