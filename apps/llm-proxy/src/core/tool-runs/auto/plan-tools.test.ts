import { expect, test } from 'vitest';
import { sessionRef, type SessionMeta } from '@codelab/bus';
import { findTool } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import type { DeclaredTool } from '../catalog/declared-tools.js';
import type { ToolInfo } from '../catalog/tool-info.js';
import { callersOf, planTools } from './plan-tools.js';

const session = {
  ref: sessionRef({ tenant: 't', sub: 'u' }, 's'),
  executor: 'ide',
  executorTools: JSON.stringify([
    'read_file',
    'git.diff',
    { name: 'run_tests', description: '', input_schema: { type: 'object', properties: {} } },
  ]),
  protocolVersion: '2.0',
} as SessionMeta;
const weather: ToolInfo = {
  name: 'weather',
  description: '',
  inputSchema: { type: 'object', required: ['city'] },
  tags: ['http', 'write'],
};
const plan = (declared: readonly DeclaredTool[], all: boolean, mayUse: (name: string) => boolean = () => true) => {
  const { added, serverTools, executorTools, modelNames } = planTools(declared, { session, serverTools: [weather], mayUse }, all);
  return {
    added: added.map(({ name }) => name),
    byUrl: serverTools.map(({ name }) => name),
    executorTools,
    names: Object.fromEntries(modelNames),
  };
};
const listed = (name: string): DeclaredTool => ({ name, parameters: findTool(name === 'git_diff' ? 'git.diff' : name)!.parameters });
const ours = (name: string): DeclaredTool => ({ name, parameters: { type: 'object', properties: { filepath: { type: 'string' } } } });

test('all tools of the IDE and by URL are offered, by the names that models are shown', () => {
  expect(plan([], true)).toEqual({
    added: ['read_file', 'git.diff', 'run_tests', 'weather'],
    executorTools: ['read_file', 'git.diff', 'run_tests'],
    byUrl: ['weather'],
    names: { read_file: 'read_file', 'git.diff': 'git_diff', run_tests: 'client__run_tests', weather: 'weather' },
  });
  expect(plan([], false)).toEqual({ added: [], executorTools: [], byUrl: [], names: {} });
});

test(
  verifies('L3:CP-own-tools', 'a tool of the request comes before one of the IDE with the same name, and is the caller’s to run'),
  () => {
    const { added, executorTools } = plan([ours('read_file'), ours('git_diff'), ours('client__run_tests'), ours('weather')], true);
    expect([added, executorTools]).toEqual([[], []]);
    expect(plan([ours('read_file')], false).executorTools).toEqual([]);
  },
);

test(
  verifies(
    'L3:CP-picked-tools',
    'a tool that is declared exactly as it is listed was picked, and runs here, whether or not all are offered',
  ),
  () => {
    const shuffled = { name: 'weather', parameters: { required: ['city'], type: 'object' } };
    expect(plan([listed('read_file'), listed('git_diff'), shuffled, ours('mine')], false)).toEqual({
      ...{ added: [], executorTools: ['read_file', 'git.diff'], byUrl: ['weather'] },
      names: { read_file: 'read_file', git_diff: 'git_diff', weather: 'weather' },
    });
    expect(plan([listed('git.diff')], true)).toMatchObject({
      added: ['read_file', 'run_tests', 'weather'],
      names: { 'git.diff': 'git_diff' },
    });
  },
);

test('what the key may not use is neither offered nor picked', () => {
  const mayUse = (name: string): boolean => name === 'git.diff';
  expect(plan([listed('read_file')], true, mayUse)).toMatchObject({ added: ['git.diff'], executorTools: ['git.diff'] });
});

test('a tool of an MCP server of the servers goes by the name that models are shown, one of the IDE with its name comes first', () => {
  const list: ToolInfo = { name: 'mcp__docs__list.all', description: '', inputSchema: { type: 'object' }, tags: ['mcp', 'write'] };
  const taken: ToolInfo = { ...list, name: 'run_tests' };
  const planned = planTools([], { session, serverTools: [list, taken], mayUse: () => true }, true);
  expect(planned.serverTools).toEqual([list]);
  expect(planned.modelNames.get(list.name)).toBe('mcp__docs__list__2e_all');
  const picked = [{ name: 'mcp__docs__list__2e_all', parameters: { type: 'object' } }];
  expect(planTools(picked, { session, serverTools: [list], mayUse: () => true }, false)).toMatchObject({ added: [], serverTools: [list] });
});

test('what is left is the caller’s', () => {
  const planned = planTools([listed('read_file'), ours('mine')], { session, serverTools: [], mayUse: () => true }, false);
  const tools = ['read_file', 'mine'].map((name) => ({ name, description: '', parameters: {} }));
  expect(callersOf(tools, planned).map(({ name }) => name)).toEqual(['mine']);
});
