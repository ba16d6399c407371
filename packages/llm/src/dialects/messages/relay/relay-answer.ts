import type { RelayedText } from '../../dialect.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { parseMessage } from '../answer/decode-answer.js';
import { decodeError } from '../errors/decode-error.js';
import { decodeUsage } from '../answer/decode-usage.js';
import { restoreNames } from './restore-names.js';

/** A message of an upstream as the caller gets it. Throws `LlmError`: for an error, and `unavailable` for what is no message. */
export function relayAnswer(text: string, names?: ToolNames): RelayedText {
  const message = parseMessage(text);
  if (message.type === 'error') throw decodeError({ body: message });
  const usage = decodeUsage(message.usage);
  return { text: names ? restoreNames(text, names) : text, usage };
}
