import type { AnswerMeta } from '../../dialect.js';
import type { FinishReason, StreamPart, Usage } from '../../../canonical/stream-part.js';
import { encodeUsage } from './usage.js';
import { ThoughtBlocks, type ThoughtBlock } from '../request/thought-blocks.js';
import type { WireToolCall } from '../wire.js';

/**
 * Writes an answer in one piece as a chat completion. Arguments are carried as they came; a call without any has `{}`, unless the answer
 * was cut off. Usage that nobody counted is left out.
 *
 * @param parts a whole answer, with its `finish`
 */
export function encodeAnswer(parts: readonly StreamPart[], { id, model, created }: AnswerMeta): string {
  const { text, thought, blocks, calls, reason, usage } = addUp(parts);
  const toolCalls = calls.map((call): WireToolCall => {
    const args = call.arguments.join('');
    const isMissing = args.trim() === '' && reason !== 'length';
    return { id: call.id, type: 'function', function: { name: call.name, arguments: isMissing ? '{}' : args } };
  });
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(thought !== '' && { reasoning_content: thought }),
    thinking_blocks: blocks.length > 0 ? blocks : undefined,
    ...(calls.length > 0 && { tool_calls: toolCalls }),
  };
  const finish = reason === 'stop' && calls.length > 0 ? 'tool_calls' : reason;
  return JSON.stringify({
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    ...(usage && { usage: encodeUsage(usage) }),
  });
}

interface Sum {
  text: string;
  thought: string;
  readonly blocks: ThoughtBlock[];
  readonly calls: { readonly id: string; readonly name: string; readonly arguments: string[] }[];
  reason: FinishReason;
  usage: Usage | undefined;
}

function addUp(parts: readonly StreamPart[]): Sum {
  const sum: Sum = { text: '', thought: '', blocks: [], calls: [], reason: 'stop', usage: undefined };
  const thoughts = new ThoughtBlocks();
  for (const part of parts) {
    switch (part.kind) {
      case 'text_delta':
        sum.text += part.text;
        break;
      case 'thinking_delta':
      case 'redacted_thinking': {
        if (part.kind === 'thinking_delta') sum.thought += part.text;
        const block = thoughts.add(part);
        if (block) sum.blocks.push(block);
        break;
      }
      case 'tool_call_start':
        sum.calls[part.index] = { id: part.id, name: part.name, arguments: [] };
        break;
      case 'tool_call_delta':
        sum.calls[part.index]?.arguments.push(part.arguments);
        break;
      case 'finish':
        sum.reason = part.reason;
        sum.usage = part.usage;
        break;
      case 'tool_call_end':
        break;
    }
  }
  return sum;
}
