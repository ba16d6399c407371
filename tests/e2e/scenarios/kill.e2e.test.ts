import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies, type ScriptedProvider } from '@codelab/testkit';
import { plan, startPlannedModel } from '../planned-model.js';
import { startSystem, type System } from '../start-system.js';
import { connectWire, type WireClient, type WireFrame } from '../wire-client.js';

let model: ScriptedProvider;
let system: System;

beforeAll(async () => {
  model = await startPlannedModel();
  system = await startSystem({
    gateways: 2,
    runtimes: 2,
    proxies: 2,
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' },
  });
});

afterAll(async () => {
  await system.stop();
  await model.close();
});

const RESULT = { content: 'alpha', encoding: 'utf-8' };
const TURN = plan({ calls: [{ tool: 'read_file', args: { path: 'a.txt' } }] }, { text: 'The end.' });
const ASKED = plan({ calls: [{ tool: 'write_file', args: { path: 'a.txt', content: 'x' } }] }, { text: 'The end.' });

const connect = (session: string, gateway: number, clientId: string, resume?: object): Promise<WireClient> =>
  connectWire({
    ws: system.gateways[gateway]?.ws ?? '',
    token: system.token,
    session,
    hello: { client_id: clientId, tools: ['read_file', 'write_file'], resume },
  });

