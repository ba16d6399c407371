import { type FileLine, joinFile, splitFile, usualEnd } from '../file-lines.js';
import { nearestLines } from './nearest-lines.js';
import type { PatchHunk } from './patch-parts.js';
import { placeHunk, type Placing } from './place-hunk.js';

/** Lines of a file that others stand for afterwards. */
export interface LineChange {
  /** The first line, from 0. */
  readonly at: number;
  readonly deleted: number;
  readonly added: readonly FileLine[];
}

export type PatchedText =
  | {
      readonly ok: true;
      readonly text: string;
      /** From top to bottom, none touching another. */
      readonly changes: readonly LineChange[];
      /** Hunks, from 1, that fit only apart from indentation or trailing blanks, each with its first and last line. */
      readonly tolerated: readonly { readonly hunk: number; readonly lines: readonly [number, number] }[];
    }
  | {
      readonly ok: false;
      /** From 1. */
      readonly hunk: number;
      readonly why: string;
      /** Lines of the file that come nearest to the hunk, numbered, or none. */
      readonly near: string;
    };

/** Puts hunks into a text, all or none; each is placed in the text as it was before. */
export function applyHunks(text: string, hunks: readonly PatchHunk[], placing: Placing = 'unique'): PatchedText {
  const { bom, lines } = splitFile(text);
  const texts = lines.map((line) => line.text);
  const usual = usualEnd(lines) ?? '\n';
  const placed: PlacedChange[] = [];
  const tolerated: { readonly hunk: number; readonly lines: readonly [number, number] }[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const place = placeHunk(texts, hunk, placing);
    const number = index + 1;
    if ('why' in place) return { ok: false, hunk: number, why: place.why, near: nearestLines(texts, hunk) };
    const count = place.lines.filter(({ sign }) => sign !== '+').length;
    if (place.isTolerated) tolerated.push({ hunk: number, lines: [place.at + 1, place.at + count] });
    let row = place.at;
    let open: { at: number; deleted: number; added: FileLine[] } | undefined;
    const flush = (): void => {
      if (open !== undefined) placed.push({ ...open, hunk: number });
      open = undefined;
    };
    for (const { sign, text: line, noNewline } of place.lines) {
      if (sign === ' ') {
        flush();
        row += 1;
        continue;
      }
      open ??= { at: row, deleted: 0, added: [] };
      if (sign === '-') {
        open.deleted += 1;
        row += 1;
      } else open.added.push({ text: line, end: noNewline === true ? '' : (endNear(lines, open.at, open.deleted) ?? usual) });
    }
    flush();
  }
  const changes = placed.toSorted((one, other) => one.at - other.at || one.hunk - other.hunk);
  const clash = changes.find((change, index) => index > 0 && overlaps(changes[index - 1]!, change));
  if (clash !== undefined) return { ok: false, hunk: clash.hunk, why: 'it changes lines that another hunk changes, too', near: '' };
  const all = withEnds(lines, changes);
  return { ok: true, text: joinFile({ bom, lines: all.lines }), changes: all.changes, tolerated };
}

type PlacedChange = LineChange & { readonly hunk: number };

const overlaps = (one: PlacedChange, other: PlacedChange): boolean =>
  other.at < one.at + one.deleted || (other.at === one.at && other.hunk !== one.hunk);

const endNear = (lines: readonly FileLine[], at: number, deleted: number): FileLine['end'] | undefined => {
  const { end } = lines[deleted > 0 ? at : at - 1] ?? lines[at] ?? { end: '' as const };
  return end === '' ? undefined : end;
};

/** The file after the changes: only its last line may have no line end, and has none if it had none, unless the patch says otherwise. */
function withEnds(lines: readonly FileLine[], changes: readonly LineChange[]): { lines: FileLine[]; changes: LineChange[] } {
  const usual = usualEnd(lines) ?? '\n';
  const isOpen = lines.at(-1)?.end === '';
  const parts: (readonly FileLine[])[] = [];
  const exact: LineChange[] = [];
  let read = 0;
  for (const { at, deleted, added } of changes) {
    parts.push(lines.slice(read, at));
    read = at + deleted;
    const isAtEnd = read >= lines.length;
    const written = added.map((line, index): FileLine => {
      const isLast = isAtEnd && index === added.length - 1;
      if (!isLast) return line.end === '' ? { ...line, end: usual } : line;
      return { ...line, end: line.end === '' || isOpen ? '' : line.end };
    });
    exact.push({ at, deleted, added: written });
    parts.push(written);
  }
  const result = [...parts, lines.slice(read)].flat();
  const before = result.findIndex(({ end }, index) => end === '' && index < result.length - 1);
  if (before < 0) return { lines: result, changes: exact };
  // What was the last line goes on: its missing line end is a change of its own.
  const fixed = result.map((line, index) => (index === before ? { ...line, end: usual } : line));
  const last = lines.length - 1;
  const touched = exact.map((change) =>
    change.at === lines.length ? { at: last, deleted: 1, added: [{ ...lines[last]!, end: usual }, ...change.added] } : change,
  );
  return { lines: fixed, changes: touched };
}
