/**
 * What a terminal must never receive from outside: control characters (C0, DEL, C1) but newline and tab, what hides or reorders text
 * (bidirectional controls, zero-width and other default-ignorable code points, tags), line separators, and lone surrogates.
 */
const UNSAFE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cs}\u2028\u2029\ufff9-\ufffb]/gu;
const JOINER = 0x200d;
const NON_JOINER = 0x200c;
const PICTOGRAPHIC_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;
const PICTOGRAPHIC_AFTER = /^\p{Extended_Pictographic}/u;
const JOINING_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const VARIATION_BASE = /[\p{Emoji}\p{Math}\p{So}\p{Script=Han}]$/u;

/** A stretch of text that may be printed; `escaped` marks one that stands for a character that may not. */
export interface SafePiece {
  readonly text: string;
  readonly escaped: boolean;
}

/**
 * Splits text from outside into printable pieces. A forbidden character becomes its escape (`\x1b`, `\u{202e}`) in a piece of its own, so
 * that it can be highlighted. `\r\n` becomes a newline. Joiners stay where a script or an emoji needs them. Running it on its own output
 * changes nothing.
 */
export function splitUnsafe(text: string): readonly SafePiece[] {
  const normal = text.replaceAll('\r\n', '\n');
  const pieces: SafePiece[] = [];
  let start = 0;
  for (const match of normal.matchAll(UNSAFE)) {
    if (isHarmless(normal, match.index, match[0])) continue;
    if (match.index > start) pieces.push({ text: normal.slice(start, match.index), escaped: false });
    pieces.push({ text: toEscape(match[0]), escaped: true });
    start = match.index + match[0].length;
  }
  if (start < normal.length) pieces.push({ text: normal.slice(start), escaped: false });
  return pieces;
}

/** The same as plain text. */
export function sanitise(text: string): string {
  return splitUnsafe(text)
    .map((piece) => piece.text)
    .join('');
}

/** The same on one line: newlines and tabs become one space, long text is cut in the middle of nothing but code points. */
export function sanitiseLine(text: string, maxCharacters = 200): string {
  const line = sanitise(text.slice(0, maxCharacters * 4))
    .replace(/\s+/g, ' ')
    .trim();
  const points = [...line];
  return points.length > maxCharacters ? `${points.slice(0, maxCharacters - 1).join('')}…` : line;
}

function isHarmless(text: string, index: number, character: string): boolean {
  if (character === '\n' || character === '\t') return true;
  const code = character.codePointAt(0)!;
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + character.length, index + character.length + 2);
  if (code === JOINER && PICTOGRAPHIC_BEFORE.test(before) && PICTOGRAPHIC_AFTER.test(after)) return true;
  if (code === JOINER || code === NON_JOINER) return JOINING_SCRIPT.test(before.slice(-1));
  return (code === 0xfe0e || code === 0xfe0f) && VARIATION_BASE.test(before);
}

function toEscape(character: string): string {
  const code = character.codePointAt(0)!;
  if (character === '\r') return '\\r';
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
