import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually, verifies, type ScriptedProvider } from '@codelab/testkit';
import { askProxy } from '../ask-proxy.js';
import { makeRepository, type Repository } from '../make-repository.js';
import { plan, startPlannedModel } from '../planned-model.js';
import { startChat } from '../start-chat.js';
import { startSystem, type System } from '../start-system.js';
import { connectWire, type WireClient, type WireFrame } from '../wire-client.js';

let model: ScriptedProvider;
let system: System;
let tool: Server;
let toolUrl: string;
let repository: Repository;
let calls: { readonly body: string; readonly headers: IncomingHttpHeaders }[] = [];

/** The examples of the page are what is tried. */
const DOC = readFileSync(new URL('../../../docs/tools.md', import.meta.url), 'utf8');
const example = (word: string): unknown => JSON.parse(new RegExp(`\`\`\`json ${word}\\n([^]*?)\`\`\``).exec(DOC)?.[1] ?? '') as unknown;
const ANSWER = example('answer');
const { uri: _, ...TIDES } = example('by-url') as { readonly uri: string; readonly headers: object };

beforeAll(async () => {
  tool = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      calls.push({ body, headers: request.headers });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
    });
  });
  await new Promise<void>((done) => tool.listen(0, '127.0.0.1', done));
  const address = `127.0.0.1:${String((tool.address() as AddressInfo).port)}`;
  toolUrl = `http://${address}/tides`;
  model = await startPlannedModel({
    'when is high water': [
      { calls: [{ tool: 'get_tides', args: { harbour: 'A' } }] },
      { calls: [{ tool: 'get_tides', args: { harbour: 'B' } }] },
      { text: 'High water is at 06:12.' },
    ],
  });
  system = await startSystem({
    env: {
      ...{ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test', CODELAB_EGRESS_ALLOW: address },
      CODELAB_TOKENS: 'token-a=acme/ana,token-b=acme/ben',
    },
  });
});
afterAll(async () => {
  await system.stop();
  await model.close();
  await new Promise((done) => tool.close(done));
});
beforeEach(async () => {
  repository = await makeRepository();
  calls = [];
});
afterEach(() => repository.remove());

const ask = (token: string, method: string, path: string, body?: object) =>
  askProxy(method, path, { url: system.proxies[0]?.url ?? '', token }, body);
test(
  verifies(
    'H1:tools-by-url',
    'a tool by URL in a chat: a question each time, nothing sent after a no, its items read and shown after a yes',
  ),
  async () => {
    const added = await ask('token-a', 'POST', '/v1/tools', { ...TIDES, uri: toolUrl });
    expect([added.status, await added.json()]).toMatchObject([201, { name: 'get_tides', tags: ['http', 'write', 'harbour'] }]);
    const chat = await startChat({ ...system, token: 'token-a' }, { root: repository.root });
    try {
      chat.say('when is high water?');
      await chat.decide(/Approval needed {2}get_tides/, 'r');
      await chat.shows('why not?');
      chat.say('another harbour');
      await chat.decide(/Approval needed {2}get_tides[^]*B/, 'a');
      await chat.shows('High water is at 06:12.');
      await chat.rests();
    } finally {
      await chat.close();
    }
    expect(calls.map(({ body }) => body)).toEqual(['{"arguments":{"harbour":"B"}}']);
    expect(calls[0]?.headers['x-harbour']).toBe('quay');
    const read = model.requests.at(-1)?.body.messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
    expect(read).toEqual([expect.stringContaining('DENIED_BY_USER'), 'High water at 06:12.']);
    expect(system.logs()).not.toContain('quay');
    expect((await ask('token-a', 'DELETE', '/v1/tools/get_tides')).status).toBe(204);
  },
);

