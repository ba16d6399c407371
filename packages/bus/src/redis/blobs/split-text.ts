import { hash } from 'node:crypto';

/** Begins a text whose long strings stand elsewhere; no JSON text begins with it. */
const MARK = '@';

/** A JSON text without its long strings. */
export interface SplitText {
  /** `@<bytes of the whole>,<place>:<digest>,… <the rest>`. A place is counted from the end of the rest, so that fields may be added at its beginning. */
  readonly stored: string;
  /** The strings as they stood between their quotes, by their digests. */
  readonly strings: ReadonlyMap<string, string>;
}

const isEscaped = (text: string, quote: number): boolean => {
  let at = quote - 1;
  while (text[at] === '\\') at -= 1;
  return (quote - at) % 2 === 0;
};

/** Where the string ends that begins before `from`: its closing quote. */
const endOfString = (text: string, from: number): number => {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote;
};

/**
 * Takes strings of at least `fromUnits` UTF-16 units out of a JSON text; `undefined` where it has none. The same text gives the same, whoever splits
 * it, and a string that stands in several texts has one digest.
 */
export function splitText(text: string, fromUnits: number): SplitText | undefined {
  if (text.length < fromUnits) return undefined;
  const strings = new Map<string, string>();
  const found: { readonly from: number; readonly to: number; readonly digest: string }[] = [];
  for (let open = text.indexOf('"'); open !== -1;) {
    const [from, to] = [open + 1, endOfString(text, open + 1)];
    if (to - from >= fromUnits) {
      const string = text.slice(from, to);
      const digest = hash('sha256', string, 'base64url');
      strings.set(digest, string);
      found.push({ from, to, digest });
    }
    open = text.indexOf('"', to + 1);
  }
  if (found.length === 0) return undefined;
  let [rest, last] = ['', 0];
  const places = found.map(({ from, to }) => {
    rest += text.slice(last, from);
    last = to;
    return rest.length;
  });
  rest += text.slice(last);
  const names = found.map(({ digest }, n) => `${String(rest.length - places[n]!)}:${digest}`);
  return { stored: `${MARK}${[String(Buffer.byteLength(text)), ...names].join(',')} ${rest}`, strings };
}

export const isSplit = (stored: string): boolean => stored.startsWith(MARK);

const namesIn = (stored: string): readonly (readonly [place: number, digest: string])[] =>
  stored
    .slice(0, stored.indexOf(' '))
    .split(',')
    .slice(1)
    .map((name) => {
      const [place = '', digest = ''] = name.split(':');
      return [Number(place), digest];
    });

/** Digests of the strings that a split text needs. */
export const digestsIn = (stored: string): readonly string[] => namesIn(stored).map(([, digest]) => digest);

/** The text as it was. */
export function joinText(stored: string, stringOf: (digest: string) => string): string {
  const rest = stored.slice(stored.indexOf(' ') + 1);
  let [text, last] = ['', 0];
  for (const [place, digest] of namesIn(stored)) {
    const at = rest.length - place;
    text += rest.slice(last, at) + stringOf(digest);
    last = at;
  }
  return text + rest.slice(last);
}
