import { toObjectText } from '../../../json/read-json.js';
import { keepText, RawJson } from '../../../json/index.js';
import type { CacheMark, ImagePart, Message, Part, TextPart, ToolCallPart, ToolResultPart } from '../../../canonical/message.js';
import { Memo } from '../../../memo.js';
import { toProviderCallId } from '../../../names/provider-call-id.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { UniqueNames } from '../../../names/unique-names.js';
import type { WireBlock, WireCacheControl, WireImage, WireMessage, WireText, WireToolResult } from '../wire.js';

export interface EncodedMessages {
  readonly system: readonly WireText[];
  readonly messages: readonly WireMessage[];
}

/** Anthropic's pattern for ids of calls; the bound is ours. */
const LEGAL_ID = /^[a-zA-Z0-9_-]{1,64}$/;

const TEXTS = new Memo<TextPart, readonly WireText[]>();
const BLOCKS = new Memo<ToolCallPart, WireBlock>();
const RESULTS = new Memo<ToolResultPart, WireToolResult>();

interface Turn {
  readonly role: 'user' | 'assistant';
  /** Results of the calls in the turn before: they stand first. */
  readonly results: WireToolResult[];
  readonly others: WireBlock[];
}

/**
 * Writes a conversation as Anthropic takes it: turns of user and assistant by turns, beginning with the user (RQ4, RQ5), results before
 * everything else and only of calls in the turn before, no blank text (RQ3), ids that are legal and used once. System messages before all
 * others become `system`; a later one stays in place as text of the user (RQ8). A result without its call is text too (RQ6).
 */
export function encodeMessages(messages: readonly Message[], names: ToolNames, goesOn = false): EncodedMessages {
  const begin = messages.findIndex(({ role }) => role !== 'system');
  const [head, rest] = begin < 0 ? [messages, []] : [messages.slice(0, begin), messages.slice(begin)];
  const system = head.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? encodePart(part, goesOn) : [])));
  const writer = new TurnWriter(names, goesOn);
  for (const message of rest) writer.add(message);
  if (rest.at(-1)?.role === 'user') writer.assertAsked();
  const turns = writer.end();
  // a conversation of nothing but instructions: they are what is asked
  return turns.length === 0
    ? { system: [], messages: system.length === 0 ? [] : [{ role: 'user', content: system }] }
    : { system, messages: turns };
}

class TurnWriter {
  private readonly names: ToolNames;
  private readonly turns: Turn[] = [];
  /** The calls of the last assistant turn that have no result yet, by the id that the request gives them. */
  private readonly open = new Map<string, string>();
  private readonly ids = new UniqueNames();

  /** @param goesOn what is written is remembered: the same messages will be asked again */
  constructor(
    names: ToolNames,
    private readonly goesOn: boolean,
  ) {
    this.names = names;
  }

  add({ role, parts }: Message): void {
    if (role === 'assistant') for (const part of parts) this.addOfAssistant(part);
    else for (const part of parts) this.addOfUser(part);
  }

  /** A blank question is one all the same: without it the model would be asked to go on with its own answer, or with nothing. */
  assertAsked(): void {
    if (this.turns.at(-1)?.role !== 'user') this.turn('user').others.push(...encodeText('…'));
  }

  end(): WireMessage[] {
    const messages = this.turns.map((turn) => toMessage(turn, this.goesOn));
    const last = messages.at(-1);
    if (last?.role === 'assistant') messages[messages.length - 1] = { ...last, content: withoutTrailingBlanks(last.content) };
    return messages[0]?.role === 'assistant' ? [{ role: 'user', content: encodeText('…') }, ...messages] : messages;
  }

  private turn(role: Turn['role']): Turn {
    const last = this.turns.at(-1);
    if (last?.role === role) return last;
    if (role === 'assistant') this.open.clear();
    const turn: Turn = { role, results: [], others: [] };
    this.turns.push(turn);
    return turn;
  }

