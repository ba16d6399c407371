import { expect, test } from 'vitest';
import { sessionRef, type ServerTool, type SessionMeta } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { KeyEntries } from '../../accounting/key-entries.js';
import { filterTools, listTools, openToolbox } from './list-tools.js';
import type { ToolInfo } from './tool-info.js';

const owner = { tenant: 't', sub: 'u' };
const session = (sessionId: string, tools: readonly unknown[], protocolVersion = '2.0') =>
  ({ ref: sessionRef(owner, sessionId), executor: 'ide', executorTools: JSON.stringify(tools), protocolVersion }) as SessionMeta;
const foreign = (name: string, more: object = {}) => ({ name, description: `does ${name}`, input_schema: { type: 'object' }, ...more });
const byUrl = (name: string, tags: readonly string[] = []): ServerTool => ({
  ...{ name, description: '', inputSchema: {}, url: 'https://x.test/?key=s', headers: { 'x-key': 's' }, tags, timeoutMs: 1 },
});

const list = async (
  sessions: readonly SessionMeta[],
  serverTools: readonly ServerTool[] = [],
  tools?: { readonly allow?: readonly string[]; readonly block?: readonly string[] },
  ofRuntimes: readonly ToolInfo[] = [],
): Promise<readonly ToolInfo[]> =>
  listTools(
    await openToolbox(owner, {
      children: { connected: async () => sessions },
      serverTools: { list: async () => serverTools },
      runtimeTools: { list: async () => ofRuntimes },
      keys: new KeyEntries(tools === undefined ? {} : { 't/*': { tools } }),
    }),
  );
const named = (tools: readonly ToolInfo[]): string[] => tools.map(({ name }) => name);

test(
  verifies('S1:tools-listed', 'tools of all connected sessions and those by URL are listed once, in a stable order, with what they are'),
  async () => {
    const one = session('a', ['read_file', 'git.diff', foreign('run_tests', { tags: ['jest'] })]);
    const two = session('b', ['write_file', 'read_file', foreign('jira_search', { tags: ['mcp', 'jira'] })]);
    const tools = await list([one, two], [byUrl('weather', ['city'])]);
    expect(tools.map(({ name, tags }) => [name, ...tags])).toEqual([
      ['git.diff', 'builtin', 'git', 'readonly'],
      ['jira_search', 'mcp', 'write', 'jira'],
      ['read_file', 'builtin', 'file', 'readonly'],
      ['run_tests', 'client', 'write', 'jest'],
      ['weather', 'http', 'write', 'city'],
      ['write_file', 'builtin', 'file', 'write'],
    ]);
    expect(await list([two, one], [byUrl('weather', ['city'])])).toEqual(tools);
    expect(tools[2]).toMatchObject({ description: expect.stringMatching(/./), inputSchema: { type: 'object', required: ['path'] } });
  },
);

test(verifies('L1:server-tools', 'where a tool by URL is, and what is sent there, is never listed'), async () => {
  const [tool] = await list([], [byUrl('weather')]);
  expect(Object.keys(tool!)).toEqual(['name', 'description', 'inputSchema', 'tags']);
});

test('no tool takes the words that are ours to say', async () => {
  const hostile = foreign('x', { tags: ['builtin', 'readonly', 'http', 7, 'own'], readonly: true });
  expect((await list([session('a', [hostile])], [byUrl('y', ['readonly', 'builtin'])])).map(({ tags }) => tags)).toEqual([
    ['client', 'write', 'own'],
    ['http', 'write'],
  ]);
});

test('a tool of an IDE comes before one by URL of the same name, and a client of version 1.0 has only what that version has', async () => {
  const [tool, ...others] = await list([session('a', [foreign('x')])], [byUrl('x')]);
  expect([tool?.tags[0], others]).toEqual(['client', []]);
  expect(named(await list([session('a', ['read_file', 'list_files'], '1.0')]))).toEqual(['read_file']);
});

test(verifies('H1:tool-lists', 'a key sees and uses only tools that it is allowed; a blocked one stays blocked'), async () => {
  const sessions = [session('a', ['read_file', 'write_file', 'git.diff', 'git.status', 'run_command'])];
  expect(named(await list(sessions, [byUrl('weather')], { allow: ['read_*', 'GIT.*'], block: ['git.s*'] }))).toEqual([
    'git.diff',
    'read_file',
  ]);
  expect(named(await list(sessions, [byUrl('weather')], { block: ['*_file', 'weather'] }))).toEqual([
    'git.diff',
    'git.status',
    'run_command',
  ]);
  expect(await list(sessions, [byUrl('weather')], { allow: [] })).toEqual([]);
});

test('tools of the runtimes stand beside those of IDEs, come before registered ones of the same name, and keys narrow them, too', async () => {
  const ofRuntimes = [
    tool('mcp__docs__greet', 'mcp', 'write', 'server:docs'),
    tool('tides', 'http', 'write'),
    tool('web.fetch', 'web', 'readonly'),
  ];
  const registered = [byUrl('tides', ['mine']), byUrl('weather')];
  const tools = await list([session('a', ['read_file', foreign('web.fetch')])], registered, undefined, ofRuntimes);
  expect(tools.map(({ name, tags }) => [name, ...tags])).toEqual([
    ['mcp__docs__greet', 'mcp', 'write', 'server:docs'],
    ['read_file', 'builtin', 'file', 'readonly'],
    ['tides', 'http', 'write'],
    ['weather', 'http', 'write'],
    ['web.fetch', 'client', 'write'],
  ]);
  expect(named(await list([], registered, { block: ['mcp__docs__*', 'web.*'] }, ofRuntimes))).toEqual(['tides', 'weather']);
});

const tool = (name: string, ...tags: string[]): ToolInfo => ({ name, description: '', inputSchema: {}, tags });
const all = [tool('get_time', 'a', 'b'), tool('get_Weather', 'a', 'B'), tool('put', 'b')];

test.each([
  [{}, ['get_time', 'get_Weather', 'put']],
  [{ tags: 'a,b' }, ['get_time']],
  [{ tags: ' a , , b ' }, ['get_time']],
  [{ tags: 'A' }, []],
  [{ tags: ',' }, ['get_time', 'get_Weather', 'put']],
  [{ name: 'GET_*' }, ['get_time', 'get_Weather']],
  [{ name: '?' }, []],
  [{ name: '*e*', tags: 'B' }, ['get_Weather']],
  [{ name: '', tags: null }, ['get_time', 'get_Weather', 'put']],
])(verifies('L3:CP1', 'tags are all needed, to the letter; a name is a pattern: %j'), (filter, names) => {
  expect(named(filterTools(all, filter))).toEqual(names);
});
