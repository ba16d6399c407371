import type { IncomingMessage } from 'node:http';
import { isUtf8 } from 'node:buffer';
import { ApiError } from '@codelab/llm';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

export interface BodyLimits {
  /** After decompression too. */
  readonly maxBodyBytes: number;
  readonly bodyTimeoutMs: number;
}

/**
 * Reads the body of a request as text. Rejects with `ApiError`: `too_large`, `request_timeout`, `invalid_request` for what is no UTF-8 or
 * was packed in a way that we don't know; `cancelled` where the caller left.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<string> {
  const bytes = await inflateBody(await readBytes(request, limits), request.headers['content-encoding'], limits.maxBodyBytes);
  if (!isUtf8(bytes)) throw new ApiError('invalid_request', 'the body is not valid UTF-8');
  return bytes.toString('utf8');
}

/** Whether a request says that it has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function readBytes(request: IncomingMessage, { maxBodyBytes, bodyTimeoutMs }: BodyLimits): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return Promise.reject(tooLarge(maxBodyBytes));
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      act();
    };
    const fail = (error: ApiError) => settle(() => reject(error));
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      if ((length += piece.length) > maxBodyBytes) fail(tooLarge(maxBodyBytes));
    };
    const onEnd = (): void => settle(() => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length)));
    const onClose = (): void => fail(new ApiError('cancelled', 'the caller left before its request was complete'));
    const timer = setTimeout(
      () => fail(new ApiError('request_timeout', `the body did not come within ${bodyTimeoutMs / 1000} s (LLM_PROXY_BODY_TIMEOUT_MS)`)),
      bodyTimeoutMs,
    );
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

const UNPACKERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** Unpacks a body by its `content-encoding`; as it is without one. Rejects with `ApiError`. */
async function inflateBody(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return bytes;
  if (!Object.hasOwn(UNPACKERS, name)) {
    throw new ApiError('invalid_request', 'content-encoding must be gzip, deflate, br or identity', { param: 'content-encoding' });
  }
  try {
    return await UNPACKERS[name as keyof typeof UNPACKERS](bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new ApiError('invalid_request', `the body is not what content-encoding says: ${name}`, { param: 'content-encoding' });
  }
}

/** A body over the limit. */
const tooLarge = (maxBodyBytes: number): ApiError =>
  new ApiError('too_large', `the body is larger than ${maxBodyBytes} bytes, the limit of this proxy (LLM_PROXY_MAX_BODY_BYTES)`);
