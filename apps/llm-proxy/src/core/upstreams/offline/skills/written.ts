import { code, count, textOf } from '../phrases.js';
import type { Outcome } from '../task.js';

/** What to say of a file that was written; `content` is what was planned. */
export function written(outcome: Outcome, content: string): string {
  const edited = outcome.args.content !== content;
  const now = textOf(outcome.args.content) ?? content;
  const bytes = outcome.ok && typeof outcome.value.bytes_written === 'number' ? outcome.value.bytes_written : Buffer.byteLength(now);
  return `Wrote ${count(bytes, 'byte')} to ${code(textOf(outcome.args.path) ?? '')}${edited ? ', as you edited it' : ''}.`;
}
