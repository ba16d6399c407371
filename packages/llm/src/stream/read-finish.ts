import type { FinishReason, StreamPart } from '../canonical/stream-part.js';

/** The words of a provider and what they mean. */
export type FinishWords = Readonly<Record<string, FinishReason>>;

type Finish = Pick<Extract<StreamPart, { kind: 'finish' }>, 'reason' | 'unknownReason'>;

/** What may stand in a log: providers' words do, their sentences don't (L1). */
const WORD = /^[\w.-]{1,40}$/;

/** Reads why an answer ended. Calls make a `stop` into `tool_calls`, and only calls do; an unknown word counts as `stop` and is named. */
export function readFinish(word: string, words: FinishWords, hasCalls: boolean): Finish {
  const isKnown = Object.hasOwn(words, word);
  const reason = isKnown ? words[word]! : 'stop';
  if (reason === 'length' || reason === 'content_filter') return { reason };
  return { reason: hasCalls ? 'tool_calls' : 'stop', ...(!isKnown && { unknownReason: WORD.test(word) ? word : '?' }) };
}
