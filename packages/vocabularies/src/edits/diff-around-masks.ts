import { findMask, formatPatch, type Hunk, type PatchLine } from '@codelab/tools';
import { findRuns } from './find-runs.js';

/** Lines of context around a change, where there is so much without a mask. */
const CONTEXT = 3;

/** A part of the file between lines with masks: its place in the old and in the new text, as ranges of lines. */
interface Segment {
  readonly old: readonly [from: number, to: number];
  readonly new: readonly [from: number, to: number];
}

/**
 * A change of a file in which secrets are hidden, as a diff that leaves the lines with masks alone: to write the whole text would destroy
 * the secrets. Every hunk fits in one place only, since a mask may stand for several lines and the numbers of lines can't be relied on.
 * `undefined`: the change touches a line with a mask, or a hunk would fit in several places.
 * @param path relative to the workspace
 */
export function diffAroundMasks(path: string, before: string, after: string): string | undefined {
  const [old, changed] = [toLines(before), toLines(after)];
  const hunks: Hunk[] = [];
  for (const segment of segmentsOf(old, changed) ?? [undefined]) {
    if (segment === undefined) return undefined;
    const hunk = hunkOf(segment, old, changed);
    if (hunk === undefined) return undefined;
    hunks.push(...hunk);
  }
  return hunks.length === 0 ? undefined : formatPatch([{ kind: 'modify', oldPath: path, newPath: path, hunks }]);
}

/** Lines without their `\n`, which the last one may lack. */
const toLines = (text: string): PatchLine[] => {
  const lines = text.split('\n').map((line): PatchLine => ({ sign: ' ', text: line }));
  const last = lines.pop()!;
  return last.text === '' ? lines : [...lines, { ...last, noNewline: true }];
};

const isMasked = ({ text }: PatchLine): boolean => findMask(text) !== undefined;
const same = (one: PatchLine | undefined, other: PatchLine | undefined): boolean =>
  one?.text === other?.text && one?.noNewline === other?.noNewline;

/** What lies between the lines with masks, if these are the same in both texts. */
function segmentsOf(old: readonly PatchLine[], changed: readonly PatchLine[]): Segment[] | undefined {
  const masksOf = (lines: readonly PatchLine[]): number[] => lines.flatMap((line, place) => (isMasked(line) ? [place] : []));
  const [oldMasks, newMasks] = [masksOf(old), masksOf(changed)];
  if (oldMasks.length !== newMasks.length || !oldMasks.every((place, index) => same(old[place], changed[newMasks[index]!])))
    return undefined;
  const rangesOf = (masks: readonly number[], end: number): (readonly [number, number])[] =>
    [...masks, end].map((to, index) => [index === 0 ? 0 : masks[index - 1]! + 1, to] as const);
  const newRanges = rangesOf(newMasks, changed.length);
  return rangesOf(oldMasks, old.length).map((range, index) => ({ old: range, new: newRanges[index]! }));
}

/** One hunk for all that differs in a segment, none if nothing does; `undefined` if it would not be the only place where it fits. */
function hunkOf(segment: Segment, old: readonly PatchLine[], changed: readonly PatchLine[]): Hunk[] | undefined {
  let [[from, to], [newFrom, newTo]] = [segment.old, segment.new];
  while (from < to && newFrom < newTo && same(old[from], changed[newFrom])) [from, newFrom] = [from + 1, newFrom + 1];
  while (to > from && newTo > newFrom && same(old[to - 1], changed[newTo - 1])) [to, newTo] = [to - 1, newTo - 1];
  if (from === to && newFrom === newTo) return [];
  const texts = old.map(({ text }) => text);
  for (let around = CONTEXT; ; around *= 2) {
    const [first, last] = [Math.max(segment.old[0], from - around), Math.min(segment.old[1], to + around)];
    const isOnly = last > first && findRuns(texts, texts.slice(first, last)).length === 1;
    if (!isOnly && (first > segment.old[0] || last < segment.old[1])) continue;
    if (!isOnly) return undefined;
    const removed = old.slice(from, to).map((line): PatchLine => ({ ...line, sign: '-' }));
    const added = changed.slice(newFrom, newTo).map((line): PatchLine => ({ ...line, sign: '+' }));
    const lines = [...old.slice(first, from), ...removed, ...added, ...old.slice(to, last)];
    const newLines = last - first + added.length - removed.length;
    return [{ oldStart: first + 1, oldLines: last - first, newStart: newFrom - (from - first) + 1, newLines, section: '', lines }];
  }
}
