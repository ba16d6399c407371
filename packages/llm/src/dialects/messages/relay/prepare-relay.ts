import type { PreparedRelay, RelayTarget } from '../../dialect.js';
import { editMembers, findJson, replaceJson } from '../../../json/index.js';
import { asList, asObject, type Fields } from '../../../json/read-json.js';
import { isLegalToolName, ToolNames } from '../../../names/tool-names.js';

/** Ours alone: no server gets them. */
const EXTENSIONS = ['use_vscode_tools', 'use_ide_tools', 'tool_execution', 'max_tool_rounds', 'session_id'];

/** Where names of tools stand in a request, beside blocks of other kinds that have a name. */
const PLACES: readonly (readonly string[])[] = [
  ['tools', '*', 'name'],
  ['tool_choice', 'name'],
  ['messages', '*', 'content', '*', 'name'],
  ['messages', '*', 'content', '*', 'content', '*', 'tool_name'],
];

/**
 * Makes a caller's body fit for an upstream of the same dialect, by edits of its text: the model is set, our extensions are left out, and
 * illegal tool names are mapped (F9). Every other byte stays.
 *
 * @param body what `raw` parses to; it has passed `checkRequest`
 */
export function prepareRelay(raw: string, body: unknown, { model, quirks }: RelayTarget): PreparedRelay {
  const fields = asObject(body);
  const { text, names } = mapNames(raw, fields, quirks.max_tool_name);
  return { text: setModel(text, fields, model), names };
}

function setModel(text: string, fields: Fields, model: string): string {
  const extensions = EXTENSIONS.filter((name) => name in fields);
  const value = JSON.stringify(model);
  if (extensions.length === 0 && 'model' in fields) {
    return fields.model === model
      ? text
      : replaceJson(
          text,
          [...findJson(text, ['model'])].map((span) => ({ ...span, text: value })),
        );
  }
  return editMembers(text, { model: value, ...Object.fromEntries(extensions.map((name) => [name, undefined])) });
}

function mapNames(text: string, body: Fields, maxLength?: number): PreparedRelay {
  const all = new Set(namesOf(body));
  if ([...all].every((name) => isLegalToolName(name, maxLength))) return { text };
  const names = new ToolNames(all, maxLength);
  const edits = PLACES.flatMap((place) => [...findJson(text, place)]).flatMap(({ path, start, end }) => {
    const name: unknown = JSON.parse(text.slice(start, end));
    const isName = typeof name === 'string' && (path[0] !== 'messages' || isInCall(body, path));
    const wire = isName ? names.toWire(name) : name;
    return wire === name ? [] : [{ start, end, text: JSON.stringify(wire) }];
  });
  return { text: replaceJson(text, edits), names };
}

/** Whether a member of a block names a tool: not that of a document or of a tool that the provider ran. */
function isInCall({ messages }: Fields, [, message, , block, member]: readonly string[]): boolean {
  const content = asList(asObject(asList(messages)[Number(message)]).content);
  return member !== 'name' || asObject(content[Number(block)]).type === 'tool_use';
}

function* namesOf({ tools, tool_choice, messages }: Fields): Iterable<string> {
  yield* asName(asObject(tool_choice).name);
  for (const tool of asList(tools)) yield* asName(asObject(tool).name);
  for (const message of asList(messages)) {
    for (const { type, name, content } of asList(asObject(message).content).map(asObject)) {
      if (type === 'tool_use') yield* asName(name);
      for (const inner of asList(content)) yield* asName(asObject(inner).tool_name);
    }
  }
}

function* asName(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
}
