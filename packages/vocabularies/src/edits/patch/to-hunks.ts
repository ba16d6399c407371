import type { Hunk, PatchLine } from '@codelab/tools';
import { type FileLine, splitFile } from '../file-lines.js';
import type { LineChange } from './edit-lines.js';

/** Lines of context around a change. */
const CONTEXT = 3;

/** Changes of a text as the hunks of a diff whose numbers and counts are right. `\r` of line ends stays part of the lines. */
export function toHunks(text: string, changes: readonly LineChange[]): Hunk[] {
  const { lines } = splitFile(text);
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.at - (last.at + last.deleted) <= 2 * CONTEXT) groups.at(-1)!.push(change);
    else groups.push([change]);
  }
  let shift = 0;
  return groups.map((group) => {
    const [first, last] = [group[0]!, group.at(-1)!];
    const from = Math.max(0, first.at - CONTEXT);
    const to = Math.min(lines.length, last.at + last.deleted + CONTEXT);
    const body: PatchLine[] = [];
    let row = from;
    for (const { at, deleted, added } of group) {
      for (; row < at; row++) body.push(toLine(' ', lines[row]!));
      for (; row < at + deleted; row++) body.push(toLine('-', lines[row]!));
      for (const line of added) body.push(toLine('+', line));
    }
    for (; row < to; row++) body.push(toLine(' ', lines[row]!));
    const oldLines = to - from;
    const newLines = body.filter(({ sign }) => sign !== '-').length;
    const start = (line: number, count: number): number => (count === 0 ? line : line + 1);
    const hunk = { oldStart: start(from, oldLines), oldLines, newStart: start(from + shift, newLines), newLines, section: '', lines: body };
    shift += newLines - oldLines;
    return hunk;
  });
}

const toLine = (sign: PatchLine['sign'], { text, end }: FileLine): PatchLine => ({
  sign,
  text: end === '\r\n' ? `${text}\r` : text,
  ...(end === '' ? { noNewline: true as const } : {}),
});
