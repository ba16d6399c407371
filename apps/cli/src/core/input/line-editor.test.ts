import { expect, test } from 'vitest';
import fc from 'fast-check';
import { KeyReader } from './key-reader.js';
import { KEY_NAMES } from './key.js';
import type { Key } from './key.js';
import type { EditorState } from './line-editor.js';
import { EMPTY_EDITOR, editLine } from './line-editor.js';
import { renderEditor } from './render-editor.js';

function type(keys: string, from: EditorState = EMPTY_EDITOR): { state: EditorState; sent: string[] } {
  let state = from;
  const sent: string[] = [];
  const reader = new KeyReader();
  for (const key of [...reader.push(keys), ...reader.flush()]) {
    const next = editLine(state, key);
    state = next.state;
    if (next.outcome.kind === 'submitted') sent.push(next.outcome.text);
  }
  return { state, sent };
}

const [LEFT, UP, DOWN] = ['\x1b[D', '\x1b[A', '\x1b[B'];

test.each([
  ['typing and enter', 'hello\r', ['hello']],
  ['editing in the middle', `helo${LEFT}l\r`, ['hello']],
  ['Alt-Enter', 'hello\x1b\r', ['hello']],
  ['Ctrl-J and Shift-Enter begin a line', 'one\ntwo\x1b[13;2uthree\r', ['one\ntwo\nthree']],
  ['a backslash at the end continues the message', 'one\\\rtwo\r', ['one\ntwo']],
  ['a paste keeps its lines', '\x1b[200~a\nb\x1b[201~\r', ['a\nb']],
  ['a grapheme is deleted whole', 'a👩‍👩‍👧\x7fb\r', ['ab']],
  ['nothing is sent where nothing is written', '  \r\r', []],
  ['the history comes back with the arrow', `one\rtwo\r${UP}${UP}!\r`, ['one', 'two', 'one!']],
  ['and the draft after it', `one\rdraft${UP}${DOWN}!\r`, ['one', 'draft!']],
  ['word and line keys', 'one two\x17three\x01>\x05<\r', ['>one three<']],
  ['kill to the start', 'gone\x15kept\r', ['kept']],
])('%s', (_, keys, sent) => expect(type(keys).sent).toEqual(sent));

test('the arrows move between the lines of a message before they reach the history', () => {
  const { state } = type(`old\rabc\\\rdef${UP}X`);
  expect(state.text).toBe('abcX\ndef');
});

test('the cursor stays within the text, and is drawn within the rows, whatever is typed', () => {
  const key: fc.Arbitrary<Key> = fc.oneof(
    fc.record({ kind: fc.constant('text' as const), text: fc.constantFrom('a', '日', '\t', '👩‍👩‍👧', ' ') }),
    fc.record({ kind: fc.constant('paste' as const), text: fc.string({ maxLength: 20 }) }),
    fc.record({ kind: fc.constant('control' as const), letter: fc.constantFrom('a', 'e', 'k', 'u', 'w', 'z') }),
    fc.record({ kind: fc.constant('named' as const), name: fc.constantFrom(...KEY_NAMES) }),
  );
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), fc.integer({ min: 8, max: 40 }), (keys, width) => {
      let state = EMPTY_EDITOR;
      for (const one of keys) state = editLine(state, one).state;
      expect(state.cursor).toBeGreaterThanOrEqual(0);
      expect(state.cursor).toBeLessThanOrEqual(state.text.length);
      const { rows, cursor } = renderEditor(state, width, '');
      expect(cursor.row).toBeLessThan(rows.length);
      expect(cursor.column).toBeLessThanOrEqual(width);
      expect(rows.length).toBeLessThanOrEqual(8);
    }),
  );
});

test('the cursor is drawn where the next letter will appear', () => {
  const { state } = type('abc');
  expect(renderEditor(state, 20, '').cursor).toEqual({ row: 0, column: 5 });
  expect(renderEditor(type('abc\\\r').state, 20, '').cursor).toEqual({ row: 1, column: 2 });
  expect(renderEditor(type('abcdefgh').state, 10, '').cursor).toEqual({ row: 1, column: 2 });
});
