import type { ApiError } from '../../../errors/api-error.js';
import { asObject, asText } from '../../../json/read-json.js';
import { encodeError } from '../../chat/errors/encode-error.js';
import { EventWriter } from '../stream/item-writer.js';

/** Errors before a stream and keepalives are those of Chat Completions: one vendor, one form. */
export { encodeError, keepalive } from '../../chat/errors/encode-error.js';

/** What a stream says of an error. */
export interface StreamFailure {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly error: { readonly code: string; readonly message: string };
}

/** Writes one of the two events of an error. */
type WriteFailure = (type: 'error' | 'response.failed', fields: StreamFailure) => string;

/**
 * An error in the middle of a stream: `error`, on which the SDKs throw, then `response.failed`, the only one of the two that Codex reads.
 *
 * @param write the stream's own writer, if there is one
 */
export function encodeStreamError(error: ApiError, write: WriteFailure = writeAlone()): string {
  const wire = asObject(asObject(encodeError(error).body).error);
  const code = asText(wire.code) ?? asText(wire.type) ?? 'server_error';
  const failure = { code, message: error.message, param: error.param ?? null, error: { code, message: error.message } };
  return write('error', failure) + write('response.failed', failure);
}

function writeAlone(): WriteFailure {
  const events = new EventWriter();
  return (type, failure) =>
    type === 'error'
      ? events.write(type, failure)
      : events.write(type, { response: { id: null, object: 'response', status: 'failed', error: failure.error, output: [], usage: null } });
}
