import type { Turn } from './turn-state.js';

/** A turn at its beginning: nothing asked, used or called yet. */
export const newTurn = (begun: Pick<Turn, 'turnId' | 'messageIds' | 'model' | 'agent'>, nowMs: number): Turn => ({
  ...begun,
  startedAtMs: nowMs,
  rounds: 0,
  failures: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  activeMs: 0,
  phase: { kind: 'starting' },
  phaseSinceMs: nowMs,
  steered: [],
  recent: [],
});
