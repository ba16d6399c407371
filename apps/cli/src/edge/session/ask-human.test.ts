import { expect, test } from 'vitest';
import type { ApprovalRequest } from '@codelab/client';
import { verifies } from '@codelab/testkit';
import { formatPatch, parsePatch } from '@codelab/tools';
import type { Asked, ChatEvent } from '../../core/chat/chat-state.js';
import { HumanAtTerminal } from './ask-human.js';

const PATCH = parsePatch('--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n');
const DIFF = formatPatch(PATCH);
const requestOf = (callId: string, more: object = {}): ApprovalRequest => ({
  ...{
    callId,
    toolName: 'apply_patch',
    args: { diff: DIFF, ...more },
    argsText: JSON.stringify({ diff: DIFF, ...more }),
    argsSha256: callId,
    origin: 'server',
  },
  onPreview: () => () => undefined,
});

test.each([
  ['once', false, {}, [{ decision: 'approve' }, undefined]],
  ['in its turn only', true, {}, [undefined, undefined]],
  ['for a clean work tree', false, { allow_dirty: false }, [{ decision: 'approve' }, undefined]],
  ['not over changes of the user', false, { allow_dirty: true }, [undefined, undefined]],
])(verifies('H1:reviewed', 'the patch that a review left is approved by it %s'), async (_when, turnEnds, more, expected) => {
  const asked: Asked[] = [];
  const human = new HumanAtTerminal((event: ChatEvent) => event.kind === 'asked' && asked.push(event.asked));
  const reviewing = human.reviewPatch(PATCH, undefined, new AbortController().signal);
  const [review] = asked;
  human.take({ kind: 'answer_review', callId: review?.kind === 'review' ? review.callId : '', review: { action: 'apply', chunks: [1] } });
  await reviewing;
  if (turnEnds) human.endTurn();
  const withdrawn = new AbortController();
  const answers = ['first', 'second'].map((callId) => human.approve(requestOf(callId, more), withdrawn.signal));
  withdrawn.abort();
  expect(await Promise.all(answers)).toEqual(expected);
});
