import { cutContent, toEnvelope, type Envelope, type ServerFrameOf } from '@codelab/protocol';
import type { Retry, SessionState } from '../turn/turn-state.js';
import type { SessionFacts } from './session-facts.js';

type Status = ServerFrameOf<'agent_status'>['status'];

/** The frame that says what the agent does now, if that is news between two states and somebody reads it. */
export function statusFrame(
  before: SessionState,
  after: SessionState,
  { facts, nowMs }: { readonly facts: SessionFacts; readonly nowMs: number },
): Envelope | undefined {
  if (!facts.capabilities.has('agent_status')) return undefined;
  const [status, retry] = [statusOf(after), retryOf(after)];
  const isKnown = status === statusOf(before) && retry === retryOf(before) && before.turn?.turnId === after.turn?.turnId;
  if (isKnown) return undefined;
  const turnId = (after.turn ?? before.turn)?.turnId;
  return toEnvelope({ type: 'agent_status', status, turn_id: turnId, retry: retry && toWire(retry, nowMs) });
}

const statusOf = ({ turn }: SessionState): Status => {
  if (turn === undefined) return 'idle';
  if (turn.phase.kind === 'calling') return 'waiting';
  if (turn.phase.kind === 'asking' && turn.phase.step.compacting !== undefined) return 'compacting';
  return turn.phase.kind === 'asking' && turn.phase.step.text !== '' ? 'writing' : 'thinking';
};

/** Why the model is asked again, while that is so. */
const retryOf = ({ turn }: SessionState): Retry | undefined => {
  if (turn?.phase.kind === 'retrying') return turn.phase.retry;
  return turn?.phase.kind === 'asking' && turn.phase.step.text === '' ? turn.phase.step.retry : undefined;
};

/** A line or two of a terminal. */
const MAX_CHARACTERS = 300;

const toWire = ({ reason, message, attempt, maxAttempts, atMs }: Retry, nowMs: number): ServerFrameOf<'agent_status'>['retry'] => ({
  ...{ reason, message: cutContent(message, MAX_CHARACTERS).content, attempt, max_attempts: maxAttempts },
  ...{ retry_after_ms: Math.max(0, Math.round(atMs - nowMs)), retry_at_ms: Math.round(atMs) },
});
