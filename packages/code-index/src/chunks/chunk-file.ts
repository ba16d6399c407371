import type { CodeSymbol } from '../symbols/symbol.js';
import { chunkCode } from './chunk-code.js';
import { chunkMarkdown } from './chunk-markdown.js';
import { MAX_CHUNKS, type Chunk } from './chunk.js';
import { splitLines } from './split-lines.js';

/** A file in the pieces that a search can find. */
export function chunkFile(path: string, lines: readonly string[], symbols: readonly CodeSymbol[]): readonly Chunk[] {
  const chunks =
    symbols.length > 0
      ? chunkCode(lines, symbols)
      : /\.mdx?$/i.test(path)
        ? chunkMarkdown(lines)
        : splitLines(lines, { start: 1, end: lines.length });
  return chunks.slice(0, MAX_CHUNKS);
}
