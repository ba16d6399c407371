import { type FileLine, joinFile, splitFile, usualEnd } from '../file-lines.js';
import { applyHunks } from '../patch/edit-lines.js';
import { readHunks } from '../patch/read-hunks.js';
import { parse } from '@codelab/grammars';
import { MAX_OMITTED } from './assert-placed.js';
import { NO_INDENT } from './indent.js';
import { findLanguage, type Language } from '@codelab/grammars';
import { mergeBody, type Row } from './merge.js';
import type { Merging } from './merging.js';
import { bodiesOf, namedKeys } from './parents.js';
import { readChanges, readFile } from './read-source.js';
import { Likeness } from './resembles.js';
import { countSyntaxErrors } from './tree-units.js';
import { takeOffFence } from './take-off-fence.js';
import { type Body, type Source, Unclear, type Unit } from './units.js';

export interface TextFile {
  /** Relative to the workspace; its ending tells the language. */
  readonly path: string;
  readonly text: string;
}

export type LazyEdit =
  | {
      readonly ok: true;
      readonly text: string;
      /** Lines that the new text has and the old one has not, and the other way round. */
      readonly added: number;
      readonly deleted: number;
    }
  /** `line`: of the changes, which can't be placed; `why`: a phrase that follows a colon. */
  | { readonly ok: false; readonly line: string; readonly why: string };

/** A line of the result; `row`: the one of the file that it is. */
interface MergedLine {
  readonly text: string;
  readonly row?: number;
}

/** Changes with such a line are a unified diff. */
const HUNK = /^@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/;

/** Longer texts are edited by other tools. */
const MAX_LINES = 20_000;
const MAX_SHOWN = 80;

/**
 * Puts changes into a file that leave out what stays, by placeholders such as `// ... existing code ...` or by being a part of it
 * (docs/specification/vocabularies.md#lazy-edits). A change that hasn't exactly one place is refused. The grammar of the language is used if
 * {@link loadGrammarFor} has loaded it.
 */
export function applyLazyEdit(file: TextFile, changes: string): LazyEdit {
  const split = splitFile(file.text);
  const given = splitFile(changes);
  const firstLine = given.lines.find(({ text }) => text.trim() !== '')?.text ?? '';
  try {
    if (split.lines.length > MAX_LINES || given.lines.length > MAX_LINES) throw new Unclear(undefined, 'the file is too long for that');
    const language = findLanguage(file.path);
    const old = split.lines.map(({ text }) => text);
    const changed = takeOffFence(
      given.lines.map(({ text }) => text),
      old,
      file.path,
    );
    if (changed.some((line) => HUNK.test(line))) return applyDiff(file.text, changed);
    const { lines: merged, errors } = merge(old, changed, language);
    const lines = merged.map(({ text }) => text);
    assertSound({ lines: old, errors }, lines, language, file.path);
    const text = joinFile({ bom: split.bom, lines: withEnds(merged, split.lines) });
    if (text === file.text) throw new Unclear(undefined, 'it changes nothing');
    return { ok: true, text, ...countLines(old, lines) };
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    return { ok: false, line: (error.line ?? firstLine).trim().slice(0, MAX_SHOWN), why: error.why };
  }
}

