import { describe, expect, test } from 'vitest';
import { followSession, eventually, verifies, toTestEnvelope } from '@codelab/testkit';
import type { Alert } from '../../session-alerts.js';
import type { StreamEvent } from '../../session-stream.js';
import type { TestSession } from '../../../test/test-session.js';
import { useBus } from '../../../test/bus-fixture.js';

const fixture = useBus();

/** What a subscriber gets: its frames in one list, its resets in another. */
const listen = async (session: TestSession, position = { epoch: session.meta.epoch, seq: 0 }, bus = fixture.bus) => {
  const seqs: number[] = [];
  const texts: string[] = [];
  const relayed: string[] = [];
  const resets: StreamEvent[] = [];
  const subscription = await followSession(bus.streams, session.ref, position, (event) => {
    if (event.kind === 'relayed') relayed.push(event.frame.text);
    if (event.kind === 'reset') resets.push(event);
    if (event.kind !== 'logged') return;
    seqs.push(...event.frames.map(({ seq }) => seq));
    texts.push(...event.frames.map(({ text }) => text));
  });
  return { seqs, texts, relayed, resets, subscription };
};
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const started = async (): Promise<TestSession> => {
  const session = await fixture.session();
  await session.say('go');
  await session.take();
  return session;
};

describe('a feed', () => {
  test(verifies('G3:feed-order', 'brings every frame once and in order, from its position on, to each of its subscribers'), async () => {
    const session = await started();
    await session.commit({ frames: ['{"n":1}', '{"n":2}'] });
    const [all, rest] = [await listen(session), await listen(session, { epoch: session.meta.epoch, seq: 1 })];
    for (let n = 3; n <= 50; n += 1) await session.commit({ frames: [`{"n":${String(n)}}`] });
    await eventually('all frames', () => all.seqs.length === 50 && rest.seqs.length === 49);
    expect(all.seqs).toEqual(upTo(50));
    expect(rest.seqs).toEqual(upTo(50).slice(1));
    expect(all.texts[9]).toBe('{"seq":10,"n":10}');
    await all.subscription.close();
    await session.commit({ frames: ['{"n":51}'] });
    await eventually('the other one', () => rest.seqs.length === 50);
    expect(all.seqs).toHaveLength(50);
  });

  test(verifies('G3:feed-large', 'brings frames that are too large to be announced'), async () => {
    const session = await started();
    const { seqs, texts } = await listen(session);
    const large = `{"text":"${'é'.repeat(200_000)}"}`;
    await session.commit({ frames: ['{"n":1}', large, '{"n":3}', large] });
    await session.commit({ frames: ['{"n":5}'] });
    await eventually('all frames', () => seqs.length === 5);
    expect(seqs).toEqual(upTo(5));
    expect(texts[1]).toBe(`{"seq":2,${large.slice(1)}`);
  });

  test(verifies('G3:feed-large', 'and announces each of them, also behind one that travels itself'), async () => {
    const session = await started();
    const ends: number[] = [];
    const listener = fixture.redis.client.duplicate();
    listener.on('smessage', (_channel, message: string) => {
      const [, first, ...parts] = message.split('\x1e');
      ends.push(Number(first) + Math.max(parts.length / 2, 1) - 1);
    });
    await listener.ssubscribe(`cl:{${session.ref.sid}}:frames`);
    const shared = `{"text":"${'x'.repeat(20_000)}"}`; // it stands in the store once, and is short in the log
    await session.commit({ frames: ['{"n":1}', shared, '{"n":3}', '{"n":4}', shared] });
    await eventually('the announcements', () => ends.includes(5));
    expect(ends).toEqual([1, 2, 4, 5]);
    await listener.quit();
  });

  test(verifies('G3:feed-lost-announcements', 'misses nothing when its subscription is killed again and again'), async () => {
    const session = await started();
    const { seqs } = await listen(session);
    for (let n = 1; n <= 200; n += 1) {
      if (n % 20 === 0) await fixture.redis.dropSubscribers();
      await session.commit({ frames: ['{}'] });
    }
    await eventually('all frames', () => seqs.length >= 200);
    expect(seqs).toEqual(upTo(200));
  });

  test(verifies('G3:feed-silent-loss', 'finds what was never announced within the time of a comparison'), async () => {
    const session = await started();
    const { seqs } = await listen(session);
    const { client } = fixture.redis;
    const key = `cl:{${session.ref.sid}}`;
    await client.multi().xadd(`${key}:log`, '1-0', 'text', '{"seq":1}', 'head', '{}').hset(`${key}:meta`, 'seq', '1').exec();
    await eventually('the frame', () => seqs.length === 1);
  });

  test(verifies('R4:executor-unheard', 'shows whoever wants to know it who executes, though that was signalled to nobody'), async () => {
    const session = await started();
    const shown: [executor: string, heard: number][] = [];
    const listener = { receive: () => undefined, heardOfExecutor: 7, showExecutor: (...said: [string, number]) => shown.push(said) };
    await fixture.bus.streams.listen(session.ref, listener);
    const { subscription } = await listen(session);
    await fixture.redis.client.hset(`cl:{${session.ref.sid}}:meta`, 'executor', 'c3');
    await eventually('the executor', () => shown.some(([executor]) => executor === 'c3'));
    expect(shown.at(-1)).toEqual(['c3', 7]);
    fixture.bus.streams.unlisten(session.ref, listener);
    await subscription.close();
  });

  test(verifies('G3:feed-relay', 'passes on what is not logged, and leaves out what is too large for a channel'), async () => {
    const session = await started();
    const { relayed, seqs } = await listen(session);
    await fixture.bus.store.relay(session.ref, toTestEnvelope(`{"data":"${'x'.repeat(70_000)}"}`));
    await fixture.bus.store.relay(session.ref, toTestEnvelope('{"type":"tool_output","data":"\\u001e"}'));
    await eventually('the frame', () => relayed.length === 1);
    expect(relayed).toEqual(['{"type":"tool_output","data":"\\u001e"}']);
    expect(seqs).toEqual([]);
  });

  test(verifies('G3:feed-reset', 'says so when only a snapshot helps: trimmed, another life, ahead of the log, removed'), async () => {
    const session = await started();
    const { epoch } = session.meta;
    const frames = upTo(500).map(() => '{}');
    for (let commits = 0; commits < 21; commits += 1) await session.commit({ frames });
    const positions = [
      { epoch, seq: 5 },
      { epoch: '0123456789abcdef', seq: 5 },
      { epoch, seq: 20_000 },
      { epoch, seq: 10_490 },
    ];
    const [trimmed, foreign, ahead, near] = await Promise.all(positions.map((position) => listen(session, position)));
    await eventually('all of them', () => near?.seqs.length === 10 && [trimmed, foreign, ahead].every((one) => one?.resets.length === 1));
    for (const one of [trimmed, foreign, ahead]) expect(one?.resets).toEqual([{ kind: 'reset', epoch, seq: 10_500 }]);
    expect(await fixture.redis.client.xlen(`cl:{${session.ref.sid}}:log`)).toBe(10_000);
    await session.commit({ frames: ['{}'] });
    await eventually('the next frame', () => trimmed?.seqs.length === 1);
    await fixture.bus.store.remove(session.ref);
    await eventually('the removal', () => near?.resets.length === 1);
    expect(near?.resets).toEqual([{ kind: 'reset', epoch: '', seq: 0 }]);
  });

  test(verifies('G4:log-bytes', 'the log is bounded in bytes too'), async () => {
    const session = await started();
    const frame = `{"text":"${'x'.repeat(8 * 1024 * 1024)}"}`;
    for (let n = 0; n < 6; n += 1) await session.commit({ frames: [frame] });
    const seqs = (await fixture.redis.client.xrange(`cl:{${session.ref.sid}}:log`, '-', '+')).map(([id]) => id);
    expect(seqs).toEqual(['4-0', '5-0', '6-0']);
    expect(await session.log(3)).toHaveLength(3);
    expect(await session.log(2)).toEqual([]);
  });
});

