import type { RelayedText } from '../../dialect.js';
import { LlmError } from '../../../errors/llm-error.js';
import { decodeError } from '../../chat/errors/decode-error.js';
import { asObject, parseJson } from '../../../json/read-json.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { decodeUsage } from '../answer/decode-usage.js';
import { restoreNames } from './restore-names.js';

/** A response object of an upstream as the caller gets it. Throws `LlmError` for one that failed, and for what is none. */
export function relayAnswer(text: string, names?: ToolNames): RelayedText {
  const { output, error, usage: counted, status } = asObject(parseJson(text));
  if (error !== undefined && error !== null) throw decodeError({ body: { error } });
  if (!Array.isArray(output) && typeof status !== 'string') {
    throw new LlmError('unavailable', 'The model provider answered something that is no response object.');
  }
  const usage = decodeUsage(counted);
  return { text: names ? restoreNames(text, names) : text, usage };
}
