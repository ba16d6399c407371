/** Characters that change what a reader sees without being seen: controls, marks of direction, joiners, fillers, tags. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

/** Those that belong to what is seen: in an emoji, and between letters that are joined. */
const BELONGS =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D|(?<=\p{Emoji})[\uFE0E\uFE0F]|(?<=\p{L})[\u200C\u200D](?=[\p{Script=Arabic}\p{Script=Devanagari}])/gu;

const LINES: ReadonlySet<string> = new Set(['\n', '\r', '\t']);

const nameOf = (character: string): string => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;

/** A text of which nothing is hidden: what can't be seen stands there by its code, such as `<U+200B>`. Lines end in `\n`. */
export function showInvisible(text: string): string {
  const belonging = new Set(Array.from(text.matchAll(BELONGS), ({ index }) => index));
  const isPlain = (character: string, at: number): boolean => LINES.has(character) || belonging.has(at);
  return text
    .replace(INVISIBLE, (character, at: number) => (isPlain(character, at) ? character : nameOf(character)))
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');
}
