import { asksHuman } from '../policy/policy-row.js';
import { HUMAN_DEADLINE_MS, answer, defineTool, takes } from './tool-definition.js';
import { filesOf, joined, listOf, plural, shown } from './wording.js';

/**
 * Lets the human choose chunks of a diff and applies nothing → `{filtered_diff, action, chunks_selected[], chunks_total, chunks_dropped[]?,
 * chunks_edited[]?}` (docs/specification/tools.md#apply_patch_review).
 */
export const applyPatchReview = defineTool({
  name: 'apply_patch_review',
  since: '1.0',
  group: 'user',
  access: 'readonly',
  description:
    'Shows a unified diff to the user, who keeps, drops and edits chunks of it. Changes nothing: pass the returned "filtered_diff" to apply_patch. ' +
    'Chunks are numbered from 1 over all files.',
  parameters: takes(['diff'], {
    diff: { type: 'string', description: 'The diff to review, as `git diff` prints it.' },
    message: { type: 'string', description: 'What the user should know about it.' },
  }),
  result: answer(['filtered_diff', 'action', 'chunks_selected', 'chunks_total'], {
    filtered_diff: { type: 'string' },
    action: { type: 'string', enum: ['apply', 'cancel'] },
    chunks_selected: { type: 'array', items: { type: 'integer' } },
    chunks_total: { type: 'integer' },
    chunks_dropped: { type: 'array', items: { type: 'integer' }, description: 'Chunks of which the user wants nothing.' },
    chunks_edited: {
      type: 'array',
      items: { type: 'integer' },
      description: 'Chunks that the user kept in part or with other lines: "filtered_diff" has what is left.',
    },
  }),
  essential: ['filtered_diff'],
  errors: ['PATCH_APPLY_FAILED', 'FILE_TOO_LARGE', 'DENIED_BY_POLICY', 'CANCELLED', 'INVALID_ARGUMENTS'],
  limits: ['5 MB of diff'],
  deadlineMs: HUMAN_DEADLINE_MS,
  policy: asksHuman('shows a patch for review'),
  paths: { diff: 'diff', onlyShown: true },
  describe: (args) => filesOf(shown(args, 'diff')),
  summarise: (result) => {
    const kept = listOf(result, 'chunks_selected');
    if (kept === undefined || result['action'] === 'cancel') return kept && 'cancelled';
    const edited = listOf(result, 'chunks_edited')?.length ?? 0;
    return joined(
      `${String(kept.length)} of ${plural(Number(result['chunks_total']), 'hunk')}`,
      edited === 0 ? undefined : `${String(edited)} edited`,
    );
  },
});
