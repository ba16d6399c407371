import { diffLines } from 'diff';
import type { TextChange } from './editor-host.js';

/** Comparing gives up then, and one large change is made. */
const COMPARE_MS = 500;

/** What makes `after` of `before`, line by line: what stays keeps its place, so cursors, folds and breakpoints stay, too. */
export function textChanges(before: string, after: string): readonly TextChange[] {
  if (before === after) return [];
  const parts = diffLines(before, after, { timeout: COMPARE_MS });
  if (parts === undefined) return [{ start: 0, end: before.length, text: after }];
  const changes: TextChange[] = [];
  let at = 0;
  let open: TextChange | undefined;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      if (open) changes.push(open);
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { start: at, end: at, text: '' };
    if (added) open = { ...open, text: open.text + value };
    else open = { ...open, end: (at += value.length) };
  }
  return open ? [...changes, open] : changes;
}
