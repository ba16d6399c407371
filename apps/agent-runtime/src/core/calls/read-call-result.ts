import { scanObject } from '@codelab/protocol';
import { findResultFault, findTool } from '@codelab/tools';
import { type CallResult, errorContent } from './call-result.js';

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
