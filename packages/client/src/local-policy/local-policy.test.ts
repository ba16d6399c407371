import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { decidePolicy, findTool } from '@codelab/tools';
import { makeFolder } from '../../test/support.js';
import { createLocalPolicy, type RememberedDecision, type LocalVerdict, type LocalPolicy } from './local-policy.js';
import { listLocalRules, removeLocalRule } from './local-rules.js';
import { openLocalPolicy } from './open-local-policy.js';

const PLACE = { sessionId: 's1', workspaceId: 'w1' };
const SHA = { old: 'a'.repeat(64), new: 'b'.repeat(64) };

let dataDir: string;
let problems: string[];
let localPolicy: LocalPolicy;
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  dataDir = await makeFolder(cleanups);
  problems = [];
  localPolicy = openLocalPolicy({ dataDir, onProblem: (message) => problems.push(message) });
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const patchOf = (path: string): string => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
const judge = (tool: string, args: object, place = PLACE): Promise<LocalVerdict> => localPolicy.judge(tool, { ...args }, place);
const remember = (rule: object, memory: Partial<RememberedDecision> & { scope?: 'session' | 'project' | 'user' } = {}): Promise<void> => {
  const { scope = 'session', ...rest } = memory;
  return localPolicy.remember!({ place: PLACE, decided: 'allow', operands: [], remember: { scope, rule: { ...rule } }, ...rest });
};

test.each<[LocalVerdict['kind'], string, Record<string, unknown>]>([
  ['ask', 'run_command', { command: 'npm install' }],
  ['ask', 'run_command', { command: './build.sh' }],
  ['run', 'run_command', { command: 'git status' }],
  ['deny', 'run_command', { command: 'rm -rf /' }],
  ['ask', 'run_persistent', { command: 'npm run dev' }],
  ['ask', 'delete_file', { path: 'a' }],
  ['ask', 'git.commit', { message: 'x' }],
  ['ask', 'write_file', { path: '.git/hooks/pre-commit', content: '' }],
  ['ask', 'write_file', { path: 'sub/.ENV', content: '' }],
  ['ask', 'move_file', { from: 'a', to: '.vscode/tasks.json' }],
  ['ask', 'apply_patch', { diff: patchOf('.env') }],
  ['ask', 'apply_patch', { diff: 'no patch at all' }],
  ['ask', 'read_file', { path: '.env' }],
  ['ask', 'some_foreign_tool', {}],
  ['run', 'apply_patch', { diff: patchOf('src/a.ts') }],
  ['run', 'write_file', { path: 'src/a.ts', content: '' }],
  ['run', 'read_file', { path: 'src/a.ts' }],
  ['run', 'prompt_user', { message: 'x', actions: ['y'] }],
])('without a word of the user: %s %s %j', async (kind, tool, args) => {
  expect((await createLocalPolicy().judge(tool, args, PLACE)).kind).toBe(kind);
  expect((await judge(tool, args)).kind).toBe(kind);
});

test.each<['here' | 'anybody', string, Record<string, unknown>]>([
  ['here', 'run_command', { command: 'npm install' }],
  ['here', 'write_file', { path: '.git/hooks/pre-commit', content: '' }],
  ['here', 'delete_file', { path: '.github' }],
  ['here', 'read_file', { path: '.env' }],
  ['anybody', 'delete_file', { path: 'a' }],
  ['anybody', 'git.commit', { message: 'x', files: ['a'] }],
  ['anybody', 'some_foreign_tool', {}],
])('a decision made %s counts for %s %j', async (counts, tool, args) => {
  expect(await judge(tool, args)).toMatchObject({ kind: 'ask', counts });
});

test('what is harmless runs, and is approved by nobody; where the servers are trusted, by them', async () => {
  expect(await judge('run_command', { command: 'git status' })).toEqual({ kind: 'run', approved: 'no' });
  expect(await judge('write_file', { path: 'a', content: '' })).toEqual({ kind: 'run', approved: 'by_servers' });
  const trusting = createLocalPolicy({ approvals: 'anywhere', ask: ['write_file'] });
  expect(await trusting.judge('run_command', { command: 'npm install' }, PLACE)).toEqual({ kind: 'run', approved: 'yes' });
  expect(await trusting.judge('run_command', { command: 'git status' }, PLACE)).toEqual({ kind: 'run', approved: 'by_servers' });
  expect((await trusting.judge('write_file', { path: 'a', content: '' }, PLACE)).kind).toBe('ask');
  expect((await trusting.judge('run_command', { command: 'rm -rf /' }, PLACE)).kind).toBe('deny');
  expect((await createLocalPolicy({ ask: ['*'] }).judge('read_file', { path: 'a' }, PLACE)).kind).toBe('ask');
});

