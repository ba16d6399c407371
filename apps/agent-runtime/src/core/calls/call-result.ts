import type { ToolErrorCode } from '@codelab/protocol';

/** What came of a call. */
export interface CallResult {
  /** What the model reads: the JSON text of the result, or `Error [CODE]: message`. */
  readonly content: string;
  readonly isError: boolean;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  /** No executor said so. */
  readonly synthetic: boolean;
  /** The call's record has it until the call is closed, so a stored state leaves it out. */
  readonly inRecord: boolean;
}

/** How an error reads to the model (docs/specification/calls.md#to-the-model). */
export const errorContent = (code: string, message: string): string => `Error [${code}]: ${message}`;

/** A result that is made up here, because no executor answered (R5). */
export const syntheticResult = (code: ToolErrorCode, message: string): CallResult => ({
  content: errorContent(code, message),
  isError: true,
  outcome: code,
  synthetic: true,
  inRecord: false,
});

/** Sentences for the model: denied, timed out, disconnected, unknown are four different facts (H3, R2). */
export const SENTENCES = {
  DENIED_BY_USER: 'The user rejected this call. Do not repeat it unchanged.',
  APPROVAL_TIMED_OUT: 'Nobody decided about this call in the time that the session allows. Nobody refused it either. It did not run.',
  CLIENT_DISCONNECTED: 'The client that runs the tools was away longer than the session allows. The call did not run.',
  OUTCOME_UNKNOWN: 'The call was begun and its end is not known. It may or may not have taken effect: look before you repeat it.',
  TIMEOUT: 'The call ran longer than its deadline and was stopped. It changes nothing, so it can be repeated.',
  CANCELLED: 'The turn was cancelled before this call ran.',
} as const;

export type StandardCode = keyof typeof SENTENCES;

/** A result that is made up here, in the words that are always said for it. */
export const standardResult = (code: StandardCode): CallResult => syntheticResult(code, SENTENCES[code]);
