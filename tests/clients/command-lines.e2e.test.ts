import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { run } from './run-program.js';
import { callsOf, FINAL, playRounds, resultsOf, THOUGHT, thoughtsOf } from './scripted-rounds.js';
import { startProxy, type TestProxy } from './start-proxy.js';

const CN = join(dirname(createRequire(import.meta.url).resolve('@continuedev/cli/package.json')), 'dist/cn.js');

let proxy: TestProxy;
let folder: string;

beforeAll(async () => {
  proxy = await startProxy(playRounds);
  folder = await mkdtemp(join(tmpdir(), 'codelab-continue-'));
  await mkdir(join(folder, 'work'));
  await writeFile(join(folder, 'work/first.txt'), 'the first word is 안녕\n');
  await writeFile(join(folder, 'work/second.txt'), 'the second word is 🙂\n');
});
afterAll(async () => {
  await proxy.stop();
  await rm(folder, { recursive: true, force: true });
});

const PAGE = await readFile(new URL('../../docs/clients.md', import.meta.url), 'utf8');

/** Continue's configuration of docs/clients.md, for another model. Its Anthropic provider wants a slash at the end of the address. */
const configOf = (provider: 'openai' | 'anthropic', model: string): string =>
  /^```yaml\n([^]*?)^```$/m
    .exec(PAGE)![1]!
    .replace('http://127.0.0.1:8002/v1', `${proxy.url}/v1${provider === 'anthropic' ? '/' : ''}`)
    .replace('provider: openai', `provider: ${provider}`)
    .replace('model: claude-sonnet-4-5', `model: ${model}`);

async function ask(provider: 'openai' | 'anthropic', model: string): Promise<string> {
  const config = join(folder, `${model}.yaml`);
  await writeFile(config, configOf(provider, model));
  const home = await mkdtemp(join(folder, 'home-'));
  const quiet = { CONTINUE_METRICS_ENABLED: '0', CONTINUE_CLI_ENABLE_TELEMETRY: '0', CONTINUE_GLOBAL_DIR: home };
  const env = { PATH: process.env.PATH, HOME: home, CODELAB_TOKEN: proxy.token, ...quiet };
  const { code, stdout, stderr } = await run([CN, '-p', 'Which words?', '--config', config], { env, cwd: join(folder, 'work') });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

test.each([
  ['openai', ['gpt', 'claude']],
  ['anthropic', ['gpt']],
] as const)(
  verifies('L3:client-continue', "Continue's CLI with its provider %s loops through parallel calls of its own tools"),
  async (provider, families) => {
    const models = families.map((family) => `${family}-continue-${provider}`);
    const said = await Promise.all(models.map((model) => ask(provider, model)));
    expect(said).toEqual(models.map(() => `${FINAL}\n`));
    for (const model of models) {
      const last = proxy
        .asked(model)
        .filter(({ body }) => body.tools)
        .at(-1)!;
      expect(callsOf(last).map(({ id, name }) => [id, name])).toEqual([
        ['call_read_1', 'Read'],
        ['call_list', 'List'],
        ['call_read_2', 'Read'],
      ]);
      expect(resultsOf(last)).toEqual([
        { id: 'call_read_1', text: expect.stringContaining('안녕') },
        { id: 'call_list', text: expect.stringContaining('second.txt') },
        { id: 'call_read_2', text: expect.stringContaining('🙂') },
      ]);
    }
  },
);

type Item = Readonly<Record<string, unknown>>;

/** Asks as Codex does, with what its 0.169 was seen to send; gives the items that it reads, each when it is done. */
async function askAsCodex(model: string, later: readonly Item[]): Promise<Item[]> {
  const recorded = JSON.parse(await readFile(new URL('__fixtures__/codex-0.169.json', import.meta.url), 'utf8')) as {
    readonly input: Item[];
  };
  const body = JSON.stringify({ ...recorded, model, input: [...recorded.input, ...later] });
  const headers = { authorization: `Bearer ${proxy.token}`, accept: 'text/event-stream', 'content-type': 'application/json' };
  const answer = await fetch(`${proxy.url}/v1/responses`, { method: 'POST', headers, body });
  const events = (await answer.text()).split('\n\n').flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? []);
  const parsed = events.map((data) => JSON.parse(data) as { readonly type: string; readonly item?: Item });
  expect(parsed.at(-1)?.type).toBe('response.completed');
  return parsed.flatMap(({ type, item }) => (type === 'response.output_item.done' && item ? [item] : []));
}

test.each(['gpt', 'claude'])(
  verifies(
    'L3:client-codex',
    'Codex before %s gets the calls of its MCP tools in their namespace, and its thoughts back to their provider',
  ),
  async (family) => {
    const model = `${family}-codex`;
    const items = await askAsCodex(model, []);
    expect(items.filter(({ type }) => type === 'function_call')).toMatchObject([
      { namespace: 'mcp__files', name: 'add', call_id: 'call_mcp', arguments: '{"a": 2}' },
      { name: 'exec_command', call_id: 'call_exec', arguments: '{"cmd": "ls"}' },
    ]);
    const outputs = [
      {
        type: 'function_call_output',
        call_id: 'call_mcp',
        output: [
          { type: 'input_text', text: 'Output:' },
          { type: 'input_text', text: '4' },
        ],
      },
      { type: 'function_call_output', call_id: 'call_exec', output: 'Exited with 0' },
    ];
    const [message] = await askAsCodex(model, [
      ...items.map((item) => ({ ...item, ...(item.type === 'reasoning' && { content: null }) })),
      ...outputs,
    ]);
    expect(message).toMatchObject({ type: 'message', content: [{ text: FINAL }] });
    const [first, second] = proxy.asked(model);
    const named = first?.body.tools as unknown as readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
    expect(named.map((tool) => tool.function?.name ?? tool.name)).toEqual([
      ...['exec_command', 'multi_agent_v1__close_agent', 'multi_agent_v1__resume_agent'],
      ...['mcp__files__add', 'mcp__files__echo_it'],
    ]);
    expect(callsOf(second!)).toEqual([
      { id: 'call_mcp', name: 'mcp__files__add', arguments: { a: 2 } },
      { id: 'call_exec', name: 'exec_command', arguments: { cmd: 'ls' } },
    ]);
    expect(resultsOf(second!)).toEqual([
      { id: 'call_mcp', text: 'Output:\n4' },
      { id: 'call_exec', text: 'Exited with 0' },
    ]);
    const thought = { type: 'thinking', thinking: THOUGHT.text, signature: THOUGHT.signature };
    expect(thoughtsOf(second!)).toEqual(family === 'claude' ? [thought] : []);
  },
);
