import { expect, test } from 'vitest';
import { KeyReader } from './key-reader.js';
import { NEW_SEARCH, renderSearch, stepSearch, type HistorySearch, type SearchStep } from './history-search.js';

const HISTORY = ['fix the Parser', 'run tests', 'fix the\nlexer', 'explain main', 'fix the\nlexer'];

/** A search after these keys. */
function search(keys: string): SearchStep {
  const reader = new KeyReader();
  let step: SearchStep = { kind: 'searching', search: NEW_SEARCH };
  for (const key of [...reader.push(keys), ...reader.flush()]) if (step.kind === 'searching') step = stepSearch(step.search, HISTORY, key);
  return step;
}

test.each([
  ['Enter takes the newest that has it', 'fix\r', 'fix the\nlexer'],
  ['Ctrl-R goes on, past the same message', 'fix\x12\r', 'fix the Parser'],
  ['and stays at the oldest', 'fix\x12\x12\x12\r', 'fix the Parser'],
  ['more letters go on from there', 'fix\x12 the p\r', 'fix the Parser'],
  ['a shorter query begins anew', 'fix\x12x\x7f\r', 'fix the\nlexer'],
  ['an arrow takes it, too', 'main\x1b[C', 'explain main'],
])('%s', (_, keys, text) => expect(search(keys)).toEqual({ kind: 'taken', text }));

test.each(['\x1b', 'fix\x1b', 'fix\x03', 'fix\x07', 'nothing has this\r', '\r', 'FIX\r'])('%j leaves the line as it was', (keys) =>
  expect(search(keys)).toEqual({ kind: 'left' }),
);

test.each<[HistorySearch, string]>([
  [NEW_SEARCH, 'search   ›  type a part of an earlier message'],
  [{ query: 'zz', found: -1 }, 'search zz  ›  no earlier message has it'],
  [{ query: 'fix', found: 2 }, 'search fix  ›  fix the lexer'],
])('%j is drawn in one row', (shown, row) => {
  const drawn = renderSearch(shown, HISTORY, 80).map((line) => line.map(({ text }) => text).join(''));
  expect(drawn).toEqual([row]);
});
