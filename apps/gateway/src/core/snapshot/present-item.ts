import { nameImages } from './result-images.js';

interface ShownAttachment {
  readonly content?: unknown;
}

const IS_USER = /^\{"role":"user"/;
const IS_TOOL = /^\{"role":"tool"/;
const IS_ASSISTANT = /^\{"role":"assistant"/;

/**
 * An item of the history as clients see it: of attached files their paths, lines and kinds, not what was read of them, because the user's own
 * client has that, and nobody else needs it; of pictures what they are, which `…/calls/{call_id}/images` has. What a model thought is between it
 * and its provider.
 * @param text JSON text as stored
 */
export function presentItem(text: string): string {
  if (IS_ASSISTANT.test(text) && text.includes('"thinking":[')) {
    const { thinking: _, ...shown } = JSON.parse(text) as { readonly thinking?: unknown };
    return JSON.stringify(shown);
  }
  if (IS_TOOL.test(text) && (text.includes('"images":[') || text.includes('\\"data\\"'))) {
    const result = JSON.parse(text) as object;
    const named = nameImages(result);
    return named === result ? text : JSON.stringify(named);
  }
  if (!IS_USER.test(text) || !text.includes('"attachments":[')) return text;
  const item = JSON.parse(text) as { readonly attachments?: readonly ShownAttachment[] };
  if (!Array.isArray(item.attachments)) return text;
  return JSON.stringify({ ...item, attachments: item.attachments.map(({ content: _, ...shown }: ShownAttachment) => shown) });
}