  private addOfAssistant(part: Part): void {
    const block = this.encodeSaid(part);
    if (block) this.turn('assistant').others.push(block);
    if (part.kind !== 'tool_call') return;
    const { others } = this.turn('assistant'); // before its id is opened: a new turn closes those before
    const id = this.ids.give(LEGAL_ID.test(part.id) ? part.id : toProviderCallId(part.id));
    this.open.set(part.id, id);
    const name = this.names.toWire(part.name);
    others.push(this.goesOn ? BLOCKS.get(part, [id, name], () => keepText(encodeCall(part, id, name))) : encodeCall(part, id, name));
  }

  private encodeSaid(part: Part): WireBlock | undefined {
    if (part.kind === 'text') return encodePart(part, this.goesOn)[0];
    if (part.kind === 'redacted_thinking') return { type: 'redacted_thinking', data: part.data };
    // a thought that the provider can't recognise as its own is refused
    if (part.kind === 'thinking' && part.signature) return { type: 'thinking', thinking: part.text, signature: part.signature };
    return undefined;
  }

  private addOfUser(part: Part): void {
    if (part.kind === 'text') for (const block of encodePart(part, this.goesOn)) this.turn('user').others.push(block);
    else if (part.kind === 'image') this.turn('user').others.push(encodeImage(part));
    else if (part.kind === 'tool_result') this.addResult(part);
  }

  private addResult(part: ToolResultPart): void {
    const id = this.open.get(part.id);
    this.open.delete(part.id);
    if (id !== undefined) {
      const result = this.goesOn ? RESULTS.get(part, [id], () => keepText(encodeResult(part, id))) : encodeResult(part, id);
      return void this.turn('user').results.push(result);
    }
    const text = part.content.trim() === '' ? [] : encodeText(`Tool result: ${part.content}`, part.cache);
    for (const block of [...text, ...(part.images ?? []).map(encodeImage)]) this.turn('user').others.push(block);
  }
}

function encodeCall({ arguments: text, cache }: ToolCallPart, id: string, name: string): WireBlock {
  return { type: 'tool_use', id, name, input: new RawJson(toObjectText(text)), ...encodeMark(cache) };
}

function encodeResult({ content, images = [], isError, cache }: ToolResultPart, id: string): WireToolResult {
  const text = content.trim() === '' && isError ? 'The tool failed and gave no reason.' : content; // an error without content is refused
  const blocks = [...encodeText(text), ...images.map(encodeImage)];
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(images.length > 0 ? { content: blocks } : text !== '' && { content: text }),
    ...(isError && { is_error: true }),
    ...encodeMark(cache),
  };
}

const encodePart = (part: TextPart, goesOn: boolean): readonly WireText[] =>
  goesOn ? TEXTS.get(part, [], () => encodeText(part.text, part.cache).map(keepText)) : encodeText(part.text, part.cache);

const MESSAGES = new Memo<WireBlock, WireMessage>();

/** A turn of the same blocks is the same message. */
function toMessage({ role, results, others }: Turn, goesOn: boolean): WireMessage {
  const content = results.length === 0 ? others : [...results, ...others];
  const [first] = content;
  return first === undefined || !goesOn ? { role, content } : MESSAGES.get(first, content, () => keepText({ role, content }));
}

/** A text as a block; a blank one is refused, so it is none. */
function encodeText(text: string, cache?: CacheMark): WireText[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, ...encodeMark(cache) }];
}

function encodeImage({ source, cache }: ImagePart): WireImage {
  const { kind } = source;
  const wire =
    kind === 'url'
      ? ({ type: kind, url: source.url } as const)
      : ({ type: kind, media_type: source.mediaType, data: source.data } as const);
  return { type: 'image', source: wire, ...encodeMark(cache) };
}

/** A cache mark as the member `cache_control`. */
export function encodeMark(cache: CacheMark | undefined): { readonly cache_control?: WireCacheControl } {
  return cache ? { cache_control: { type: 'ephemeral', ...(cache.ttl && { ttl: cache.ttl }) } } : {};
}

/** Blanks at the end of a text that the model is to go on with are refused. */
function withoutTrailingBlanks(content: readonly WireBlock[]): readonly WireBlock[] {
  const last = content.at(-1);
  return last?.type === 'text' ? [...content.slice(0, -1), { ...last, text: last.text.trimEnd() }] : content;
}
