import { expect, test } from 'vitest';
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
  expect(Object.values(wishesOf({}, 's1', { vocabulary: 'agent', model: 'm', permissionMode: 'ask' }))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('an agent that was chosen is asked for', () => {
  expect(wishesOf({ agent: 'reviewer' }, 'new').agent).toBe('reviewer');
});

test('what is usual is for conversations that begin; what was named is for all', () => {
  const usual = { vocabulary: 'agent', model: 'm', permissionMode: 'accept-edits' } as const;
  expect(wishesOf({}, 'new', usual)).toEqual({ vocabulary: 'agent', model: 'm', mode: 'permissive', agent: undefined });
  expect(wishesOf({ permissionMode: 'strict' }, 'new', usual).mode).toBe('strict');
  expect(wishesOf({ vocabulary: 'continue' }, 's1', usual).vocabulary).toBe('continue');
});

test('help says what each mode does', () => {
  for (const name of PERMISSION_MODES) expect(permissionModesText()).toContain(`${name}: `);
});
