import { APPROVAL_OUTCOMES, CALL_STATES, type ApprovalOutcome, type CallState, type Idempotency } from '../../call/call.js';
import { defineServerFrame } from '../../define-frame.js';
import { Carried, Choice, Digest, Flag, Integer, Nested, NestedList, Text, TextList } from '../../fields.js';
import type { JsonText } from '../../json-text.js';
import { RuleProposal } from '../rule.js';
import { Operand } from './tool-preview.frame.js';

/** What an approver should know, and what was decided. */
export class Approval {
  @Text('Why it is asked.') reason!: string;
  @Choice('How much can go wrong.', ['low', 'medium', 'high']) risk!: 'low' | 'medium' | 'high';
  @TextList('The decisions that are possible.', { maxItems: 8 }) choices!: string[];
  @NestedList('Rules that would spare the question from now on, narrowest first.', RuleProposal, { optional: true, maxItems: 8 })
  proposals?: RuleProposal[];
  @Integer('The number of the question about the call, one more each time it is put anew. Absent: 1.', { optional: true, min: 1 })
  question?: number;
  @Integer('When the question expires, in Unix milliseconds.', { optional: true }) expires_at_ms?: number;
  @Choice('What was decided.', APPROVAL_OUTCOMES, { optional: true }) outcome?: ApprovalOutcome;
  @Text('Who decided.', { optional: true }) by?: string;
  @Integer('When, in Unix milliseconds.', { optional: true }) at_ms?: number;
}

/** Asks the executor to run a tool (docs/specification/calls.md). */
export class ToolCall {
  @Text('The call; made here, never a provider’s id.') call_id!: string;
  @Text('The tool, by its canonical name.') tool_name!: string;
  @Carried('The arguments.') args!: JsonText;
  @Flag('The call runs only when somebody has approved it.') requires_approval!: boolean;
  @Digest('Lower-case hex SHA-256 of the canonical JSON (RFC 8785) of `args` (H2).') args_sha256!: string;
  @Integer('The number of the assignment: 1, and one more each time the call, once handed out to be run, goes to another executor.', {
    min: 1,
  })
  fence!: number;
  @Integer('Time for the execution, from its start, in milliseconds.') deadline_ms!: number;
  @Choice('`safe`: running it twice does no harm.', ['safe', 'unsafe']) idempotency!: Idempotency;
  @Choice('Where the call stands.', CALL_STATES) state!: CallState;
  @NestedList(
    'Files that the rule which allows the call is bound to: if one has another content, `APPROVAL_MISMATCH`, nothing done (H2).',
    Operand,
    {
      optional: true,
      maxItems: 32,
    },
  )
  operands?: Operand[];
  @Nested('The question and its answer.', Approval, { optional: true }) approval?: Approval;
  @Choice(
    '`proxy`: a program asks through llm-proxy, in a session of its own; `task`: an agent does that works on a part of the task. Such a call has no `seq`, as have the frames about it; it is answered like any other.',
    ['proxy', 'task'],
    { optional: true },
  )
  origin?: 'proxy' | 'task';
  @Text('Of a call with the origin `task`: the call of the tool `task` that it is made for.', { optional: true }) task_call_id?: string;
  @Choice('`server`: the servers run the call. It is here to be decided or shown: no client runs or answers it.', ['server'], {
    optional: true,
  })
  runs_at?: 'server';
  @Text('W3C trace context.', { optional: true }) traceparent?: string;
}

export const toolCall = defineServerFrame({ type: 'tool_call', body: ToolCall, log: true, summary: 'Asks the executor to run a tool.' });
