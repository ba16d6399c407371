import type { Key } from '../input/key.js';
import { editLine } from '../input/line-editor.js';
import type { Attention, ChatState, ChatStep } from './chat-state.js';
import { answerWithKey } from './take-attention.js';

/** A letter followed by another one within this time begins a message: it decides nothing. */
export const HOLD_MS = 180;
/** Timers and clocks disagree by a millisecond or two. */
const TIMER_SLACK_MS = 20;

/**
 * What a key does while something asks for attention. Somebody who types a message must not approve a call that appears under the fingers
 * (H3): letters typed before the panel could be seen, and letters typed in a row, go to the message.
 */
export function takeAttentionKey(state: ChatState, attention: Attention, key: Key, atMs: number): ChatStep {
  if (attention.kind !== 'approval' || attention.prompt.mode !== 'choose')
    return atMs < state.armedAtMs ? { state, effects: [] } : answerWithKey(state, attention, key);
  if (key.kind === 'paste') return toMessage(state, [key]);
  if (key.kind !== 'text') return { state: { ...state, held: undefined }, effects: [] };
  if (atMs < state.armedAtMs) return toMessage(state, [key]);
  if (state.held) return toMessage(state, [state.held.key, key]);
  return { state: { ...state, held: { key, atMs } }, effects: [{ kind: 'wake', afterMs: HOLD_MS + TIMER_SLACK_MS }] };
}

/** A letter that stood alone long enough was a decision. */
export function releaseHeld(state: ChatState, atMs: number): ChatStep {
  const { held, attention } = state;
  if (!held || atMs < held.atMs + HOLD_MS) return { state, effects: [] };
  const released = { ...state, held: undefined };
  return attention?.kind === 'approval' && state.focus === 'attention'
    ? answerWithKey(released, attention, held.key)
    : { state: released, effects: [] };
}

function toMessage(state: ChatState, keys: readonly Key[]): ChatStep {
  if (!state.writes) return { state: { ...state, held: undefined }, effects: [] };
  const editor = keys.reduce((next, key) => editLine(next, key).state, state.editor);
  return { state: { ...state, editor, focus: 'editor', held: undefined }, effects: [] };
}
