/** Where a field's value stands in the text of an object. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a scan finds: the top-level fields and their spans, or the limit that the text is over. */
export type Scan =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, Span> }
  | { readonly ok: false; readonly over: 'nesting' | 'fields' };

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const isOpening = (code: number): boolean => code === 91 || code === 123;
const isClosing = (code: number): boolean => code === 93 || code === 125;
const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

/** The index after a string that starts at `at`, or the end of the text. */
const skipString = (text: string, at: number): number => {
  let close = at;
  for (;;) {
    close = text.indexOf('"', close + 1);
    if (close === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(close - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return close + 1;
  }
};

const trimSpan = (text: string, start: number, end: number): Span => {
  let [from, to] = [start, end];
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return { start: from, end: to };
};

const nameOf = (text: string, { start, end }: Span): string => {
  try {
    return String(JSON.parse(text.slice(start, end)));
  } catch {
    return text.slice(start, end); // not JSON: the parse that follows the scan says so
  }
};

/**
 * Finds the top-level fields of a JSON object without building it, and stops at the limits, before anything parses the text: a frame with
 * a hundred thousand levels costs one pass. The spans count only for text that is valid JSON, which the caller finds out next. Of a
 * repeated field the last one counts, as in `JSON.parse`.
 */
export function scanObject(text: string, limits: { readonly nesting: number; readonly fields: number }): Scan {
  const fields = new Map<string, Span>();
  let depth = 0;
  let count = 0;
  let from = 0;
  let name: string | undefined;
  const endOfField = (at: number): void => {
    if (name !== undefined) fields.set(name, trimSpan(text, from, at));
    name = undefined;
    from = at + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at) - 1;
    } else if (isOpening(code)) {
      depth += 1;
      if (depth > limits.nesting) return { ok: false, over: 'nesting' };
      if (depth === 1) from = at + 1;
    } else if (isClosing(code)) {
      if (depth === 1) endOfField(at);
      depth -= 1;
    } else if (depth === 1 && code === COLON) {
      name = nameOf(text, trimSpan(text, from, at));
      from = at + 1;
      count += 1;
      if (count > limits.fields) return { ok: false, over: 'fields' };
    } else if (depth === 1 && code === COMMA) {
      endOfField(at);
    }
  }
  return { ok: true, fields };
}
