import { code, count, textOf } from '../phrases.js';
import type { Outcome } from '../task.js';
import { LITERAL } from '../literals.js';

/** What to say of a file that was written; `content` is what was planned. */
export function written(outcome: Outcome, content: string): string {
  const edited = outcome.args.content !== content;
  const now = textOf(outcome.args.content) ?? content;
  const bytes = outcome.ok && typeof outcome.value.bytes_written === 'number' ? outcome.value.bytes_written : Buffer.byteLength(now);
  return `Wrote ${count(bytes, 'byte')} to ${code(textOf(outcome.args.path) ?? '')}${edited ? ', as you edited it' : ''}.`;
}

/** `write "x" to the file a.txt`: 1 the text, 2 the path. */
export const TO = new RegExp(
  `^(?:write|save|put|add|append|запиши|добавь)\\s+(${LITERAL}|.+?)\\s+(?:to|into|in|в)\\s+(?:(?:the|a|new|end|of|file|конец|файл|файла)\\s+)*(\\S+)\\s*$`,
  'isu',
);
