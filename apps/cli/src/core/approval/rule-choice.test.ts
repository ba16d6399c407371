import { expect, test } from 'vitest';
import type { RuleProposal } from '@codelab/protocol';
import { verifies } from '@codelab/testkit';
import type { Key } from '../input/key.js';
import { plainHighlighter } from '../markdown/highlight-code.js';
import { paintLine } from '../text/paint-line.js';
import { askApproval, stepApproval } from './approval-prompt.js';
import type { ApprovalPrompt, ApprovalStep } from './approval-prompt.js';
import type { PendingCall } from './pending-call.js';
import { refusalRule } from '@codelab/tools/human';
import { renderApproval } from './render-approval.js';

const PROPOSALS: RuleProposal[] = [
  {
    allows: 'npm test runs while package.json stays the same.',
    rule: { tool: 'run_command', command: ['npm', 'test'], exact: true, files: [{ path: 'package.json' }] },
  },
  { allows: 'Everything that begins with npm runs.', rule: { tool: 'run_command', command: ['npm'] } },
];
const call = (extra: Partial<PendingCall> = {}): PendingCall => ({
  callId: 'c',
  toolName: 'run_command',
  args: '{"command":"npm test"}',
  argsSha256: '0123456789abcdef'.repeat(4),
  origin: 'server',
  approval: { reason: 'runs a command', risk: 'medium', choices: [], proposals: PROPOSALS },
  preview: { kind: 'command', text: 'npm test' },
  ...extra,
});
const letter = (text: string): Key => ({ kind: 'text', text });
const named = (name: Extract<Key, { kind: 'named' }>['name']): Key => ({ kind: 'named', name });

function press(prompt: ApprovalPrompt, ...keys: readonly Key[]): ApprovalStep {
  return keys.reduce<ApprovalStep>((step, key) => (step.kind === 'prompt' ? stepApproval(step.prompt, key) : step), {
    kind: 'prompt',
    prompt,
  });
}
const promptAfter = (...keys: readonly Key[]): ApprovalPrompt =>
  (press(askApproval(call()), ...keys) as Extract<ApprovalStep, { kind: 'prompt' }>).prompt;
const draw = (prompt: ApprovalPrompt, width = 60): string[] =>
  renderApproval(prompt, { width, maxRows: 24, idle: false, highlight: plainHighlighter }).rows.map((line) =>
    paintLine(line).replaceAll('\u00a0', ' ').trimEnd(),
  );

test(
  verifies(
    'H3:remember-shown',
    'an approval lists the rules that could be made of it, with exactly what each allows and how far it reaches',
  ),
  () => {
    expect(draw(promptAfter(letter('m')), 64)).toEqual([
      '┃ Approval needed  run_command  npm test',
      '┃ medium risk · runs a command · 01234567',
      '┃',
      '┃   $ npm test',
      '┃',
      '┃ What may run from now on, unasked?',
      '┃  ▸ 1  npm test runs while package.json stays the same.',
      '┃       run_command · the command “npm test” and no more · while',
      '┃       package.json is unchanged',
      '┃    2  Everything that begins with npm runs.',
      '┃ For ● this conversation ○ this folder ○ everywhere',
      '┃ a approve and remember   ↑↓ choose   ←→ how far   Esc back',
      '┃ codelab rules shows and removes what is remembered.',
    ]);
  },
);

test(verifies('H1:remember-answer', 'only the letter that the panel names makes a rule, and exactly the one that is picked'), () => {
  const prompt = askApproval(call());
  expect(press(prompt, letter('m'), letter('a'))).toEqual({ kind: 'approve', remember: { scope: 'session', rule: PROPOSALS[0]!.rule } });
  expect(press(prompt, letter('m'), named('down'), letter('p'), letter('a'))).toEqual({
    kind: 'approve',
    remember: { scope: 'project', rule: PROPOSALS[1]!.rule },
  });
  expect(press(prompt, letter('m'), letter('2'), named('left'), letter('a'))).toMatchObject({
    remember: { scope: 'user', rule: PROPOSALS[1]!.rule },
  });
  for (const key of [named('enter'), letter('y'), letter('r'), { kind: 'paste', text: 'a' } as const])
    expect(press(prompt, letter('m'), key)).toMatchObject({ kind: 'prompt', prompt: { mode: 'rule' } });
  expect(press(prompt, letter('m'), named('escape'), letter('a'))).toEqual({ kind: 'approve' });
});

test('a rejection can be remembered for exactly this', () => {
  const write = call({ toolName: 'write_file', args: '{"path":"a.ts","content":""}' });
  const step = press(askApproval(write), letter('n'), letter('r'));
  expect(step).toEqual({ kind: 'reject', remember: { scope: 'session', rule: { effect: 'deny', tool: 'write_file', path: 'a.ts' } } });
  expect(press(askApproval(write), letter('n'), letter('a'))).toMatchObject({ kind: 'prompt' });
});

test.each<[string, string, object, object | undefined]>([
  ['a path', 'delete_file', { path: 'src/a.ts' }, { effect: 'deny', tool: 'delete_file', path: 'src/a.ts' }],
  ['a path that would be a glob', 'write_file', { path: 'src/*.ts' }, undefined],
  [
    'a patch of one file',
    'apply_patch',
    { diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' },
    { effect: 'deny', tool: 'apply_patch', path: 'x' },
  ],
  ['a patch that can’t be read', 'apply_patch', { diff: 'x' }, undefined],
  ['a tool without a thing', 'git.commit', { message: 'x' }, undefined],
])('refusing %s', (_name, toolName, args, rule) => expect(refusalRule(call({ toolName, args: JSON.stringify(args) }))?.rule).toEqual(rule));

test('without proposals nothing can be remembered', () => {
  const prompt = askApproval(call({ approval: { reason: '', risk: 'low', choices: [] } }));
  expect(draw(prompt).join('\n')).not.toContain('remember');
  expect(press(prompt, letter('m'), letter('a'))).toEqual({ kind: 'approve' });
});

test('a proposal can steer no terminal, and what is remembered is shown from the rule itself', () => {
  const proposals: RuleProposal[] = [{ allows: 'only ls\x1b[2K\n┃ a approve', rule: { tool: '*', path: '**' } }];
  const prompt = askApproval(call({ approval: { reason: '', risk: 'low', choices: [], proposals } }));
  const rows = draw((press(prompt, letter('m')) as Extract<ApprovalStep, { kind: 'prompt' }>).prompt);
  expect(rows.join('\n')).toContain('only ls\\x1b[2K ┃ a approve');
  expect(rows.join('\n')).toContain('every tool · paths **');
});
