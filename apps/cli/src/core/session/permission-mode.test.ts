import { expect, test } from '@jest/globals';
import { modeNameOf, nextMode, PERMISSION_MODES, permissionModesText, wishesOf, type PermissionMode } from './permission-mode.js';

test.each([
  ['strict', { mode: 'strict' }],
  ['ask', { mode: 'medium' }],
  ['accept-edits', { mode: 'permissive' }],
  ['plan', { mode: 'plan' }],
] as const)('--permission-mode %s', (permissionMode, wishes) => {
  expect(wishesOf({ permissionMode }, 'new')).toEqual({ vocabulary: undefined, model: undefined, agent: undefined, ...wishes });
  expect(modeNameOf(wishes.mode)).toBe(permissionMode);
});

test('a key goes round what is chosen daily; a mode of another release counts as the one that asks', () => {
  expect(['strict', 'ask', 'accept-edits', 'plan'].map((name) => nextMode(name as PermissionMode))).toEqual([
    'ask',
    'accept-edits',
    'plan',
    'ask',
  ]);
  expect([undefined, 'other'].map(modeNameOf)).toEqual(['ask', 'ask']);
});

test('what nobody chose is left as the conversation has it', () => {
  expect(Object.values(wishesOf({}, 's1', 'agent'))).toEqual([undefined, undefined, undefined, undefined]);
});

test('an agent that was chosen is asked for', () => {
  expect(wishesOf({ agent: 'reviewer' }, 'new').agent).toBe('reviewer');
});

test('the usual vocabulary is for conversations that begin; one that was named is for all', () => {
  expect(wishesOf({}, 'new', 'agent').vocabulary).toBe('agent');
  expect(wishesOf({ vocabulary: 'continue' }, 's1', 'agent').vocabulary).toBe('continue');
});

test('help says what each mode does', () => {
  for (const name of PERMISSION_MODES) expect(permissionModesText()).toContain(`${name}: `);
});