/** Tries until the gateway that was killed answers again. */
const reconnect = async (session: string, gateway: number, clientId: string): Promise<WireClient> => {
  const deadline = Date.now() + 45_000;
  for (;;) {
    try {
      const client = await connect(session, gateway, clientId);
      await client.waitForType('welcome', 5_000); // one that dies never says it
      return client;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
};

const kill = async (urls: readonly string[]): Promise<void> => {
  // One that was killed a moment ago may be on its way back.
  const pids = urls.map((url) => eventually(`${url} is up`, () => system.pidOf(url).catch(() => undefined)));
  for (const pid of await Promise.all(pids)) process.kill(pid, 'SIGKILL');
};

const VICTIMS: readonly (readonly [string, () => readonly string[]])[] = [
  ['the gateways', () => system.gateways.map(({ url }) => url)],
  ['the runtimes', () => system.runtimes.map(({ url }) => url)],
  ['the proxies', () => system.proxies.map(({ url }) => url)],
  ['everything', () => [...system.gateways, ...system.runtimes, ...system.proxies].map(({ url }) => url)],
];

const endOfTurn = async (client: WireClient): Promise<void> => {
  await client.waitFor((frame) => frame.type === 'turn_ended' && frame['status'] === 'completed', 'the end of the turn', 20_000);
};

test.each(VICTIMS)(verifies('R4:call', 'a tool call outlives kill -9 of %s, and has one result'), async (name, victims) => {
  const session = `call-${name.replace(' ', '-')}`;
  const first = await reconnect(session, 0, 'client-a');
  first.send({ type: 'user_message', content: TURN, message_id: 'm1' });
  const call = await first.waitForType('tool_call');
  await kill(victims());
  const client = await reconnect(session, 1, 'client-a');
  const again = await client.waitFor(({ type, call_id }) => type === 'tool_call' && call_id === call['call_id'], 'the open call');
  expect(again).toMatchObject({ redelivered: true, seq: call['seq'], args: call['args'] });
  client.send({ type: 'tool_result', call_id: call['call_id'], result: RESULT });
  client.send({ type: 'tool_result', call_id: call['call_id'], result: RESULT });
  await endOfTurn(client);
  await client.waitFor(({ type, outcome }) => type === 'tool_result_ack' && outcome === 'duplicate', 'the second answer');
  expect(client.frames.filter(({ type }) => type === 'tool_result_ack').map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate']);
  expect(model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
  first.kill();
  await client.close();
});

test(verifies('R2:steer-kill', 'steered messages go in once and in order when the runtime is killed while they wait'), async () => {
  const { ws = '' } = system.gateways[0] ?? {};
  const hello = { client_id: 'client-s', tools: ['read_file'], capabilities: ['queue_updated', 'turn_steered'] };
  const client = await connectWire({ ws, token: system.token, session: 'steered', hello });
  client.send({ type: 'user_message', content: TURN, message_id: 'm1' });
  const call = await client.waitForType('tool_call');
  const steer = async (message_id: string): Promise<void> => {
    client.send({ type: 'user_message', content: `say ${message_id}`, message_id, when_busy: 'steer' });
    const accepted = await client.waitFor((frame) => frame.type === 'message_accepted' && frame['message_id'] === message_id, 'the answer');
    expect(accepted).toMatchObject({ state: 'steered' });
  };
  for (const id of ['s1', 's2', 's3']) await steer(id);
  await kill(system.runtimes.map(({ url }) => url));
  client.send({ type: 'queue_remove', message_id: 's2' });
  const waitingIn = ({ steering = [] }: WireFrame): readonly string[] =>
    (steering as { message_id: string }[]).map(({ message_id }) => message_id);
  await client.waitFor((frame) => frame.type === 'queue_updated' && waitingIn(frame).join() === 's1,s3', 'that s2 is out');
  client.send({ type: 'tool_result', call_id: call['call_id'], result: RESULT });
  await endOfTurn(client);
  const steered = client.frames.filter(({ type }) => type === 'turn_steered');
  expect(steered).toMatchObject([{ message_ids: ['s1', 's3'] }]);
  expect(await client.waitForType('turn_ended')).toMatchObject({ message_ids: ['m1', 's1', 's3'] });
  const { messages = [] } = model.requests.at(-1)?.body ?? {};
  expect(messages.slice(-3).map(({ role, content }) => (role === 'tool' ? role : content))).toEqual(['tool', 'say s1', 'say s3']);
  await client.close();
});

test.each(VICTIMS.filter(([name]) => name !== 'the proxies'))(
  verifies('R4:approval', 'a pending approval outlives kill -9 of %s, and is decided once'),
  async (name, victims) => {
    const session = `approval-${name.replace(' ', '-')}`;
    const first = await reconnect(session, 1, 'client-b');
    first.send({ type: 'user_message', content: ASKED, message_id: 'm1' });
    const call = await first.waitForType('tool_call');
    expect(call).toMatchObject({ requires_approval: true, state: 'waiting_approval' });
    await kill(victims());
    const client = await reconnect(session, 0, 'client-b');
    client.send({ type: 'hitl_decision', call_id: call['call_id'], decision: 'approve', args_sha256: call['args_sha256'] });
    await client.waitForType('approval_resolved');
    client.send({ type: 'hitl_decision', call_id: call['call_id'], decision: 'reject' });
    expect(await client.waitForType('error')).toMatchObject({ code: 'ALREADY_RESOLVED', reply_to: call['call_id'] });
    client.send({ type: 'tool_result', call_id: call['call_id'], result: { success: true, bytes_written: 1 } });
    await endOfTurn(client);
    first.kill();
    await client.close();
  },
);

test(
  verifies('L2:repeat', 'a proxy killed while the model writes is followed by another attempt, whose message replaces the first'),
  async () => {
    const client = await reconnect('writing', 0, 'client-c');
    client.send({
      type: 'user_message',
      content: plan({ text: 'a long answer that takes its time to be written down', slow: 100 }),
      message_id: 'm1',
    });
    const shown = await client.waitForType('assistant_message');
    await kill(system.proxies.map(({ url }) => url));
    await endOfTurn(client);
    const final = client.frames.find((frame) => frame['is_final'] === true);
    expect(final).toMatchObject({ content: 'a long answer that takes its time to be written down' });
    expect(final?.['message_id']).not.toBe(shown['message_id']);
    expect(client.frames.find((frame) => frame['replaces'] === shown['message_id'])).toMatchObject({ message_id: final?.['message_id'] });
    await client.close();
  },
);
