import { parse, type ParsedScript } from 'unbash';

/** Characters of a command line, or of a script inside it. A longer one asks: nobody reads it, and judging takes time. */
export const MAX_COMMAND_CHARACTERS = 32_768;

/** Brackets and substitutions inside each other. Real lines have three or four. */
const MAX_NESTING = 40;

/** Here-documents of a line. The parser's work grows with the square of their number. */
const MAX_HEREDOCS = 50;

type ParsedLine =
  | { readonly ok: true; readonly script: ParsedScript }
  /** `script`, if there is one, is what was understood all the same. */
  | { readonly ok: false; readonly fault: string; readonly script?: ParsedScript };

const nestingOf = (line: string): number => {
  let depth = 0;
  let deepest = 0;
  for (const char of line) {
    if (char === '(' || char === '{' || char === '[') deepest = Math.max(deepest, (depth += 1));
    else if ((char === ')' || char === '}' || char === ']') && depth > 0) depth -= 1;
  }
  return deepest;
};

/** Parses a command line within bounds; never throws. */
export function parseLine(line: string): ParsedLine {
  if (line.length > MAX_COMMAND_CHARACTERS) {
    return { ok: false, fault: `has ${String(line.length)} characters; up to ${String(MAX_COMMAND_CHARACTERS)} are judged` };
  }
  if (line.includes('\0')) return { ok: false, fault: "can't be parsed: it holds a NUL character" };
  if (nestingOf(line) > MAX_NESTING) return { ok: false, fault: `is nested deeper than ${String(MAX_NESTING)} levels` };
  if (line.split('<<').length > MAX_HEREDOCS) return { ok: false, fault: `has more than ${String(MAX_HEREDOCS)} here-documents` };
  try {
    const script = parse(line);
    const [error] = script.errors ?? [];
    return error === undefined ? { ok: true, script } : { ok: false, fault: `can't be parsed: ${error.message}`, script };
  } catch {
    return { ok: false, fault: "can't be parsed" }; // a parser that fails has understood nothing, whatever the reason
  }
}
