import { isSignature } from './line-kinds.js';
import type { LineReader } from './line-reader.js';
import type { Hunk, PatchLine } from './patch.js';
import { PatchError } from './patch-error.js';

const HEADER = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@(.*)$/;
const count = (digits: string | undefined): number => (digits === undefined ? 1 : Number(digits));

const readLine = (line: string): PatchLine | undefined => {
  const sign = line[0];
  if (line === '' || line === '\r') return { sign: ' ', text: line }; // an empty context line whose blank was trimmed
  return sign === ' ' || sign === '+' || sign === '-' ? { sign, text: line.slice(1) } : undefined;
};

/** Marks the last line of the hunk if the next one says that its file ends without a newline. */
const takeMarker = (reader: LineReader, lines: PatchLine[]): void => {
  if (!reader.peek()?.startsWith('\\')) return;
  const last = lines.pop();
  if (last === undefined) throw new PatchError('the marker "\\ No newline at end of file" follows no line', reader.number);
  lines.push({ ...last, noNewline: true });
  reader.next();
};

/** A line without a newline is the last of its side. */
const assertLastOnes = (lines: readonly PatchLine[], headerAt: number): void => {
  for (const other of ['+', '-']) {
    const side = lines.filter(({ sign }) => sign !== other);
    if (side.slice(0, -1).some(({ noNewline }) => noNewline))
      throw new PatchError('the marker "\\ No newline at end of file" stands before the last line of the hunk', headerAt);
  }
};

/** What follows a hunk that is complete must not look like more of it: its header counts wrong, and lines would be lost. */
const assertEnd = (reader: LineReader, headerAt: number): void => {
  const line = reader.peek() ?? '';
  if (line.startsWith('--- ') && reader.peek(1)?.startsWith('+++ ')) return;
  if (/^[-+ \\]/.test(line) && !isSignature(reader))
    throw new PatchError(`there are more lines than the hunk header in line ${String(headerAt)} counts`, reader.number);
};

/**
 * Reads the hunk whose header is the reader's next line. The counts of the header are binding, as they are for git: a body that is shorter
 * or longer is an error, never cut or filled.
 *
 * @throws PatchError
 */
export function parseHunk(reader: LineReader): Hunk {
  const headerAt = reader.number;
  const header = HEADER.exec(reader.next().replace(/\r$/, ''));
  if (header === null) throw new PatchError('a hunk header looks like "@@ -1,5 +1,6 @@"', headerAt);
  const [oldLines, newLines] = [count(header[2]), count(header[4])];
  const lines: PatchLine[] = [];
  let [old, now] = [0, 0];
  while (old < oldLines || now < newLines) {
    const line = reader.peek();
    const read = line === undefined ? undefined : readLine(line);
    if (read !== undefined) {
      if (read.sign !== '+') old += 1;
      if (read.sign !== '-') now += 1;
    }
    if (read === undefined || old > oldLines || now > newLines) {
      const promised = `${String(oldLines)} old and ${String(newLines)} new lines`;
      throw new PatchError(`the hunk header in line ${String(headerAt)} promises ${promised}, which its lines don't have`, reader.number);
    }
    lines.push(read);
    reader.next();
    takeMarker(reader, lines);
  }
  if (lines.every(({ sign }) => sign === ' ')) throw new PatchError('the hunk changes nothing', headerAt);
  assertLastOnes(lines, headerAt);
  assertEnd(reader, headerAt);
  return { oldStart: Number(header[1]), oldLines, newStart: Number(header[3]), newLines, section: header[5]!, lines };
}
