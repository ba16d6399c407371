import type { ChatRequest } from '@codelab/testkit';

/** One use of a tool and what came of it, as far as the model is told; or words without one. */
export interface Exchange {
  /** '' for words alone. */
  readonly name: string;
  /** Path, command or the like; '' where there is none. */
  readonly subject: string;
  /** The result, or the words. */
  readonly text: string;
  readonly isError: boolean;
}

/** What a model is told in one request: all that it knows. */
export interface Conversation {
  /** Its system prompt. */
  readonly system: string;
  readonly tools: readonly string[];
  /** What the user and the notes said, in order. */
  readonly told: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** A summary is asked for: `exchanges` are those of the transcript. */
  readonly isSummary: boolean;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: object;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

/** Begins the prompt of a request for a summary. */
const SUMS_UP = 'You sum up the work of a coding agent';

/** Reads a request of either dialect. */
export function readConversation(body: ChatRequest): Conversation {
  const messages = body.messages as readonly Message[];
  const system = [textOf(body.system), ...messages.filter(({ role }) => role === 'system').map(({ content }) => textOf(content))].join(
    '\n',
  );
  const tools = ((body.tools ?? []) as unknown as readonly { name?: string; function?: { name: string } }[]).map(
    (tool) => tool.name ?? tool.function?.name ?? '',
  );
  const isSummary = system.includes(SUMS_UP);
  const told = messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
  const exchanges = isSummary ? readTranscript(told.join('\n')) : readMessages(messages);
  return { system, tools, told: told.filter((text) => text !== ''), exchanges, isSummary };
}

function readMessages(messages: readonly Message[]): Exchange[] {
  const exchanges: Exchange[] = [];
  const calls = new Map<string, { readonly name: string; readonly args: string }>();
  const settle = (id: string, text: string, isError: boolean): void => {
    const { name = '', args = '' } = calls.get(id) ?? {};
    exchanges.push({ name, subject: subjectOf(args), text, isError });
  };
  for (const { role, content, tool_calls: used = [], tool_call_id: id = '' } of messages) {
    const blocks = Array.isArray(content) ? (content as readonly Block[]) : [];
    for (const call of used) calls.set(call.id, { name: call.function.name, args: call.function.arguments });
    for (const block of blocks) {
      if (block.type === 'tool_use') calls.set(block.id!, { name: block.name!, args: JSON.stringify(block.input) });
      if (block.type === 'tool_result') settle(block.tool_use_id!, textOf(block.content), block.is_error === true);
    }
    if (role === 'tool') settle(id, textOf(content), /(^|; it began: )Error/.test(textOf(content)));
    const says = role === 'assistant' && used.length === 0 && !blocks.some(({ type }) => type === 'tool_use');
    if (says) exchanges.push({ name: '', subject: '', text: textOf(content), isError: false });
  }
  return exchanges;
}

/** Reads the transcript that a summary is made of; long texts in it are cut. */
function readTranscript(text: string): Exchange[] {
  const transcript = /<conversation>\n([^]*)\n<\/conversation>/.exec(text)?.[1] ?? '';
  return transcript.split(/^(?=## )/m).flatMap((part): Exchange[] => {
    const [, how, name = '', subject = '', said = ''] = /^## (Result|Error) of (\S+) ?(.*)\n([^]*)$/.exec(part) ?? [];
    if (how !== undefined) return [{ name, subject, text: said.trim(), isError: how === 'Error' }];
    const isWords = part.startsWith('## The assistant\n') && !/^Calls \S/m.test(part);
    return isWords ? [{ name: '', subject: '', text: part.slice('## The assistant\n'.length).trim(), isError: false }] : [];
  });
}

/** What arguments are about, as people see it: a path, a command's first line. */
function subjectOf(args: string): string {
  const named = JSON.parse(args || '{}') as Record<string, unknown>;
  const name = ['path', 'file_path', 'command', 'pattern'].find((key) => typeof named[key] === 'string');
  return name === undefined ? '' : (String(named[name]).split('\n')[0] ?? '');
}

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? (content as readonly Block[]) : [];
  return blocks.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : [])).join('\n');
};