/** The lines of the file with the changes in them, and the syntax errors that it had without. */
function merge(
  old: readonly string[],
  changed: readonly string[],
  language: Language,
): { readonly lines: readonly MergedLine[]; readonly errors: number } {
  const known = new Set(old.map((line) => line.trim()).filter((line) => line !== ''));
  const file = readFile(old, language);
  const changes = readChanges(changed, language, { file: known });
  const top = new Set(file.root.units.map(({ key }) => key));
  const matchesRoot = changes.root.units.some(({ kind, key }) => kind !== 'placeholder' && top.has(key));
  if (changes.placeholders.size === 0 && isRewrite(file, changes)) return { lines: changed.map((text) => ({ text })), errors: file.errors };
  if (file.root.units.length === 0) throw new Unclear(undefined, 'the file has nothing that a placeholder could stand for');
  const merging = (source: Source): Merging => ({ file, changes: source, likeness: new Likeness(file, source), omitted: new Set() });
  if (matchesRoot) {
    assertNotInside(file, changes);
    return { lines: written(merging(changes), file.root, changes, changes.placeholders.size === 0), errors: file.errors };
  }
  const parents = bodiesOf(file);
  const wrapped = new Map<string, Source | undefined>();
  const named = new Map<Source, ReadonlySet<string>>();
  const readFor = ({ type }: Body): Source | undefined => {
    const wrapper = language.wrappers?.[type];
    if (wrapper === undefined) return changes;
    if (!wrapped.has(type))
      wrapped.set(
        type,
        tryRead(() => readChanges(changed, language, { file: known, wrapper })),
      );
    return wrapped.get(type);
  };
  const fits = parents.flatMap((body) => {
    const source = readFor(body);
    if (source === undefined) return [];
    const keys = named.get(source) ?? namedKeys(source.root.units);
    named.set(source, keys);
    return body.units.some(({ key }) => keys.has(key)) ? [{ body, source }] : [];
  });
  const [fit] = fits;
  if (fit === undefined) throw new Unclear(undefined, 'nothing in the file is named like it');
  const line = fit.source.lines[fit.source.root.units.find(({ kind }) => kind !== 'placeholder')!.start];
  if (fits.length > 1) throw new Unclear(line, `it fits ${String(fits.length)} places`);
  assertOnlyThere(file, fit.body, fit.source);
  return { lines: written(merging(fit.source), fit.body, fit.source, true), errors: file.errors };
}

/** Where a file has errors its grammar may not see all bodies: first lines of what is matched show what else there is. */
function assertOnlyThere({ lines }: Source, { units }: Body, changes: Source): void {
  const stands = new Map<string, number>();
  for (const line of lines) stands.set(line.trim(), (stands.get(line.trim()) ?? 0) + 1);
  const firstOf = ({ head, start }: Unit): string => lines[head ?? start]!.trim();
  const known = new Map<string, number>();
  for (const unit of units) known.set(firstOf(unit), (known.get(firstOf(unit)) ?? 0) + 1);
  const matched = new Map(units.map((unit) => [unit.key, firstOf(unit)]));
  for (const { key, start } of changes.root.units) {
    const first = matched.get(key) ?? '';
    const twins = stands.get(first) ?? 0;
    if (twins > (known.get(first) ?? twins))
      throw new Unclear(changes.lines[start], `its first line stands in the file ${String(twins)} times`);
  }
}

/** A unified diff of the file: its context must fit exactly, the nearest to its line. */
function applyDiff(text: string, diff: readonly string[]): LazyEdit {
  const first = diff.findIndex((line) => line.startsWith('@@'));
  const { hunks, next } = readHunks(diff, first, (row) => row > first && /^(?:diff --git |--- \S.*)/.test(diff[row]!) && isHeader(row));
  if (next < diff.length) throw new Unclear(diff[next], 'it is about another file');
  const applied = applyHunks(text, hunks, 'nearest');
  if (!applied.ok) throw new Unclear(diff.filter((line) => line.startsWith('@@'))[applied.hunk - 1], applied.why);
  if (applied.text === text) throw new Unclear(undefined, 'it changes nothing');
  const count = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
  const { changes } = applied;
  return {
    ok: true,
    text: applied.text,
    added: count(changes.map(({ added }) => added.length)),
    deleted: count(changes.map(({ deleted }) => deleted)),
  };

  function isHeader(row: number): boolean {
    return diff[row]!.startsWith('diff --git ') || /^\+\+\+ \S/.test(diff[row + 1] ?? '');
  }
}

const tryRead = (read: () => Source): Source | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unclear) return undefined;
    throw error;
  }
};

function written(merging: Merging, body: Body, changes: Source, isPart: boolean): readonly MergedLine[] {
  const { file } = merging;
  const rows = mergeBody(merging, body, changes.root, { open: isPart, indent: NO_INDENT });
  const all: Row[] = [
    ...file.lines.slice(0, body.first).map((_line, row): Row => ({ from: 'file', row })),
    ...rows,
    ...file.lines.slice(body.last + 1).map((_line, row): Row => ({ from: 'file', row: body.last + 1 + row })),
  ];
  let last = -1;
  for (const row of all) {
    if (row.from !== 'file') continue;
    if (row.row <= last) throw new Unclear(undefined, 'lines of the file would change their order');
    last = row.row;
  }
  return all.map((row) => {
    if (row.from === 'blank') return { text: '' };
    return row.from === 'file' ? { text: file.lines[row.row]!, row: row.row } : { text: row.indent.apply(changes.lines[row.row]!) };
  });
}

