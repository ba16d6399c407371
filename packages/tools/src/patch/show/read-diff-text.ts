import { parsePatch } from '../parse-patch.js';
import { PatchError } from '../patch-error.js';
import { readGitNames } from '../header-names.js';
import { toDiffFile, type DiffFile } from './read-diff.js';

/** A stretch of a text that should be a diff. */
export type DiffSection =
  | { readonly kind: 'file'; readonly file: DiffFile }
  /** The diff only says that a file differs, which isn't text. */
  | { readonly kind: 'binary'; readonly path: string; readonly change: 'created' | 'deleted' | 'changed' }
  /** What isn't part of any file's change: words of whoever made the diff. */
  | { readonly kind: 'words'; readonly text: string }
  /** It looks like a change and can't be read as one. `problem` is a phrase. */
  | { readonly kind: 'unreadable'; readonly path?: string | undefined; readonly problem: string; readonly text: string };

/**
 * Reads any text that should be a diff, for showing it: nothing of it is left out. What can be applied is read by the parser that applies it,
 * so that nobody is shown something else than what is done.
 */
export const readDiffText = (text: string): readonly DiffSection[] =>
  text.split(/^(?=diff --git )/m).flatMap((section) => (section.trim() === '' ? [] : readSection(section)));

function readSection(text: string): readonly DiffSection[] {
  const words: string[] = [];
  try {
    const files = parsePatch(text, (line) => words.push(line)).map((file): DiffSection => ({ kind: 'file', file: toDiffFile(file) }));
    return [...files, ...wordsOf(words)];
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return readBinary(text) ?? [readRefused(text, error)];
  }
}

const wordsOf = (lines: readonly string[]): readonly DiffSection[] => {
  const text = lines.join('\n').trim();
  return text === '' ? [] : [{ kind: 'words', text }];
};

const BINARY = /^(?:GIT binary patch|Binary files (.*) and (.*) differ)[^\S\n]*$/m;
/** What git says of a file before its change. */
const HEADER = /^(diff --git|index|old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index|rename|copy) /;
/** What follows `GIT binary patch`. */
const DATA = /^(?:(?:literal|delta) \d+|[A-Za-z][\x21-\x7e]{1,65})?$/;

function readBinary(text: string): readonly DiffSection[] | undefined {
  const found = BINARY.exec(text);
  const before = text.slice(0, found?.index);
  if (found === null || /^@@ /m.test(before)) return undefined;
  const change = /^new file mode /m.test(before) ? 'created' : /^deleted file mode /m.test(before) ? 'deleted' : 'changed';
  const named = [found[2], found[1]].find((name) => name !== undefined && name !== '/dev/null')?.replace(/^[ab]\//, '');
  const words = before.split('\n').filter((line) => !HEADER.test(line));
  const after = text.slice(found.index + found[0].length).split('\n');
  const rest = after.slice(named === undefined ? after.findIndex((line) => !DATA.test(line)) : 0);
  const isAllData = named === undefined && after.every((line) => DATA.test(line));
  return [
    ...wordsOf(words),
    { kind: 'binary', path: pathOf(text) ?? named ?? '', change },
    ...(isAllData || rest.every((line) => line.trim() === '') ? [] : readSection(rest.join('\n'))),
  ];
}

/** No line of it begins like one of a change: then it is words. */
const readRefused = (text: string, error: PatchError): DiffSection =>
  /^(@@|diff --|--- |\+\+\+ |Index: )/m.test(text)
    ? { kind: 'unreadable', path: pathOf(text), problem: error.message, text }
    : { kind: 'words', text: text.trim() };

const pathOf = (text: string): string | undefined => {
  const names = text.startsWith('diff --git ') ? readGitNames(text.slice('diff --git '.length).split('\n', 1)[0]!) : undefined;
  return names?.now.replace(/^[^/]*\//, '');
};
