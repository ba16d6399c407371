/** Line breaks and tabs are text; every other control character, and what turns or hides text, is shown by its code point. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text from outside for a person who decides by it: nothing in it can steer a terminal or hide. */
export const visibleText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(UNSAFE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);

/** At most so many characters, and how many are left out. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  return `${kept}\n… ${String(text.length - kept.length)} more characters`;
}
