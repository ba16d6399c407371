import { MAX_CHUNK_LINES, type Chunk } from './chunk.js';
import { splitLines } from './split-lines.js';

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;

/** A document in its sections, each with the headings that it stands below. */
export function chunkMarkdown(lines: readonly string[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  const headings: string[] = [];
  let [start, fenced] = [1, false];
  const close = (end: number): void => {
    const name = headings.filter((heading) => heading !== '').join(' / ');
    if (end - start < MAX_CHUNK_LINES)
      chunks.push(...(lines.slice(start - 1, end).some((line) => line.trim() !== '') ? [{ start, end, name, doc: '' }] : []));
    else chunks.push(...splitLines(lines, { start, end }, name));
  };
  lines.forEach((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? null : HEADING.exec(line);
    if (heading === null) return;
    if (index >= start) close(index);
    start = index + 1;
    const level = heading[1]!.length;
    headings.splice(level - 1);
    while (headings.length < level - 1) headings.push('');
    headings.push(heading[2]!);
  });
  close(lines.length);
  return chunks;
}
