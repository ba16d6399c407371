import { expect, test } from 'vitest';
import type { UndoStep, UndoTurn } from '@codelab/workspace';
import { undoableTurns, renderUndoOutcome, renderUndoPlan, renderUndoTurns } from './render-undo.js';
const turn = (turnId: string, more: Partial<UndoTurn> = {}): UndoTurn => ({
  ...{ turnId, atMs: 0, calls: [], isUndone: false, uncovered: [] },
  ...more,
});
const text = (lines: readonly (readonly { readonly text: string }[])[]): string =>
  lines.map((line) => line.map((span) => span.text).join('')).join('\n');
const conflict: UndoStep = { path: 'c', action: 'restore', state: 'conflict', why: 'it was changed since', canForce: true };

test('the last turn that has its effect is undone, and no undoing', () => {
  const turns = [turn('u2', { undoes: 't9' }), turn('u1', { undoes: 't3' }), turn('t3', { isUndone: true }), turn('t2'), turn('t1')];
  expect(undoableTurns(turns).map(({ turnId }) => turnId)).toEqual(['t2', 't1']);
  expect(undoableTurns([turn('t1', { isUndone: true })])).toEqual([]);
});

test('a plan shows what comes, goes and stays, in one line each, whatever a file is called', () => {
  const steps: UndoStep[] = [
    { path: 'new', action: 'remove', state: 'ready' },
    { path: 'dir', action: 'create', state: 'ready', files: 3 },
    { path: 'a', action: 'move', from: 'b', state: 'ready' },
    { path: 'x\n\u001b[2Jy', action: 'restore', state: 'ready' },
    { path: 'same', action: 'restore', state: 'done' },
    conflict,
  ];
  const calls = ['write_file', 'run_command', 'write_file'].map((toolName) => ({ callId: 'c', toolName, atMs: 0 }));
  const plan = { turn: turn('t1', { calls, uncovered: ['big is not covered.'] }), steps };
  const lines = renderUndoPlan(plan, 300_000, false);
  expect(text(lines)).toContain('Undo t1 (5 min ago): write_file × 2, run_command');
  expect(text(lines)).toContain('\n  - new\n  + dir (3 files)\n  > a, back from b\n  ~ x');
  expect(text(lines)).toContain('In the way:\n  ! c: it was changed since\n  big is not covered.');
  expect(lines.flat().every((span) => !span.text.includes('\n') && !span.text.includes('\u001b'))).toBe(true);
  expect(text(renderUndoPlan(plan, 0, true))).not.toContain('In the way');
});

test('an outcome says how to do it again, and what to do about what is in the way', () => {
  const ready: UndoStep = { path: 'a', action: 'restore', state: 'ready' };
  expect(text(renderUndoOutcome('t1', { restored: [ready], conflicts: [], undoId: 'undo_1' }))).toBe(
    'Undone: 1 change. To do it again: codelab undo undo_1',
  );
  const blocked = text(renderUndoOutcome('t1', { restored: [], conflicts: [conflict] }));
  expect(blocked).toContain('Nothing was changed.');
  expect(blocked).toContain('codelab undo t1 --force');
});

test('turns are listed with what they did', () => {
  expect(text(renderUndoTurns([], 0))).toBe('No turn has changed files here.');
  expect(text(renderUndoTurns([turn('u1', { undoes: 't1' }), turn('t1', { isUndone: true, uncovered: ['x'] })], 60_000))).toBe(
    'u1  1 min ago  undoes t1\nt1  1 min ago    (undone)  (1 thing not covered)',
  );
});
