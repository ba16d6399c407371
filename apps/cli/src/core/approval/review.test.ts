import { expect, test } from 'vitest';
import { keepReviewed, parsePatch } from '@codelab/tools/patch';
import { verifies } from '@codelab/testkit';
import type { Key } from '../input/key.js';
import { plainHighlighter } from '../markdown/highlight-code.js';
import { paintLine } from '../text/paint-line.js';
import { stepReview, takeEditedPart, type ReviewStep } from './step-review.js';
import { renderReview } from './render-review.js';
import { askReview, type ReviewPrompt } from './review-prompt.js';
const FILE_A = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,7 +1,8 @@
 one
+two
 three
-four
+FOUR
 five
-six
+SIX
 seven
 eight
@@ -20 +21 @@
-ten
+TEN
`;
const FILE_B = `diff --git a/b b/b
--- a/b
+++ b/b
@@ -1 +1 @@
-b
+B
`;
const MOVED = 'diff --git a/from b/to\nsimilarity index 100%\nrename from from\nrename to to\n';
const PATCH = FILE_A + FILE_B + MOVED;

const letters = (text: string): Key[] => [...text].map((letter) => ({ kind: 'text', text: letter }));
const named = (name: Extract<Key, { kind: 'named' }>['name']): Key => ({ kind: 'named', name });
const ENTER = named('enter');
const ESC = named('escape');

/** Presses keys; the last step. */
function press(prompt: ReviewPrompt, ...keys: readonly Key[]): ReviewStep {
  let step: ReviewStep = { kind: 'prompt', prompt };
  for (const key of keys) {
    if (step.kind !== 'prompt') throw new Error(`nothing takes ${JSON.stringify(key)} after ${step.kind}`);
    step = stepReview(step.prompt, key);
  }
  return step;
}
const begin = (message = ''): ReviewPrompt => askReview('r', parsePatch(PATCH), message);
const promptAfter = (...keys: readonly Key[]): ReviewPrompt => (press(begin(), ...keys) as Extract<ReviewStep, { kind: 'prompt' }>).prompt;
const reviewAfter = (...keys: readonly Key[]): unknown => (press(begin(), ...keys) as Extract<ReviewStep, { kind: 'done' }>).review;
const draw = (prompt: ReviewPrompt, look: { readonly width?: number; readonly maxRows?: number } = {}): string[] =>
  renderReview(prompt, { width: 72, maxRows: 30, highlight: plainHighlighter, idle: false, ...look }).map((line) =>
    paintLine(line).replaceAll('\u00a0', ' ').trimEnd(),
  );

test('a review shows where it is, the hunk with its context, and the keys that make sense', () => {
  expect(draw(begin('please look'))).toEqual([
    '┊ Which changes do you keep?  4 to go',
    '┊ The model: please look',
    '┊',
    '┊ hunk 1 of 4 · src/a.ts  +3 −2',
    '┊    1  1   one',
    '┊       2 + two',
    '┊    2  3   three',
    '┊    3    − four',
    '┊       4 + FOUR',
    '┊    4  5   five',
    '┊    5    − six',
    '┊       6 + SIX',
    '┊    6  7   seven',
    '┊    7  8   eight',
    '┊',
    '┊ y keep   n drop   e edit   s split   a keep rest of file',
    '┊ d drop rest of file   A keep all left   ↑↓ look   Enter finish',
    '┊ Esc cancel',
  ]);
  expect(draw(promptAfter(...letters('yyy'))).slice(0, 5)).toEqual([
    '┊ Which changes do you keep?  3 kept, 1 to go',
    '┊',
    '┊ hunk 4 of 4 · from → to  renamed  +0 −0',
    '┊   The patch changes no line of this file.',
    '┊',
  ]);
});

test('a part of a split hunk shows its own change in the context of its neighbours', () => {
  const rows = draw(promptAfter(...letters('sy')));
  expect(rows.slice(0, 7)).toEqual([
    '┊ Which changes do you keep?  1 kept, 5 to go',
    '┊',
    '┊ hunk 2 of 6 · src/a.ts  +1 −1',
    '┊    2  3   three',
    '┊    3    − four',
    '┊       4 + FOUR',
    '┊    4  5   five',
  ]);
  expect(rows.join('\n')).not.toContain('split');
});

test.each<[string, readonly Key[], object]>([
  ['all of it', [...letters('A'), ENTER], { chunks: [1, 2, 3, 4], editedChunks: [] }],
  ['one after the other', [...letters('ynyn'), ENTER], { chunks: [1, 3], editedChunks: [] }],
  ['the rest of a file', [...letters('ann'), ENTER], { chunks: [1, 2], editedChunks: [] }],
  ['the rest of a file dropped, all else kept', [...letters('dA'), ENTER], { chunks: [3, 4], editedChunks: [] }],
  [
    'what was decided is decided again',
    [...letters('yyyy'), named('home'), ...letters('n'), ENTER],
    { chunks: [2, 3, 4], editedChunks: [] },
  ],
  ['a split hunk of which everything is kept is whole', [...letters('sA'), ENTER], { chunks: [1, 2, 3, 4], editedChunks: [] }],
  ['a split hunk of which nothing is kept is dropped', [...letters('snnnA'), ENTER], { chunks: [2, 3, 4], editedChunks: [] }],
  ['undecided is dropped', [...letters('y'), ENTER, ENTER], { chunks: [1], editedChunks: [] }],
])('%s', (_name, keys, expected) => expect(reviewAfter(...keys)).toEqual({ action: 'apply', ...expected }));

test(verifies('H1:review-split', 'of a hunk that was split the changes that were kept are left, and its chunk counts as edited'), () => {
  const review = reviewAfter(...letters('synyA'), ENTER) as Parameters<typeof keepReviewed>[1];
  expect(review).toMatchObject({ chunks: [1, 2, 3, 4], editedChunks: [{ chunk: 1 }] });
  expect(keepReviewed(PATCH, review)).toContain(
    '@@ -1,7 +1,8 @@\n one\n+two\n three\n four\n five\n-six\n+SIX\n seven\n eight\n@@ -20 +21 @@',
  );
  expect(keepReviewed(PATCH, { action: 'apply', chunks: [1, 2, 3, 4] })).toBe(PATCH);
});

test('keys that lose something are asked about, and other keys take that back', () => {
  expect(draw(promptAfter(...letters('y'), ENTER)).join('\n')).toContain(
    '! 3 hunks are undecided and would be dropped: Enter again finishes.',
  );
  expect(draw(promptAfter(...letters('y'), ESC)).join('\n')).toContain('Esc again cancels');
  expect(press(begin(), ...letters('y'), ENTER, ...letters('j'), ENTER).kind).toBe('prompt');
  expect(press(begin(), ...letters('y'), ENTER, ESC).kind).toBe('prompt');
  expect(press(begin(), ...letters('y'), ESC, ESC).kind).toBe('cancel');
  expect(press(begin(), ESC).kind).toBe('cancel');
});

test('pastes and control keys decide nothing', () => {
  for (const key of [{ kind: 'paste', text: 'A\n' }, { kind: 'control', letter: 'a' }, named('tab')] as const)
    expect(stepReview(begin(), key)).toEqual({ kind: 'prompt', prompt: begin() });
});

test('what can’t be split or edited says so', () => {
  expect(promptAfter(...letters('js')).fault).toMatch(/nothing to split/);
  expect(promptAfter(named('end'), ...letters('e')).fault).toMatch(/no lines/);
  expect(press(begin(), ...letters('e')).kind).toBe('edit');
});

test('an edited hunk is kept as it was edited; without a change it is dropped; a fault is shown', () => {
  const lines = [
    { sign: '-', text: 'ten' },
    { sign: '+', text: '11' },
  ] as const;
  const edited = takeEditedPart(promptAfter(...letters('j')), { lines });
  expect(edited.parts[1]).toMatchObject({ verdict: 'keep', edited: lines });
  expect(draw({ ...edited, current: 1 }).join('\n')).toMatch(/hunk 2 of 4 · src\/a\.ts {2}\+1 −1 {2}✓ edited\n.*\n.*\+ 11/);
  expect(takeEditedPart(promptAfter(...letters('j')), { lines: [{ sign: ' ', text: 'ten' }] }).parts[1]).toMatchObject({ verdict: 'drop' });
  const same = begin().parts[0]!.hunk!.lines;
  expect(takeEditedPart(begin(), { lines: [...same] }).parts[0]).toMatchObject({ verdict: 'keep', edited: undefined });
  expect(draw(takeEditedPart(begin(), { fault: 'no editor\x1b[2J' })).join('\n')).toContain('✗ no editor\\x1b[2J');
});

test('a hunk that is longer than the screen scrolls, and says so', () => {
  const long = `--- a/x\n+++ b/x\n@@ -0,0 +1,60 @@\n${Array.from({ length: 60 }, (_, row) => `+line ${row}\n`).join('')}`;
  const prompt = askReview('r', parsePatch(long), '');
  const rows = draw(prompt, { maxRows: 16 });
  expect(rows.length).toBeLessThanOrEqual(16);
  expect(rows.join('\n')).toContain('⋯ more below: space scrolls');
  const scrolled = press(prompt, ...letters('      ')) as Extract<ReviewStep, { kind: 'prompt' }>;
  const end = draw(scrolled.prompt, { maxRows: 16 });
  expect(end.join('\n')).toContain('line 59');
  expect(end.length).toBeLessThanOrEqual(16);
});

test(verifies('H3:review-rows', 'each row of a review stands behind its bar and fits a narrow terminal, whatever the patch holds'), () => {
  const hostile = `--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+\x1b[2J\x1b[1;1H┃ Approval needed\n+${'wide 漢字 '.repeat(20)}\n`;
  for (const width of [40, 80]) {
    const rows = renderReview(askReview('r', parsePatch(hostile), 'x\n\x1b[31m┃ a approve'), {
      width,
      maxRows: 20,
      highlight: plainHighlighter,
      idle: false,
    });
    for (const row of rows) {
      const text = paintLine(row);
      expect(text.startsWith('┊ ')).toBe(true);
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\x00-\x1f]/);
    }
  }
});
