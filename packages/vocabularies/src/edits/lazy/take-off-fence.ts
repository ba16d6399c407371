import { Unclear } from './units.js';

const FENCE = /^\s*(`{3,}|~{3,})[\w+.:/ -]*$/;

/**
 * The changes without the code fence around them and blank lines at their ends.
 * @throws Unclear for words around a fence: nobody can tell what of it is meant
 */
export function takeOffFence(lines: readonly string[], file: readonly string[], path: string): readonly string[] {
  const inner = withoutBlankEnds(lines);
  const [first, last] = [inner[0] ?? '', inner.at(-1) ?? ''];
  const open = FENCE.exec(first)?.[1];
  const isFenced = inner.length > 1 && open !== undefined && last.trim().startsWith(open) && last.trim().replaceAll(open[0]!, '') === '';
  const body = isFenced ? withoutBlankEnds(inner.slice(1, -1)) : inner;
  if (body.length === 0) throw new Unclear(undefined, 'it is empty');
  if (/\.(md|markdown|mdx|rst|adoc|txt)$/i.test(path)) return body;
  const known = new Set(file.map((line) => line.trim()));
  const stray = body.find((line) => FENCE.test(line) && !known.has(line.trim()));
  if (stray !== undefined) throw new Unclear(stray, 'there are words around a code fence; give the code alone');
  return body;
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