/** A client that approves what it is asked. */
const open = async (token: string, session: string): Promise<WireClient> => {
  const client = await connectWire({
    ...{ ws: system.gateways[0]?.ws ?? '', token, session },
    hello: { client_id: `${token}-${session}`, tools: ['read_file'], protocol_versions: ['2.1'], capabilities: ['tool_use'] },
  });
  client.onFrame(({ type, state, call_id, args_sha256 }) => {
    if (type === 'tool_call' && state === 'waiting_approval')
      client.send({ type: 'hitl_decision', call_id, args_sha256, decision: 'approve' });
  });
  return client;
};
const turn = async (client: WireClient, session: string): Promise<readonly string[]> => {
  const before = model.requests.length;
  const content = plan({ calls: [{ tool: 'get_tides', args: { harbour: session } }] }, { text: 'done' });
  client.send({ type: 'user_message', content });
  await client.waitFor(({ type }: WireFrame) => type === 'turn_ended', 'the end of the turn');
  return model.requests[before]?.body.tools?.map(({ function: { name } }) => name) ?? [];
};

test(verifies('S1:session-tools', 'a tool of one session is offered there alone, to nobody else, and goes with the session'), async () => {
  const own = await open('token-a', 'harbour');
  const other = await open('token-a', 'office');
  const stranger = await open('token-b', 'harbour');
  try {
    await eventually('the session is there', async () => (await ask('token-a', 'GET', '/v1/tools?session_id=harbour')).status === 200);
    const tool = { ...TIDES, url: toolUrl, idempotency: 'safe' };
    expect((await ask('token-a', 'POST', '/v1/tools', { ...tool, session_id: 'harbour' })).status).toBe(201);
    expect((await ask('token-a', 'POST', '/v1/tools', { ...tool, session_id: 'nowhere' })).status).toBe(404);
    const list = async (token: string, query = ''): Promise<string> => (await ask(token, 'GET', `/v1/tools${query}`)).text();
    expect(await list('token-a', '?session_id=harbour')).toContain('get_tides');
    expect(await list('token-a')).not.toContain('get_tides');
    expect(await list('token-b', '?session_id=harbour')).not.toContain('get_tides');

    expect(await turn(own, 'harbour')).toContain('get_tides');
    const shown = own.frames.find(({ type, status }) => type === 'tool_use' && status === 'done');
    expect(shown).toMatchObject({ items: [{ name: 'Tide table', uri: 'https://tides.example.com/quay' }] });
    expect(await turn(other, 'office')).not.toContain('get_tides');
    expect(await turn(stranger, 'harbour')).not.toContain('get_tides');
    expect(calls.map(({ body }) => body)).toEqual(['{"arguments":{"harbour":"harbour"}}']);

    expect((await ask('token-b', 'DELETE', '/v1/tools/get_tides?session_id=harbour')).status).toBe(404);
    expect((await ask('token-a', 'DELETE', '/v1/tools/get_tides?session_id=harbour')).status).toBe(204);
    expect(await turn(own, 'again')).not.toContain('get_tides');
  } finally {
    await Promise.all([own, other, stranger].map((client) => client.close()));
  }
});

test('an executor changes its tools between two requests of one turn', async () => {
  const client = await open('token-a', 'changing');
  try {
    const foreign = { name: 'mcp__notes__add', description: 'adds a note', input_schema: { type: 'object' }, tags: ['mcp'] };
    client.onFrame(({ type, call_id, fence, tool_name }) => {
      if (type !== 'tool_call' || tool_name !== 'read_file') return;
      client.send({ type: 'tools_changed', tools: ['read_file', foreign] });
      client.send({ type: 'tool_result', call_id, fence, result: { content: 'x', encoding: 'utf-8' } });
    });
    const before = model.requests.length;
    client.send({ type: 'user_message', content: plan({ calls: [{ tool: 'read_file', args: { path: 'a' } }] }, { text: 'done' }) });
    await client.waitFor(({ type }: WireFrame) => type === 'turn_ended', 'the end of the turn');
    const offered = model.requests.slice(before).map(({ body }) => body.tools?.map(({ function: { name } }) => name));
    expect(offered[0]).not.toContain('mcp__notes__add');
    expect(offered[1]).toContain('mcp__notes__add');
  } finally {
    await client.close();
  }
});
