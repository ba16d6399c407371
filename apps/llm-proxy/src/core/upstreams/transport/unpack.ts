import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Where unpacked bytes go. */
export interface UnpackedSink {
  data(bytes: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

const FLUSH = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI_FLUSH = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS = {
  gzip: () => createGunzip(FLUSH),
  'x-gzip': () => createGunzip(FLUSH),
  deflate: () => createInflate(FLUSH),
  br: () => createBrotliDecompress(BROTLI_FLUSH),
};

/** Unpacks what a server packs though it was asked not to; nothing for an answer that is plain. Each piece goes on as it comes. */
export function unpacker(encoding: unknown, sink: UnpackedSink): { write(bytes: Buffer): void; end(): void; close(): void } | undefined {
  const name = typeof encoding === 'string' ? encoding.toLowerCase() : '';
  if (!Object.hasOwn(DECODERS, name)) return undefined;
  const decoder = DECODERS[name as keyof typeof DECODERS]();
  decoder.on('data', (bytes: Buffer) => sink.data(bytes));
  decoder.on('end', () => sink.end());
  decoder.on('error', (error) => sink.fail(error));
  return { write: (bytes) => void decoder.write(bytes), end: () => void decoder.end(), close: () => void decoder.destroy() };
}
