import { decodeServerFrame, type DecisionRecord, letsRun } from '@codelab/protocol';
import { PLAN_TOOL } from '@codelab/tools';
import type { CallResult } from '../calls/call-result.js';
import { settleCall } from '../calls/settle-call.js';
import type { SessionFacts } from '../session/session-facts.js';
import type { StepBuilder } from '../turn/step-builder.js';
import type { UndecidedCall } from '../turn/turn-state.js';

/** Whether a call puts a plan before the human: a tool that only a client or a program has may be called so, too. */
export function isPlan({ program }: Pick<SessionFacts, 'program'>, { toolName, frame }: UndecidedCall): boolean {
  if (toolName !== PLAN_TOOL.name || program !== undefined) return false;
  const sent = decodeServerFrame(frame);
  return sent?.type === 'tool_call' && sent.runs_at === 'server';
}

/**
 * Takes what a human decided about a plan; nobody has to run it. Accepted, it ends the mode `plan` in the same commit, for a mode that asks.
 * Whoever wants less to be asked chooses that mode once the plan is accepted: before this commit or after it, that mode stays.
 * @param refused the result of a plan that was not accepted
 */
export function decidePlan(builder: StepBuilder, call: UndecidedCall, decision: DecisionRecord, refused: CallResult): void {
  if (!letsRun(decision.outcome)) return settleCall(builder, call, refused);
  if (builder.context.facts.plans) builder.leavePlanMode();
  settleCall(builder, call, accepted(decision));
}

const ACCEPTED = 'The user has accepted the plan. Plan mode is over: carry it out now, and verify it as it says.';

const accepted = ({ args }: DecisionRecord): CallResult => ({
  content: args === undefined ? ACCEPTED : `${ACCEPTED}\nThe user changed the plan. This is what they accepted:\n${planIn(args)}`,
  isError: false,
  outcome: 'ok',
  synthetic: true,
  inRecord: false,
});

const planIn = (args: string): string => {
  const { plan } = JSON.parse(args) as { readonly plan?: unknown };
  return typeof plan === 'string' ? plan : '';
};
