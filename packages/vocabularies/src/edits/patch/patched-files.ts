import { type FileLine, splitFile } from '../file-lines.js';
import { applyHunks, type LineChange, type PatchedText } from './edit-lines.js';
import { PatchRefused, type PatchHunk, type PatchOperation } from './patch-parts.js';
import { contentOf } from './read-patch.js';

/** Sections about one file: for each all of its lines are looked at again. */
const MAX_SECTIONS = 50;

/** What a patch makes of a file. */
export interface PatchedFile {
  /** Where it was; absent: the patch makes it. */
  readonly from: string | undefined;
  /** Where it is afterwards; absent: it is deleted. */
  readonly to: string | undefined;
  readonly before: string;
  readonly text: string;
  /** All that changes from `before` to `text`. */
  readonly changes: readonly LineChange[];
}

/** A line as it is by now, with its place in the file as it was. */
interface TracedLine extends FileLine {
  readonly row?: number;
}

interface TracedFile {
  from: string | undefined;
  to: string | undefined;
  readonly before: string;
  text: string;
  lines: readonly TracedLine[];
  sections: number;
  /** Hunks that were put into it. */
  hunks: number;
}

/** Files that a patch reads: those that it neither makes itself nor has moved there. */
export function sourcesOf(operations: readonly PatchOperation[]): string[] {
  const [own, sources] = [new Set<string>(), new Set<string>()];
  for (const operation of operations) {
    if (operation.kind !== 'add' && !own.has(operation.path)) sources.add(operation.path);
    own.add(operation.kind === 'move' ? operation.to : operation.path);
  }
  return [...sources];
}

/**
 * Applies the operations of a patch in their order, each to what those before it made of its file.
 * @param texts contents by path, of all {@link sourcesOf} them
 * @param tolerate is told of hunks that fit only apart from blanks
 * @throws PatchRefused
 */
export function patchFiles(
  operations: readonly PatchOperation[],
  texts: ReadonlyMap<string, string>,
  tolerate: (note: string) => void,
): PatchedFile[] {
  const files: TracedFile[] = [];
  for (const operation of operations) {
    const { path } = operation;
    if (operation.kind === 'add') {
      add(path, contentOf(operation.lines));
      continue;
    }
    const file = fileAt(path);
    if (operation.kind !== 'delete' || operation.hunks.length > 0) put(file, path, operation.hunks, operation.kind === 'move');
    if (operation.kind === 'delete') {
      if (operation.hunks.length > 0 && file.lines.length > 0)
        throw new PatchRefused(`${path} has more in it than the patch deletes; nothing was changed`);
      rewrite(file, '');
      file.to = undefined;
    } else if (operation.kind === 'move') {
      if (operation.to !== path && files.some(({ to }) => to === operation.to))
        throw new PatchRefused(`it moves ${path} to ${operation.to}, which it makes itself`);
      file.to = operation.to;
    }
  }
  return files
    .filter(({ from, to }) => from !== undefined || to !== undefined)
    .map((file) => ({ from: file.from, to: file.to, before: file.before, text: file.text, changes: changesOf(file) }));

  function add(path: string, text: string): void {
    if (files.some(({ to }) => to === path)) throw new PatchRefused(`it adds ${path}, which is there already; update it`);
    const deleted = files.find(({ from, to }) => from === path && to === undefined);
    const file = deleted ?? { from: undefined, to: path, before: '', text: '', lines: [], sections: 0, hunks: 0 };
    if (deleted === undefined) files.push(file);
    file.to = path;
    rewrite(file, text);
  }

  function fileAt(path: string): TracedFile {
    const known = files.find(({ to }) => to === path);
    if (known !== undefined) return known;
    if (files.some(({ from }) => from === path)) throw new PatchRefused(`it changes ${path}, which it deletes or moves before`);
    const text = texts.get(path) ?? '';
    const lines = splitFile(text).lines.map((line, row) => ({ ...line, row }));
    const file = { from: path, to: path, before: text, text, lines, sections: 0, hunks: 0 };
    files.push(file);
    return file;
  }

  function put(file: TracedFile, path: string, hunks: readonly PatchHunk[], mayBeSame: boolean): void {
    file.sections += 1;
    if (file.sections > MAX_SECTIONS)
      throw new PatchRefused(`it has more than ${String(MAX_SECTIONS)} sections about ${path}; put their hunks into one`);
    const applied = applyHunks(file.text, hunks);
    if (!applied.ok) throw new PatchRefused(refusalOf(path, { ...applied, hunk: file.hunks + applied.hunk }));
    if (applied.text === file.text && !(mayBeSame && hunks.length === 0)) throw new PatchRefused(`its part for ${path} changes nothing`);
    for (const { hunk, lines } of applied.tolerated)
      tolerate(
        `Hunk ${String(file.hunks + hunk)} of ${path} matched apart from indentation at lines ${String(lines[0])}-${String(lines[1])}.`,
      );
    const made: (readonly TracedLine[])[] = [];
    let read = 0;
    for (const { at, deleted, added } of applied.changes) {
      made.push(file.lines.slice(read, at), added);
      read = at + deleted;
    }
    file.lines = [...made, file.lines.slice(read)].flat();
    file.text = applied.text;
    file.hunks += hunks.length;
  }
}

function rewrite(file: TracedFile, text: string): void {
  file.lines = splitFile(text).lines;
  file.text = text;
}

/** From top to bottom, none touching another. */
function changesOf({ before, lines }: TracedFile): LineChange[] {
  const changes: LineChange[] = [];
  let [read, added]: [number, FileLine[]] = [0, []];
  const flush = (at: number): void => {
    if (at > read || added.length > 0) changes.push({ at: read, deleted: at - read, added });
    added = [];
  };
  for (const { row, text, end } of lines) {
    if (row === undefined) added.push({ text, end });
    else {
      flush(row);
      read = row + 1;
    }
  }
  flush(splitFile(before).lines.length);
  return changes;
}

const refusalOf = (path: string, { hunk, why, near }: PatchedText & { readonly ok: false }): string =>
  `hunk ${String(hunk)} of ${path}: ${why}; nothing was changed.${near === '' ? '' : ` The nearest lines of it are:\n${near}`}`;
