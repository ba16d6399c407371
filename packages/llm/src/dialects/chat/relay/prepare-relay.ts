import { refuse } from '../../../check/refuse.js';
import type { PreparedRelay, RelayTarget } from '../../dialect.js';
import { editMembers, findJson, replaceJson } from '../../../json/index.js';
import type { Quirks } from '../../../quirks.js';
import { NO_IMAGE_URLS } from '../request/encode-messages.js';
import { relayMessages } from './relay-messages.js';
import { relayTools } from './relay-tools.js';
import { asList, asObject, type Fields } from '../../../json/read-json.js';
import { isLegalToolName, ToolNames } from '../../../names/tool-names.js';

/** Ours alone: no server gets them. */
const EXTENSIONS = ['use_vscode_tools', 'use_ide_tools', 'tool_execution', 'max_tool_rounds', 'session_id', 'thinking'];

/**
 * Makes a caller's body fit for an upstream of the same dialect, by edits of its text: what isn't named here keeps every byte. The model is
 * set, our extensions are left out, a stream is asked for its usage (F8), illegal tool names are mapped (F9), results of no call become text
 * (RQ6), and what the server's quirks demand is done. Throws `ApiError` for what the server is known to refuse.
 *
 * @param body what `raw` parses to; it has passed `checkRequest`
 */
export function prepareRelay(raw: string, body: unknown, { model, quirks, stream }: RelayTarget): PreparedRelay {
  const fields = asObject(body);
  if (quirks.no_image_urls) refuseImageUrls(asList(fields.messages));
  const { text: named, names } = relayNames(raw, fields, quirks.max_tool_name);
  const text = relayMessages(named, fields, quirks);
  const tools = relayTools(text, fields, quirks);
  const edits: Edits = { ...limitEdits(fields, quirks), ...streamEdits(text, fields, { quirks, stream }), ...tools.edits };
  for (const name of EXTENSIONS) if (name in fields) edits[name] = undefined;
  if (fields.model !== model) edits.model = JSON.stringify(model);
  return {
    text: editBody(text, fields, edits),
    names,
    swallowUsage: stream && asObject(fields.stream_options).include_usage !== true,
    onlyFirstCall: tools.onlyFirstCall,
    unenforced: tools.unenforced.length > 0 ? tools.unenforced : undefined,
  };
}

function streamEdits(
  text: string,
  { stream_options }: Fields,
  { quirks, stream }: { readonly quirks: Quirks; readonly stream: boolean },
): Edits {
  if (quirks.no_stream_options) return { stream_options: undefined };
  if (!stream || asObject(stream_options).include_usage === true) return {};
  const isGiven = typeof stream_options === 'object' && stream_options !== null;
  const span = isGiven ? [...findJson(text, ['stream_options'])].at(-1) : undefined;
  return { stream_options: editMembers(span ? text.slice(span.start, span.end) : '{}', { include_usage: 'true' }) };
}

function limitEdits(fields: Fields, { max_tokens_field: wanted }: Quirks): Edits {
  const other = wanted === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const limit = fields[other];
  if (wanted === undefined || !(other in fields)) return {};
  return { [other]: undefined, ...(typeof limit === 'number' && typeof fields[wanted] !== 'number' && { [wanted]: String(limit) }) };
}

function refuseImageUrls(messages: readonly unknown[]): void {
  for (const [place, message] of messages.entries()) {
    for (const [part, { image_url: image }] of asList(asObject(message).content).map(asObject).entries()) {
      const url = typeof image === 'string' ? image : asObject(image).url;
      if (typeof url === 'string' && /^https?:/i.test(url)) throw refuse(`messages[${place}].content[${part}].image_url`, NO_IMAGE_URLS);
    }
  }
}

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
function relayNames(text: string, body: Fields, maxLength?: number): { readonly text: string; readonly names?: ToolNames } {
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

/** Member → its new JSON text; `undefined` leaves it out. */
type Edits = Record<string, string | undefined>;

/**
 * A body with some of its members changed. Where members only get other values or come in behind the last one, no other byte changes, not
 * even a blank.
 *
 * @param fields what `text` parses to
 */
function editBody(text: string, fields: Fields, edits: Edits): string {
  const names = Object.keys(edits).filter((name) => edits[name] !== undefined || name in fields);
  if (names.some((name) => edits[name] === undefined)) return editMembers(text, edits);
  const changed = names.filter((name) => name in fields);
  const spans = changed.flatMap((name) => spansOf(text, name).map((span) => ({ ...span, text: edits[name] ?? '' })));
  const added = names.filter((name) => !(name in fields)).map((name) => `${JSON.stringify(name)}:${edits[name] ?? ''}`);
  const replaced = spans.length > 0 ? replaceJson(text, spans) : text;
  if (added.length === 0) return replaced;
  const end = replaced.lastIndexOf('}');
  return `${replaced.slice(0, end)}${Object.keys(fields).length > 0 ? ',' : ''}${added.join(',')}${replaced.slice(end)}`;
}

/**
 * The values of a member, each time that it stands there: whoever repeats it must not get past us with one of them. A name that stands
 * in the text only once, and can't be written in another way, is found without walking through it.
 */
function spansOf(text: string, name: string): { readonly start: number; readonly end: number }[] {
  const quoted = JSON.stringify(name);
  const at = text.indexOf(quoted);
  const isAlone = at !== -1 && text.indexOf(quoted, at + 1) === -1 && !text.includes('\\u00');
  const value = isAlone ? PLAIN_TEXT_VALUE.exec(text.slice(at + quoted.length, at + quoted.length + LONGEST_VALUE)) : null;
  if (!value) return [...findJson(text, [name])].map(({ start, end }) => ({ start, end }));
  const end = at + quoted.length + value[0].length;
  return [{ start: end - (value[1] ?? '').length, end }];
}

/** A name of a model is shorter. */
const LONGEST_VALUE = 300;
const PLAIN_TEXT_VALUE = /^\s*:\s*("[^"\\]*")/;
