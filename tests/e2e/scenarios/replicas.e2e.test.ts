import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies, type ScriptedProvider } from '@codelab/testkit';
import { plan, startPlannedModel } from '../planned-model.js';
import { startSystem, type System } from '../start-system.js';
import { connectWire, type WireClient } from '../wire-client.js';

const SESSIONS = 24;
let model: ScriptedProvider;
let system: System;

beforeAll(async () => {
  model = await startPlannedModel();
  system = await startSystem({
    gateways: 2,
    runtimes: 3,
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' },
  });
});

afterAll(async () => {
  await system.stop();
  await model.close();
});

const metric = async (url: string, name: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.split(' ').pop()), 0);
};

const TURN = plan(
  {
    calls: [
      { tool: 'read_file', args: { path: 'a.txt' } },
      { tool: 'read_file', args: { path: 'b.txt' } },
    ],
  },
  { text: 'Both read.' },
);

const turn = async (n: number): Promise<WireClient> => {
  const client = await connectWire({
    ws: system.gateways[n % 2]?.ws ?? '',
    token: system.token,
    session: `s-${String(n)}`,
    hello: { client_id: `c-${String(n)}`, tools: ['read_file'] },
  });
  client.onFrame(({ type, call_id }) => {
    if (type === 'tool_call') client.send({ type: 'tool_result', call_id, result: { content: 'x', encoding: 'utf-8' } });
  });
  client.send({ type: 'user_message', content: TURN });
  await client.waitForType('turn_ended', 30_000);
  return client;
};

test(verifies('R1:spread', 'two gateways and three runtimes share the sessions, and every turn ends once'), async () => {
  let asked = 0;
  const clients: WireClient[] = [];
  const counts = () => Promise.all(system.runtimes.map(({ url }) => metric(url, 'codelab_runtime_turns_total')));
  // Who is quick takes more: a runtime that came too late for all of one round takes part in a later one.
  await eventually('every runtime to take part', async () => {
    clients.push(...(await Promise.all(Array.from({ length: SESSIONS }, () => turn(asked++)))));
    return (await counts()).every((count) => count > 0);
  });
  for (const client of clients) {
    expect(client.frames.filter(({ type }) => type === 'turn_ended')).toEqual([expect.objectContaining({ status: 'completed' })]);
    const seqs = client.frames.flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []));
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(new Set(seqs).size).toBe(seqs.length);
  }
  const counted = async () => (await counts()).reduce((sum, count) => sum + count, 0);
  await eventually('the last turn to be counted', async () => (await counted()) >= asked);
  expect(await counted()).toBe(asked);
  await Promise.all(clients.map((client) => client.close()));
});

test(verifies('G3:any-gateway', 'a client that comes back to another gateway gets exactly the frames that it lacks'), async () => {
  const session = 's-0';
  const whole = await connectWire({ ws: system.gateways[0]?.ws ?? '', token: system.token, session, hello: { client_id: 'reader' } });
  const welcome = await whole.waitForType('welcome');
  const resumed = await connectWire({
    ws: system.gateways[1]?.ws ?? '',
    token: system.token,
    session,
    hello: { client_id: 'reader-2', resume: { epoch: welcome['epoch'], seq: 1 } },
  });
  expect(await resumed.waitForType('welcome')).toMatchObject({ recovered: true, epoch: welcome['epoch'], seq: welcome['seq'] });
  await resumed.waitFor(({ type, seq }) => type !== 'welcome' && seq === welcome['seq'], 'the last frame');
  expect(resumed.frames.flatMap(({ seq, type }) => (type !== 'welcome' && typeof seq === 'number' ? [seq] : []))[0]).toBe(2);
  await Promise.all([whole.close(), resumed.close()]);
});

test(verifies('S1:owner', 'the same session id of another owner is another session'), async () => {
  const response = await fetch(`${system.gateways[0]?.url ?? ''}/api/v1/sessions/never-made`, {
    headers: { authorization: `Bearer ${system.token}` },
  });
  expect(response.status).toBe(404);
  const refused = await fetch(`${system.gateways[0]?.url ?? ''}/api/v1/sessions/s-0`, { headers: { authorization: 'Bearer wrong' } });
  expect(refused.status).toBe(401);
});
