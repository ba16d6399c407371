import type { IndexStore } from '../store/index-store.js';
import type { CodeSymbol } from '../symbols/symbol.js';

/** Characters of a token, about. */
const CHARACTERS = 3.5;
/** Files that a map looks at. */
const MAX_FILES = 3_000;
const MAX_LINE = 400;

/** What a file defines at its top, and the members of its classes behind these. */
const describe = (symbols: readonly CodeSymbol[]): string => {
  const parts: string[] = [];
  const seen = new Set<string>();
  let length = 0;
  for (const { shown, name, container, kind } of symbols) {
    const text =
      container === '' || kind === 'method' || kind === 'function'
        ? container === ''
          ? shown
          : `${container}.${shown}`
        : `${container}.${name}`;
    if (seen.has(text)) continue;
    seen.add(text);
    length += text.length + 2;
    if (length > MAX_LINE) return [...parts, '…'].join(', ');
    parts.push(text);
  }
  return parts.join(', ');
};

/**
 * What the files below a directory define, a line each, those first taken in that others refer to most; in the order of paths. The same
 * tree gives the same text.
 *
 * @param directory relative to the workspace; empty for all of it
 * @param maxTokens about so much text
 */
export function drawMap(store: IndexStore, directory: string, maxTokens: number): string {
  const files = store.filesBelow(directory, MAX_FILES);
  let room = maxTokens * CHARACTERS;
  const lines: { readonly path: string; readonly line: string }[] = [];
  let left = 0;
  const isCode = ({ symbols }: (typeof files)[number]): boolean => symbols.length > 0;
  for (const { path, symbols } of [...files.filter(isCode), ...files.filter((file) => !isCode(file))]) {
    const whole = symbols.length === 0 ? path : `${path}: ${describe(symbols)}`;
    const line = whole.length + 1 <= room ? whole : path;
    if (line.length + 1 > room) {
      left += 1;
      continue;
    }
    room -= line.length + 1;
    lines.push({ path, line });
  }
  const text = lines.sort((one, other) => (one.path < other.path ? -1 : 1)).map(({ line }) => line);
  const more = files.length === MAX_FILES ? `more than ${String(left)}` : String(left);
  return [...text, ...(left > 0 ? [`(${more} other files are left out; look at one directory to see them)`] : [])].join('\n');
}
