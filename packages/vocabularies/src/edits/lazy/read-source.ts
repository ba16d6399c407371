import type { Tree } from '@codelab/grammars';
import { parse } from '@codelab/grammars';
import { readIndentation } from './indent-units.js';
import type { Language } from '@codelab/grammars';
import { commentIn, readSense } from './placeholders.js';
import { readTree } from './tree-units.js';
import { type Source, Unclear } from './units.js';

/** The units of a file. Comments in it are never placeholders. */
export function readFile(lines: readonly string[], language: Language): Source {
  return (
    withTree(language, lines, (tree) => readTree(tree, { lines, placeholders: new Set() })) ?? byIndentation(lines, new Set(), language)
  );
}

/** What the changes may leave out, and what they say that the file says, too. */
export interface KnownLines {
  /** Lines of the file, without blanks at their ends. */
  readonly file: ReadonlySet<string>;
  /** What stands around the changes to make them a whole text. */
  readonly wrapper?: readonly [string, string] | undefined;
}

/** Each is looked for in the tree, which takes up to 1 ms. */
const MAX_PLACEHOLDERS = 1_000;

/**
 * The units of the changes, placeholders among them.
 * @throws Unclear for a comment that may be a placeholder or not
 */
export function readChanges(lines: readonly string[], language: Language, { file, wrapper }: KnownLines): Source {
  const candidates = new Set(lines.flatMap((line, row) => (senseOf(line, file, language) === 'placeholder' ? [row] : [])));
  if (candidates.size > MAX_PLACEHOLDERS) throw new Unclear(undefined, `it has more than ${String(MAX_PLACEHOLDERS)} placeholders`);
  if (wrapper !== undefined) return readWrapped(lines, language, wrapper, candidates);
  return (
    withTree(language, lines, (tree) => readParsed(tree, lines, language, candidates, file)) ?? byIndentation(lines, candidates, language)
  );
}

const byIndentation = (lines: readonly string[], placeholders: ReadonlySet<number>, language: Language): Source =>
  readIndentation(lines, placeholders, (line) => commentIn(line, language) !== undefined);

function withTree(language: Language, lines: readonly string[], read: (tree: Tree) => Source): Source | undefined {
  const tree = parse(language.grammar, lines.join('\n'));
  if (tree === undefined) return undefined;
  try {
    return read(tree);
  } finally {
    tree.delete();
  }
}

const senseOf = (line: string, file: ReadonlySet<string>, language: Language): 'placeholder' | 'text' => {
  const comment = commentIn(line, language);
  const sense = comment === undefined ? 'text' : readSense(comment);
  if (sense === 'text') return 'text';
  const isKnown = file.has(line.trim());
  if (sense === 'placeholder' && isKnown) throw new Unclear(line, 'the file has this comment itself');
  if (sense === 'doubtful' && !isKnown) throw new Unclear(line, 'it may stand for code that is left out, or be a comment');
  return sense === 'placeholder' ? 'placeholder' : 'text';
};

function readParsed(
  tree: Tree,
  lines: readonly string[],
  language: Language,
  candidates: ReadonlySet<number>,
  file: ReadonlySet<string>,
): Source {
  const placeholders = new Set([...candidates].filter((row) => standsForCode(tree, lines[row]!, row)));
  assertAlone(tree, lines, file);
  if (language.grammar !== 'python' || placeholders.size === 0) return readTree(tree, { lines, placeholders });
  // Python's blocks are made of statements: a comment alone makes none.
  const bracketed = new Set([...placeholders].filter((row) => isBracketed(tree, lines[row]!, row)));
  const filled = lines.map((line, row) => (placeholders.has(row) && !bracketed.has(row) ? `${/^\s*/.exec(line)![0]}left_out` : line));
  return (
    withTree(language, filled, (other) => ({ ...readTree(other, { lines: filled, placeholders }), lines })) ??
    readTree(tree, { lines, placeholders })
  );
}

const nodeAt = (tree: Tree, line: string, row: number) => {
  const column = line.length - line.trimStart().length;
  return tree.rootNode.descendantForPosition({ row, column: column + (line.trim().startsWith('{') ? 1 : 0) });
};

/** Whether the line is a comment and no part of a string. Some grammars divide comments further. */
const standsForCode = (tree: Tree, line: string, row: number): boolean => {
  let node = nodeAt(tree, line, row);
  for (let up = 0; up < 3 && node !== null; up++, node = node.parent) if (node.type.endsWith('comment')) return true;
  return false;
};

const isBracketed = (tree: Tree, line: string, row: number): boolean => {
  for (let node = nodeAt(tree, line, row)?.parent ?? null; node !== null; node = node.parent) {
    if (/^(dictionary|list|set|tuple|argument_list|parameters|parenthesized_expression|subscript)$/.test(node.type)) return true;
    if (/^(block|module)$/.test(node.type)) return false;
  }
  return false;
};

/** Comments looked at, at most. */
const MAX_COMMENTS = 20_000;

/** A placeholder beside code stands for nobody knows what. */
function assertAlone(tree: Tree, lines: readonly string[], file: ReadonlySet<string>): void {
  const comments = tree.rootNode.descendantsOfType(['comment', 'line_comment', 'block_comment']);
  for (const comment of comments.slice(0, MAX_COMMENTS)) {
    if (comment === null) continue;
    const { row } = comment.startPosition;
    const line = lines[row]!.trim();
    if (comment.startPosition.row !== comment.endPosition.row || line === comment.text.trim() || line === `{${comment.text.trim()}}`)
      continue;
    const text = comment.text.replace(/^(?:\/\*+|\/\/+|#+|--)/, '').replace(/\*\/$/, '');
    if (readSense(text) === 'placeholder' && !file.has(line)) throw new Unclear(line, 'a placeholder needs a line for itself');
  }
}

/** Members of a class or an object that have no header: read with one, without which they would be read as something else. */
function readWrapped(
  lines: readonly string[],
  language: Language,
  wrapper: readonly [string, string],
  candidates: ReadonlySet<number>,
): Source {
  const wrapped = [wrapper[0], ...lines, wrapper[1]];
  const shifted = new Set([...candidates].map((row) => row + 1));
  const read = withTree(language, wrapped, (tree) => readTree(tree, { lines: wrapped, placeholders: shifted }));
  const body = read?.root.units.length === 1 ? read.root.units[0]!.bodies[0] : undefined;
  if (read === undefined || body === undefined) throw new Unclear(undefined, 'it is no part of a file of this language');
  return { ...read, lines: wrapped, root: body };
}
