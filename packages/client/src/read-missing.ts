import type { Attachment } from '@codelab/protocol';
import type { ClientOptions } from './client-options.js';

/** Reads the attachments that have no content, all at once and in their places. Without a reader they go as they are. */
export async function readMissing(
  attachments: readonly Attachment[],
  read: ClientOptions['readAttachments'],
): Promise<readonly Attachment[]> {
  const missing = attachments.filter(({ content }) => content === undefined);
  if (read === undefined || missing.length === 0) return attachments;
  const contents = await read(missing.map(({ path, lines }) => ({ path, ...(lines !== undefined && { lines }) })));
  const found = new Map(missing.map((attachment, at) => [attachment, contents[at]]));
  return attachments.map((attachment) => found.get(attachment) ?? attachment);
}
