import { stripVTControlCharacters } from 'node:util';

/** The end of what a running call has printed. */
export interface CallOutput {
  readonly tail: string;
  /** Bytes of each stream that were seen, so that what comes twice counts once. */
  readonly stdout: number;
  readonly stderr: number;
}

const NOTHING: CallOutput = { tail: '', stdout: 0, stderr: 0 };
/** Characters that are kept: more than the rows that are shown can hold. */
const MAX_TAIL = 4_000;

/** The output after another piece. `offset` counts the bytes of its stream before it; without one the piece follows what was seen. */
export function addOutput(
  output: CallOutput = NOTHING,
  { stream, data, offset }: { readonly stream: 'stdout' | 'stderr'; readonly data: string; readonly offset?: number },
): CallOutput {
  const bytes = Buffer.byteLength(data);
  const start = offset ?? output[stream];
  if (start + bytes <= output[stream]) return output;
  return { ...output, tail: (output.tail + data).slice(-MAX_TAIL), [stream]: start + bytes };
}

/**
 * The last lines, as a terminal would leave them: colours and what moves a cursor taken away, and of a line that was written over again and
 * again what stands there last.
 */
export function lastLines({ tail }: CallOutput, count: number): readonly string[] {
  const lines = stripVTControlCharacters(tail)
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').replace(/^.*\r/s, ''));
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines.slice(-count);
}
