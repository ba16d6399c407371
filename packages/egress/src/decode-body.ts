import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { EgressError } from './egress-error.js';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
/** One encoding is what servers use; two happen where a cache stands before one; more is an attack. */
const MAX_ENCODINGS = 2;

/** What is asked for: the encodings that {@link readBody} reads. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

export interface BodyLimits {
  /** For the bytes as they came, and for the decoded ones. */
  readonly maxBytes: number;
  /** What is over the limit is left out instead of refused. */
  readonly cut: boolean;
}

/**
 * Reads a body to its end or its limit, and decodes it: a small answer that unfolds into a large one (a decompression bomb) is left as soon as its
 * decoded bytes pass the limit. Throws `EgressError`; what the stream itself says of a failure is thrown as it is.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string,
  { maxBytes, cut }: BodyLimits,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const stages: Readable[] = [body];
  const close = (): void => stages.forEach((stage) => stage.on('error', () => undefined).destroy());
  try {
    for (const decoder of decodersOf(contentEncoding)) {
      const source = stages.at(-1)!;
      source.on('error', (error) => decoder.destroy(error));
      stages.push(source.pipe(decoder));
    }
    const last = stages.at(-1)!;
    let arrived = 0;
    if (last !== body) {
      body.on('data', (piece: Buffer) => {
        arrived += piece.length;
        if (arrived > maxBytes) last.destroy(tooLarge(maxBytes)); // much that unfolds into nothing
      });
    }
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of last as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes && !cut) throw tooLarge(maxBytes);
      pieces.push(bytes > maxBytes ? piece.subarray(0, piece.length - (bytes - maxBytes)) : piece);
      if (bytes > maxBytes) break;
    }
    return { bytes: Buffer.concat(pieces), isCut: bytes > maxBytes };
  } finally {
    close();
  }
}

const tooLarge = (maxBytes: number): EgressError => new EgressError('too_large', `the answer is over ${String(maxBytes)} bytes`);

/** The last encoding that was applied is undone first. */
function decodersOf(contentEncoding: string): Transform[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse();
  const makers = names.map((name) => (Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined));
  if (names.length > MAX_ENCODINGS || makers.includes(undefined)) {
    throw new EgressError('failed', `the answer is encoded as ${JSON.stringify(contentEncoding.slice(0, 80))}, which is not asked for`);
  }
  return makers.map((make) => make!());
}
