import { childrenOf, findJson } from '../../../json/index.js';
import type { Quirks } from '../../../quirks.js';
import { chooseTools, MUST_CALL, type Unenforced } from '../request/choose-tools.js';
import { decodeTools } from '../request/decode-tools.js';
import { asList, asObject, type Fields } from '../../../json/read-json.js';

export interface RelayedTools {
  readonly edits: Record<string, string | undefined>;
  readonly onlyFirstCall: boolean;
  readonly unenforced: readonly Unenforced[];
}

/** What a server's quirks make of `tools`, `tool_choice` and `parallel_tool_calls` (OL2). Without such quirks nothing. */
export function relayTools(text: string, body: Fields, quirks: Quirks): RelayedTools {
  const edits: Record<string, string | undefined> = {};
  const unenforced: Unenforced[] = [];
  const onlyFirstCall = quirks.no_parallel_tool_calls === true && body.parallel_tool_calls === false;
  if (quirks.no_parallel_tool_calls && 'parallel_tool_calls' in body) edits.parallel_tool_calls = undefined;
  if (onlyFirstCall) unenforced.push('parallel_tool_calls');
  if (!quirks.no_tool_choice || !('tool_choice' in body)) return { edits, onlyFirstCall, unenforced };
  edits.tool_choice = undefined;
  const { tools, toolChoice } = decodeTools({ ...body, functions: undefined, tools: asList(body.tools).filter(isFunction) });
  const { send, mustCall, unenforced: more } = chooseTools(toolChoice, quirks);
  const isAllowed = asObject(body.tool_choice).type === 'allowed_tools';
  if (send === 'none') edits.tools = undefined;
  else if (typeof send === 'object') edits.tools = pickTools(text, body, new Set([send.name]));
  else if (isAllowed) edits.tools = pickTools(text, body, new Set(tools.map(({ name }) => name)));
  if (mustCall) edits.messages = withSystemLine(text, body);
  return { edits, onlyFirstCall, unenforced: [...unenforced, ...more] };
}

const isFunction = (tool: unknown): boolean => asObject(tool).type === 'function';

/** The JSON text of the tools with these names; their bytes stay. */
function pickTools(text: string, body: Fields, names: ReadonlySet<unknown>): string {
  const tools = asList(body.tools).map((tool) => asObject(asObject(tool).function).name);
  return toList(elementsOf(text, 'tools').filter((_, place) => names.has(tools[place])));
}

/** The messages with a line behind the system prompt. */
function withSystemLine(text: string, body: Fields): string {
  const roles = asList(body.messages).map((message) => asObject(message).role);
  const place = roles.findIndex((role) => role !== 'system' && role !== 'developer');
  const line = JSON.stringify({ role: 'system', content: MUST_CALL });
  return toList(elementsOf(text, 'messages').toSpliced(place === -1 ? roles.length : place, 0, line));
}

/** The texts of the elements of a list that is a member of the body. */
export function elementsOf(text: string, member: string): string[] {
  const list = [...findJson(text, [member])].at(-1);
  return list ? [...childrenOf(text, list.start)].map(({ start, end }) => text.slice(start, end)) : [];
}

export const toList = (elements: readonly string[]): string => `[${elements.join(',')}]`;
