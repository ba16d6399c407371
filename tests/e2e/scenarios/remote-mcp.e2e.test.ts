import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { verifies, type ScriptedProvider } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
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
  'show a picture': [call('get-tiny-image', {}), { text: 'It is tiny.' }],
};

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
    ].join('\n'),
  );
  repository = await makeRepository({ extra: { 'notes.txt': 'zero\n' } });
  system = await startSystem({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test', CODELAB_TOOLS_FILE: toolsFile },
  });
}, 60_000);
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
    chat = await startChat(system, { root: repository.root });
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
  const metrics = await (await fetch(`${runtime!.url}/metrics`)).text();
  expect(metrics).toContain('codelab_runtime_mcp_server_ready{server="everything",service="agent-runtime"} 1');
  expect(metrics).toContain('codelab_runtime_mcp_server_ready{server="away",service="agent-runtime"} 0');
  expect(metrics).toMatch(/codelab_runtime_mcp_calls_total\{server="everything",outcome="ok",service="agent-runtime"\} \d/);
});

test('a picture of a remote server reaches the model as one', async () => {
  chat = await startChat(system, { root: repository.root });
  chat.say('show a picture');
  await chat.decide(/get-tiny-image/, 'a');
  await chat.shows('It is tiny.');
  expect(model.requests.at(-1)!.text).toContain('data:image/png;base64,');
});

test(verifies('H1:remote-mcp-resources', 'a model lists and reads resources of a remote server once the human approves'), async () => {
  chat = await startChat(system, { root: repository.root });
  chat.say('read its features');
  await chat.decide(/list_remote_mcp_resources/, 'a');
  await chat.decide(/read_remote_mcp_resource[^]*features\.md/, 'a');
  await chat.shows('It has many.');
  const [listed, read] = results().slice(-2);
  expect(listed).toContain(`{"server":"everything","uri":"${FEATURES}"`);
  expect(read).toContain(`${FEATURES}:\n# Everything Server`);
  expect(model.requests.at(-1)!.body.tools!.map((tool) => tool.function.name)).toContain('read_remote_mcp_resource');
});
