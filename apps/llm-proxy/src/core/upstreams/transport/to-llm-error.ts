import { LlmError } from '@codelab/llm';

/** What an operator looks at when an upstream can't be reached or refuses us: names of settings, never their values. */
export interface SettingNames {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;
const CERTIFICATE = /CERT|_TLS_|SELF_SIGNED|VERIFY_LEAF/;

/**
 * What undici, the socket or the resolver threw, as our error. Its message is never repeated: it can hold hosts and headers (L1);
 * its code is.
 *
 * @param begun whether the provider had begun to answer.
 */
export function toLlmError(error: unknown, begun: boolean, settings: SettingNames): LlmError {
  if (error instanceof LlmError) return error;
  const code = findCode(error);
  const why = code === undefined ? '' : ` (${code})`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new LlmError('timeout', `The model provider did not accept the connection in time${why}.`);
  if (code === 'UND_ERR_INVALID_ARG') {
    const where = `check ${settings.baseUrl} and ${settings.apiKey}`;
    return new LlmError('unavailable', `The model provider can't be asked${why}: ${where}.`, { retryable: false });
  }
  if (CERTIFICATE.test(code ?? '')) {
    const what = `The certificate of the model provider is not trusted${why}: check ${settings.baseUrl}.`;
    return new LlmError('unavailable', what, { retryable: false });
  }
  if (begun) return new LlmError('stream_interrupted', `The connection to the model provider broke in the middle of its answer${why}.`);
  return new LlmError('unavailable', `The model provider could not be reached${why}: check ${settings.baseUrl}.`);
}

function findCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    const { code, cause } = at as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && CODE.test(code)) return code;
    at = cause;
  }
  return undefined;
}
