import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../../to-tool-error.js';

/** A piece of the output of a process. */
interface OutputPiece {
  readonly output: string;
  /** Where it begins, in bytes of the whole output. */
  readonly offset: number;
  readonly nextOffset: number;
}

interface Segment {
  readonly begin: number;
  readonly path: string;
}

const segmentsOf = async (directory: string): Promise<readonly Segment[]> =>
  (await readdir(directory))
    .flatMap((name) => (/^output\.\d+$/.test(name) ? [{ begin: Number(name.slice('output.'.length)), path: join(directory, name) }] : []))
    .sort((one, other) => one.begin - other.begin);

/** Reads from a segment; `undefined` if it went meanwhile. */
const readSegment = async ({ begin, path }: Segment, offset: number, limit: number): Promise<Buffer | undefined> => {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const buffer = Buffer.allocUnsafe(limit);
    const { bytesRead } = await handle.read(buffer, 0, limit, offset - begin);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

/** Bytes at the end that begin a character and don't complete it. */
const cutBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > back ? back : 0;
  }
  return 0;
};

/**
 * Reads the output of a process from an offset on, as far as it is still there: what was trimmed is skipped, and the piece says where it begins.
 *
 * @param limit bytes
 * @param ended whether more can come: until then the bytes of a character that isn't whole wait for the rest
 */
export async function readOutput(
  directory: string,
  offset: number,
  { limit, ended }: { limit: number; ended: boolean },
): Promise<OutputPiece> {
  const segments = await segmentsOf(directory);
  const pieces: Buffer[] = [];
  let [begin, at, left] = [offset, offset, limit];
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1]?.begin ?? Infinity;
    if (next <= at || left === 0) continue;
    if (segment.begin > at) {
      if (pieces.length > 0) break; // a gap: the next answer begins after it
      [begin, at] = [segment.begin, segment.begin];
    }
    const bytes = (await readSegment(segment, at, Math.min(left, next - at))) ?? Buffer.alloc(0);
    if (bytes.length > 0) pieces.push(bytes);
    at += bytes.length;
    left -= bytes.length;
  }
  const all = Buffer.concat(pieces);
  const kept = all.subarray(0, all.length - (ended && at - begin < limit ? 0 : cutBytes(all)));
  return { output: new TextDecoder('utf-8', { ignoreBOM: true }).decode(kept), offset: begin, nextOffset: begin + kept.length };
}
