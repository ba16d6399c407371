import { describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import { TestSession } from '../../../test/test-session.js';
import { newId } from '../../new-id.js';

const fixture = useBus();
const LONG = 'a "long" result\n'.repeat(2_000);
const itemOf = (content: string, callId = newId('call')): string => JSON.stringify({ role: 'tool', call_id: callId, content });
const texts = (): Promise<string[]> => fixture.redis.client.keys('cl:{blob:*}:text');
const everything = { keys: Infinity, graceMs: 0 };

/** Commits an item, a frame and an open call that say the same. */
const tell = async (session: TestSession, content: string): Promise<{ item: string; frame: string; callId: string }> => {
  if (session.lease === undefined) {
    await session.say('go');
    await session.take();
  }
  const callId = newId('call');
  const item = itemOf(content, callId);
  const frame = JSON.stringify({ type: 'tool_call', call_id: callId, tool_name: 'write_file', args: { path: 'a', content } });
  const head = { type: 'tool_call', call_id: callId, tool_name: 'write_file', fence: 1, idempotency: 'unsafe', state: 'ready' } as const;
  const facts = { callId, toolName: 'write_file', idempotency: 'unsafe', deadlineMs: 1_000, state: 'waiting_approval' } as const;
  const call = { ...facts, frame, argsSha256: 'a'.repeat(64), fence: 1, expiresAtMs: 0, target: '' };
  await session.commit({ history: [item], frames: [{ head, text: frame }], calls: [{ kind: 'open', call }] });
  return { item, frame, callId };
};

describe('long strings', () => {
  test(
    verifies(
      'G4:long-strings',
      'a long string stands once, in history, log and calls of every session that has it, and goes with the last of them',
    ),
    async () => {
      const [one, other] = [await fixture.session(), await fixture.session()];
      const told = await tell(one, LONG);
      await tell(other, LONG);
      expect(await texts()).toHaveLength(1);
      for (const { ref } of [one, other]) {
        const dump = JSON.stringify(await (ref === one.ref ? one : other).dump());
        expect(dump).not.toContain('a \\\\\\"long');
        expect(dump.length).toBeLessThan(8_000);
      }
      const fresh = await fixture.another();
      expect((await fresh.store.readHistory(one.ref, { from: 0, limit: 10 })).items).toEqual([told.item]);
      const reading = await fresh.store.read(one.ref, { historyItems: 10 });
      expect(reading).toMatchObject({ history: [told.item], calls: [{ frame: told.frame }] });
      expect(await fresh.store.readCalls(one.ref.sid)).toMatchObject([{ frame: told.frame }]);
      expect(await fresh.store.readWaiting([one.ref.sid])).toMatchObject([[{ frame: told.frame }]]);
      expect(await one.log()).toEqual([told.frame.replace('{', '{"seq":1,')]);
      await fixture.bus.store.releaseLease(one.ref.sid, one.leaseFence, {});
      expect((await one.take('another')).calls).toMatchObject([{ frame: told.frame }]);
      await fixture.bus.store.remove(one.ref);
      expect((await fresh.store.readHistory(other.ref, { from: 0, limit: 10 })).items).toEqual([expect.stringContaining('a \\"long')]);
      await fixture.bus.store.remove(other.ref);
      expect(await fixture.redis.client.keys('cl:{blob:*')).toEqual([]);
    },
  );

  test('each session counts its long strings as if nobody else had them', async () => {
    const sizes: number[] = [];
    for (const bus of [fixture.bus, await fixture.another({ longStringUnits: 0 })]) {
      const session = await TestSession.join(bus, fixture.redis);
      await tell(session, LONG);
      sizes.push(Number(await fixture.redis.client.hget(`cl:{${session.ref.sid}}:meta`, 'stored')));
      await bus.store.remove(session.ref);
    }
    expect(sizes[0]).toBe(sizes[1]);
  });

  test('what was written out by a release before, or where strings are not shared, is read as it is', async () => {
    const session = await TestSession.join(await fixture.another({ longStringUnits: 0 }), fixture.redis);
    const { item } = await tell(session, LONG);
    expect(await texts()).toEqual([]);
    expect((await fixture.bus.store.readHistory(session.ref, { from: 0, limit: 10 })).items).toEqual([item]);
    await fixture.bus.store.remove(session.ref);
  });

  test(verifies('G3:long-frames', 'a long string reaches those who follow the session in its frame, whole and in order'), async () => {
    const session = await fixture.session();
    const stream = await fixture.bus.streams.open(session.ref, { epoch: session.meta.epoch, seq: 0 });
    const frames = [];
    const contents = [LONG, 'short', `${LONG}x`];
    for (const content of contents) frames.push((await tell(session, content)).frame);
    const seen: string[] = [];
    while (seen.length < 3) {
      const event = await stream.next();
      if (event.kind === 'logged') seen.push(...event.frames.map(({ text }) => text));
    }
    expect(seen).toEqual(frames.map((frame, n) => frame.replace('{', `{"seq":${String(n + 1)},`)));
    stream.close();
    await fixture.bus.store.remove(session.ref);
  });

  test(
    verifies('R4:long-strings-kept', 'a long string is not collected while a session has it, at rest or not, and is when none has'),
    async () => {
      const session = await fixture.session();
      const { item, frame } = await tell(session, LONG);
      await fixture.bus.store.releaseLease(session.ref.sid, session.leaseFence, {});
      expect(await fixture.bus.janitor.run({ ...everything, freezeAfterMs: 1 })).toMatchObject({ texts: 0 });
      await eventually('it rests', async () => (await fixture.bus.janitor.run({ ...everything, freezeAfterMs: 1 })).frozen === 0);
      expect(await fixture.bus.store.readCalls(session.ref.sid)).toMatchObject([{ frame }]);
      expect((await fixture.bus.store.readHistory(session.ref, { from: 0, limit: 1 })).items).toEqual([item]);
      const { client } = fixture.redis;
      const [text = ''] = await texts();
      const users = text.replace(':text', ':users');
      for (const key of [text, users]) await client.pexpire(key, 60_000); // nobody looked for a long time
      await (await fixture.another()).store.readHistory(session.ref, { from: 0, limit: 1 });
      for (const key of [text, users]) expect(await client.pttl(key)).toBeGreaterThan(60_000);
      await client.del(...(await client.keys(`cl:{${session.ref.sid}}*`))); // as its TTL does it
      await eventually('it is collected', async () => (await fixture.bus.janitor.run(everything)).texts === 1);
      expect(await client.keys('cl:{blob:*')).toEqual([]);
    },
  );

  test('a string that was kept for a new session is not taken away with an old one of the same name', async () => {
    const session = await fixture.session();
    await tell(session, LONG);
    const { client } = fixture.redis;
    const [users = ''] = await client.keys('cl:{blob:*}:users');
    await client.pexpireat(users, (await client.pexpiretime(users)) + 1_000); // kept a second after the removal
    await fixture.bus.store.remove(session.ref);
    expect(await client.smembers(users)).toEqual([session.ref.sid]);
    await client.del(...(await client.keys('cl:{blob:*')));
  });

  test('a string that the store lost leaves a sentence in its place, and everything else readable', async () => {
    const session = await fixture.session();
    await tell(session, LONG);
    await fixture.redis.client.del(...(await texts()));
    const read = async (): Promise<unknown[]> =>
      (await (await fixture.another()).store.readHistory(session.ref, { from: 0, limit: 1 })).items.map(
        (item) => JSON.parse(item) as unknown,
      );
    expect(await read()).toMatchObject([{ role: 'tool', content: '(This text was lost when the store lost writes.)' }]);
    await tell(session, LONG); // it is brought again by who says it next
    expect(await read()).toMatchObject([{ role: 'tool', content: LONG }]);
    await fixture.bus.store.remove(session.ref);
  });
});
