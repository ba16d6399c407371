import type { ImagePart, Message, Part, TextPart } from '../../../canonical/message.js';
import { decodeCacheMark } from '../../../canonical/cache-marks.js';
import { decodeContent } from './decode-content.js';
import { asList, asObject, asText, type Fields } from '../../../json/read-json.js';

/**
 * Reads a conversation that `checkMessages` passed. Results of calls that it doesn't have become text of the user, behind the results that
 * they stand among (RQ6). Calls and results of old, which have no ids, get some.
 */
export function decodeMessages(messages: readonly unknown[]): Message[] {
  const reader = new ConversationReader();
  for (const [place, message] of messages.entries()) reader.add(asObject(message), `messages[${place}]`);
  return reader.end();
}

class ConversationReader {
  private readonly messages: Message[] = [];
  private readonly calls = new Set<string>();
  /** Function → the id made for its latest call. */
  private readonly functions = new Map<string, string>();
  /** Results of no call, until the results that they stand among are over. */
  private orphans: Message[] = [];

  add(message: Fields, param: string): void {
    const { role } = message;
    if (role === 'tool' || role === 'function') return this.addResult(message, param);
    this.end();
    if (role === 'assistant') this.messages.push({ role, parts: this.readAssistant(message, param) });
    else this.messages.push({ role: role === 'user' ? role : 'system', parts: readMarked(message, param) });
  }

  end(): Message[] {
    this.messages.push(...this.orphans);
    this.orphans = [];
    return this.messages;
  }

  private addResult(message: Fields, param: string): void {
    const { role, name, tool_call_id } = message;
    const id = role === 'tool' ? (tool_call_id as string) : (this.functions.get(name as string) ?? '');
    const parts = readMarked(message, param);
    const text = textOf(parts);
    const images = parts.filter((part): part is ImagePart => part.kind === 'image');
    if (this.calls.has(id)) {
      const cache = parts.findLast((part) => part.cache !== undefined)?.cache;
      const more = { images: images.length > 0 ? images : undefined, cache };
      this.messages.push({ role: 'tool', parts: [{ kind: 'tool_result', id, content: text, isError: false, ...more }] });
      return;
    }
    const said: TextPart[] = text.trim() === '' ? [] : [{ kind: 'text', text: `Tool result: ${text}` }];
    if (said.length + images.length > 0) this.orphans.push({ role: 'user', parts: [...said, ...images] });
  }

  private readAssistant(message: Fields, param: string): Part[] {
    const calls = this.readCalls(message);
    const content = readMarked(message, param);
    const refusal = asText(message.refusal);
    const said: Part[] = content.length === 0 && refusal !== undefined ? [{ kind: 'text', text: refusal }] : content;
    // some clients write a blank where they mean nothing (RQ3)
    const isBlank = calls.length > 0 && textOf(content).trim() === '';
    return [...readThoughts(message), ...(isBlank ? said.filter(({ kind }) => kind !== 'text') : said), ...calls];
  }

  private readCalls({ tool_calls, function_call }: Fields): Part[] {
    const calls = asList(tool_calls).map(asObject);
    const parts = calls.map((call): Part => toCall(call.id as string, asObject(call.function), call.cache_control));
    const { name } = asObject(function_call);
    if (typeof name === 'string') {
      const id = `call_function_${this.calls.size}`;
      this.functions.set(name, id);
      parts.push(toCall(id, asObject(function_call)));
    }
    for (const part of parts) if (part.kind === 'tool_call') this.calls.add(part.id);
    return parts;
  }
}

function toCall(id: string, { name, arguments: args }: Fields, mark?: unknown): Part {
  const text = typeof args === 'string' ? args : '';
  return { kind: 'tool_call', id, name: typeof name === 'string' ? name : '', arguments: text, cache: decodeCacheMark(mark) };
}

/** The content of a message. A cache mark on the message itself counts for its last part. */
function readMarked({ content, cache_control }: Fields, param: string): (TextPart | ImagePart)[] {
  const parts = decodeContent(content, `${param}.content`);
  const cache = decodeCacheMark(cache_control);
  const last = parts.at(-1);
  return cache && last ? [...parts.slice(0, -1), { ...last, cache }] : parts;
}

/** What the model thought: with signatures where the client kept them (`ThoughtBlock`), else as text. */
function readThoughts({ thinking_blocks, reasoning_content, reasoning }: Fields): Part[] {
  const blocks = asList(thinking_blocks).map(asObject).flatMap(readBlock);
  if (blocks.length > 0) return blocks;
  const text = asText(reasoning_content) ?? asText(reasoning);
  return text === undefined ? [] : [{ kind: 'thinking', text }];
}

function readBlock({ type, thinking, signature, data }: Fields): Part[] {
  if (type === 'redacted_thinking' && typeof data === 'string') return [{ kind: 'redacted_thinking', data }];
  if (type !== 'thinking' || typeof thinking !== 'string') return [];
  return [{ kind: 'thinking', text: thinking, signature: typeof signature === 'string' ? signature : undefined }];
}

function textOf(parts: readonly (TextPart | ImagePart)[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}
