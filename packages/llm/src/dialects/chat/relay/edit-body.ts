import { editMembers, findJson, replaceJson } from '../../../json/index.js';

type Fields = Readonly<Record<string, unknown>>;

/** Member → its new JSON text; `undefined` leaves it out. */
export type Edits = Record<string, string | undefined>;

/**
 * A body with some of its members changed. Where members only get other values or come in behind the last one, no other byte changes, not
 * even a blank.
 *
 * @param fields what `text` parses to
 */
export function editBody(text: string, fields: Fields, edits: Edits): string {
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
