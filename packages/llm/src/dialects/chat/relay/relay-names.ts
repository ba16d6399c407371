import { findJson, replaceJson } from '../../../json/index.js';
import { isLegalToolName, ToolNames } from '../../../names/tool-names.js';
import { asList, asObject } from '../../../json/read-json.js';

type Fields = Readonly<Record<string, unknown>>;

/** Where names of tools stand in a request. */
const PLACES: readonly (readonly string[])[] = [
  ['tools', '*', 'function', 'name'],
  ['functions', '*', 'name'],
  ['tool_choice', 'function', 'name'],
  ['tool_choice', 'allowed_tools', 'tools', '*', 'function', 'name'],
  ['function_call', 'name'],
  ['messages', '*', 'tool_calls', '*', 'function', 'name'],
  ['messages', '*', 'function_call', 'name'],
];

/** Maps the tool names of a body that the vendor doesn't take, wherever they stand (F9). Without one nothing is changed. */
export function relayNames(text: string, body: Fields, maxLength?: number): { readonly text: string; readonly names?: ToolNames } {
  const all = new Set(namesOf(body));
  if ([...all].every((name) => isLegalToolName(name, maxLength))) return { text };
  const names = new ToolNames(all, maxLength);
  const edits = PLACES.flatMap((place) => [...findJson(text, place)]).flatMap(({ start, end }) => {
    const name: unknown = JSON.parse(text.slice(start, end));
    return typeof name === 'string' && names.toWire(name) !== name ? [{ start, end, text: JSON.stringify(names.toWire(name)) }] : [];
  });
  const results = asList(body.messages).map((message) => asObject(message).role === 'tool' || asObject(message).role === 'function');
  const resultNames = [...findJson(text, ['messages', '*', 'name'])].flatMap(({ path, start, end }) => {
    const name: unknown = JSON.parse(text.slice(start, end));
    const isMapped = typeof name === 'string' && results[Number(path[1])] === true && names.toWire(name) !== name;
    return isMapped ? [{ start, end, text: JSON.stringify(names.toWire(name)) }] : [];
  });
  return { text: replaceJson(text, [...edits, ...resultNames]), names };
}

function* namesOf({ tools, functions, tool_choice, function_call, messages }: Fields): Iterable<string> {
  for (const tool of asList(tools)) yield* nameOf(asObject(tool).function);
  for (const declared of asList(functions)) yield* nameOf(declared);
  yield* nameOf(asObject(tool_choice).function);
  yield* nameOf(function_call);
  for (const message of asList(messages)) {
    const { tool_calls, function_call: called } = asObject(message);
    for (const call of asList(tool_calls)) yield* nameOf(asObject(call).function);
    yield* nameOf(called);
  }
}

function* nameOf(value: unknown): Iterable<string> {
  const { name } = asObject(value);
  if (typeof name === 'string') yield name;
}
