import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ApiError } from '@codelab/llm';
import { tooLarge } from './too-large.js';

const UNPACKERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** Unpacks a body by its `content-encoding`; as it is without one. Rejects with `ApiError`. */
export async function inflateBody(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
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
