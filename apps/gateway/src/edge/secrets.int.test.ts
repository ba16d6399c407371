import { expect, test } from 'vitest';
import type { SessionRef } from '@codelab/bus';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { findMask, maskSecrets } from '@codelab/tools';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis, { hello: { capabilities: ['tool_output'] } });
const { newSession, join, ask } = edge;

/** A key of a known shape, in no letter the key of anybody. */
const KEY = `ghp_${'aB3dE6gH9k'.repeat(3)}LmN0pQ`;
const MASK = maskSecrets(KEY, new Set()).text;

const begin = async () => {
  const ref = newSession();
  const executor = await join(ref, 'c1');
  return { ref, executor, observer: await join(ref, 'c2', { tools: [] }) };
};
/** Everything that Redis holds of a session. */
const stored = async ({ sid }: SessionRef): Promise<string> => {
  const { client } = edge.redis;
  const keys = await client.keys(`*${sid}*`);
  const values = await Promise.all(
    keys.map(async (key) => {
      const type = await client.type(key);
      return type === 'hash'
        ? client.hgetall(key)
        : type === 'stream'
          ? client.xrange(key, '-', '+')
          : type === 'list'
            ? client.lrange(key, 0, -1)
            : '';
    }),
  );
  return JSON.stringify(values);
};
const inboxOf = async (ref: SessionRef) =>
  (await edge.bus.store.readInbox(ref.sid, 0)).flatMap((entry) => (entry.kind === 'result' ? [entry.frame] : []));

test(verifies('L1:secrets-stored', 'a key in a result or an error is masked before anything of it is stored'), async () => {
  const { ref, executor } = await begin();
  await edge.runtime.call(ref, { callId: 'call_1' });
  await edge.runtime.call(ref, { callId: 'call_2' });
  executor.send(`{"type":"tool_result","call_id":"call_1","result":{"content":"token=${KEY}\\n","n":9007199254740991}}`);
  executor.send({ type: 'tool_result', call_id: 'call_2', error: { code: 'GIT_ERROR', message: `no access with ${KEY}` } });
  await executor.next('tool_result_ack');
  await executor.next('tool_result_ack');
  const [first, second] = await inboxOf(ref);
  expect(first).toContain(`"result":{"content":"token=${MASK}\\n","n":9007199254740991}`);
  expect(second).toContain(`no access with ${MASK}`);
  expect(await stored(ref)).not.toContain(KEY);
});

test('a result without a key, and one that its human allows, are stored byte for byte', async () => {
  const { ref, executor } = await begin();
  await edge.runtime.call(ref, { callId: 'call_1' });
  await edge.runtime.call(ref, { callId: 'call_2' });
  const plain = '{"n":1e-7, "content":"caf\\u00e9 \\/"}';
  executor.send(`{"type":"tool_result","call_id":"call_1","result":${plain}}`);
  const allowed = [findMask(MASK)];
  executor.send({ type: 'tool_result', call_id: 'call_2', result: { content: KEY }, allowed_secrets: allowed });
  await executor.next('tool_result_ack');
  await executor.next('tool_result_ack');
  const [first, second] = await inboxOf(ref);
  expect(first).toContain(`"result":${plain}`);
  expect(JSON.parse(second!)).toMatchObject({ result: { content: KEY } });
});

test(
  verifies('L1:secrets-output', 'a key in the output of a running tool is masked for all who watch, also where two pieces cut it'),
  async () => {
    const { ref, executor, observer } = await begin();
    await edge.runtime.call(ref, { callId: 'call_1' });
    await executor.next('tool_call');
    const pieces = ['start ', `export T=${KEY.slice(0, 20)}`, `${KEY.slice(20)} `, 'the end'];
    let offset = 0;
    for (const data of pieces) {
      executor.send({ type: 'tool_output', call_id: 'call_1', stream: 'stdout', offset, data });
      offset += Buffer.byteLength(data);
    }
    executor.send({ type: 'tool_result', call_id: 'call_1', result: {} });
    await executor.next('tool_result_ack');
    const whole = `start export T=${MASK} the end`;
    const shown = () =>
      observer
        .ofType('tool_output')
        .map(({ data }) => String(data))
        .join('');
    await eventually('the output', () => shown().length >= whole.length);
    expect(shown()).toBe(whole);
    let at = 0;
    for (const frame of observer.ofType('tool_output')) {
      expect(frame).toMatchObject({ call_id: 'call_1', stream: 'stdout', offset: at });
      at += Buffer.byteLength(String(frame['data']));
    }
  },
);

test('a key in a preview is masked for the approvers, and the digests of the files are not', async () => {
  const { ref, executor, observer } = await begin();
  await edge.runtime.call(ref, { callId: 'call_1', tool: 'write_file', asks: true, idempotency: 'unsafe' });
  const operands = [{ path: 'a', sha256: 'a'.repeat(64) }];
  executor.send({ type: 'tool_preview', call_id: 'call_1', preview: { kind: 'diff', text: `-T=${KEY}\n+T=\n` }, operands });
  expect(await observer.next('approval_updated')).toMatchObject({ preview: { kind: 'diff', text: `-T=${MASK}\n+T=\n` }, operands });
  expect(await stored(ref)).not.toContain(KEY);
});

test(
  verifies('L1:attachments-shown', 'clients see of attached files the path, lines and kind, and not what was read of them'),
  async () => {
    const { ref } = await begin();
    const attachments = [
      { path: 'a.ts', lines: '1-2', content: 'what was read' },
      { path: 'b.png', media_type: 'image/png', content: 'iVBORw0KGgo=' },
    ];
    const item = { role: 'user', turn_id: 't', message_id: 'm', content: 'see', attachments, at_ms: 1 };
    await edge.runtime.commit(ref, { history: [JSON.stringify(item)] });
    const shown = {
      content: 'see',
      attachments: [
        { path: 'a.ts', lines: '1-2' },
        { path: 'b.png', media_type: 'image/png' },
      ],
    };
    const late = await join(ref, 'c3', { tools: [] });
    const [welcome] = late.ofType('welcome');
    expect(welcome).toMatchObject({ snapshot: { history: [shown] } });
    const { body, text } = await ask('GET', `/sessions/${ref.sessionId}/history`);
    expect(body['items']).toMatchObject([shown]);
    expect(text + late.texts.join('')).not.toMatch(/what was read|iVBOR/);
  },
);

test('an image that is not base64 is refused, and nothing is stored', async () => {
  const { ref, executor } = await begin();
  const attachments = [{ path: 'a.png', media_type: 'image/png', content: 'not base64!' }];
  executor.send({ type: 'user_message', content: 'see', message_id: 'm1', attachments });
  expect(await executor.next('error')).toMatchObject({ code: 'INVALID_FIELD', reply_to: 'm1' });
  expect((await edge.bus.store.readMeta(ref))?.turnId).toBe('');
});
