import { type CallItem, type Item, formatPlural } from '@codelab/client/view';
import type { Look } from '../session/look.js';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';
import { readDiff } from '@codelab/tools/patch';
import { renderDiff } from './render-diff.js';

/** What has changed in a folder under git since its last commit, as unified diffs. */
export interface Changes {
  readonly staged: string;
  /** With the files that git does not track. */
  readonly unstaged: string;
  /** Files that were not shown, since they are made to hold secrets. */
  readonly leftOut: readonly string[];
}

/** Draws them: how much it is, what goes into the next commit, and what doesn't yet. */
export function renderChanges({ staged, unstaged, leftOut }: Changes, { width, highlight }: Look): readonly Line[] {
  const parts = [
    ['In the next commit', staged],
    ['Not staged', unstaged],
  ] as const;
  const shown = parts.filter(([, diff]) => diff.trim() !== '');
  if (shown.length === 0 && leftOut.length === 0) return [[span('Nothing has changed since the last commit.', 'muted')]];
  const rows = shown.flatMap(([title, diff]) => [
    [span(title, 'strong'), span(`  ${countOf(diff)}`, 'muted')],
    [],
    ...renderDiff(diff, width, highlight),
    [],
  ]);
  const kept = leftOut.map((path) => sanitiseLine(path, 255)).join(', ');
  return kept === '' ? rows : [...rows, ...wrapSpans([span(`Not shown, for it may hold secrets: ${kept}`, 'muted')], { width })];
}

/** Draws what the calls of a conversation changed, one after the other, as far as it is still known here. */
export function renderSessionChanges(items: readonly Item[], { width, highlight }: Look): readonly Line[] {
  const changes = items.filter(isChange);
  if (changes.length === 0)
    return wrapSpans([span('No call of this conversation changed a file, as far as this window saw.', 'muted')], { width });
  return changes.flatMap(({ preview }) => [...renderDiff(preview!.text, width, highlight), []]);
}

const isChange = (item: Item): item is CallItem => item.kind === 'call' && item.progress === 'done' && item.preview?.kind === 'diff';

function countOf(diff: string): string {
  const files = readDiff(diff) ?? [];
  const sum = (name: 'added' | 'removed'): number => files.reduce((total, file) => total + file[name], 0);
  return `${formatPlural(files.length, 'file')}  +${sum('added')} −${sum('removed')}`;
}
