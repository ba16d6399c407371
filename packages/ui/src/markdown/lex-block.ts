import { Lexer, type Token } from 'marked';

/** Remembered blocks: what is on the screen is drawn again and again. */
const MAX_REMEMBERED = 512;
const remembered = new Map<string, readonly Token[]>();

/** The tokens of a block, by the rules of GitHub; undefined where they can't be told, as of hostile text. */
export function lexBlock(source: string): readonly Token[] | undefined {
  const known = remembered.get(source);
  if (known !== undefined) return known;
  try {
    const tokens = Lexer.lex(source, { gfm: true });
    remembered.set(source, tokens);
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    return tokens;
  } catch {
    return undefined; // shown as it is
  }
}
