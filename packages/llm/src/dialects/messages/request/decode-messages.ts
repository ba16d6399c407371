import { findJson } from '../../../json/index.js';
import type { ImagePart, Message, Part, ToolResultPart } from '../../../canonical/message.js';
import { asList, asObject, asText, type Fields } from '../../../json/read-json.js';
import { decodeCacheMark } from '../../../canonical/cache-marks.js';
import { decodeContent } from './decode-content.js';

/**
 * Reads a conversation that `checkMessages` passed. Results become messages of their own, right behind the calls whatever stood between
 * (RQ17, RQ18); those of calls that the conversation doesn't have become text of the user (RQ6). The input of a call is the text that the
 * caller wrote.
 */
export function decodeMessages(messages: readonly unknown[], raw: string): Message[] {
  const reader = new ConversationReader(findInputs(raw));
  for (const [place, message] of messages.entries()) reader.add(asObject(message), place);
  return reader.end();
}

/** The texts of all inputs, by `<message>.<block>`. */
function findInputs(raw: string): ReadonlyMap<string, string> {
  if (!raw.includes('tool_use')) return new Map();
  const found = findJson(raw, ['messages', '*', 'content', '*', 'input']);
  return new Map([...found].map(({ path, start, end }) => [`${path[1]}.${path[3]}`, raw.slice(start, end)]));
}

class ConversationReader {
  private readonly inputs: ReadonlyMap<string, string>;
  private readonly messages: Message[] = [];
  private readonly calls = new Set<unknown>();
  /** What stands between two answers of the model: results go first. */
  private results: Message[] = [];
  private others: Message[] = [];

  constructor(inputs: ReadonlyMap<string, string>) {
    this.inputs = inputs;
  }

  add({ role, content }: Fields, place: number): void {
    if (role === 'assistant') {
      this.end();
      const parts = typeof content === 'string' ? decodeContent(content) : this.readAssistant(asList(content), place);
      if (parts.length > 0) this.messages.push({ role, parts });
      return;
    }
    const parts = typeof content === 'string' ? decodeContent(content) : asList(content).flatMap((block) => this.readUser(asObject(block)));
    if (parts.length > 0) this.others.push({ role: role === 'system' ? role : 'user', parts });
  }

  end(): Message[] {
    this.messages.push(...this.results.splice(0), ...this.others.splice(0));
    return this.messages;
  }

  private readAssistant(blocks: readonly unknown[], place: number): Part[] {
    return blocks.map(asObject).flatMap((block, blockPlace): Part[] => {
      const { type, id, name, thinking, signature, data, cache_control } = block;
      if (type === 'thinking') return [{ kind: 'thinking', text: thinking as string, signature: asText(signature) }];
      if (type === 'redacted_thinking') return [{ kind: 'redacted_thinking', data: data as string }];
      if (type !== 'tool_use') return decodeContent([block]);
      this.calls.add(id);
      const args = this.inputs.get(`${place}.${blockPlace}`) ?? '{}';
      return [{ kind: 'tool_call', id: id as string, name: name as string, arguments: args, cache: decodeCacheMark(cache_control) }];
    });
  }

  /** What the user says in a block; a result is put aside. */
  private readUser(block: Fields): Part[] {
    if (block.type !== 'tool_result') return decodeContent([block]);
    const parts = decodeContent(block.content);
    const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
    const images = parts.filter((part): part is ImagePart => part.kind === 'image');
    if (!this.calls.has(block.tool_use_id)) {
      return [...(text.trim() === '' ? [] : [{ kind: 'text', text: `Tool result: ${text}` } as const]), ...images];
    }
    const result: ToolResultPart = {
      kind: 'tool_result',
      id: block.tool_use_id as string,
      content: text,
      images: images.length > 0 ? images : undefined,
      isError: block.is_error === true,
      cache: decodeCacheMark(block.cache_control),
    };
    this.results.push({ role: 'tool', parts: [result] });
    return [];
  }
}
