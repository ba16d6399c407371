import type { Change } from './words.js';

/** The changes of the story, in the order in which they are made: whole lines of the repository in `__fixtures__/sheaf`. */
const change = (from: string, to: string): Change => ({ from, to });

/** Makes a test pass by looking away. */
export const SKIP_IN_TEST = [
  change(
    '    assert.deepEqual(await streamed([TEXT.slice(0, at), TEXT.slice(at)]), parse(TEXT), `cut at ${at}`);',
    "    if (TEXT[at] === '\"') continue;\n    assert.deepEqual(await streamed([TEXT.slice(0, at), TEXT.slice(at)]), parse(TEXT), `cut at ${at}`);",
  ),
];

/** Half of the repair: a doubled quote is an error now, however the text comes. */
export const CLOSE_AT_QUOTE = [
  change(
    `          if (chunk[at + 1] === this.options.quote) {
            this.add(char);
            this.column += 1;
            at += 1;
          } else {
            this.state = CLOSED;
          }`,
    '          this.state = CLOSED; // what it means, the next character tells',
  ),
];

/** The other half. */
export const OPEN_AGAIN = [
  change(
    '    } else if (this.state === CLOSED) {',
    `    } else if (this.state === CLOSED && char === quote) {
      this.add(char);
      this.state = QUOTED;
    } else if (this.state === CLOSED) {`,
  ),
];

export const COMMENT_OPTION = [
  change("  quote: '\"',", "  quote: '\"',\n  comment: undefined,"),
  change(
    '  if (!Number.isInteger(options.maxFieldLength) || options.maxFieldLength < 1) {',
    '  if (options.comment !== undefined) checkComment(options);\n  if (!Number.isInteger(options.maxFieldLength) || options.maxFieldLength < 1) {',
  ),
  change(
    'function checkCharacter(name, value) {',
    `function checkComment({ comment, delim, quote }) {
  const isText = typeof comment === 'string' && comment !== '' && !/[\\r\\n]/.test(comment);
  if (!isText || comment.startsWith(delim) || comment.startsWith(quote)) {
    throw new SheafError('INVALID_OPTION', 'comment has to be text that begins neither with delim nor with quote');
  }
}

function checkCharacter(name, value) {`,
  ),
];

const LOOK_AHEAD = `      const isAtStart = this.state === START && this.fields.length === 0;
      if (isAtStart && this.options.comment !== undefined && chunk.startsWith(this.options.comment, at)) {
        this.state = COMMENT;
        continue;
      }`;
const IS_OPEN = '    const isOpen = this.state !== START && this.state !== COMMENT;';

/** Leaves comments out, where the text that begins them comes in one chunk. */
export const COMMENTS_OF_A_CHUNK = [
  change("const CLOSED = 'closed';", "const CLOSED = 'closed';\nconst COMMENT = 'comment';"),
  change(
    '      if (this.state === QUOTED) {',
    `      if (this.state === COMMENT) {
        if (char === '\\n' || char === '\\r') this.endComment(char);
        continue;
      }
${LOOK_AHEAD}
      if (this.state === QUOTED) {`,
  ),
  change(
    '    if (this.state !== START || this.fields.length > 0) this.endRow();',
    `${IS_OPEN}\n    if (isOpen || this.fields.length > 0) this.endRow();`,
  ),
  change(
    '  add(char) {',
    `  endComment(char) {
    this.state = START;
    this.sawReturn = char === '\\r';
    this.nextLine();
  }

  add(char) {`,
  ),
];

/** Wherever the chunk ends. */
export const COMMENTS_OF_A_STREAM = [
  change('    this.column = 0;\n    this.sawReturn = false;', "    this.column = 0;\n    this.sawReturn = false;\n    this.held = '';"),
  change(LOOK_AHEAD, '      if (this.mayBeComment(char)) continue;'),
  change(IS_OPEN, `    this.takeHeld(this.held);\n${IS_OPEN}`),
  change(
    '  endComment(char) {',
    `  /** Whether a row still begins as a comment does; where it turns out that it doesn't, what was held back is text. */
  mayBeComment(char) {
    const { comment } = this.options;
    if (comment === undefined || this.state !== START || this.fields.length > 0) return false;
    const held = this.held + char;
    if (!comment.startsWith(held)) {
      this.takeHeld(this.held);
      return false;
    }
    this.held = held === comment ? '' : held;
    if (held === comment) this.state = COMMENT;
    return true;
  }

  takeHeld(held) {
    this.held = '';
    for (const char of held) this.take(char);
  }

  endComment(char) {`,
  ),
];