test(verifies('H1:floor-rules', 'what the human decided once at this client is not asked again there, and only there'), async () => {
  const command = { command: 'npm install left-pad' };
  await remember({ tool: 'run_command', command: ['npm', 'install'] });
  expect(await judge('run_command', command)).toEqual({ kind: 'run', approved: 'by_rule' });
  expect((await judge('run_command', command, { ...PLACE, sessionId: 's2' })).kind).toBe('ask');
  await remember({ tool: 'run_command', command: ['npm', 'install'] }, { scope: 'project' });
  expect((await judge('run_command', command, { ...PLACE, sessionId: 's2' })).kind).toBe('run');
  expect((await judge('run_command', command, { sessionId: 's2', workspaceId: 'w2' })).kind).toBe('ask');
  await remember({ tool: 'run_command', command: ['npm', 'install'] }, { scope: 'user' });
  expect((await judge('run_command', command, { sessionId: 's2', workspaceId: 'w2' })).kind).toBe('run');
  await remember({ tool: 'run_command', command: ['npm'] }, { scope: 'user', decided: 'deny' });
  expect((await judge('run_command', command)).kind).toBe('deny');
});

test.each<[string, string, string]>([
  ['git commit', 'git commit -m "a/b"', 'git commit -a --file=/etc/passwd'],
  ['git add', 'git add -A', 'git add --pathspec-from-file=/etc/passwd'],
  ['git tag', 'git tag -a v1 -m x', 'git tag -F/etc/passwd v1'],
  ['pytest', 'pytest -q -x -k name', 'pytest --basetemp=/outside'],
  ['jest', 'jest --watch=false path', 'jest --config=/tmp/x.js'],
  ['mocha', 'mocha -g x test', 'mocha --require=/tmp/x.js'],
  ['go test', 'go test ./... -run X -v', 'go test -coverprofile=/tmp/x'],
  ['cargo test', 'cargo test --release', 'cargo test --target-dir=/outside'],
  ['tsc', 'tsc --noEmit', 'tsc @/tmp/x'],
])(verifies('H1:rule-options-twice', 'servers and a client let a rule cover the same commands') + ': %s', async (words, covered, asked) => {
  const rule = { effect: 'allow', tool: 'run_command', command: words.split(' ') } as const;
  await remember(rule);
  const onServer = (command: string): string =>
    decidePolicy(
      findTool('run_command'),
      'run_command',
      { command },
      { mode: 'medium', agent: 'coder', rules: [{ ...rule, scope: 'session' }] },
    ).kind;
  expect([onServer(covered), (await judge('run_command', { command: covered })).kind]).toEqual(['allow', 'run']);
  expect([onServer(asked), (await judge('run_command', { command: asked })).kind]).toEqual(['ask', 'ask']);
});

test(verifies('H1:foreign-shell', 'where no POSIX shell runs a command nothing runs unasked, whatever servers and rules say'), async () => {
  const posixShell = (): Promise<boolean> => Promise.resolve(false);
  await remember({ tool: 'run_command', command: ['npm', 'install'] });
  const windows = openLocalPolicy({ dataDir, posixShell });
  for (const command of ['git status', 'ls', 'npm install x', "echo '&' calc"])
    expect(await windows.judge('run_command', { command }, PLACE)).toMatchObject({ kind: 'ask', counts: 'here' });
  expect(await windows.judge('run_persistent', { command: 'ls' }, PLACE)).toMatchObject({ kind: 'ask', counts: 'here' });
  expect((await windows.judge('run_persistent', { action: 'status', process_id: 'p' }, PLACE)).kind).toBe('run');
  expect((await windows.judge('run_command', { command: 'rm -rf /' }, PLACE)).kind).toBe('deny');
  expect((await windows.judge('read_file', { path: 'a' }, PLACE)).kind).toBe('run');
  const trusting = createLocalPolicy({ approvals: 'anywhere' }, Date.now, posixShell);
  expect(await trusting.judge('run_command', { command: 'git status' }, PLACE)).toMatchObject({ kind: 'ask', counts: 'anybody' });
});

