import { expect, test } from '@jest/globals';
import { readExecutorTools } from './read-executor-tools.js';

const names = (executor: string, tools: unknown, protocolVersion = '2.0'): string[] =>
  readExecutorTools({ executor, executorTools: tools === '' ? '' : JSON.stringify(tools), protocolVersion }).map(({ name }) => name);
const foreign = (name: string, more: object = {}) => ({ name, description: 'd', input_schema: { type: 'object' }, ...more });
const MVP = ['read_file', 'write_file', 'git.diff', 'apply_patch', 'apply_patch_review', 'prompt_user'];

test('a client without identity has the six tools of version 1.0', () => expect(names('seed', '', '1.0')).toEqual(MVP));
test('nobody has no tools', () => expect(names('', ['read_file'])).toEqual([]));
test('an observer has none', () => expect(names('c', [])).toEqual([]));
test('only what is declared and known here counts, once', () =>
  expect(names('c', ['git.diff', 'unheard_of', 'git.diff', 'read_file'])).toEqual(['git.diff', 'read_file']));
test('a tool of a later version than the client speaks is not offered', () => {
  const later = names('c', ['read_file', 'list_files', 'run_command'], '2.0').filter((name) => name !== 'read_file');
  expect(names('c', ['read_file', ...later], '1.0')).toEqual(['read_file']);
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
