import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import type { StepAnswer } from '../../model-queue.js';
import { askModel, consumeAt, type AskedModel } from '../../../test/model-requests.js';
import { useBus } from '../../../test/bus-fixture.js';

const fixture = useBus();
const answer: StepAnswer = { model: 'm', text: 'hello', toolCalls: [], finish: 'stop', usage: { inputTokens: 1, outputTokens: 2 } };
const STREAM = 'cl:{models:0}';
/** A claim that would not end within this test. */
const LONG_MS = 600_000;
const recordOf = ({ session, stepId }: AskedModel): string => `cl:{${session.ref.sid}}:step:${stepId}`;

/** What a consumer leaves behind that claimed these requests and then never said anything again. */
const claimAs = async (consumer: string, asked: readonly AskedModel[]): Promise<void> => {
  const { client } = fixture.redis;
  await client.xgroup('CREATE', STREAM, 'proxies', '0', 'MKSTREAM').catch(() => undefined);
  const reply = await client.xreadgroup('GROUP', 'proxies', consumer, 'COUNT', 100, 'STREAMS', STREAM, '>');
  const [[, entries] = ['', []]] = reply as [string, [string, string[]][]][];
  for (const [entry, [, , , stepId]] of entries) {
    const each = asked.find((one) => one.stepId === stepId);
    if (each === undefined) continue; // one that is over
    const claim = { state: 'running', attempt: '1', until: String(Date.now() + LONG_MS), consumer, entry };
    await client.hset(recordOf(each), claim);
  }
};

test(
  verifies(
    'R5:silent-proxy',
    'the requests of a proxy that falls silent are asked again at once, each by one other, long before its claims end',
  ),
  async () => {
    const { bus, redis } = fixture;
    const asked = await Promise.all([1, 2, 3].map(() => askModel(fixture)));
    await claimAs('dead', asked);
    await redis.client.hset('cl:{proxies}', 'dead', '7');
    const [one, two] = [await consumeAt(bus, 'one', 1), await consumeAt(await fixture.another(), 'two', 2)];
    const steps = await eventually('all of them', () =>
      one.steps.length + two.steps.length === 3 ? [...one.steps, ...two.steps] : undefined,
    );
    expect(new Set(steps.map(({ stepId }) => stepId))).toEqual(new Set(asked.map(({ stepId }) => stepId)));
    expect(steps.map(({ attempt }) => attempt)).toEqual([2, 2, 2]);
    expect(Object.keys(await redis.client.hgetall('cl:{proxies}')).sort()).toEqual(['one', 'two']);
    for (const step of steps) expect(await step.answer(answer)).toBe(true);
    for (const consumer of [one, two]) {
      consumer.end();
      await consumer.close();
    }
    expect(await redis.client.exists('cl:{proxies}')).toBe(0); // who ends in order is missed by nobody
  },
);

test(
  verifies(
    'R5:slow-proxy',
    'a proxy that was taken for dead and lives answers all the same where nobody asked again, and is refused where somebody did',
  ),
  async () => {
    const { bus, redis } = fixture;
    const consumer = await consumeAt(bus, 'slow');
    const asked = [await askModel(fixture), await askModel(fixture)] as const;
    await eventually('both', () => consumer.steps.length === 2);
    const [first, second] = asked.map(({ stepId }) => consumer.steps.find((step) => step.stepId === stepId)!);
    for (const each of asked) await redis.client.hset(recordOf(each), 'until', '0');
    await redis.client.hset(recordOf(asked[1]), { consumer: 'another', attempt: '2', until: String(Date.now() + LONG_MS) });
    expect(await first?.answer(answer)).toBe(true);
    expect(await second?.answer(answer)).toBe(false);
    await redis.client.hset(recordOf(asked[1]), 'state', 'answered');
    consumer.end();
    await consumer.close();
  },
);

test(
  verifies(
    'R5:unheard-claim',
    'a request that a proxy was given without hearing of it, because Redis went away, is served as soon as it is back',
  ),
  async () => {
    const { bus } = fixture;
    const unheard = await askModel(fixture);
    await claimAs('one', [unheard]);
    const consumer = await consumeAt(bus, 'one');
    const step = await eventually('the request', () => consumer.steps[0], { withinMs: 3_000 });
    expect(step).toMatchObject({ stepId: unheard.stepId, attempt: 2 });
    expect(await step.answer(answer)).toBe(true);
    consumer.end();
    await eventually('the stream is empty', async () => (await fixture.redis.client.xlen(STREAM)) === 0);
    await consumer.close();
  },
);
