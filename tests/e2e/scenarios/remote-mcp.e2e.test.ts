import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually, verifies, type ScriptedProvider } from '@codelab/testkit';
import { askProxy } from '../ask-proxy.js';
import { makeRepository, type Repository } from '../make-repository.js';
import { Person } from '../person.js';
import { startPlannedModel, type Planned } from '../planned-model.js';
import { startChat, type Chat } from '../start-chat.js';
import { startEverything, type Everything } from '../start-everything.js';
import { startSystem, type System } from '../start-system.js';

const call = (tool: string, args: object): Planned => ({ calls: [{ tool: `mcp__everything__${tool}`, args }] });
const FEATURES = 'demo://resource/static/document/features.md';
const PLANS = {
  'add them': [call('get-sum', { a: 19, b: 23 }), { text: 'They are 42.' }],
  'echo it': [call('echo', { message: 'never said' }), { text: 'As you wish.' }],
  'read its features': [
    { calls: [{ tool: 'list_remote_mcp_resources', args: {} }] },
    { calls: [{ tool: 'read_remote_mcp_resource', args: { server: 'everything', uri: FEATURES } }] },
    { text: 'It has many.' },
  ],
  'which resource': [call('get-resource-reference', { resourceType: 'Text', resourceId: -1 }), { text: 'There is none.' }],
  'show a picture': [call('get-tiny-image', {}), { text: 'It is tiny.' }],
};

/** Ana of acme, and Ben of globex. */
const TOKENS = 'token-a=acme/ana,token-b=globex/ben';

let folder: string;
let everything: Everything;
let model: ScriptedProvider;
let system: System;
let repository: Repository;
let chat: Chat | undefined;
beforeAll(async () => {
  [folder, everything, model] = await Promise.all([mkdtemp(join(tmpdir(), 'remote-mcp-')), startEverything(), startPlannedModel(PLANS)]);
  const toolsFile = join(folder, 'tools.yaml');
  await writeFile(
    toolsFile,
    [
      'mcp_servers:',
      `  everything: { url: "${everything.url}", tools: { exclude: ["trigger-*"] } }`,
      '  away: { url: "http://127.0.0.1:9/mcp" }',
      '  wrong: { url: 5 }',
      `  inner: { url: "${everything.url}", headers: { X-Key: hidden-key }, tools: { include: ["echo"] }, tenants: [globex] }`,
      'tools:',
      '  tides:',
      '    description: Tells the tides.',
      '    input_schema: { type: object }',
      '    url: https://tides.example.com/hidden-path',
      '    tags: [harbour]',
      '    owners: [acme/ana]',
    ].join('\n'),
  );
  repository = await makeRepository({ extra: { 'notes.txt': 'zero\n' } });
  system = await startSystem({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'k',
      CODELAB_MODEL: 'gpt-test',
      CODELAB_TOOLS_FILE: toolsFile,
      CODELAB_TOKENS: TOKENS,
    },
  });
});
afterEach(async () => {
  await chat?.close();
  chat = undefined;
});
afterAll(async () => {
  await system.stop();
  await Promise.all([model.close(), everything.stop(), repository.remove()]);
  await rm(folder, { recursive: true, force: true });
});

/** What the model read as results of its calls. */
const results = (): readonly unknown[] =>
  model.requests
    .at(-1)!
    .body.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

test(
  verifies(
    'H1:remote-mcp-chat',
    'a model calls tools of a remote MCP server in a conversation once the human approves, and sees their results',
  ),
  async () => {
    chat = await startChat({ ...system, token: 'token-a' }, { root: repository.root });
    chat.say('add them');
    await chat.decide(/mcp__everything__get-sum/, 'a');
    await chat.shows('They are 42.');
    expect(JSON.stringify(results())).toContain('42');
    const offered = model.requests.at(-1)!.body.tools!.map((tool) => tool.function.name);
    expect(offered).toEqual(expect.arrayContaining(['mcp__everything__echo', 'mcp__everything__get-sum']));
    expect(offered.filter((name) => name.includes('trigger'))).toEqual([]);
    chat.say('echo it');
    await chat.decide(/mcp__everything__echo/, 'r');
    await chat.shows('why not?');
    chat.press('enter');
    await chat.rests();
    expect(JSON.stringify(model.requests.map(({ body }) => body.messages))).not.toContain('Echo: never said');
  },
);

test('what a server of the tools file does wrong is told in the log with its line, and the runtime is ready all the same', async () => {
  const [runtime] = system.runtimes;
  expect((await fetch(`${runtime!.url}/ready`)).status).toBe(200);
  expect(system.logs()).toContain('line 4: mcp_servers.wrong.url is a whole number: write a text.');
  expect(system.logs()).toContain('tools.yaml has entries that are off: line 4: mcp_servers.wrong.url');
  const metrics = await (await fetch(`${runtime!.url}/metrics`)).text();
  expect(metrics).toContain('codelab_runtime_mcp_server_ready{server="everything",service="agent-runtime"} 1');
  expect(metrics).toContain('codelab_runtime_mcp_server_ready{server="away",service="agent-runtime"} 0');
  expect(metrics).toMatch(/codelab_runtime_mcp_calls_total\{server="everything",outcome="ok",service="agent-runtime"\} \d/);
});

