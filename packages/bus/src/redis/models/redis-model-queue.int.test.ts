import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import type { InboxEntry } from '../../session-records.js';
import type { StepAnswer, StepDelta } from '../../model-queue.js';
import type { TestSession } from '../../../test/test-session.js';
import { useBus } from '../../../test/bus-fixture.js';
import { askModel, consumeAt } from '../../../test/model-requests.js';
import { newId } from '../../new-id.js';
import type { LeaseFence } from '../../session-store.js';

const fixture = useBus();
const answer: StepAnswer = { model: 'm', text: 'hello', toolCalls: [], finish: 'stop', usage: { inputTokens: 1, outputTokens: 2 } };

const ask = () => askModel(fixture);
const entries = ({ bus, ref }: TestSession): Promise<readonly InboxEntry[]> => bus.store.readInbox(ref.sid, 1);
const nothingPends = async (): Promise<boolean> => (await fixture.redis.client.xlen('cl:{models:0}')) === 0;

describe('a model request', () => {
  test(verifies('R5:model-once', 'is served by one consumer, its answer stored once, and nothing is left in the stream'), async () => {
    const other = await fixture.another();
    const consumers = [await consumeAt(fixture.bus, 'one'), await consumeAt(other, 'two')];
    const { session, stepId, turnId } = await ask();
    await fixture.bus.models.announce(session.ref.sid, stepId); // a repeat is harmless
    const step = await eventually('a consumer', () => consumers.flatMap(({ steps }) => steps)[0]);
    expect(step).toMatchObject({ stepId, attempt: 1, ref: session.ref, request: { turnId, model: 'm' } });
    expect(await step.answer(answer)).toBe(true);
    expect(await step.answer(answer)).toBe(false);
    for (const { end } of consumers) end();
    await eventually('the stream is empty', nothingPends);
    expect(await entries(session)).toEqual([{ id: 2, kind: 'answer', stepId, attempt: 1, answer: JSON.stringify(answer) }]);
    await fixture.bus.models.announce(session.ref.sid, stepId); // so is one after the answer
    await eventually('the stream is empty', nothingPends);
    expect(consumers.flatMap(({ steps }) => steps)).toHaveLength(1);
    expect(await fixture.bus.models.readStep(session.ref.sid, stepId)).toMatchObject({ state: 'answered', attempt: 1 });
    expect(await fixture.redis.client.pttl(`cl:{${session.ref.sid}}:step:${stepId}`)).toBeLessThanOrEqual(600_000);
    await Promise.all(consumers.map(({ close }) => close()));
  });

  test(verifies('R5:model-deltas', 'its text reaches who watches, and who comes later finds it in the record'), async () => {
    const consumer = await consumeAt(fixture.bus, 'one');
    const { session, stepId } = await ask();
    const deltas: StepDelta[] = [];
    await fixture.bus.models.watch(session.ref.sid, (delta) => deltas.push(delta));
    const step = await eventually('the consumer', () => consumer.steps[0]);
    const long = 'é\x1e'.repeat(4_000);
    step.publish({ offset: 0, text: 'He' });
    step.publish({ offset: 2, text: long });
    step.publish({ offset: 2 + long.length, text: '', tool: { index: 0, name: 'read\x1efile' } });
    await eventually('all of it', () => deltas.at(-1)?.tool !== undefined);
    expect(deltas.map(({ text }) => text).join('')).toBe(`He${long}`);
    expect(deltas.every(({ offset }, index) => offset === deltas.slice(0, index).reduce((sum, { text }) => sum + text.length, 0))).toBe(
      true,
    );
    expect(deltas.at(-1)).toEqual({ stepId, attempt: 1, offset: 2 + long.length, text: '', tool: { index: 0, name: 'read\x1efile' } });
    await eventually('the record', async () => (await fixture.bus.models.readStep(session.ref.sid, stepId))?.partial === `He${long}`);
    expect(await step.readHistory(0)).toEqual([]);
    await step.fail({ code: 'rate_limited', message: 'later', retryable: true });
    expect(await entries(session)).toMatchObject([
      { kind: 'failure', stepId, failure: '{"code":"rate_limited","message":"later","retryable":true}' },
    ]);
    consumer.end();
    await consumer.close();
  });

  test(verifies('L2:model-cancel', 'of a cancelled turn is stopped at once, and one that waits is never begun'), async () => {
    const consumer = await consumeAt(fixture.bus, 'one', 1);
    const [running, waiting] = [await ask(), await ask()];
    const step = await eventually('the consumer', () => consumer.steps[0]);
    for (const { session } of [running, waiting]) await fixture.bus.store.requestCancel(session.ref, { queue: false });
    await eventually('the signal', () => step.signal.aborted);
    expect(await step.answer(answer)).toBe(false);
    await eventually('the stream is empty', nothingPends);
    expect(consumer.steps).toHaveLength(1);
    await consumer.close();
  });

  test(verifies('R3:model-fault', 'fails when its consumer throws or ends without an answer'), async () => {
    const consumer = await fixture.bus.models.consume(
      async ({ attempt }) => {
        if (attempt > 0) throw new Error('a bug with a secret in it');
      },
      { consumer: 'buggy', concurrency: 1 },
    );
    const { session } = await ask();
    const [failure] = await eventually('the failure', async () =>
      ((found) => (found.length > 0 ? found : undefined))(await entries(session)),
    );
    expect(failure).toMatchObject({ kind: 'failure', attempt: 1, failure: expect.not.stringContaining('secret') });
    await consumer.close();
  });
});

