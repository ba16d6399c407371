import { code, count, failure, join, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';

const START = /^(?:diff --git |--- \S[^\n]*\n\+\+\+ )/m;
const FENCED = /(?:^|\n)[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:\n[ \t]*\1[ \t]*(?=\n|$)|$)/g;

/** A request with a diff in it: the diff, and what is said beside it. */
export interface Pasted {
  readonly diff: string;
  readonly words: string;
}

/** Finds a pasted diff, in a code block or from its first line to the end. */
export function findDiff(request: string): Pasted | undefined {
  for (const { 0: block, 2: content = '' } of request.matchAll(FENCED)) {
    if (START.test(content)) return { diff: `${content}\n`, words: request.replace(block, '\n') };
  }
  const start = START.exec(request)?.index;
  if (start === undefined) return undefined;
  const diff = request.slice(start);
  return { diff: diff.endsWith('\n') ? diff : `${diff}\n`, words: request.slice(0, start) };
}

/** Applies a pasted diff; reviews it first when the words ask for it, and applies then what was kept. */
export function applyPatch({ diff, words }: Pasted): Task {
  const wantsReview = /review|провер|검토/i.test(words);
  const dirty = /dirty|anyway/i.test(words);
  const doing = wantsReview ? 'show you the patch, and apply what you keep of it' : 'apply the patch';
  function* play(): Play {
    let kept = diff;
    let note = '';
    if (wantsReview) {
      const review = yield { tool: 'apply_patch_review', args: { diff, message: 'Choose the changes to apply.' }, optional: ['message'] };
      if (!review.ok) return failure('show you the patch', review);
      const { action, filtered_diff: filtered, chunks_selected: selected, chunks_total: total } = review.value;
      kept = textOf(filtered) ?? '';
      if (action !== 'apply' || kept.trim() === '') return { text: 'You kept nothing of the patch, so I applied nothing.', stop: true };
      if (Array.isArray(selected) && typeof total === 'number') note = `You kept ${selected.length} of ${count(total, 'chunk')}. `;
    }
    const outcome = yield { tool: 'apply_patch', args: { diff: kept, ...(dirty && { allow_dirty: true }) }, optional: ['allow_dirty'] };
    if (!outcome.ok) return failure('apply the patch', outcome);
    const files = Array.isArray(outcome.value.files_modified) ? (outcome.value.files_modified as unknown[]).map(String) : [];
    return { text: `${note}Applied the patch${files.length === 0 ? '' : ` to ${join(files.map(code))}`}.` };
  }
  return { tools: wantsReview ? ['apply_patch_review', 'apply_patch'] : ['apply_patch'], readonly: false, doing, play };
}
