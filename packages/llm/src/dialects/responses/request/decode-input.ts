import type { Message, Part, ToolResultPart } from '../../../canonical/message.js';
import { asList, asObject, asText, type Fields } from '../../../json/read-json.js';
import type { DecodeOptions } from '../../dialect.js';
import type { DeclaredTools } from './declared-tools.js';
import { decodeContent } from './decode-content.js';
import { quote, refuse } from '../../../check/refuse.js';
import { isSealed, openThought } from './thought-envelope.js';

export interface DecodeInputOptions extends DecodeOptions {
  readonly declared: DeclaredTools;
}

type Item = Fields;

/** Items that only tell of work of OpenAI's servers, or that set up what comes: another model has no use for them. */
const LEFT_OUT = new Set([
  'additional_tools',
  'configuration_update',
  'compaction_trigger',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
  'program',
  'program_output',
]);

/** Reads `input`: a text of the user, or items. What no other dialect can say is refused by name. */
export function decodeInput(input: unknown, options: DecodeInputOptions): Message[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ kind: 'text', text: input }] }];
  const conversation = new Conversation();
  for (const [place, item] of asList(input).entries()) decodeItem(asObject(item), `input[${place}]`, conversation, options);
  return conversation.messages();
}

function decodeItem(item: Item, param: string, conversation: Conversation, options: DecodeInputOptions): void {
  switch (item.type) {
    case undefined:
    case null:
    case 'message':
      return decodeMessage(item, param, conversation);
    case 'reasoning':
      return conversation.addAnswer(...decodeThought(item));
    case 'item_reference':
      return decodeReference(item, param, conversation, options);
    case 'compaction':
      throw refuse(param, 'a compacted conversation can only be read by the server that compacted it. Send the items themselves.');
  }
  const type = String(item.type);
  if (LEFT_OUT.has(type)) return;
  if (type.endsWith('_call_output') || type === 'tool_search_output') return decodeResult(item, param, conversation, options);
  if (type.endsWith('_call')) return decodeCall(item, param, conversation, options);
  throw refuse(`${param}.type`, `unknown type ${quote(type)}.`);
}

function decodeMessage(item: Item, param: string, conversation: Conversation): void {
  const parts = decodeContent(item.content, `${param}.content`);
  switch (item.role) {
    case 'user':
      return conversation.add('user', parts);
    case 'system':
    case 'developer':
      return conversation.add('system', parts);
    case 'assistant':
      return conversation.addAnswer(...parts.filter(({ kind }) => kind === 'text'));
    default:
      throw refuse(`${param}.role`, `must be user, assistant, system or developer, not ${quote(item.role)}.`);
  }
}

/** A thought in our envelope is what it was. One that only another server can read is its summary, if it has one. */
function decodeThought(item: Item): Part[] {
  const sealed = openThought(item.encrypted_content);
  if (sealed) return [sealed];
  if (isSealed(item.encrypted_content)) return [];
  const texts = [...asList(item.content), ...asList(item.summary)].flatMap((part) => asText(asObject(part).text) ?? []);
  return texts.length > 0 ? [{ kind: 'thinking', text: texts.join('\n\n') }] : [];
}

function decodeReference(item: Item, param: string, conversation: Conversation, options: DecodeInputOptions): void {
  const known = options.items?.get(asText(item.id) ?? '');
  if (known) return decodeItem(asObject(known), param, conversation, options);
  throw refuse(
    `${param}.id`,
    `the item ${quote(item.id)} is not known here (any more). Send the item itself; the AI SDK does so with \`providerOptions: { openai: { store: false } }\`.`,
    { code: 'item_not_found' },
  );
}

/** A call of any kind that the caller runs itself. */
function decodeCall(item: Item, param: string, conversation: Conversation, { declared }: DecodeInputOptions): void {
  const id = asText(item.call_id) ?? asText(item.id);
  if (id === undefined) throw refuse(`${param}.call_id`, 'a call needs an id.');
  const call = (name: string, text: string) => conversation.addAnswer({ kind: 'tool_call', id, name, arguments: text });
  const type = String(item.type);
  if (type === 'function_call') return call(declared.nameOf(nameOf(item), asText(item.namespace)), argumentsOf(item.arguments));
  if (type === 'custom_tool_call') {
    return call(declared.nameOf(nameOf(item), asText(item.namespace)), JSON.stringify({ input: item.input ?? '' }));
  }
  call(type.slice(0, -'_call'.length), argumentsOf(item.arguments ?? item.action ?? item.operation ?? {}));
}

const nameOf = (item: Item): string => (typeof item.name === 'string' ? item.name : '');

const argumentsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? {}));

function decodeResult(item: Item, param: string, conversation: Conversation, { lenient }: DecodeInputOptions): void {
  const id = asText(item.call_id);
  const parts = decodeOutput(item, param);
  const content = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  const images = parts.flatMap((part) => (part.kind === 'image' ? [part] : []));
  const result = { kind: 'tool_result' as const, id: id ?? '', content, isError: false, images: images.length > 0 ? images : undefined };
  if (id !== undefined && conversation.addResult(result)) return;
  if (!lenient) throw refuse(`${param}.call_id`, `there is no call ${quote(item.call_id)} before this result.`);
  conversation.add('user', [...(content === '' ? [] : [{ kind: 'text' as const, text: `Tool result: ${content}` }]), ...images]);
}

function decodeOutput(item: Item, param: string) {
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') return decodeContent(item.output, `${param}.output`);
  const output = item.output ?? item.tools ?? '';
  return decodeContent(typeof output === 'string' ? output : JSON.stringify(output), `${param}.output`);
}

/** A message, and the results of its calls. */
interface Turn {
  readonly role: Message['role'];
  readonly parts: Part[];
  results?: { readonly role: 'tool'; readonly parts: Part[] };
}

/**
 * Builds messages out of items. What the model said in a row, texts, thoughts and calls, becomes one `assistant` message, as it was one
 * answer. A result goes into the `tool` message right after its call, wherever it stands among the items: no other dialect takes it elsewhere.
 */
class Conversation {
  private readonly messagesNow: Turn[] = [];
  /** The message of each call. */
  private readonly calls = new Map<string, Turn>();

  /** Adds a whole message of the caller; one without content is none. */
  add(role: 'system' | 'user', parts: readonly Part[]): void {
    if (parts.length > 0) this.messagesNow.push({ role, parts: [...parts] });
  }

  /** Adds something that the model said. */
  addAnswer(...parts: readonly Part[]): void {
    let last = this.messagesNow.at(-1);
    if (last?.role !== 'assistant' || last.results) this.messagesNow.push((last = { role: 'assistant', parts: [] }));
    last.parts.push(...parts);
    for (const part of parts) if (part.kind === 'tool_call') this.calls.set(part.id, last);
  }

  /** Adds the result of a call. Says whether the conversation has the call; if not nothing was added. */
  addResult(result: ToolResultPart): boolean {
    const message = this.calls.get(result.id);
    if (!message) return false;
    (message.results ??= { role: 'tool', parts: [] }).parts.push(result);
    return true;
  }

  messages(): Message[] {
    return this.messagesNow.flatMap(({ role, parts, results }) => [{ role, parts }, ...(results ? [results] : [])]);
  }
}