/** A request that names its prompt, as runtimes write them. */
const promptedRequest = (turnId: string, system: string) => {
  const text = JSON.stringify({ system, tools: [{ name: 't', description: 'd', parameters: {} }] });
  const hash = createHash('sha256').update(text).digest('hex');
  const request = { turnId, messageId: newId('msg'), model: 'm', agent: 'coder', vocabulary: 'codelab', historyVersion: 2, prompt: hash };
  return { stepId: newId('step'), request: JSON.stringify(request), prompt: { hash, text } };
};

describe('what requests have in common', () => {
  test(
    verifies('L3:prompt-once', 'is stored once, read once, counted, and gone with the session; so are the records of steps'),
    async () => {
      const { bus, redis } = fixture;
      const { session, turnId } = await ask();
      const keysOf = () => redis.client.keys(`*{${session.ref.sid}}*`);
      const consumer = await consumeAt(bus, 'one');
      const stored = async () => Number(await redis.client.hget(`cl:{${session.ref.sid}}:meta`, 'stored'));
      const trips = (operation: string) => bus.counters.roundTrips.get(operation) ?? 0;
      const before = [trips('read-step-prompt'), trips('read-step-history'), await stored()] as const;
      const tools = new Set<unknown>();
      for (let repeat = 1; repeat <= 3; repeat += 1) {
        const asked = promptedRequest(turnId, 'be brief'.repeat(1_000));
        await session.commit({ modelRequest: asked });
        const step = await eventually('the step', () => consumer.steps.find(({ stepId }) => stepId === asked.stepId));
        expect(step.request).toMatchObject({ turnId, system: 'be brief'.repeat(1_000), tools: [{ name: 't' }] });
        tools.add(step.request.tools);
        expect(await step.readHistory(1)).toEqual(['{"n":1}']);
        expect(await step.answer({ ...answer, text: String(repeat) })).toBe(true);
      }
      expect(tools.size).toBe(1); // parsed once, too
      expect([trips('read-step-prompt') - before[0], trips('read-step-history') - before[1]]).toEqual([1, 0]);
      expect((await stored()) - before[2]).toBeGreaterThan(8_000);
      expect((await keysOf()).filter((key) => key.includes(':step:'))).toHaveLength(1);
      consumer.end();
      await consumer.close();
      await bus.store.remove(session.ref);
      expect(await keysOf()).toEqual([]);
    },
  );

  test(verifies('R1:prompt-fenced', 'is replaced only by the holder of the lease, and written again by the next one'), async () => {
    const { bus, redis } = fixture;
    const { session, turnId } = await ask();
    const [first, second] = [promptedRequest(turnId, 'first'), promptedRequest(turnId, 'second')];
    await session.commit({ modelRequest: first });
    const late = { leaseFence: 0 as LeaseFence, cancelSeen: '' };
    const effects = { inboxUpTo: 1, state: '', frames: [], history: [], calls: [], modelRequest: second };
    expect(await bus.store.commit(session.ref, late, effects)).toBe('fenced');
    const prompt = () => bus.store.readPrompt(session.ref);
    expect(await prompt()).toBe(first.prompt.text);
    await session.commit({ modelRequest: second });
    expect(await prompt()).toBe(second.prompt.text);
    await redis.client.xtrim('cl:{models:0}', 'MAXLEN', 0); // nobody serves them
  });

  test(
    verifies('R5:prompt-lost', 'is lost where a node of a cluster is: the request is told so, may be asked again, and brings it then'),
    async () => {
      const { bus, redis } = fixture;
      const { session, turnId } = await ask();
      const again = (): ReturnType<typeof promptedRequest> => promptedRequest(turnId, 'lost and found');
      const loseIt = async (): Promise<void> => {
        for (const key of await redis.client.keys('cl:{blob:*}:text')) {
          if ((await redis.client.get(key)) === again().prompt.text) await redis.client.del(key);
        }
      };
      await session.commit({ modelRequest: again() });
      await redis.client.xtrim('cl:{models:0}', 'MAXLEN', 0);
      await loseIt();
      await session.commit({ modelRequest: again() });
      const consumer = await consumeAt(bus, 'one');
      await eventually('it is told', async () => (await entries(session)).length > 0);
      expect(await entries(session)).toMatchObject([{ kind: 'failure', failure: expect.stringContaining('"retryable":true') as string }]);
      while (consumer.steps[0] === undefined) {
        const told = (await entries(session)).length;
        await session.commit({ modelRequest: again() });
        await eventually('it is told once more, or served', async () => consumer.steps[0] ?? (await entries(session)).length > told);
      }
      expect(consumer.steps[0].request).toMatchObject({ system: 'lost and found' });
      consumer.end();
      await consumer.close();
    },
  );
});

