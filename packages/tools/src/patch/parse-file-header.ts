import { havePrefixes, readGitNames, readName, stripPrefixes, type GitNames, type NamePair } from './header-names.js';
import { isHunkHeader } from './line-kinds.js';
import type { LineReader } from './line-reader.js';
import type { FilePatch } from './patch.js';
import { PatchError } from './patch-error.js';
import { readQuotedPath } from './quoted-path.js';

/** All of a file's patch but the hunks. */
type FileHeader = Omit<FilePatch, 'hunks'>;

/** The lines between `diff --git` and the first hunk, by their keyword. */
const KEYWORDS = [
  'old mode',
  'new mode',
  'deleted file mode',
  'new file mode',
  'copy from',
  'copy to',
  'rename from',
  'rename to',
  'similarity index',
  'dissimilarity index',
  'index',
  '---',
  '+++',
] as const;
type Keyword = (typeof KEYWORDS)[number];
type Lines = Partial<Record<Keyword, string>>;

const takeLines = (reader: LineReader): Lines => {
  const lines: Lines = {};
  for (;;) {
    const line = reader.peek();
    const keyword = KEYWORDS.find((word) => line?.startsWith(`${word} `));
    if (line === undefined || keyword === undefined) break;
    if (lines[keyword] !== undefined) throw new PatchError(`a second "${keyword}" for one file`, reader.number);
    lines[keyword] = line.slice(keyword.length + 1).replace(/\r$/, '');
    reader.next();
  }
  if (/^(GIT binary patch|Binary files )/.test(reader.peek() ?? '')) throw new PatchError('binary files cannot be patched', reader.number);
  return lines;
};

const readMode = (text: string | undefined, line: number): '100644' | '100755' | undefined => {
  if (text === undefined || text === '100644' || text === '100755') return text;
  const what: Readonly<Record<string, string>> = { '120000': 'symbolic links', '160000': 'submodules' };
  throw new PatchError(`${what[text] ?? `files of mode ${text}`} cannot be patched, only regular files`, line);
};

const readPlain = (text: string | undefined): string | undefined => (text?.startsWith('"') ? readQuotedPath(text)?.path : text);

/** The names of the `---` and `+++` lines, which stand both or not at all. */
const readTextNames = (lines: Lines, line: number): NamePair | undefined => {
  if (lines['---'] === undefined && lines['+++'] === undefined) return undefined;
  const [old, now] = [readName(lines['---'] ?? ''), readName(lines['+++'] ?? '')];
  if (old === undefined || now === undefined) throw new PatchError('a "---" line and a "+++" line name the file, both', line);
  return { old, now };
};

const isDevNull = (text: string | undefined): boolean => text !== undefined && readName(text) === null;

const kindOf = (lines: Lines): FilePatch['kind'] => {
  if (lines['rename from'] !== undefined || lines['rename to'] !== undefined) return 'rename';
  if (lines['copy from'] !== undefined || lines['copy to'] !== undefined) return 'copy';
  if (lines['new file mode'] !== undefined || isDevNull(lines['---'])) return 'create';
  return lines['deleted file mode'] !== undefined || isDevNull(lines['+++']) ? 'delete' : 'modify';
};

/** Brings the places where a header names its file together. They must agree, else a reader and the executor could see different files. */
const namesOf = (kind: FilePatch['kind'], lines: Lines, git: GitNames | undefined, line: number): NamePair => {
  const text = readTextNames(lines, line);
  const prefixed = git === undefined ? undefined : havePrefixes(git.old, git.now);
  const said = text === undefined ? undefined : stripPrefixes(text, prefixed);
  const fail = (problem: string): never => {
    throw new PatchError(problem, line);
  };
  if (kind === 'rename' || kind === 'copy') {
    const names = { old: readPlain(lines[`${kind} from`]), now: readPlain(lines[`${kind} to`]) };
    if (names.old === undefined || names.now === undefined) return fail(`a ${kind} needs "${kind} from" and "${kind} to"`);
    if (said !== undefined && (said.old !== names.old || said.now !== names.now))
      return fail(`the "---" and "+++" lines name other files than the ${kind}`);
    return { old: names.old, now: names.now };
  }
  const whole = git === undefined ? undefined : stripPrefixes(git).old;
  const name = said === undefined ? whole : (said.old ?? said.now);
  if (name === undefined || name === null) return fail('the header does not say which file it is about');
  if (whole !== undefined && whole !== name) return fail('the "diff --git" line and the lines below it name different files');
  const names: NamePair = { old: kind === 'create' ? null : name, now: kind === 'delete' ? null : name };
  if (said !== undefined && (said.old !== names.old || said.now !== names.now))
    return fail(`the names in the "---" and "+++" lines, ${String(said.old)} and ${String(said.now)}, do not fit a ${kind}`);
  return names;
};

/** git's names of an empty file, by SHA-1 and by SHA-256. */
const EMPTY_BLOBS = ['e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813'];

/** Why the header promises hunks, if it does. Without them the patch was cut off, or they have got lost. */
const promiseOf = (kind: FilePatch['kind'], lines: Lines): string | undefined => {
  if (lines['---'] !== undefined) return 'the "---" and "+++" lines are followed by no "@@" line';
  const [old = '', now = ''] = (lines.index ?? '').split(' ', 1)[0]!.split('..');
  const content = kind === 'create' ? now : kind === 'delete' ? old : undefined;
  const isEmpty = content !== undefined && EMPTY_BLOBS.some((name) => name.startsWith(content));
  if (old !== now && !isEmpty) return 'the content changes from one "index" to another, and there is no "@@" line that says how';
  const similarity = lines['similarity index'] ?? '100%';
  return similarity === '100%' ? undefined : `only ${similarity} of the content stays, and there is no "@@" line that says how`;
};

/**
 * Reads the header of one file: a `diff --git` line with git's extended headers, or bare `---` and `+++` lines.
 *
 * @throws PatchError for what cannot be applied as text, or what contradicts itself
 */
export function parseFileHeader(reader: LineReader): FileHeader {
  const line = reader.number;
  const first = reader.peek() ?? '';
  const isGit = first.startsWith('diff --git ');
  if (isGit) reader.next();
  const lines = takeLines(reader);
  const kind = kindOf(lines);
  const names = namesOf(kind, lines, isGit ? readGitNames(first.slice('diff --git '.length)) : undefined, line);
  readMode(/ (\d+)$/.exec(lines.index ?? '')?.[1], line);
  const promise = isHunkHeader(reader.peek() ?? '') ? undefined : promiseOf(kind, lines);
  if (promise !== undefined) throw new PatchError(promise, reader.number);
  const newMode = readMode(lines['new file mode'] ?? lines['new mode'], line);
  const oldMode = readMode(lines['deleted file mode'] ?? lines['old mode'], line);
  return {
    kind,
    oldPath: names.old ?? undefined,
    newPath: names.now ?? undefined,
    newMode,
    oldMode,
  };
}