test(verifies('H1:floor-revoked', 'a rule that is revoked is gone with the next call, in every process'), async () => {
  await remember({ tool: 'run_command', command: ['npm', 'install'] });
  await remember({ tool: 'run_command', command: ['npm', 'install'] });
  const rules = await listLocalRules(dataDir);
  expect(rules).toMatchObject([{ scope: 'session', place: 's1', rule: { effect: 'allow', command: ['npm', 'install'] } }]);
  expect(await removeLocalRule(dataDir, rules[0]!.ruleId)).toBe(true);
  expect(await removeLocalRule(dataDir, rules[0]!.ruleId)).toBe(false);
  expect(await removeLocalRule(dataDir, '../floor')).toBe(false);
  expect((await judge('run_command', { command: 'npm install x' })).kind).toBe('ask');
});

test(verifies('H2:floor-files', 'a rule for code of the workspace holds for the files as they were when it was made'), async () => {
  const rule = { tool: 'run_command', command: ['./build.sh'], files: [{ path: 'build.sh' }] };
  await expect(remember(rule)).rejects.toThrow('build.sh');
  await remember(rule, { operands: [{ path: 'build.sh', sha256: SHA.old }] });
  const operands = [{ path: 'build.sh', sha256: SHA.old }];
  expect(await judge('run_command', { command: './build.sh' })).toEqual({ kind: 'run', approved: 'by_rule', operands });
  await remember(rule, { operands: [{ path: 'build.sh', sha256: SHA.new }] });
  expect(await judge('run_command', { command: './build.sh' })).toMatchObject({ operands: [{ path: 'build.sh', sha256: SHA.new }] });
  expect(await listLocalRules(dataDir)).toHaveLength(1);
});

test.each([
  { tool: 'run_command' },
  { tool: '*' },
  { tool: 'run_command', command: ['ls'], sudo: true },
  { tool: 'run_command', command: ['x'], files: [{ path: 'x', sha256: 'y' }] },
  'all',
])('%j is no rule, and is not kept', async (rule) => {
  await expect(
    localPolicy.remember!({ place: PLACE, decided: 'allow', operands: [], remember: { scope: 'user', rule: rule as never } }),
  ).rejects.toThrow('not kept');
  expect(await listLocalRules(dataDir)).toEqual([]);
});

test('a project without an id keeps no rule of a project', async () => {
  const place = { sessionId: 's1' };
  await expect(remember({ tool: 'write_file', path: 'a' }, { scope: 'project', place })).rejects.toThrow('has no id');
});

test.each<[string, string]>([
  ['floor.json', '{'],
  ['floor.json', '[]'],
  ['floor.json', '{"approvals":"remote"}'],
  ['floor.json', '{"ask":"*"}'],
  ['floor.json', '{"aproval":"local"}'],
  ['rules/a.json', ''],
  ['rules/a.json', '{"scope":"user","made_at_ms":1,"rule":{"tool":"*"}}'],
  ['rules/a.json', '{"scope":"all","made_at_ms":1,"rule":{"tool":"write_file"}}'],
  ['rules/a.json', '{"scope":"project","made_at_ms":1,"rule":{"tool":"write_file"}}'],
  ['rules/a.json', '{"scope":"user","made_at_ms":1,"rule":{"tool":"write_file","unless":"x"}}'],
])('with a %s that says %s', async (name, text) => {
  await mkdir(join(dataDir, 'rules'));
  await writeFile(join(dataDir, name), text);
  for (const _ of [1, 2]) expect(await judge('read_file', { path: 'a' })).toMatchObject({ kind: 'ask', risk: 'high' });
  expect(problems).toEqual([expect.stringContaining(join(dataDir, name))]);
});

test('a local policy that is written, or put right, counts from the next call on', async () => {
  await writeFile(join(dataDir, 'floor.json'), '{"approvals":"anywhere"}');
  expect((await judge('run_command', { command: 'npm install' })).kind).toBe('run');
  await writeFile(join(dataDir, 'floor.json'), '{"approvals":"local","ask":["read_file"]}');
  expect((await judge('read_file', { path: 'a' })).kind).toBe('ask');
});
