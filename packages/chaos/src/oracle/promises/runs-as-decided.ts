import { decisionOf, marksIn, originalOf } from '../../workload/script/marks.js';
import { digestOf } from '../canonical-digest.js';
import type { ChaosFrame } from '../../recording/chaos-event.js';
import { groupBy } from '../grouping.js';
import type { Promised } from '../violation.js';

export const runsAsDecided: Promised = {
  name: 'runs-as-decided',
  says: 'What runs are exactly the arguments that were decided on: edited ones as edited (H2).',
  *judge(story) {
    const digests = groupBy(
      story.told.filter(({ frame }) => ['tool_call', 'approval_resolved'].includes(frame.type) && typeof frame['args_sha256'] === 'string'),
      ({ frame }) => String(frame['call_id']),
    );
    const edits = groupBy(
      story.told.filter(({ frame }) => frame.type === 'approval_resolved' && frame['outcome'] === 'edited'),
      ({ frame }) => String(frame['call_id']),
    );
    for (const { callId, what, args, at, index, tool } of story.of('run')) {
      if (what !== 'begin' || args === undefined) continue;
      const digest = digestOf(args);
      // What began before an edit was by an earlier decision, which the store may have lost since.
      const edit = edits.get(callId)?.findLast((told) => told.index < index);
      const allowed =
        edit === undefined ? (digests.get(callId) ?? []).map(({ frame }) => frame['args_sha256']) : [edit.frame['args_sha256']];
      if (!allowed.includes(digest))
        yield {
          text: `${callId} (${tool}) ran with arguments of the digest ${digest.slice(0, 8)}, decided were ${allowed.map((one) => String(one).slice(0, 8)).join(', ') || 'none'}`,
          at,
          events: [index],
        };
    }
    // Somebody else may have been faster, by REST as well, and have approved it as it was.
    const answers = story.of('rest').map(({ answer }) => answer as ChaosFrame | undefined);
    const approved = new Set(
      [...story.told.map(({ frame }) => frame), ...answers].flatMap((frame) =>
        frame?.type === 'approval_resolved' && frame['outcome'] === 'approved' ? [frame['call_id']] : [],
      ),
    );
    const wasApproved = (mark: string): boolean =>
      story.of('run').some(({ callId, args }) => approved.has(callId) && marksIn(args).includes(mark));
    for (const { mark, session, at, index } of story.of('effect'))
      if (decisionOf(mark) === 'edit' && originalOf(mark) === mark && !session.endsWith('raw') && !wasApproved(mark))
        yield { text: `${mark} took effect as it was before it was edited`, at, events: [index] };
  },
};
