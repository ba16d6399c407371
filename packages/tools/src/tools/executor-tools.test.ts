import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { CAPABILITIES, TOOLS } from './tools.js';
import { readCapabilities, readExecutorTools } from './executor-tools.js';

const names = (executor: string, tools: unknown, protocolVersion = '2.0'): string[] =>
  readExecutorTools({ executor, executorTools: tools === '' ? '' : JSON.stringify(tools), protocolVersion }).map(({ name }) => name);
const foreign = (name: string, more: object = {}) => ({ name, description: 'd', input_schema: { type: 'object' }, ...more });
const MVP = ['read_file', 'write_file', 'git.diff', 'apply_patch', 'apply_patch_review', 'prompt_user'];

test('a client without identity has the six tools of version 1.0', () => expect(names('seed', '', '1.0')).toEqual(MVP));
test('nobody has no tools', () => expect(names('', ['read_file'])).toEqual([]));
test('an observer has none', () => expect(names('c', [])).toEqual([]));
test('only what is declared and known here counts, once', () =>
  expect(names('c', ['git.diff', 'unheard_of', 'git.diff', 'read_file'])).toEqual(['git.diff', 'read_file']));
const V11 = ['list_files', 'search_in_project', 'run_command', 'create_directory'];
const V12 = ['git.status', 'git.log', 'git.commit', 'delete_file', 'move_file'];
const V20 = ['run_persistent', 'kill_process', 'git.branch'];
test.each([
  ['1.0', MVP],
  ['1.1', [...MVP, ...V11]],
  ['1.2', [...MVP, ...V11, ...V12]],
  ['2.0', [...MVP, ...V11, ...V12, ...V20]],
  ['2.1', [...MVP, ...V11, ...V12, ...V20]],
])(verifies('L3:versions', 'an executor of version %s that names every tool has those that its version knows'), (version, expected) => {
  const all = TOOLS.map(({ name }) => name);
  expect(names('c', all, version).sort()).toEqual([...expected].sort());
  expect(names('c', [...all].reverse().slice(0, 4), version).every((name) => expected.includes(name))).toBe(true);
});
test('an executor that has not named its tools yet has none, and of an unknown version those of the first', () => {
  expect(names('c', '')).toEqual([]);
  expect(names('c', ['read_file', 'list_files'], '')).toEqual(['read_file']);
});
test("a client's own tool never takes a canonical name", () =>
  expect(names('c', [foreign('run_tests'), foreign('read_file'), foreign('git.commit')])).toEqual(['run_tests']));
test("what a client's tool says of its harmlessness is not believed", () => {
  const [tool] = readExecutorTools({
    executor: 'c',
    executorTools: JSON.stringify([foreign('x', { readonly: true })]),
    protocolVersion: '1.0',
  });
  expect(tool).toMatchObject({ access: 'write', idempotency: 'unsafe' });
});

test(verifies('L3:capabilities', 'capabilities count from version 2.1 on, and are no tools that a model is shown'), () => {
  const all = CAPABILITIES.map(({ name }) => name);
  const of = (protocolVersion: string, executor = 'c', tools: unknown = ['read_file', ...all, 'unheard_of', foreign('own')]) => [
    ...readCapabilities({ executor, executorTools: JSON.stringify(tools), protocolVersion }),
  ];
  expect(of('2.1')).toEqual(['x1', 'x2', 'x3', 'x4', 'x5', ...all]);
  for (const version of ['2.0', '1.0', '']) expect(of(version)).toEqual([]);
  expect(of('2.1', 'c', [])).toEqual(['x1', 'x2', 'x3', 'x4', 'x5']);
  expect([...of('2.1', ''), ...of('2.1', 'seed')]).toEqual([]);
  for (const version of ['2.0', '2.1']) expect(names('c', ['read_file', ...all], version)).toEqual(['read_file']);
});
