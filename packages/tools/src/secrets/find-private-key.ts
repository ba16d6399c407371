const HEADER = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** A line of the key, its end, or another beginning. */
const MARK = /([A-Za-z0-9+/]{40,})|(-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----)|-----BEGIN /g;
const REST_OF_LINE = /^[A-Za-z0-9+/]*={0,2}/;

/** What begins every private key. */
export const KEY_ANCHOR = '-----BEGIN ';
/** The longest header, in characters. */
const MAX_HEADER = 120;
/** Between two lines of a key, in characters: headers of the block, line ends in any escape, quotes, what `grep` and `diff` put before a line. */
const MAX_GLUE = 400;
/** A longer key is masked in pieces, so that a stream needn't hold all of it. In characters. */
const MAX_KEY_CHARACTERS = 65_536;

/**
 * A private key that begins at a place of a text. `open`: the text ended before it was known where the key does. `limited`: it is longer
 * than a piece may be, and what follows is to be looked at as `continued`.
 */
interface PrivateKey {
  readonly end: number;
  readonly holdsKey: boolean;
  readonly state: 'closed' | 'open' | 'limited';
}

const isLine = (line: string): boolean => /[A-Z]/.test(line) && /[a-z]/.test(line);

/**
 * The private key in PEM (also PGP's) that begins at `at`, whatever stands between its lines: `\n` escaped or not, quotes, numbers of lines.
 * It ends with its last line and the END that follows; one that was cut off ends with the last line that is there. `undefined`: none begins
 * here. Linear in the length of the key.
 */
export function findPrivateKey(text: string, at: number, { continued = false } = {}): PrivateKey | undefined {
  HEADER.lastIndex = at;
  if (!continued && !HEADER.test(text)) return isCutHeader(text, at) ? { end: text.length, holdsKey: false, state: 'open' } : undefined;
  let end = continued ? at : HEADER.lastIndex;
  let holdsKey = continued;
  for (;;) {
    const next = findMark(text, end);
    if (next === undefined) return { end, holdsKey, state: text.length - end <= MAX_GLUE ? 'open' : 'closed' };
    if (next.kind === 'begin') return { end, holdsKey, state: 'closed' };
    if (next.kind === 'end') return { end: next.end, holdsKey, state: 'closed' };
    if (next.end - at >= MAX_KEY_CHARACTERS) return { end: at + MAX_KEY_CHARACTERS, holdsKey: true, state: 'limited' };
    ({ end } = next);
    holdsKey = true;
  }
}

const isCutHeader = (text: string, at: number): boolean =>
  text.length - at < MAX_HEADER && /^-----BEGIN [A-Z0-9 ]*-{0,5}$/.test(text.slice(at));

const findMark = (text: string, from: number): { readonly kind: 'begin' | 'end' | 'line'; readonly end: number } | undefined => {
  const near = text.slice(from, from + MAX_GLUE + MAX_HEADER);
  MARK.lastIndex = 0;
  for (let match = MARK.exec(near); match !== null && match.index <= MAX_GLUE; match = MARK.exec(near)) {
    const [, line, footer] = match;
    const end = from + match.index + match[0].length;
    if (footer !== undefined) return { kind: 'end', end };
    if (line === undefined) return { kind: 'begin', end };
    if (isLine(line)) return { kind: 'line', end: end + REST_OF_LINE.exec(text.slice(end, end + MAX_KEY_CHARACTERS))![0].length };
  }
  return undefined;
};