describe('alerts', () => {
  test(verifies('R1:alert-gap', 'a holder hears entries at once, and reads the inbox where it missed one'), async () => {
    const session = await started();
    const alerts: (number | undefined)[] = [];
    await fixture.bus.alerts.watch(session.ref.sid, ({ entry }) => alerts.push(entry?.id));
    await session.say('two', 'steer');
    await eventually('the entry', () => alerts.length === 1);
    const { client } = fixture.redis;
    await client.hincrby(`cl:{${session.ref.sid}}:meta`, 'inbox_seq', 1);
    await session.say('four', 'steer');
    await eventually('the gap', () => alerts.length === 2);
    const large = 'x'.repeat(20_000);
    await session.say(large, 'steer');
    await eventually('the large one', () => alerts.length === 3);
    expect(alerts).toEqual([2, undefined, undefined]);
    expect((await fixture.bus.store.readInbox(session.ref.sid, 4)).map(({ id }) => id)).toEqual([5]);
  });

  test(verifies('R1:alert-set-back', 'a holder is told where the inbox has fewer entries than it heard of'), async () => {
    const session = await started();
    const alerts: Alert[] = [];
    await fixture.bus.alerts.watch(session.ref.sid, (alert) => alerts.push(alert));
    await session.say('two', 'steer');
    await eventually('the entry', () => alerts.length === 1);
    await fixture.redis.client.hset(`cl:{${session.ref.sid}}:meta`, 'inbox_seq', '1');
    await eventually('the loss', () => alerts.length === 2);
    expect(alerts[1]).toEqual({ setBack: true });
  });

  test(verifies('R1:alert-lost', 'a holder whose subscription is killed is told to read the inbox'), async () => {
    const session = await started();
    const alerts: (number | undefined)[] = [];
    await fixture.bus.alerts.watch(session.ref.sid, ({ entry }) => alerts.push(entry?.id));
    await fixture.redis.dropSubscribers();
    await session.say('lost', 'steer');
    await eventually('an alert', () => alerts.length === 1);
    await fixture.bus.alerts.unwatch(session.ref.sid);
    await session.say('unheard', 'steer');
    await eventually('the connection', () => fixture.bus.status() === 'ready');
    const heard: unknown[] = [];
    await fixture.bus.alerts.watch(session.ref.sid, (alert) => heard.push(alert.entry?.id));
    await session.say('again', 'steer');
    await eventually('the next one', () => heard.length === 1);
    expect(heard).toEqual([4]);
    expect(alerts).toHaveLength(1);
  });
});
