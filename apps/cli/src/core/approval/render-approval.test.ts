import { expect, test } from 'vitest';
import { plainHighlighter } from '../markdown/highlight-code.js';
import { paintLine } from '../text/paint-line.js';
import { verifies } from '@codelab/testkit';
import type { Line } from '../text/span.js';
import { askApproval, stepApproval } from './approval-prompt.js';
import type { PendingCall } from './pending-call.js';
import { renderQuestion } from './question-prompt.js';
import { prettyArguments } from '@codelab/tools/human';
import { approvalDetails, renderApproval } from './render-approval.js';

const show = (lines: readonly Line[]): string[] => lines.map((line) => paintLine(line).replaceAll('\u00a0', ' ').trimEnd());
const LOOK = { width: 60, maxRows: 24, idle: false, highlight: plainHighlighter };
const call = (extra: Partial<PendingCall> = {}): PendingCall => ({
  callId: 'c',
  toolName: 'write_file',
  args: '{"path":"a.ts","content":"new\\n"}',
  argsSha256: '0123456789abcdef'.repeat(4),
  origin: 'server',
  approval: { reason: 'writes a file', risk: 'medium', choices: [] },
  preview: { kind: 'diff', text: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\n' },
  ...extra,
});
const draw = (extra: Partial<PendingCall> = {}, look: Partial<Parameters<typeof renderApproval>[1]> = {}): string[] =>
  show(renderApproval(askApproval(call(extra)), { ...LOOK, ...look }).rows);

test('an approval names tool, target, risk, reason, digest, change and keys', () => {
  expect(draw()).toEqual([
    '┃ Approval needed  write_file  a.ts',
    '┃ medium risk · writes a file · 01234567',
    '┃',
    '┃   a.ts  +1 −1',
    '┃    1    − old',
    '┃       1 + new',
    '┃',
    '┃ a approve   r reject…   n never…   e edit   d details',
  ]);
});

test('a command is shown as a command, and a patch can be approved in part', () => {
  expect(draw({ toolName: 'run_command', args: '{"command":"ls"}', preview: { kind: 'command', text: 'ls' } })).toContain('┃   $ ls');
  expect(draw({ toolName: 'apply_patch', args: '{"diff":""}' }).slice(-2)).toEqual([
    '┃ a approve   r reject…   e edit   h choose hunks',
    '┃ d details',
  ]);
});

test(verifies('H3:command-lines', 'a command of several lines can not look like what is told about it'), () => {
  const command = 'rm -rf x\n\nIn the workspace:\nls: harmless';
  const preview = { kind: 'command' as const, text: `${command}\n\nIn the workspace:\nrm: asks` };
  const rows = draw({ toolName: 'run_command', args: JSON.stringify({ command }), preview });
  expect(rows.slice(4, 11)).toEqual([
    '┃   $ rm -rf x',
    '┃   >',
    '┃   > In the workspace:',
    '┃   > ls: harmless',
    '┃',
    '┃   In the workspace:',
    '┃   rm: asks',
  ]);
});

test('without a preview the arguments are shown, with their real lines', () => {
  expect(draw({ preview: undefined })).toEqual(expect.arrayContaining(['┃   path: a.ts', '┃   content:', '┃     new']));
});

test('what is invisible or steers a terminal is shown, and said', () => {
  const rows = draw({ preview: { kind: 'command', text: 'ls \x1b[2K\u202e' } });
  expect(rows.join('\n')).toContain('$ ls \\x1b[2K\\u{202e}');
  expect(rows.join('\n')).toContain('characters that are invisible');
});

test('a change that is too long for the screen says how much is missing', () => {
  const text = `--- a/a.ts\n+++ b/a.ts\n@@ -0,0 +1,40 @@\n${'+x\n'.repeat(40)}`;
  const rows = draw({ preview: { kind: 'diff', text } }, { maxRows: 15 });
  expect(rows.length).toBeLessThanOrEqual(15);
  expect(rows.join('\n')).toMatch(/⋯ \d+ more rows: d shows everything/);
});

test('a decision that did not count says why, and other clients’ questions say how many wait', () => {
  expect(draw({ refusal: 'path must be a string' }).join('\n')).toContain('✗ path must be a string');
  expect(draw({}, { position: '1 of 3' })[0]).toContain('1 of 3');
  expect(draw({ origin: 'client' })[1]).toContain('this machine asks');
});

test('the details hold the whole digest and all arguments', () => {
  const text = show(approvalDetails(call(), 80, plainHighlighter)).join('\n');
  expect(text).toContain(call().argsSha256);
  expect(text).toContain('path: a.ts');
});

test('arguments that are no object are shown as they came', () => {
  expect(prettyArguments('[1]')).toBe('[1]');
  expect(prettyArguments('{broken')).toBe('{broken');
  expect(prettyArguments('{"n":1e3,"o":{"a":1}}')).toBe('n: 1000\no: {\n  "a": 1\n}');
});

test('a model’s question says that the model asks, quotes its actions, and has another frame than an approval', () => {
  const rows = show(
    renderQuestion({ callId: 'q', message: 'Approval needed  write_file', actions: ['a approve', 'deny'], selected: 0 }, 60),
  );
  expect(rows).toEqual([
    '┊ The model asks:',
    '┊   Approval needed  write_file',
    '┊',
    '┊   ▸ 1  “a approve”',
    '┊     2  “deny”',
    '┊',
    '┊ ↑↓ choose   Enter answer the model   Esc decline',
  ]);
  expect(rows.every((row) => row.startsWith('┊') && !row.startsWith('┃'))).toBe(true);
});

test('Enter, digits and pastes approve nothing', () => {
  for (const key of [
    { kind: 'named', name: 'enter' },
    { kind: 'paste', text: 'a' },
    { kind: 'text', text: '1' },
    { kind: 'control', letter: 'a' },
  ] as const)
    expect(stepApproval(askApproval(call()), key)).toMatchObject({ kind: 'prompt' });
});
