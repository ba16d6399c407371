import type { StepDelta } from '@codelab/bus';
import { toEnvelope, type Envelope } from '@codelab/protocol';
import type { SessionState } from '../turn/turn-state.js';
import type { SessionFacts } from './session-facts.js';

/** The frame that tells a piece of thought of the request that is being answered, if somebody reads it. */
export function thoughtFrame({ turn }: SessionState, delta: StepDelta, { capabilities }: SessionFacts): Envelope | undefined {
  if (turn?.phase.kind !== 'asking' || delta.thought === undefined || !capabilities.has('agent_thought')) return undefined;
  const { stepId, attempt } = turn.phase.step;
  if (stepId !== delta.stepId || delta.attempt < attempt) return undefined;
  return toEnvelope({ type: 'agent_thought', turn_id: turn.turnId, token: delta.thought });
}
