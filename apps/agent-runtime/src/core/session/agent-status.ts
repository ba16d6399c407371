import { toEnvelope, type Envelope } from '@codelab/protocol';
import type { SessionFacts } from './session-facts.js';
import type { SessionState } from '../turn/turn-state.js';

type Status = 'thinking' | 'writing' | 'waiting' | 'idle';

const statusOf = ({ turn }: SessionState): Status => {
  if (turn === undefined) return 'idle';
  if (turn.phase.kind === 'calling') return 'waiting';
  return turn.phase.kind === 'asking' && turn.phase.step.text !== '' ? 'writing' : 'thinking';
};

/** The frame that says what the agent does now, if that is news between two states and somebody reads it. */
export function agentStatusFrame(before: SessionState, after: SessionState, facts: SessionFacts): Envelope | undefined {
  const status = statusOf(after);
  if (!facts.capabilities.has('agent_status') || (status === statusOf(before) && before.turn?.turnId === after.turn?.turnId))
    return undefined;
  const turnId = (after.turn ?? before.turn)?.turnId;
  return toEnvelope({ type: 'agent_status', status, turn_id: turnId });
}
