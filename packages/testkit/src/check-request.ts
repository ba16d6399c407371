import type { ChatRequest } from './scripted-provider.js';

/** A message of either dialect, as far as its rules look at it. */
interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly cache_control?: object;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Marks for the cache that Anthropic takes in one request. */
const MAX_CACHE_MARKS = 4;

/**
 * Holds a request to the rules by which its provider would refuse it: Anthropic's where `tools` have an `input_schema` or the path is that of
 * `/messages`, else OpenAI's. Above all each use of a tool has exactly one result, in order, in the message right behind it (R5).
 * Throws what is wrong.
 */
export function checkRequest({ path, body }: { readonly path: string; readonly body: ChatRequest }): void {
  const messages = body.messages as readonly Message[];
  refuse(messages.length === 0, 'there is no message');
  if (path.split('?')[0]!.endsWith('/messages')) checkMessagesApi(messages, body);
  else checkChatApi(messages);
  checkTools(body);
}

function checkChatApi(messages: readonly Message[]): void {
  let open: readonly string[] = [];
  const seen = new Set<string>();
  for (const [place, { role, content, tool_calls: calls = [], tool_call_id: id }] of messages.entries()) {
    if (role === 'tool') {
      refuse(open[0] !== id, `message ${String(place)}: a result of ${String(id)} where ${open[0] ?? 'none'} is due`);
      open = open.slice(1);
      continue;
    }
    refuse(open.length > 0, `message ${String(place)}: no result of ${open.join(', ')}`);
    refuse(isBlank(content) && calls.length === 0, `message ${String(place)} of the ${role} is empty`);
    for (const call of calls) {
      checkUse(call.function.name, call.id, seen);
      JSON.parse(call.function.arguments);
    }
    if (role === 'assistant') open = calls.map((call) => call.id);
  }
  refuse(open.length > 0, `the last message: no result of ${open.join(', ')}`);
}

function checkMessagesApi(messages: readonly Message[], { system, max_tokens: maxTokens, tools = [] }: ChatRequest): void {
  refuse(typeof maxTokens !== 'number' || maxTokens < 1, 'max_tokens has to be given');
  refuse(messages[0]?.role !== 'user', 'the first message has to be the user’s');
  refuse(messages.at(-1)?.role !== 'user', 'the last message has to be the user’s');
  let open: readonly string[] = [];
  const seen = new Set<string>();
  for (const [place, { role, content }] of messages.entries()) {
    const blocks = toBlocks(content);
    refuse(role !== 'user' && role !== 'assistant', `message ${String(place)}: there is no role ${role}`);
    refuse(blocks.length === 0, `message ${String(place)} is empty`);
    refuse(
      blocks.some(({ type, text }) => type === 'text' && isBlank(text)),
      `message ${String(place)} has an empty text`,
    );
    const results = blocks.flatMap((block) => block.tool_use_id ?? []);
    const first = blocks.slice(0, results.length);
    refuse(
      first.some(({ type }) => type !== 'tool_result'),
      `message ${String(place)}: results come first`,
    );
    refuse(
      results.join() !== open.join(),
      `message ${String(place)}: results of ${results.join() || 'nothing'} where ${open.join() || 'nothing'} is due`,
    );
    const uses = blocks.filter(({ type }) => type === 'tool_use');
    refuse(role === 'user' && uses.length > 0, `message ${String(place)}: a user calls no tools`);
    for (const { id = '', name = '', input } of uses) {
      checkUse(name, id, seen);
      refuse(typeof input !== 'object' || input === null, `message ${String(place)}: the input of ${name} is no object`);
    }
    open = uses.map(({ id = '' }) => id);
  }
  const marks = [...toBlocks(system), ...messages.flatMap(({ content }) => toBlocks(content)), ...(tools as unknown as Block[])];
  refuse(marks.filter((block) => block.cache_control !== undefined).length > MAX_CACHE_MARKS, 'there are too many cache marks');
}

function checkTools({ tools = [] }: ChatRequest): void {
  const names = (tools as unknown as readonly { name?: string; function?: { name: string } }[]).map(
    (tool) => tool.name ?? tool.function?.name,
  );
  for (const name of names) refuse(name === undefined || !NAME.test(name), `${String(name)} is no name of a tool`);
  refuse(new Set(names).size < names.length, 'two tools have the same name');
}

function checkUse(name: string, id: string, seen: Set<string>): void {
  refuse(!NAME.test(name), `${name} is no name of a tool`);
  refuse(id === '' || seen.has(id), `the id ${id} of a call comes twice`);
  seen.add(id);
}

const toBlocks = (content: unknown): readonly Block[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly Block[]) : [];
};

const isBlank = (content: unknown): boolean =>
  content === undefined ||
  content === null ||
  (typeof content === 'string' && content.trim() === '') ||
  (Array.isArray(content) && content.length === 0);

function refuse(isWrong: boolean, why: string): void {
  if (isWrong) throw new Error(`the provider would refuse this request: ${why}`);
}
