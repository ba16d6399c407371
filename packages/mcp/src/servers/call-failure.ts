import { ProtocolError, SdkError, SdkErrorCode, UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { isLoginMissing, isTimeout, rootMessage, statusOf, wasNotSent } from '../connection/connect-failure.js';
import { cleanLine, cleanText } from '../lists/clean-text.js';
import { STREAM_ENDED } from '../transports/guarded-transport.js';
import { McpError } from './mcp-error.js';

/** What became of a request that got no answer. `again`: it never reached the server, so it may be sent once more. */
export interface CallFailure {
  readonly error: McpError;
  /** The HTTP session is over, or the connection is: a new one is needed. */
  readonly isLost: boolean;
  readonly mayRepeat: boolean;
}

const UNKNOWN = 'Whether the call took effect is not known; it is not repeated.';

const fail = (error: McpError, more: { readonly isLost?: boolean; readonly mayRepeat?: boolean } = {}): CallFailure => ({
  error,
  isLost: more.isLost ?? false,
  mayRepeat: more.mayRepeat ?? false,
});

/** Says what the error of a request means. Servers' words in it are cleaned and cut. */
export function toCallFailure(server: string, error: unknown, timeoutMs: number): CallFailure {
  const make = (code: McpError['code'], message: string): McpError => new McpError(code, message, { cause: error });
  const name = `The MCP server ${server}`;
  if (error instanceof McpError) return fail(error);
  if (isLoginMissing(error)) return fail(make('NEEDS_LOGIN', `${name} wants a login.`), { isLost: true });
  if (wasNotSent(error))
    return fail(make('NOT_CONNECTED', `${name} can't be reached; nothing was sent.`), { isLost: true, mayRepeat: true });
  const status = statusOf(error);
  if (status === 404)
    return fail(make('NOT_CONNECTED', `${name} has forgotten our session; nothing was done.`), { isLost: true, mayRepeat: true });
  if (status !== undefined && status >= 500) return fail(make('OUTCOME_UNKNOWN', `${name} answered ${status}. ${UNKNOWN}`));
  if (status !== undefined) return fail(make('REFUSED', `${name} refused the request with the status ${status}.`));
  if (UrlElicitationRequiredError.isInstance(error)) {
    const urls = error.elicitations.slice(0, 3).map(({ url }) => cleanLine(url, 500));
    return fail(make('REFUSED', `${name} asks you to open ${urls.join(' and ')} first; then try again.`));
  }
  if (ProtocolError.isInstance(error)) {
    if (error.code === STREAM_ENDED) return fail(make('OUTCOME_UNKNOWN', `${name} ended the stream without an answer. ${UNKNOWN}`));
    return fail(make('REFUSED', `${name} answered with an error: ${cleanText(error.message, 2_000)}`));
  }
  if (isTimeout(error)) {
    return fail(make('TIMEOUT', `${name} did not answer within ${timeoutMs / 1_000} seconds. The call was cancelled; ${lower(UNKNOWN)}`));
  }
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.NotConnected)
      return fail(make('NOT_CONNECTED', `${name} is not connected; nothing was sent.`), { isLost: true, mayRepeat: true });
    if (error.code === SdkErrorCode.ConnectionClosed)
      return fail(make('OUTCOME_UNKNOWN', `The connection to ${lower(name)} ended under the call. ${UNKNOWN}`), { isLost: true });
    if (error.code === SdkErrorCode.CapabilityNotSupported || error.code === SdkErrorCode.MethodNotSupportedByProtocolVersion) {
      return fail(make('REFUSED', `${name} does not have this feature.`));
    }
    return fail(make('INVALID_ANSWER', `${name} answered with what the protocol does not allow: ${cleanLine(error.message, 300)}`));
  }
  if (error instanceof Error && error.name === 'ZodError')
    return fail(make('INVALID_ANSWER', `${name} answered with what is no message of the protocol.`));
  return fail(make('OUTCOME_UNKNOWN', `The connection to ${lower(name)} failed: ${cleanLine(rootMessage(error), 200)}. ${UNKNOWN}`));
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
