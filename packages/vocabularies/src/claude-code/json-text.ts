import type { JsonObject } from '@codelab/tools';

/** Where a value stands in a text of valid JSON, in code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A key and its value; it begins with the key. */
export interface Member extends Span {
  readonly key: string;
  readonly value: Span;
}

/** A part of a text that gives way to another one. */
export interface Splice extends Span {
  readonly put: string;
}

/** The members of the object that begins at `at`, in their order. */
export function membersOf(text: string, at: number): Member[] {
  return itemsOf(text, at, (start) => {
    const keyEnd = endOf(text, start);
    const from = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const value = { start: from, end: endOf(text, from) };
    return { key: JSON.parse(text.slice(start, keyEnd)) as string, value, start, end: value.end };
  });
}

/** The elements of the list that begins at `at`. */
export const elementsOf = (text: string, at: number): Span[] => itemsOf(text, at, (start) => ({ start, end: endOf(text, start) }));

function itemsOf<Item extends Span>(text: string, at: number, read: (start: number) => Item): Item[] {
  const items: Item[] = [];
  for (let next = skipBlanks(text, at + 1); !'}]'.includes(text[next]!);) {
    const item = read(next);
    items.push(item);
    const behind = skipBlanks(text, item.end);
    next = text[behind] === ',' ? skipBlanks(text, behind + 1) : behind;
  }
  return items;
}

function skipBlanks(text: string, at: number): number {
  let next = at;
  while (/\s/.test(text[next] ?? '')) next += 1;
  return next;
}

/** Behind the value that begins at `at`. */
function endOf(text: string, at: number): number {
  let depth = 0;
  for (let next = at; ;) {
    const sign = text[next]!;
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    next = sign === '"' ? endOfString(text, next) : next + 1;
    if (depth > 0) continue;
    if ('"}]'.includes(sign)) return next;
    if (next >= text.length || /[\s,}\]]/.test(text[next]!)) return next;
  }
}

function endOfString(text: string, at: number): number {
  for (let next = at + 1; ; next += 1) {
    if (text[next] === '\\') next += 1;
    else if (text[next] === '"') return next + 1;
  }
}

/** The blanks before an item, its line end among them if it begins a line. */
function gapBefore(text: string, { start }: Span): string {
  let from = start;
  while (from > 0 && /\s/.test(text[from - 1]!)) from -= 1;
  return text.slice(from, start);
}

/** A value as the items beside it are written: in lines, if they begin lines. `gap`: the blanks before it. */
function formatValue(value: JsonObject[string], gap: string, indent: string): string {
  const [, end, outer] = /(\r?\n)([^\n]*)$/.exec(gap) ?? [];
  return end === undefined ? JSON.stringify(value) : JSON.stringify(value, undefined, indent).replaceAll('\n', end + outer!);
}

/** The text of an object with some members set; `undefined` takes one away. All else of it stays as it is written. */
export function setMembers(
  text: string,
  object: Span,
  indent: string,
  values: Readonly<Record<string, JsonObject[string] | undefined>>,
): string {
  let made = text.slice(0, object.end);
  for (const [key, value] of Object.entries(values)) {
    const members = membersOf(made, object.start);
    const place = members.findLastIndex((member) => member.key === key);
    const beside = members[place] ?? members.at(-1);
    if (value === undefined) made = place < 0 ? made : splice(made, removal(made, members, place));
    else if (beside !== undefined) {
      const gap = gapBefore(made, beside);
      const put = formatValue(value, gap, indent);
      made = splice(made, place < 0 ? { start: beside.end, end: beside.end, put: `,${gap}"${key}": ${put}` } : { ...beside.value, put });
    }
  }
  return made.slice(object.start);
}

/** Takes an item of an object or a list away, with one comma. */
export function removal(text: string, items: readonly Span[], place: number): Splice {
  const [item, before, after] = [items[place]!, items[place - 1], items[place + 1]];
  if (after !== undefined) return { start: item.start, end: after.start, put: '' };
  if (before !== undefined) return { start: before.end, end: item.end, put: '' };
  return { start: item.start - gapBefore(text, item).length, end: item.end + /^\s*/.exec(text.slice(item.end))![0].length, put: '' };
}

/** Puts a value into a list behind the element at `place`, -1 for the start; written as its neighbours are. */
export function insertion(
  { text, list, indent }: { readonly text: string; readonly list: Span; readonly indent: string },
  place: number,
  value: JsonObject[string],
): Splice {
  const items = elementsOf(text, list.start);
  const beside = items[Math.max(0, place)];
  if (beside === undefined) {
    const outer = /\n([ \t]*)[^\n]*$/.exec(text.slice(0, list.start));
    const end = text.slice(0, list.start).includes('\r\n') ? '\r\n' : '\n';
    const close = outer === null ? '' : end + outer[1]!;
    const gap = outer === null ? '' : close + indent;
    return { ...list, put: `[${gap}${formatValue(value, gap, indent)}${close}]` };
  }
  const gap = gapBefore(text, beside);
  const put = formatValue(value, gap, indent);
  return place < 0
    ? { start: beside.start, end: beside.start, put: `${put},${gap}` }
    : { start: beside.end, end: beside.end, put: `,${gap}${put}` };
}

export const splice = (text: string, { start, end, put }: Splice): string => text.slice(0, start) + put + text.slice(end);
