import { expect, test } from 'vitest';
import type { ApprovalRequest } from '@codelab/client';
import { chosenOf, choicesOf } from './permission.js';

const request = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  ...{ callId: 'c', toolName: 'write_file', args: { path: 'a.ts' }, argsText: '{"path":"a.ts"}', argsSha256: 'd', origin: 'server' },
  approval: {
    ...{ reason: 'writes a file', risk: 'medium', choices: ['approve', 'reject'] },
    proposals: [
      { allows: 'write_file on a.ts only', rule: { tool: 'write_file', path: 'a.ts' } },
      { allows: 'write_file below src', rule: { tool: 'write_file', path: 'src/**' } },
      { allows: 'write_file anywhere', rule: { tool: 'write_file' } },
    ],
  },
  onPreview: () => () => undefined,
  ...more,
});

test('an answer for always carries its rule and its scope, and no rule is offered that the servers did not propose', () => {
  const choices = choicesOf(request());
  expect(choices.map(({ option }) => [option.optionId, option.kind, option.name])).toEqual([
    ['allow', 'allow_once', 'Allow'],
    ['allow-session-1', 'allow_always', 'Always in this conversation: write_file on a.ts only'],
    ['allow-session-2', 'allow_always', 'Always in this conversation: write_file below src'],
    ['allow-project-1', 'allow_always', 'Always in this folder: write_file on a.ts only'],
    ['reject', 'reject_once', 'Reject'],
    ['reject-session', 'reject_always', 'Always in this conversation: write_file on a.ts is refused.'],
  ]);
  expect(chosenOf(choices, { outcome: 'selected', optionId: 'allow-project-1' })?.answer).toEqual({
    ...{ decision: 'approve', remember: { scope: 'project', rule: { tool: 'write_file', path: 'a.ts' } } },
  });
  const approval = { reason: 'always asks', risk: 'high' as const, choices: ['approve', 'reject'] };
  expect(choicesOf(request({ approval, toolName: 'git.commit', argsText: '{}' })).map(({ option }) => option.optionId)).toEqual([
    'allow',
    'reject',
  ]);
});

test('neither a dismissal nor an answer that was not offered decides (H3)', () => {
  const choices = choicesOf(request());
  expect(chosenOf(choices, { outcome: 'cancelled' })).toBeUndefined();
  expect(chosenOf(choices, { outcome: 'selected', optionId: 'allow-everything' })).toBeUndefined();
});
