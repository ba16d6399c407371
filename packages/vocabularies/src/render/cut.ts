/** Characters of a result where a row says no less (vocabularies, rule 12). */
export const MAX_RESULT = 60_000;

const RESERVED = 200;

/**
 * Lines as one text, cut at a line if they are too long, with a last line `[cut: {shown} of {total}; {how to get the rest}]`. A first line that
 * is too long alone is cut itself.
 * @param rest how to get what is left out, told how many lines are shown
 */
export function cutLines(
  lines: readonly string[],
  rest: (shown: number) => string,
  { limit = MAX_RESULT, total = lines.length }: { readonly limit?: number; readonly total?: number } = {},
): string {
  const length = lines.reduce((sum, line) => sum + line.length + 1, -1);
  if (length <= limit && total <= lines.length) return lines.join('\n');
  const kept: string[] = [];
  let left = length <= limit ? Infinity : limit - RESERVED;
  for (const line of lines) {
    if (line.length + 1 > left) break;
    left -= line.length + 1;
    kept.push(line);
  }
  if (kept.length === 0 && lines.length > 0) kept.push(lines[0]!.slice(0, limit - RESERVED));
  return [...kept, `[cut: ${String(kept.length)} of ${String(total)}; ${rest(kept.length)}]`].join('\n');
}