/** Whether changes without placeholders are the whole file. */
function isRewrite({ lines, root }: Source, changes: Source): boolean {
  const definitions = root.units.filter(({ kind }) => kind === 'definition');
  const keys = new Map<string, number>();
  for (const { key } of changes.root.units) keys.set(key, (keys.get(key) ?? 0) + 1);
  if (lines.every((line) => line.trim() === '')) return true;
  if (definitions.length === 0) {
    const left = new Map<string, number>();
    for (const line of changes.lines) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
    const vanished = lines.filter((line) => {
      const count = left.get(line.trim()) ?? 0;
      left.set(line.trim(), count - 1);
      return line.trim() !== '' && count <= 0;
    });
    if (vanished.length > MAX_OMITTED * lines.length) return false;
    return !losesEdge(root.units, changes.root.units);
  }
  for (const { key } of definitions) {
    const count = keys.get(key) ?? 0;
    if (count === 0) return false;
    keys.set(key, count - 1);
  }
  return !losesEdge(root.units, changes.root.units);
}

/** Without the imports it is a part of the file; without other units at an edge nobody can tell. */
function losesEdge(units: readonly Unit[], changed: readonly Unit[]): boolean {
  const [there, given] = [new Set(units.map(({ key }) => key)), new Set(changed.map(({ key }) => key))];
  const isLost = (at: 0 | -1): boolean => !given.has(units.at(at)?.key ?? '') && there.has(changed.at(at)?.key ?? '');
  if (units.length === 0 || changed.length === 0 || (!isLost(0) && !isLost(-1))) return false;
  if (isLost(0) && units.find(({ isComment }) => isComment !== true)?.isImport === true) return true;
  throw new Unclear(undefined, 'it may be the whole file or a part of it; say so by placeholders');
}

/** A definition that is new at the top though a body of the file has one of that name may be meant for there. */
function assertNotInside(file: Source, changes: Source): void {
  const top = new Set(file.root.units.map(({ key }) => key));
  const added = changes.root.units.filter(({ kind, key }) => kind === 'definition' && !top.has(key));
  if (added.length === 0) return;
  const inside = new Set(bodiesOf(file).flatMap(({ units }) => units.map(({ key }) => key)));
  const one = added.find(({ key }) => inside.has(key));
  if (one !== undefined) throw new Unclear(changes.lines[one.start], 'the file has it inside of another part');
}

/** What must hold of every result, however it came to be. */
function assertSound(old: Pick<Source, 'lines' | 'errors'>, lines: readonly string[], language: Language, path: string): void {
  const errors = countSyntaxErrors(parse(language.grammar, lines.join('\n')));
  if (errors !== undefined && errors > old.errors) throw new Unclear(undefined, 'the file would have a syntax error');
  if (/\.json$/i.test(path) && isJson(old.lines) && !isJson(lines)) throw new Unclear(undefined, 'the file would be no JSON any more');
}

const isJson = (lines: readonly string[]): boolean => {
  try {
    JSON.parse(lines.join('\n'));
    return true;
  } catch {
    return false;
  }
};

/** Lines of the file keep their ends, others get the usual one; the last one of the text is as it was. */
function withEnds(lines: readonly MergedLine[], old: readonly FileLine[]): FileLine[] {
  const usual = usualEnd(old) ?? '\n';
  const last = old.at(-1)?.end ?? '\n';
  return lines.map(({ text, row }, place) => {
    if (place === lines.length - 1) return { text, end: last };
    const end = row === undefined ? usual : old[row]!.end;
    return { text, end: end === '' ? usual : end };
  });
}

/** By how often each line occurs, so that a move counts as nothing. */
function countLines(old: readonly string[], lines: readonly string[]): { added: number; deleted: number } {
  const counts = new Map<string, number>();
  for (const line of old) counts.set(line, (counts.get(line) ?? 0) + 1);
  let added = 0;
  for (const line of lines) {
    const left = counts.get(line) ?? 0;
    if (left === 0) added += 1;
    else counts.set(line, left - 1);
  }
  return { added, deleted: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}
