import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies, type ScriptedProvider } from '@codelab/testkit';
import { plan, startPlannedModel } from '../planned-model.js';
import { startSystem, type System } from '../start-system.js';
import { connectWire, type WireClient, type WireFrame } from '../wire-client.js';

let model: ScriptedProvider;
let system: System;

beforeAll(async () => {
  model = await startPlannedModel();
  const provider = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' };
  system = await startSystem({ env: { ...provider, CODELAB_QUOTA_OWNER_BYTES: '200000' } });
});

afterAll(async () => {
  await system?.stop();
  await model?.close();
});

const connect = (session: string): Promise<WireClient> =>
  connectWire({
    ws: system.gateways[0]?.ws ?? '',
    token: system.token,
    session,
    hello: { client_id: 'c', tools: ['read_file'] },
  });
const rest = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${system.gateways[0]?.url ?? ''}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
const TURN = plan({ calls: [{ tool: 'read_file', args: { path: 'a' } }] }, { text: 'The end.' });

test(verifies('R3:quota-told', 'a result that the quota has no room for is refused, and the turn fails with what to delete'), async () => {
  const client = await connect('big');
  client.send({ type: 'user_message', content: TURN, message_id: 'm' });
  const { call_id: callId } = await client.waitForType('tool_call');
  client.send({ type: 'tool_result', call_id: callId, result: { content: 'x'.repeat(300_000), encoding: 'utf-8' } });
  const message: unknown = expect.stringMatching(/Your sessions take \d+ bytes, and the quota is 200000 .*delete sessions/);
  expect(await client.waitForType('error')).toMatchObject({ code: 'QUOTA', retryable: false, reply_to: callId, message });
  const ended = await client.waitForType('turn_ended');
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'QUOTA', message } });
  // The session lives on.
  client.send({ type: 'user_message', content: plan({ text: 'Still here.' }), message_id: 'm2' });
  await client.waitFor(({ type, status }) => type === 'turn_ended' && status === 'completed', 'the next turn');
  await client.close();
});

test(
  verifies(
    'G4:quota-refused',
    'who stores as much as they may is refused by socket and REST, sees it in the metrics, and goes on after a deletion',
  ),
  async () => {
    const names: string[] = [];
    let refused: number | undefined;
    while (refused === undefined && names.length < 200) {
      const response = await rest('POST', 'sessions', { session_id: `s-${String(names.length)}` });
      if (response.status === 201) names.push(((await response.json()) as { session_id: string }).session_id);
      else refused = response.status;
      if (refused !== undefined) expect(await response.json()).toMatchObject({ error: { code: 'QUOTA' } });
    }
    expect(refused).toBe(429);
    const client = await connect(names[0] ?? '');
    await client.waitForType('welcome');
    let answer: WireFrame | undefined;
    for (let n = 1; answer?.type !== 'error' && n < 20; n += 1) {
      // Room for some may have come since: what was let in counts in full until its size is known.
      const isAnswer = ({ type, reply_to: id }: WireFrame): boolean =>
        type === 'turn_ended' || (type === 'error' && id === `m-${String(n)}`);
      const answers = client.frames.filter(isAnswer).length;
      client.send({ type: 'user_message', content: 'x'.repeat(9_000), message_id: `m-${String(n)}` });
      await eventually('its answer', () => client.frames.filter(isAnswer).length > answers);
      answer = client.frames.findLast(isAnswer);
    }
    expect(answer).toMatchObject({ code: 'QUOTA', reply_to: expect.stringMatching(/^m-/) });
    await eventually('the metrics', async () => {
      const text = await (await fetch(`${system.gateways[0]?.url ?? ''}/metrics`)).text();
      const largest = Number(/codelab_stored_bytes_of_largest_owner\{.*\} (\d+)/.exec(text)?.[1]);
      return largest > 100_000 && /codelab_gateway_refusals_total\{.*code="QUOTA".*\} [1-9]/.test(text);
    });
    for (const name of names.slice(1)) expect((await rest('DELETE', `sessions/${name}`)).status).toBe(204);
    client.send({ type: 'user_message', content: plan({ text: 'Room again.' }), message_id: 'm3' });
    const accepted = await client.waitFor(({ type, message_id: id }) => type === 'message_accepted' && id === 'm3', 'its acceptance');
    const ended = await client.waitFor(({ type, turn_id: id }) => type === 'turn_ended' && id === accepted['turn_id'], 'a turn');
    expect(ended).toMatchObject({ status: 'completed' });
    await client.close();
  },
);
