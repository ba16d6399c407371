import type { PatchHunk } from './patch-parts.js';

/** Lines of the file that are quoted. */
const MAX_LINES = 12;
/** Lines that occur more often say nothing of a place. */
const MAX_TWINS = 20;
const MAX_WIDTH = 200;

/** The lines of a file where most of a hunk's old lines stand, numbered as `12⇥text`; empty if none does. */
export function nearestLines(lines: readonly string[], hunk: PatchHunk): string {
  const old = hunk.lines.filter(({ sign }) => sign !== '+').map(({ text }) => text.trim());
  const rows = new Map<string, number[]>();
  for (const [row, line] of lines.entries()) {
    const text = line.trim();
    if (text === '') continue;
    const known = rows.get(text);
    if (known === undefined) rows.set(text, [row]);
    else if (known.length <= MAX_TWINS) known.push(row);
  }
  const votes = new Map<number, number>();
  for (const [index, text] of old.entries()) {
    const found = rows.get(text) ?? [];
    if (found.length > MAX_TWINS) continue;
    for (const row of found) votes.set(row - index, (votes.get(row - index) ?? 0) + 1);
  }
  const best = [...votes].toSorted(([at, count], [other, more]) => more - count || at - other)[0]?.[0] ?? hunk.at;
  if (best === undefined || lines.length === 0) return '';
  const first = Math.min(Math.max(0, best), lines.length - 1);
  return lines
    .slice(first, first + Math.min(MAX_LINES, Math.max(old.length, 3)))
    .map((line, index) => `${String(first + index + 1)}\t${line.slice(0, MAX_WIDTH)}`)
    .join('\n');
}
