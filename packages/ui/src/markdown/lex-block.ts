import { Lexer, type Token } from 'marked';

/** Remembered blocks: what is on the screen is drawn again and again. */
const MAX_REMEMBERED = 512;
const remembered = new Map<string, readonly Token[]>();

/** Marks of emphasis, code, links and HTML in one paragraph. Taking them apart takes the square of their number, or more. */
const MAX_MARKS = 600;
const MARK = /[[\]!*_~`<&\\]/g;

/** The tokens of a block, by the rules of GitHub; undefined where they can't be told, or not in a moment, as of hostile text. */
export function lexBlock(source: string): readonly Token[] | undefined {
  const known = remembered.get(source);
  if (known !== undefined) return known;
  try {
    const tokens = lex(source);
    if (tokens === undefined) return undefined;
    remembered.set(source, tokens);
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    return tokens;
  } catch {
    return undefined; // shown as it is
  }
}

/** As `Lexer.lex`, in its two steps: what is inside paragraphs is looked at only where there is not too much of it. */
function lex(source: string): readonly Token[] | undefined {
  const lexer = new Lexer({ gfm: true });
  lexer.blockTokens(source, lexer.tokens);
  if (lexer.inlineQueue.some(({ src }) => (src.match(MARK)?.length ?? 0) > MAX_MARKS)) return undefined;
  for (const { src, tokens } of lexer.inlineQueue) lexer.inlineTokens(src, tokens);
  return lexer.tokens;
}
