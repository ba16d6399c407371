import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import type { TestSession } from '../../../test/test-session.js';
import { newId } from '../../new-id.js';
import { judgedFacts } from '../../session-records.js';
import { blobName } from './blob-name.js';

const fixture = useBus();
const toolsOf = (word: string): string => JSON.stringify([{ name: word, description: word.repeat(200), input_schema: {} }]);
const join = (session: TestSession, tools: string, clientId = 'ide') =>
  fixture.bus.store.join(session.ref, { clientId, tools, protocolVersion: '2.0' }, { create: true });
const texts = async (): Promise<string[]> => (await fixture.redis.client.keys('cl:{blob:*}:text')).sort();
const keyOf = (text: string): string => `cl:{blob:${blobName(text).slice(1)}}:text`;

test(verifies('G4:shared-texts', 'what sessions have in common is stored once, and goes with the last of them'), async () => {
  const [one, other] = [await fixture.session(), await fixture.session()];
  const tools = toolsOf('tides');
  for (const session of [one, other]) {
    expect(await join(session, tools)).toMatchObject({ executorTools: tools });
    expect(await fixture.bus.store.keepFacts(session.ref, { clientId: 'ide', text: 'f'.repeat(600) })).toBe('kept');
  }
  expect(await texts()).toEqual([keyOf(tools), keyOf('f'.repeat(600))].sort());
  const fresh = await fixture.another(); // has seen none of it
  expect(await fresh.store.readMeta(other.ref)).toMatchObject({ executorTools: tools });
  expect(await fresh.store.readFacts(other.ref)).toEqual({ first: 'f'.repeat(600), latest: 'f'.repeat(600) });
  await fixture.bus.store.remove(one.ref);
  expect(await texts()).toHaveLength(2);
  await fixture.bus.store.remove(other.ref);
  expect(await texts()).toEqual([]);
  expect(await fixture.redis.client.keys('cl:{blob:*')).toEqual([]);
});

test(verifies('G4:replaced-texts', 'a text that takes the place of another leaves nothing of it, also where it is refused'), async () => {
  const session = await fixture.session();
  for (const word of ['one', 'two', 'three']) {
    await join(session, toolsOf(word));
    await fixture.bus.store.changeTools(session.ref, { clientId: 'ide', tools: toolsOf(`${word} more`) });
    await fixture.bus.store.keepFacts(session.ref, { clientId: 'ide', text: `${word} `.repeat(300) });
  }
  await join(session, toolsOf('another'), 'laptop'); // `ide` executes
  await fixture.bus.store.changeTools(session.ref, { clientId: 'laptop', tools: toolsOf('another') });
  await fixture.bus.store.keepFacts(session.ref, { clientId: 'laptop', text: 'not mine '.repeat(100) });
  await join(session, toolsOf('three more'), 'laptop'); // the same as those of the executor
  expect(await texts()).toEqual([keyOf(toolsOf('three more')), keyOf('three '.repeat(300))].sort());
  await fixture.bus.store.moveExecutor(session.ref, 'laptop');
  expect(await texts()).toEqual([keyOf('three '.repeat(300))]);
  await fixture.bus.store.remove(session.ref);
});

test('each session counts what it refers to as its own', async () => {
  const sizes: number[] = [];
  for (const tools of [toolsOf('tides'), '["read_file"]']) {
    const session = await fixture.session();
    await join(session, tools);
    sizes.push(Number(await fixture.redis.client.hget(`cl:{${session.ref.sid}}:meta`, 'stored')));
    await fixture.bus.store.remove(session.ref);
  }
  expect(sizes[0]! - sizes[1]!).toBe(toolsOf('tides').length - '["read_file"]'.length);
});

test(
  verifies(
    'R4:lost-texts',
    'a text that Redis lost is brought again by who stores it next; until then there are no tools, rather than others',
  ),
  async () => {
    const session = await fixture.session();
    await join(session, toolsOf('tides'));
    await fixture.redis.client.del(keyOf(toolsOf('tides')));
    const fresh = await fixture.another();
    expect(await fresh.store.readMeta(session.ref)).toMatchObject({ executorTools: '[]' });
    const meta = await join(session, toolsOf('tides'));
    expect(await fresh.store.readMeta(session.ref)).toMatchObject({ executorTools: toolsOf('tides') });
    expect(judgedFacts(meta!)).toContain(blobName(toolsOf('tides')));
    await fixture.bus.store.remove(session.ref);
  },
);

test('a prompt that Redis lost reaches the model all the same', async () => {
  const [one, other] = [await fixture.session(), await fixture.session()];
  const seen: string[] = [];
  const reader = await fixture.another();
  const consumer = await reader.models.consume(
    async (step) => {
      seen.push(step.request.system);
      await step.fail({ code: 'x', message: 'x', retryable: false });
    },
    { consumer: newId('worker'), concurrency: 1 },
  );
  const text = JSON.stringify({ system: 'be brief '.repeat(200), tools: [] });
  const hash = Buffer.from(blobName(text).slice(1), 'base64url').toString('hex');
  for (const session of [one, other]) {
    await session.say('go');
    await session.take();
    const { turnId } = (await fixture.bus.store.readMeta(session.ref))!;
    await fixture.redis.client.del(keyOf(text));
    const { stepId, request } = session.request(turnId);
    const { system: _, tools: __, ...rest } = JSON.parse(request) as Record<string, unknown>;
    await session.commit({
      inboxUpTo: 1,
      modelRequest: { stepId, request: JSON.stringify({ ...rest, prompt: hash }), prompt: { hash, text } },
    });
  }
  await eventually('both', () => seen.length === 2, { withinMs: 10_000 });
  expect(seen).toEqual(['be brief '.repeat(200), 'be brief '.repeat(200)]);
  await consumer.close();
});
