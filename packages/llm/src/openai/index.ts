export { decodeAnswer } from './decode-answer.js';
export { decodeError, type ProviderRefusal } from './decode-error.js';
export { decodeStream } from './decode-stream.js';
export { encodeRequest, type EncodedRequest } from './encode-request.js';
export type { WireRequest } from './wire.js';
