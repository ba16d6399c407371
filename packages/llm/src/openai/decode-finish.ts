import type { FinishReason } from '../stream-part.js';

/** What compatible servers say instead of OpenAI's four words. */
const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'content_filter',
};

/** Reads a finish reason. Calls make a `stop` into `tool_calls`, and only calls do; an unknown word counts as `stop`. */
export function decodeFinish(word: string, hasCalls: boolean): FinishReason {
  const reason = REASONS[word] ?? 'stop';
  if (reason === 'length' || reason === 'content_filter') return reason;
  return hasCalls ? 'tool_calls' : 'stop';
}
