import { RequestError } from '@agentclientprotocol/sdk';
import { ConnectionClosedError, RefusedError } from '@codelab/client';
import { ToolFailure } from '@codelab/workspace';
import { PromptFault } from '../../core/acp/prompt-content.js';
import { CommandError, TokenError } from '../../core/command-error.js';

/** What an editor asked for can't be done: a sentence, and the code of the servers where they said no. */
export class PromptError extends Error {
  constructor(
    message: string,
    readonly code = 'INVALID_PARAMS',
  ) {
    super(message);
  }
}

/** What the editor is answered: every error as one of the protocol, with a sentence for people as its message. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const cause = error instanceof CommandError && error.cause instanceof Error ? error.cause : error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof TokenError) return new RequestError(AUTH_REQUIRED, message);
  if (cause instanceof ConnectionClosedError) {
    const { kind } = cause.reason;
    if (kind === 'unauthorized' || kind === 'forbidden') return new RequestError(AUTH_REQUIRED, message);
    if (kind === 'not_found') return new RequestError(NOT_FOUND, message);
  }
  if (error instanceof PromptFault || (error instanceof PromptError && error.code === 'INVALID_PARAMS'))
    return new RequestError(INVALID_PARAMS, message);
  if (error instanceof PromptError) return new RequestError(INTERNAL, message, { code: error.code });
  if (error instanceof ToolFailure) return new RequestError(INVALID_PARAMS, `Nothing was sent. ${message}`);
  if (error instanceof RefusedError) return new RequestError(INVALID_PARAMS, message);
  if (error instanceof CommandError) return new RequestError(error.exitCode === USAGE ? INVALID_PARAMS : INTERNAL, message);
  return new RequestError(INTERNAL, message);
}

const USAGE = 2;
const INVALID_PARAMS = -32_602;
const INTERNAL = -32_603;
const AUTH_REQUIRED = -32_000;
const NOT_FOUND = -32_002;
