import type { GetPromptResult } from '@codelab/mcp';
import type { Attachment } from '@codelab/protocol';

/** The message that a prompt of a server becomes, and the images and files that go with it. */
export interface PromptMessage {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

type Block = GetPromptResult['messages'][number]['content'];

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * Makes one message of the user out of those of a prompt: what it gives the assistant to say is quoted as such. Images and texts of resources go as
 * attachments; what no message can carry is named in its place.
 */
export function toPromptMessage(server: string, { messages }: Pick<GetPromptResult, 'messages'>): PromptMessage {
  const attachments: Attachment[] = [];
  const parts = messages.map(({ role, content }) => {
    const text = takeBlock(server, content, attachments);
    return role === 'assistant' ? `(as the assistant would say it)\n${text}` : text;
  });
  return { text: parts.filter((part) => part.trim() !== '').join('\n\n'), attachments };
}

function takeBlock(server: string, block: Block, attachments: Attachment[]): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'image' && IMAGES.has(block.mimeType)) {
    const extension = block.mimeType.slice('image/'.length);
    const path = `${server}-image-${attachments.length + 1}.${extension}`;
    attachments.push({ path, content: block.data, media_type: block.mimeType as Attachment['media_type'] });
    return `[${path}]`;
  }
  if (block.type === 'resource' && 'text' in block.resource) {
    const path = pathOfResource(server, block.resource.uri);
    attachments.push({ path, content: block.resource.text });
    return `[${path}]`;
  }
  if (block.type === 'resource_link') return `[${block.name}: ${block.uri}]`;
  return `[${block.type}, which a message can't carry]`;
}

/** Characters of a path that an attachment may have. */
const MAX_PATH = 255;

/** How a resource is called as an attachment. */
export const pathOfResource = (server: string, uri: string): string => [...`${server}:${uri}`].slice(0, MAX_PATH).join('');
