import type { StreamPart } from '../../../canonical/stream-part.js';

/**
 * A thought that its provider wants back as it was: Chat Completions has no place for its signature, so it stands in an extension,
 * `thinking_blocks`, in Anthropic's form. A client that sends it back with the message keeps an Anthropic model's thoughts alive.
 */
export type ThoughtBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** Adds up the thoughts of an answer. */
export class ThoughtBlocks {
  private text: string[] = [];

  /** Takes a part and gives the block that it completes, if any. A thought without a signature makes none. */
  add(part: Extract<StreamPart, { kind: 'thinking_delta' | 'redacted_thinking' }>): ThoughtBlock | undefined {
    if (part.kind === 'redacted_thinking') return { type: 'redacted_thinking', data: part.data };
    if (part.text !== '') this.text.push(part.text);
    if (part.signature === undefined) return undefined;
    const thinking = this.text.join('');
    this.text = [];
    return { type: 'thinking', thinking, signature: part.signature };
  }
}
