import { scanObject } from '@codelab/protocol';
import { errorContent, type CallResult } from './call-result.js';

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
