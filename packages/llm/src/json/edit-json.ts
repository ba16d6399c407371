import { childrenOf, type JsonSpan } from './walk-json.js';

/** `text` with other texts in the places of some values. The spans may come in any order and don't overlap. */
export function replaceJson(text: string, edits: readonly (JsonSpan & { readonly text: string })[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/**
 * The text of an object with some of its members replaced, added or left out; every other byte of its values stays. A repeated key counts
 * as one.
 *
 * @param set member → its new JSON text; `undefined` leaves it out
 */
export function editMembers(text: string, set: Readonly<Record<string, string | undefined>>): string {
  const members = [...childrenOf(text)];
  const keys = new Set(members.map(({ key }) => key));
  const isUntouched = Object.entries(set).every(([key, value]) => value === undefined && !keys.has(key));
  if (isUntouched) return text;
  const kept = members.filter(
    ({ key }, place) => !Object.hasOwn(set, key) || members.findLastIndex((other) => other.key === key) === place,
  );
  const texts = kept.flatMap(({ key, start, end }) => {
    const value = Object.hasOwn(set, key) ? set[key] : text.slice(start, end);
    return value === undefined ? [] : [`${JSON.stringify(key)}:${value}`];
  });
  const added = Object.entries(set).flatMap(([key, value]) =>
    value === undefined || keys.has(key) ? [] : [`${JSON.stringify(key)}:${value}`],
  );
  return `{${[...texts, ...added].join(',')}}`;
}
