import type { Thought } from '../../../canonical/message.js';
import { asObject, parseJson } from '../../../json/read-json.js';

/** Begins every envelope of ours; what other servers put into `encrypted_content` never begins like this. */
const PREFIX = 'codelab1.';

/**
 * A thought as the `encrypted_content` of a reasoning item. The caller carries it from answer to request without looking in, so a
 * thought that a provider signed comes back to it letter by letter, whatever the caller makes of the summary beside it. It is not secret:
 * the caller is shown the same text.
 */
export function sealThought(thought: Thought): string {
  const letter = thought.kind === 'thinking' ? { text: thought.text, signature: thought.signature } : { redacted: thought.data };
  return PREFIX + Buffer.from(JSON.stringify(letter)).toString('base64url');
}

/** Whether an `encrypted_content` is ours. */
export function isSealed(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(PREFIX);
}

/** The thought in an envelope of ours; nothing for anyone else's, or one that was cut. */
export function openThought(value: unknown): Thought | undefined {
  if (!isSealed(value)) return undefined;
  const { text, signature, redacted } = asObject(parseJson(Buffer.from(value.slice(PREFIX.length), 'base64url').toString()));
  if (typeof redacted === 'string') return { kind: 'redacted_thinking', data: redacted };
  if (typeof text !== 'string') return undefined;
  return { kind: 'thinking', text, signature: typeof signature === 'string' ? signature : undefined };
}
