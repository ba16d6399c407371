import { splitLines } from '../apply-hunks.js';
import type { FilePatch, PatchLine } from '../patch.js';
import type { Review } from './review.js';

/** The new content of a file, or why it can't be told exactly; `why` is a sentence. */
export type KeptContent = { readonly ok: true; readonly content: string } | { readonly ok: false; readonly why: string };

const OTHER: KeptContent = { ok: false, why: 'The preview shows another text than the one that would be written.' };

/**
 * What is left of a new content when only the reviewed part of its changes is made. The content itself is walked line by line: where the
 * change says what stands there, that is compared, never searched for, so the outcome is exact or there is none.
 *
 * @param content what would be written
 * @param change of the file as it is into `content`, the only one of its patch
 */
export function keepInContent(content: string, change: FilePatch, { chunks, editedChunks = [] }: Review): KeptContent {
  const lines = splitLines(content);
  const kept = new Set(chunks);
  const edits = new Map(editedChunks.map(({ chunk, lines: own }) => [chunk, own]));
  const result: string[] = [];
  let at = 0;
  for (const [index, hunk] of change.hunks.entries()) {
    const start = hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1;
    const now = sideOf(hunk.lines, '-');
    if (start < at || start + now.length > lines.length || now.some((line, offset) => lines[start + offset] !== line)) return OTHER;
    result.push(...lines.slice(at, start));
    const own = edits.get(index + 1) ?? hunk.lines;
    result.push(...(kept.has(index + 1) ? sideOf(own, '-') : sideOf(hunk.lines, '+')));
    at = start + now.length;
  }
  result.push(...lines.slice(at));
  const isOpen = result.slice(0, -1).some((line) => !line.endsWith('\n'));
  return isOpen ? { ok: false, why: 'A line without a newline would stand before others.' } : { ok: true, content: result.join('') };
}

const sideOf = (lines: readonly PatchLine[], other: '+' | '-'): readonly string[] =>
  lines.filter(({ sign }) => sign !== other).map(({ text, noNewline }) => (noNewline ? text : `${text}\n`));
