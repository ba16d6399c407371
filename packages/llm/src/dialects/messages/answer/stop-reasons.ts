import { readFinish, type FinishWords } from '../../../stream/read-finish.js';
import type { FinishReason } from '../../../canonical/stream-part.js';

const WORDS: FinishWords = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

/** Reads a stop reason. */
export const decodeStop = (word: string, hasCalls: boolean): ReturnType<typeof readFinish> => readFinish(word, WORDS, hasCalls);

/** Writes a stop reason. A tool block that went out makes a stop into `tool_use`, but an answer that was cut off stays one (F7). */
export function encodeStop(reason: FinishReason, hasCalls: boolean, stopSequence?: string): object {
  switch (reason) {
    case 'length':
      return { stop_reason: 'max_tokens', stop_sequence: null };
    case 'content_filter':
      return { stop_reason: 'refusal', stop_sequence: null };
    case 'stop':
    case 'tool_calls':
      if (hasCalls) return { stop_reason: 'tool_use', stop_sequence: null };
      return { stop_reason: stopSequence === undefined ? 'end_turn' : 'stop_sequence', stop_sequence: stopSequence ?? null };
  }
}
