import { scanObject, type ToolErrorCode } from '@codelab/protocol';
import { findResultFault, findTool } from '@codelab/tools';

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

/** How much of a result that can't be read is shown, in UTF-16 units. */
const MAX_SHOWN_UNITS = 2_000;

/**
 * What a `tool_result` frame says of a call, as the model reads it. A result of a canonical tool that has not the shape of its definition is
 * an error: a model takes what it is shown for the truth, and a missing `exit_code` would read as success. The tool ran all the same.
 * @param frame the frame as the gateway stored it
 */
export function readCallResult(toolName: string, frame: string): CallResult & { readonly message: string } {
  const result = readToolResult(frame);
  const tool = result.isError ? undefined : findTool(toolName);
  const fault = tool === undefined ? undefined : findResultFault(tool, JSON.parse(result.content));
  if (fault === undefined) return result;
  const { content } = result;
  const shown = content.length > MAX_SHOWN_UNITS ? `${content.slice(0, MAX_SHOWN_UNITS)} … (cut)` : content;
  const message = `The client answered ${toolName} with a result of another shape: ${fault}. It may have taken effect: look before you repeat it. The result: ${shown}`;
  return { ...result, content: errorContent('OUTCOME_UNKNOWN', message), isError: true, outcome: 'OUTCOME_UNKNOWN', message };
}

interface StoredError {
  readonly code?: unknown;
  readonly message?: unknown;
}

/**
 * What a `tool_result` frame says, as the model reads it. `result` is any JSON value, and stays the text that the executor wrote, byte for byte.
 * @param frame the frame as the gateway stored it, which has checked it
 */
export function readToolResult(frame: string): CallResult & { readonly message: string } {
  const scan = scanObject(frame, { nesting: Infinity, fields: Infinity });
  const textOf = (name: string): string | undefined => {
    const span = scan.ok ? scan.fields.get(name) : undefined;
    return span === undefined ? undefined : frame.slice(span.start, span.end);
  };
  const error = textOf('error');
  if (error === undefined || error === 'null') {
    return { content: textOf('result') ?? '{}', isError: false, outcome: 'ok', synthetic: false, inRecord: true, message: '' };
  }
  const { code, message } = JSON.parse(error) as StoredError;
  const [name, words] = [typeof code === 'string' ? code : 'OUTCOME_UNKNOWN', typeof message === 'string' ? message : ''];
  return { content: errorContent(name, words), isError: true, outcome: name, synthetic: false, inRecord: true, message: words };
}
