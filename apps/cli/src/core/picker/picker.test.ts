import { expect, test } from 'vitest';
import { KeyReader } from '../input/key-reader.js';
import { paintLine } from '../text/paint-line.js';
import { measure } from '../text/wrap-spans.js';
import { fillPicker, openPicker, stepPicker, type Picker, type PickerStep } from './picker.js';
import { renderPicker } from './render-picker.js';

const ENTRIES = [
  { value: 's1', label: 'Fix the parser of dates that come from mail servers', detail: '3 h ago · 12 messages' },
  { value: 's2', label: 'Write the docs\x1b[2J', detail: 'yesterday · 2 messages' },
  { value: 's3', label: 'Release' },
];
const [UP, DOWN, ESC] = ['\x1b[A', '\x1b[B', '\x1b'];
const opened = fillPicker(openPicker({ command: 'resume', title: 'Conversations', current: 's2' }), ENTRIES);

/** Presses keys, up to the one that ends the choice. */
function press(picker: Picker, keys: string): PickerStep {
  const reader = new KeyReader();
  let step: PickerStep = { kind: 'picker', picker };
  for (const key of [...reader.push(keys), ...reader.flush()]) if (step.kind === 'picker') step = stepPicker(step.picker, key);
  return step;
}

function rowsAfter(keys: string, width: number, maxRows = 20, picker = opened): readonly string[] {
  const step = press(picker, keys);
  if (step.kind !== 'picker') throw new Error(`it ended: ${step.kind}`);
  const { rows } = renderPicker(step.picker, width, maxRows);
  for (const row of rows) expect(measure(row)).toBeLessThanOrEqual(width);
  return rows.map((row) => paintLine(row).replaceAll('\u00a0', ' ').trimEnd());
}

test.each([
  ['what counts now is picked first', '\r', 's2'],
  ['arrows go on', `${DOWN}\r`, 's3'],
  ['and around', `${DOWN}${DOWN}\r`, 's1'],
  ['in both directions', `${UP}${UP}\r`, 's3'],
  ['Ctrl-N and Ctrl-P too', '\x0e\x10\r', 's2'],
  ['typing finds by every word', 'mail fix\r', 's1'],
  ['in what is said beside it, too', 'yesterday\r', 's2'],
  ['and by the value', 's3\r', 's3'],
  ['what is deleted is sought no more', 'relx\x7f\r', 's3'],
  ['a paste stays in its row', '\x1b[200~write\nthe\x1b[201~\r', 's2'],
])('%s', (_, keys, value) => expect(press(opened, keys)).toEqual({ kind: 'picked', value }));

test.each([ESC, '\x03', '\x04'])('%j leaves without a choice', (key) => expect(press(opened, key)).toEqual({ kind: 'left' }));

test('Enter takes nothing where nothing is found', () => {
  expect(press(opened, 'nothing\r')).toMatchObject({ kind: 'picker' });
  expect(press(openPicker({ command: 'model', title: 'Models' }), '\r')).toMatchObject({ kind: 'picker' });
});

test('on a wide terminal what is said of an entry stands beside it', () => {
  expect(rowsAfter(UP, 80)).toEqual([
    '  Conversations  3',
    '› type to search',
    '  ▸ Fix the parser of dates that come from mail servers    3 h ago · 12 messages',
    '    Write the docs\\x1b[2J ●                               yesterday · 2 messages',
    '    Release',
    '  ↑↓ choose   Enter take it   Esc back',
  ]);
});

test('on a narrow one below the one that is picked', () => {
  expect(rowsAfter(UP, 39)).toEqual([
    '  Conversations  3',
    '› type to search',
    '  ▸ Fix the parser of dates that come …',
    '      3 h ago · 12 messages',
    '    Write the docs\\x1b[2J ●',
    '    Release',
    '  ↑↓ choose   Enter take it   Esc back',
  ]);
});

test('it says how many there are, and what it waits for', () => {
  expect(rowsAfter('r', 80)[0]).toBe('  Conversations  3 of 3');
  expect(rowsAfter('rel', 80)[0]).toBe('  Conversations  1 of 3');
  expect(rowsAfter('zzz', 80)).toContain('    Nothing is called so.');
  expect(rowsAfter('', 80, 20, openPicker({ command: 'model', title: 'Models' }))).toContain('    looking …');
  const many = fillPicker(
    openPicker({ command: 'model', title: 'Models' }),
    Array.from({ length: 50 }, (_, n) => ({ value: `m${n}`, label: `m${n}` })),
  );
  expect(rowsAfter(UP, 80, 9, many)).toEqual([
    '  Models  50',
    '› type to search',
    '    m47',
    '    m48',
    '  ▸ m49',
    '    ⋯ 50 in all',
    '  ↑↓ choose   Enter take it   Esc back',
  ]);
});

test('what is not listed is taken as it was typed, where the list may lack it', () => {
  const models = fillPicker(openPicker({ command: 'model', title: 'Models', takesText: true }), [{ value: 'small', label: 'small' }]);
  expect(press(models, 'big-3 \r')).toEqual({ kind: 'picked', value: 'big-3' });
  expect(press(models, 'sm\r')).toEqual({ kind: 'picked', value: 'small' });
  expect(rowsAfter('big-3', 39, 20, models)).toContain('  ▸ big-3  not listed');
  expect(press(openPicker({ command: 'model', title: 'Models', takesText: true }), 'big\r')).toMatchObject({ kind: 'picker' });
});