describe('a consumer that goes away', () => {
  test(verifies('R5:model-handover', 'in order gives its requests to another at once; its late answer is refused'), async () => {
    const other = await fixture.another();
    const first = await consumeAt(fixture.bus, 'one');
    const { session, stepId } = await ask();
    const step = await eventually('the first', () => first.steps[0]);
    await first.close();
    expect(step.signal.aborted).toBe(true);
    const second = await consumeAt(other, 'two');
    const next = await eventually('the second', () => second.steps[0]);
    expect(next).toMatchObject({ stepId, attempt: 2 });
    expect(await step.answer(answer)).toBe(false);
    expect(await next.answer(answer)).toBe(true);
    expect(await entries(session)).toMatchObject([{ kind: 'answer', attempt: 2 }]);
    second.end();
    await second.close();
  });

  test(
    verifies('R5:model-dead-consumer', 'for good is followed within 5 s by another attempt; what it still says is too late'),
    async () => {
      const { client } = fixture.redis;
      const { session, stepId } = await ask();
      // What a consumer leaves behind that died right after its claim.
      await client.xgroup('CREATE', 'cl:{models:0}', 'proxies', '0', 'MKSTREAM').catch(() => undefined);
      const [[, [[entry] = ['']] = []] = ['', []]] = (await client.xreadgroup(
        ...(['GROUP', 'proxies', 'dead', 'COUNT', 1, 'STREAMS', 'cl:{models:0}', '>'] as const),
      )) as unknown as [string, [string][]][];
      const record = `cl:{${session.ref.sid}}:step:${stepId}`;
      await client.hset(record, {
        state: 'running',
        attempt: '1',
        until: String(Date.now() + 4_000),
        consumer: 'dead',
        entry,
        partial: 'old',
      });
      const consumer = await consumeAt(fixture.bus, 'alive');
      const step = await eventually('the next attempt', () => consumer.steps[0]);
      expect(step.attempt).toBe(2);
      expect(await fixture.bus.models.readStep(session.ref.sid, stepId)).toEqual({ state: 'running', attempt: 2, partial: '' });
      expect(await step.answer(answer)).toBe(true);
      consumer.end();
      await eventually('the stream is empty', nothingPends);
      await consumer.close();
    },
  );

  test(verifies('R5:model-dead-behind-many', 'is followed also where many requests that are served stand before its own'), async () => {
    const { client } = fixture.redis;
    const stream = 'cl:{models:0}';
    await client.xgroup('CREATE', stream, 'proxies', '0', 'MKSTREAM').catch(() => undefined);
    const take = async (consumer: string): Promise<readonly string[]> => {
      const reply = (await client.xreadgroup('GROUP', 'proxies', consumer, 'STREAMS', stream, '>')) as [string, [string][]][] | null;
      return (reply?.[0]?.[1] ?? []).map(([id]) => id);
    };
    for (let n = 0; n < 100; n += 1) await client.xadd(stream, '*', 'sid', 'a'.repeat(26), 'step', `step_${String(n)}`);
    await take('busy');
    const { stepId } = await ask();
    const [entry = ''] = await take('dead');
    await client.xclaim(stream, 'proxies', 'dead', 0, entry, 'IDLE', 60_000, 'JUSTID');
    const consumer = await consumeAt(fixture.bus, 'alive', 1);
    const step = await eventually('the request of the dead one', () => consumer.steps[0], { withinMs: 3_000 });
    expect(step.stepId).toBe(stepId);
    await step.answer(answer);
    consumer.end();
    await consumer.close();
    await client.xtrim(stream, 'MAXLEN', 0);
  });

  test(verifies('R5:model-paused-consumer', 'and whose claim the store lost is stopped: another has it by the same number'), async () => {
    const paused = await consumeAt(fixture.bus, 'paused');
    const { session, stepId } = await ask();
    const step = await eventually('the first', () => paused.steps[0]);
    await fixture.redis.client.hset(`cl:{${session.ref.sid}}:step:${stepId}`, 'consumer', 'another');
    await eventually('the signal', () => step.signal.aborted);
    paused.end();
    await paused.close();
    await fixture.redis.client.xtrim('cl:{models:0}', 'MAXLEN', 0);
  });

  test(verifies('R5:model-paused-consumer', 'and comes back after another took over is stopped'), async () => {
    const paused = await consumeAt(fixture.bus, 'paused');
    const { session, stepId } = await ask();
    const step = await eventually('the first', () => paused.steps[0]);
    const record = `cl:{${session.ref.sid}}:step:${stepId}`;
    // Its renewals didn't come for a while: the claim has ended, and somebody else announces the step. One that does come in between
    // makes the claim good again, so this is repeated until the next attempt is there.
    const endClaim = "if redis.call('HGET', KEYS[1], 'attempt') == '1' then redis.call('HSET', KEYS[1], 'until', '1') end";
    const next = await eventually('the second', async () => {
      await fixture.redis.client.eval(endClaim, 1, record);
      await fixture.bus.models.announce(session.ref.sid, stepId);
      return paused.steps[1];
    });
    await eventually('the signal', () => step.signal.aborted);
    expect(next.attempt).toBe(2);
    expect(await step.answer(answer)).toBe(false);
    expect(await next.answer(answer)).toBe(true);
    paused.end();
    await eventually('the stream is empty', nothingPends);
    await paused.close();
  });
});
