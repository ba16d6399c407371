const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|if|endif|else|pragma|undef)\b)|--|@|\[[A-Z#]|"""|<!--)/;
const MAX_COMMENT_LINES = 40;

/** The first line of a definition with the comment, the decorators and the attributes right before it. */
export function startWithComment(lines: readonly string[], start: number, floor: number): number {
  let first = start;
  while (first > floor && start - first < MAX_COMMENT_LINES && COMMENT.test(lines[first - 2] ?? '')) first -= 1;
  return first;
}

const DOCSTRING = /^[^\n]*(?:\n(?!\s*(?:"""|''')).*){0,8}?\n\s*[rRuUbB]?("""|''')([\s\S]{0,2000}?)\1/;

/** What comments say of a definition: those before it, and in Python the text that it begins with. */
export function commentOf(lines: readonly string[], { from, start, end }: { from: number; start: number; end: number }): string {
  const before = lines
    .slice(from - 1, start - 1)
    .filter((line) => !/^\s*[@[]/.test(line))
    .join('\n');
  const inside = DOCSTRING.exec(lines.slice(start - 1, Math.min(end, start + 40)).join('\n'))?.[2] ?? '';
  return `${before}\n${inside}`.trim();
}
