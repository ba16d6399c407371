import { LlmError, openai } from '@codelab/llm';
import type { Dispatcher } from 'undici';

/** 64 KiB: more of a refusal says no more. */
const MAX_REFUSAL_BYTES = 64 * 1024;

const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;
const CERTIFICATE = /CERT|_TLS_|SELF_SIGNED|VERIFY_LEAF/;

/**
 * What undici, the socket or the resolver threw, as our error. Its message is never repeated: it can hold hosts and headers (L1);
 * its code is.
 *
 * @param begun whether the provider had begun to answer.
 */
export function toLlmError(error: unknown, begun: boolean): LlmError {
  if (error instanceof LlmError) return error;
  const code = findCode(error);
  const why = code === undefined ? '' : ` (${code})`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new LlmError('timeout', `The model provider did not accept the connection in time${why}.`);
  if (code === 'UND_ERR_INVALID_ARG') {
    return new LlmError('unavailable', `The model provider can't be asked${why}: check OPENAI_BASE_URL and OPENAI_API_KEY.`, {
      retryable: false,
    });
  }
  if (CERTIFICATE.test(code ?? '')) {
    return new LlmError('unavailable', `The certificate of the model provider is not trusted${why}: check OPENAI_BASE_URL.`, {
      retryable: false,
    });
  }
  if (begun) return new LlmError('stream_interrupted', `The connection to the model provider broke in the middle of its answer${why}.`);
  return new LlmError('unavailable', `The model provider could not be reached${why}: check OPENAI_BASE_URL.`);
}

/** An answer with a status other than 2xx, as our error. Reads a bounded part of its body. */
export async function refusalToLlmError({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<LlmError> {
  const text = await readSome(body);
  return openai.decodeError({ status: statusCode, headers, body: text });
}

async function readSome(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      if ((bytes += piece.length) >= MAX_REFUSAL_BYTES) break;
    }
  } catch (error) {
    if (error instanceof LlmError) throw error; // time is up, or the caller left
    // a refusal that breaks off: its status says enough
  }
  return Buffer.concat(pieces).toString('utf8');
}

function findCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    const { code, cause } = at as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && CODE.test(code)) return code;
    at = cause;
  }
  return undefined;
}
