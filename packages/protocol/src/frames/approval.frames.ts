import { defineServerFrame } from '../define-frame.js';
import { Carried, Choice, Digest, Integer, Nested, NestedList, Text } from '../fields.js';
import type { JsonText } from '../json-text.js';
import { APPROVAL_OUTCOMES, type ApprovalOutcome } from '../call/call.js';
import { Operand, Preview } from './tool/tool-preview.frame.js';
import { ToolError } from './tool/tool-result.frame.js';

/** What the executor would do, for the approvers. */
export class ApprovalUpdated {
  @Text('The call.') call_id!: string;
  @Nested('What to show.', Preview) preview!: Preview;
  @NestedList('The files that the call depends on (H2).', Operand, { maxItems: 256 }) operands!: Operand[];
}

/** A call was decided: the executor runs exactly these arguments, every open client clears its prompt. */
export class ApprovalResolved {
  @Text('The call.') call_id!: string;
  @Choice('What was decided.', APPROVAL_OUTCOMES) outcome!: ApprovalOutcome;
  @Digest('The digest of the arguments to run (H2).') args_sha256!: string;
  @Carried('The arguments to run, if they were edited.', { optional: true }) args?: JsonText;
  @Text('Words of the one who decided.', { optional: true }) feedback?: string;
  @Nested('Why nobody needs to decide: its preview failed with this. The call has failed; `outcome` is `cancelled`.', ToolError, {
    optional: true,
  })
  error?: ToolError;
  @Text('Who decided: a subject, `executor`, or `policy`.') by!: string;
  @Integer('When, in Unix milliseconds.') at_ms!: number;
}

export const approvalUpdated = defineServerFrame({
  type: 'approval_updated',
  body: ApprovalUpdated,
  log: true,
  summary: 'What the executor would do, for the other approvers.',
});
export const approvalResolved = defineServerFrame({
  type: 'approval_resolved',
  body: ApprovalResolved,
  log: true,
  summary: 'A call was decided. Answers `hitl_decision`.',
});
