import type { PreparedRelay, RelayTarget } from '../../dialect.js';
import { childrenOf, editMembers, findJson, replaceJson, type FoundJson } from '../../../json/index.js';
import { asList, asObject } from '../../../json/read-json.js';
import { ToolNames } from '../../../names/tool-names.js';
import { isSealed } from '../request/thought-envelope.js';

/** Ours alone: no server gets them. */
const EXTENSIONS = ['tool_execution', 'use_vscode_tools', 'use_ide_tools', 'max_tool_rounds', 'session_id'];

/** Where a request names its tools. */
const NAMES = [
  ['tools', '*', 'name'],
  ['tools', '*', 'tools', '*', 'name'],
  ['tool_choice', 'name'],
  ['tool_choice', 'tools', '*', 'name'],
  ['input', '*', 'name'],
];

/**
 * Makes a request fit for a server that speaks this dialect: its name of the model, no extension of ours, legal tool names (F9), and no
 * thought that another dialect's model had, which the server couldn't open. All else stays as it came, byte for byte.
 */
export function prepareRelay(raw: string, body: unknown, to: RelayTarget): PreparedRelay {
  const { model, input } = asObject(body);
  const spans = NAMES.flatMap((pattern) => [...findJson(raw, pattern)]).filter((span) => isToolName(span, body));
  const nameAt = ({ start, end }: FoundJson): string => String(JSON.parse(raw.slice(start, end)));
  const names = new ToolNames(spans.map(nameAt), to.quirks.max_tool_name);
  const edits = spans.flatMap((span) => {
    const name = nameAt(span);
    return names.toWire(name) === name ? [] : [{ ...span, text: JSON.stringify(names.toWire(name)) }];
  });
  let text = edits.length === 0 ? raw : replaceJson(raw, edits);
  if (asList(input).some(isForeignThought)) text = editMembers(text, { input: withoutForeignThoughts(text) });
  text = editMembers(text, {
    ...Object.fromEntries(EXTENSIONS.map((field) => [field, undefined])),
    ...(model !== to.model && { model: JSON.stringify(to.model) }),
  });
  return { text, ...(edits.length > 0 && { names }) };
}

/** A namespace has a name too, which is no tool's; so have some items. */
function isToolName({ path }: FoundJson, body: unknown): boolean {
  let holder = body;
  for (const key of path.slice(0, -1)) holder = Array.isArray(holder) ? (holder as unknown[])[Number(key)] : asObject(holder)[key];
  const { type, name } = asObject(holder);
  return typeof name === 'string' && ['function', 'custom', 'function_call', 'custom_tool_call'].includes(String(type));
}

function isForeignThought(item: unknown): boolean {
  const { type, encrypted_content: content } = asObject(item);
  return type === 'reasoning' && isSealed(content);
}

function withoutForeignThoughts(text: string): string {
  const [input] = [...findJson(text, ['input'])];
  const items = input ? [...childrenOf(text, input.start)].map(({ start, end }) => text.slice(start, end)) : [];
  return `[${items.filter((item) => !isForeignThought(JSON.parse(item))).join(',')}]`;
}
