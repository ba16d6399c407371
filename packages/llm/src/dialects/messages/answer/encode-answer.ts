import { parseJson } from '../../../json/read-json.js';
import type { AnswerMeta } from '../../dialect.js';
import { RawJson, toJsonText } from '../../../json/index.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import { BlockOrder } from '../stream/block-order.js';
import { encodeUsage } from './usage.js';
import { encodeStop } from './stop-reasons.js';

type Block =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; thinking: string; signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; input: RawJson };

/**
 * Writes an answer in one piece as a message: JSON text. The input of a call is the text that the model wrote; where that is no JSON, as
 * after a cut, it is `{}`.
 *
 * @param parts a whole answer, with its `finish`
 */
export function encodeAnswer(parts: readonly StreamPart[], { id, model }: AnswerMeta): string {
  const adder = new BlockAdder();
  const order = new BlockOrder();
  let finish: Extract<StreamPart, { kind: 'finish' }> = { kind: 'finish', reason: 'stop' };
  for (const part of parts) {
    if (part.kind === 'finish') finish = part;
    else for (const next of order.add(part)) adder.add(next);
  }
  for (const next of order.end()) adder.add(next);
  const content = adder.blocks;
  const hasCalls = content.some(({ type }) => type === 'tool_use');
  const head = { id, type: 'message', role: 'assistant', model, content };
  return toJsonText({ ...head, ...encodeStop(finish.reason, hasCalls, finish.stopSequence), usage: encodeUsage(finish.usage) });
}

/** Adds parts up to blocks. */
class BlockAdder {
  readonly blocks: Block[] = [];
  private arguments: string[] = [];

  add(part: Exclude<StreamPart, { kind: 'finish' }>): void {
    const last = this.blocks.at(-1);
    switch (part.kind) {
      case 'text_delta':
        if (last?.type === 'text') last.text += part.text;
        else if (part.text !== '') this.blocks.push({ type: 'text', text: part.text });
        return;
      case 'thinking_delta':
        if (last?.type === 'thinking' && last.signature === '') {
          last.thinking += part.text;
          last.signature = part.signature ?? '';
        } else if (part.text !== '' || part.signature !== undefined) {
          this.blocks.push({ type: 'thinking', thinking: part.text, signature: part.signature ?? '' });
        }
        return;
      case 'redacted_thinking':
        this.blocks.push({ type: 'redacted_thinking', data: part.data });
        return;
      case 'tool_call_start':
        this.arguments = [];
        this.blocks.push({ type: 'tool_use', id: part.id, name: part.name, input: EMPTY });
        return;
      case 'tool_call_delta':
        this.arguments.push(part.arguments);
        return;
      case 'tool_call_end':
        if (last?.type === 'tool_use') {
          const text = this.arguments.join('');
          last.input = parseJson(text) === undefined ? EMPTY : new RawJson(text);
        }
    }
  }
}

const EMPTY = new RawJson('{}');
