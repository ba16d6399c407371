export { checkRequest } from './check-request.js';
export { decodeRequest, type DecodeOptions } from './decode-request.js';
export { encodeAnswer } from './encode-answer.js';
export { encodeError, encodeStreamError, keepalive } from './encode-error.js';
export { prepareRelay } from './prepare-relay.js';
export { referencedItems, type ItemKeeper } from './referenced-items.js';
export { relayAnswer } from './relay-answer.js';
export { StreamEncoder } from './stream-encoder.js';
export { watchStream } from './watch-stream.js';
