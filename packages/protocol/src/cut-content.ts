/** A waiting message, as the queue shows it, has at most this many UTF-16 units. */
const MAX_QUEUED_CHARACTERS = 2_000;

/** `content` cut to a length, never inside a character; `content_truncated` says so. */
export function cutContent(content: string, characters: number): { readonly content: string; readonly content_truncated?: true } {
  if (content.length <= characters) return { content };
  const last = content.charCodeAt(characters - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? characters - 1 : characters;
  return { content: content.slice(0, end), content_truncated: true };
}

/** A waiting message as `queue_updated` and snapshots show it: JSON text of `message_id` and `content`. */
export const summariseMessage = (messageId: string, content: string): string =>
  JSON.stringify({ message_id: messageId, ...cutContent(content, MAX_QUEUED_CHARACTERS) });