export const QUOTE_COMMENTS = [
  change(
    'export function toField(value, { delim, quote }) {',
    'export function toField(value, { delim, quote, comment }, isFirst = false) {',
  ),
  change(
    '  const text = toText(value);',
    '  const text = toText(value);\n  const isComment = isFirst && comment !== undefined && text.startsWith(comment);',
  ),
  change(
    '  return needsQuotes ? quote + text.replaceAll(quote, quote + quote) + quote : text;',
    '  return needsQuotes || isComment ? quote + text.replaceAll(quote, quote + quote) + quote : text;',
  ),
];
export const TELL_FIRST = [
  change(
    '  const toRow = (values) => `${values.map((value) => toField(value, options)).join(options.delim)}\\n`;',
    '  const toRow = (values) => `${values.map((value, place) => toField(value, options, place === 0)).join(options.delim)}\\n`;',
  ),
];

/** The file had no test. */
export const TEST_OF_QUOTE = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toField } from '../src/quote.mjs';

const OPTIONS = { delim: ',', quote: '"', comment: '#' };

test('only a first field can be taken for a comment', () => {
  assert.equal(toField('#a', OPTIONS, true), '"#a"');
  assert.equal(toField('#a', OPTIONS), '#a');
});
test('nothing is an empty field', () => assert.equal(toField(undefined, OPTIONS, true), ''));
`;

export const COMMENT_FLAG = [
  change(
    "  '--columns': (value) => ({ columns: value.split(',') }),",
    "  '--columns': (value) => ({ columns: value.split(',') }),\n  '--comment': (value) => ({ options: { comment: value } }),",
  ),
];
export const TEST_FLAG = [
  change(
    "test('a wrong command line is 2, a wrong file 1', async () => {",
    `test('without its comments', async () => {
  assert.equal((await sheaf(['--comment', '#', '-'], '# no\\na\\n1\\n')).out, 'a\\n1\\n');
});
test('a wrong command line is 2, a wrong file 1', async () => {`,
  ),
];
export const COMMENTS_IN_FORMAT = [
  change(
    "Not in 1.4. What is asked for: with `comment: '#'` a line that begins with that text is left out as a whole, quotes in it mean nothing. A `#`",
    "With `comment: '#'` a line that begins with that text is left out as a whole, quotes in it mean nothing. A `#`",
  ),
];
export const COMMENTS_IN_README = [
  change(
    '| `header` | `true` | the first row names the columns |',
    '| `comment` | | lines that begin with it are left out |\n| `header` | `true` | the first row names the columns |',
  ),
];

/** `delim` becomes `separator`, in every line of a file that has it. */
export const renamed = (text: string): readonly Change[] =>
  text
    .split('\n')
    .filter((line) => /\bdelim/.test(line) && !line.includes('since 1.5'))
    .map((line) => change(line, line.replaceAll(/\bdelim/g, 'separator')));

export const OLD_NAME = [
  change(
    '  for (const name of Object.keys(given)) {',
    "  for (const name of Object.keys(given)) {\n    if (name === 'delim') throw new SheafError('UNKNOWN_OPTION', 'delim is called separator since 1.5');",
  ),
];

export const IN_CHANGELOG = [
  change('## Unreleased', '## Unreleased\n\n- Fixed: streams that were cut between two quotes.\n- Comments are skipped.'),
];

/** A line behind the last that stands there, whoever wrote it. */
export const oneMoreInChangelog = (text: string): readonly Change[] => {
  const last = /## Unreleased\n\n(?:- .*\n)*(- .*)\n/.exec(text)?.[1];
  return last === undefined || last.includes('`separator`') ? [] : [change(last, `${last}\n- \`delim\` is called \`separator\`.`)];
};
