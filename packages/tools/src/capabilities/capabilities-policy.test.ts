import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { JsonObject } from '../arguments/json.js';
import { decidePolicy } from '../policy/decide-policy.js';
import { isForLocalHuman } from '../policy/is-for-local-human.js';
import type { PolicySession } from '../policy/policy-session.js';
import { parseRule } from '../policy/rules/parse-rule.js';
import { CAPABILITIES, findTool, findWireTool } from '../tools/tools.js';

const decide = (tool: string, args: JsonObject, session: Partial<PolicySession> = {}) =>
  decidePolicy(findTool(tool), tool, args, { mode: 'medium', agent: 'coder', nowMs: 0, checksFiles: true, ...session });
const ALLOW = [
  { effect: 'allow', tool: '*', scope: 'user' },
  { effect: 'allow', tool: 'shell.exec', command: ['npm', 'test'], scope: 'user' },
] as const;

test(
  verifies('H1:capabilities', 'code for a shell or a kernel that lasts always asks, whatever mode and rules say, and at its own client'),
  () => {
    for (const [tool, args] of [
      ['shell.exec', { shell_id: 'a', command: 'npm test' }],
      ['shell.exec', { shell_id: 'a', command: 'ls' }],
      ['kernel.execute', { code: '1 + 1' }],
    ] as const) {
      for (const mode of ['strict', 'medium', 'permissive'] as const) {
        expect(decide(tool, args, { mode, rules: ALLOW })).toMatchObject({ kind: 'ask', risk: 'high' });
        expect(decide(tool, args, { mode, rules: ALLOW })).not.toHaveProperty('proposals');
      }
      expect(isForLocalHuman(tool, args)).toBe(true);
      for (const agent of ['ask', 'architect']) expect(decide(tool, args, { agent }).kind).toBe('deny');
    }
    expect(decide('shell.exec', { shell_id: 'a', command: 'rm -rf /' })).toMatchObject({ kind: 'deny' });
    expect(
      decide('shell.exec', { shell_id: 'a', command: 'ls' }, { rules: [{ effect: 'deny', tool: 'shell.exec', scope: 'user' }] }).kind,
    ).toBe('deny');
    for (const rule of [
      { effect: 'allow', tool: 'shell.exec', command: ['npm'] },
      { effect: 'allow', tool: 'kernel.execute' },
    ])
      expect(parseRule(rule, 'allow')).toMatchObject({ ok: false, message: expect.stringContaining('no rule allows one') });
    expect(parseRule({ effect: 'deny', tool: 'shell.exec' }, 'deny')).toMatchObject({ ok: true });
  },
);

test('what reads is judged as reading, what writes as writing, by the same paths', () => {
  for (const tool of ['media.read', 'editor.read']) {
    expect(decide(tool, { path: 'a.png' }).kind).toBe('allow');
    expect(decide(tool, { path: 'a.png' }, { mode: 'strict' }).kind).toBe('ask');
    expect(decide(tool, { path: '.env' })).toMatchObject({ kind: 'ask', reason: expect.stringContaining('secrets') });
    expect(decide(tool, { path: 'a' }, { rules: [{ effect: 'deny', tool: '*', path: 'a', scope: 'user' }] }).kind).toBe('deny');
  }
  expect(decide('editor.write', { path: 'a', content: '' }).kind).toBe('ask');
  expect(decide('editor.write', { path: 'a', content: '' }, { mode: 'permissive' }).kind).toBe('allow');
  expect(decide('editor.write', { path: '.git/hooks/x', content: '' }, { mode: 'permissive' }).kind).toBe('ask');
  expect(decide('editor.write', { path: 'a.ts', content: '' }, { agent: 'architect' }).kind).toBe('deny');
  for (const [tool, args] of [
    ['process.output', { process_id: 'p' }],
    ['editor.open_file', {}],
    ['index.search', { query: 'q' }],
    ['index.map', {}],
  ] as const)
    for (const agent of ['coder', 'ask']) expect(decide(tool, args, { agent }).kind).toBe('allow');
  for (const tool of ['shell.restart', 'kernel.interrupt', 'kernel.restart']) expect(decide(tool, { shell_id: 'a' }).kind).toBe('allow');
});

test('a rule about the tool that one stands for holds for it', () => {
  const no = { effect: 'deny', tool: 'run_command', command: ['git', 'push'], scope: 'user' } as const;
  expect(decide('shell.exec', { shell_id: 'a', command: 'git push' }, { rules: [no] }).kind).toBe('deny');
  expect(decide('shell.exec', { shell_id: 'a', command: 'git pull' }, { rules: [no] }).kind).toBe('ask');
  const rules = [
    { effect: 'allow', tool: 'write_file', path: 'src/**', scope: 'user' },
    { effect: 'deny', tool: 'read_file', path: 'private/**', scope: 'user' },
  ] as const;
  expect(decide('editor.write', { path: 'src/a', content: '' }, { rules }).kind).toBe('allow');
  expect(decide('editor.write', { path: 'b', content: '' }, { rules }).kind).toBe('ask');
  for (const tool of ['media.read', 'editor.read']) expect(decide(tool, { path: 'private/a' }, { rules }).kind).toBe('deny');
});

test('a glob that names files with secrets asks, under its new name too', () => {
  expect(decide('search_in_project', { query: 'x', glob: '.env*' }).kind).toBe('ask');
  expect(decide('search_in_project', { query: 'x', glob: '!.env*' }).kind).toBe('allow');
  expect(decide('search_in_project', { query: 'x', glob: '*.ts', pattern: 'id_rsa' }).kind).toBe('ask');
});

test('each is found by its name, on the wire too', () => {
  for (const tool of CAPABILITIES) {
    expect(findTool(tool.name)).toBe(tool);
    expect(findWireTool(tool.name)).toEqual(tool);
  }
});
