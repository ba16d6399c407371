import { readFinish, type FinishWords } from '../../../stream/read-finish.js';

/** What compatible servers say beside OpenAI's four words; an empty one is as good as `stop`. */
const WORDS: FinishWords = {
  stop: 'stop',
  '': 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'content_filter',
};

/** Reads a finish reason. */
export const decodeFinish = (word: string, hasCalls: boolean): ReturnType<typeof readFinish> => readFinish(word, WORDS, hasCalls);
