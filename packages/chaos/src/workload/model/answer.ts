import type { ChatRequest, Reply } from '@codelab/testkit';
import { readPlan, type PlannedStep } from '../script/conversation-plan.js';

/** Nobody planned an answer: a summary, for example. */
const UNPLANNED: Reply = { text: 'There is nothing to do.', usage: { prompt_tokens: 10, completion_tokens: 5 } };

/**
 * What the scripted model answers to a conversation. It is a function of the conversation alone, so that a request which is made once
 * more, after whatever died, gets the same answer.
 */
export function answerTo({ messages }: Pick<ChatRequest, 'messages'>): Reply {
  const planned = messages.findLastIndex(({ role, content }) => role === 'user' && readPlan(textOf(content)) !== undefined);
  const steps = readPlan(textOf(messages[planned]?.content));
  if (steps === undefined) return UNPLANNED;
  const done = messages.slice(planned + 1).filter(({ role }) => role === 'assistant').length;
  return toReply(steps[done] ?? { text: 'That was all.' });
}

const toReply = ({ text, uses = [], pauseMs = 0 }: PlannedStep): Reply => ({
  text,
  pieceCharacters: 6,
  delayMs: text === undefined ? 0 : pauseMs,
  toolCalls: uses.map(({ tool, args, mark }) => ({ id: `use_${mark}`, name: tool, arguments: JSON.stringify(args) })),
  usage: { prompt_tokens: 10, completion_tokens: 5 },
});

/** The text of a message of either dialect; results of tools are no text. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { type?: string; text?: string }) => (part.type === 'text' ? (part.text ?? '') : '')).join('\n')
      : '';
