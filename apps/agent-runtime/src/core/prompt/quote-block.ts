import { showInvisible } from './show-invisible.js';

/** Names of the blocks that a prompt or a note puts text of lower trust into. */
const BLOCKS = ['environment', 'instructions', 'system', 'system-reminder', 'tool_result', 'user'] as const;
const TAG = new RegExp(`<(?=\\s*/?\\s*(?:${BLOCKS.join('|')})\\b)`, 'gi');

/** A text that can't end the block that it stands in, nor begin one: its tags of these names open with `‹`. */
export const inert = (text: string): string => showInvisible(text).replace(TAG, '‹');

/** A value in one line between quotes, as an attribute of a block. */
export const attribute = (text: string): string => `"${inert(text).replaceAll('\n', ' ').replaceAll('"', "'")}"`;

/** A block of text of lower trust, marked with where it comes from. */
export const block = (name: (typeof BLOCKS)[number], attributes: Readonly<Record<string, string>>, text: string): string => {
  const marks = Object.entries(attributes).map(([key, value]) => ` ${key}=${attribute(value)}`);
  return `<${name}${marks.join('')}>\n${inert(text)}\n</${name}>`;
};