test(
  verifies('L3:call-reasons', 'a tool of a remote server that says that it failed is shown so in the chat, with its words'),
  async () => {
    chat = await startChat({ ...system, token: 'token-a' }, { root: repository.root });
    chat.say('which resource');
    await chat.decide(/get-resource-reference/, 'a');
    await chat.shows('There is none.');
    expect(chat.history()).toMatch(/✗ [^\n]*get-resource-reference[^]*TOOL_FAILED {2}[^]*Invalid resourceId: -1/);
  },
);

test('a picture of a remote server reaches the model as one', async () => {
  chat = await startChat({ ...system, token: 'token-a' }, { root: repository.root });
  chat.say('show a picture');
  await chat.decide(/get-tiny-image/, 'a');
  await chat.shows('It is tiny.');
  expect(model.requests.at(-1)!.text).toContain('data:image/png;base64,');
});

test(verifies('H1:remote-mcp-resources', 'a model lists and reads resources of a remote server once the human approves'), async () => {
  chat = await startChat({ ...system, token: 'token-a' }, { root: repository.root });
  chat.say('read its features');
  await chat.decide(/list_remote_mcp_resources/, 'a');
  await chat.decide(/read_remote_mcp_resource[^]*features\.md/, 'a');
  await chat.shows('It has many.');
  const [listed, read] = results().slice(-2);
  expect(listed).toContain(`{"server":"everything","uri":"${FEATURES}"`);
  expect(read).toContain(`${FEATURES}:\n# Everything Server`);
  expect(model.requests.at(-1)!.body.tools!.map((tool) => tool.function.name)).toContain('read_remote_mcp_resource');
});

interface Listed {
  readonly name: string;
  readonly tags: readonly string[];
  readonly uri?: string;
}

const listed = async (token: string, query = ''): Promise<readonly Listed[]> => {
  const response = await askProxy('GET', `/v1/tools${query}`, new Person(system, token).ask);
  const text = await response.text();
  expect(text).not.toMatch(/hidden|127\.0\.0\.1|tides\.example|headers/);
  return (JSON.parse(text) as { readonly data: readonly Listed[] }).data;
};

test(
  verifies(
    'S1:tools-of-runtimes',
    'what the tools file lists is listed for those who may see it, with tags and uri, and nothing of where it is',
  ),
  async () => {
    const [echo] = await eventually('the tools are published', async () => {
      const found = await listed('token-a', '?tags=mcp&name=mcp__everything__ECHO');
      return found.length > 0 ? found : undefined;
    });
    expect(echo).toMatchObject({ tags: ['mcp', 'write', 'server:everything'], uri: 'mcp://everything/echo' });
    expect(await listed('token-a', '?tags=web,readonly')).toMatchObject([{ name: 'web.fetch' }, { name: 'web.search' }]);
    expect(await listed('token-a', '?tags=harbour')).toMatchObject([{ name: 'tides', tags: ['http', 'write', 'harbour'] }]);
    expect(await listed('token-b', '?tags=harbour')).toEqual([]);
    await eventually('those of globex, too', async () => (await listed('token-b', '?tags=server:inner')).length > 0);
    expect(await listed('token-b', '?tags=server:inner')).toMatchObject([{ name: 'mcp__inner__echo', uri: 'mcp://inner/echo' }]);
    expect(await listed('token-a', '?tags=server:inner')).toEqual([]);
    expect((await listed('token-a')).filter(({ name }) => name.includes('trigger'))).toEqual([]);
  },
);

test(
  verifies(
    'H1:auto-mcp',
    'a program’s model calls a tool of a remote server once the human at the IDE approves, and its call is logged as such',
  ),
  async () => {
    const ana = new Person(system, 'token-a');
    const ide = await ana.openIde('auto', ['read_file']);
    try {
      const questions: string[] = [];
      ide.onFrame(({ type, state, tool_name, call_id, args_sha256 }) => {
        if (type !== 'tool_call' || state !== 'waiting_approval') return;
        questions.push(String(tool_name));
        ide.send({ type: 'hitl_decision', call_id, args_sha256, decision: 'approve' });
      });
      const answer = await ana.auto([{ calls: [{ tool: 'mcp__everything__get-sum', args: { a: 19, b: 23 } }] }, { text: 'They are 42.' }]);
      expect(answer.body.choices[0]).toMatchObject({ message: { content: 'They are 42.' }, finish_reason: 'stop' });
      expect(questions).toEqual(['mcp__everything__get-sum']);
      expect(JSON.stringify(results())).toContain('42');
      const offered = model.requests.at(-1)!.body.tools!.map((tool) => tool.function.name);
      expect(offered).toEqual(expect.arrayContaining(['read_file', 'mcp__everything__echo', 'tides']));
      expect(offered.filter((name) => /inner|web/.test(name))).toEqual([]);
      const rows = await eventually('the log', async () => {
        const { data } = (await (await askProxy('GET', '/v1/tool-calls?limit=1', ana.ask)).json()) as { data: readonly object[] };
        return data.length > 0 && data;
      });
      expect(rows).toMatchObject([{ tool: 'mcp__everything__get-sum', source: 'mcp', outcome: 'ok' }]);
    } finally {
      await ana.leave();
    }
  },
);
