import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Where unpacked bytes go. */
export interface UnpackedSink {
  data(bytes: Buffer): void;
  /** `write` said that it has enough: now it takes more. */
  drain(): void;
  end(): void;
  fail(error: Error): void;
}

/** What unpacks one answer. Few bytes become many, so it holds a bounded number of either. */
export interface Unpacker {
  /** Answers whether more may come at once; if not, `drain` says when. */
  write(bytes: Buffer): boolean;
  /** All was written; `end` of the sink follows what is still to be given. */
  end(): void;
  /** Gives nothing until `resume`, and so takes little. */
  pause(): void;
  resume(): void;
  readonly paused: boolean;
  /** Gives nothing any more. */
  close(): void;
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
export function unpacker(encoding: unknown, sink: UnpackedSink): Unpacker | undefined {
  const name = typeof encoding === 'string' ? encoding.toLowerCase() : '';
  if (!Object.hasOwn(DECODERS, name)) return undefined;
  const decoder = DECODERS[name as keyof typeof DECODERS]();
  decoder.on('data', (bytes: Buffer) => sink.data(bytes));
  decoder.on('drain', () => sink.drain());
  decoder.on('end', () => sink.end());
  decoder.on('error', (error) => sink.fail(error));
  return {
    write: (bytes) => decoder.write(bytes),
    end: () => void decoder.end(),
    pause: () => void decoder.pause(),
    resume: () => void decoder.resume(),
    get paused() {
      return decoder.isPaused();
    },
    close: () => void decoder.destroy(),
  };
}
