import { findSecretReason } from '@codelab/tools';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Attachment, ImageType } from '@codelab/protocol';

/** Images that models take. */
const IMAGE_TYPES: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** A prompt as a message: its text, in which files of the workspace are mentioned (`@path:10-20`), and what came with it. */
export interface PromptContent {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Why a prompt can't be a message: a sentence that says which part, and what to do. */
export class PromptFault extends Error {}

/** Where the paths of a prompt lead. */
export interface PromptPlace {
  /** The path in the workspace of a `file:` URI or an absolute path; undefined for one outside of it. */
  readonly toWorkspacePath: (uri: string) => string | undefined;
}

/**
 * Makes one message of the parts of a prompt. Links to files of the workspace become mentions, which are read when the message is sent; what an editor
 * embeds goes as it is, so that text that is not saved counts; links that lead elsewhere stay links. Throws `PromptFault`.
 */
export function readPrompt(blocks: readonly ContentBlock[], place: PromptPlace): PromptContent {
  const attachments: Attachment[] = [];
  const text = blocks.map((block) => readBlock(block, place, attachments)).reduce(join, '');
  if (text.trim() === '' && attachments.length === 0) throw new PromptFault('The prompt is empty: say what to do.');
  return { text: text.trim() === '' ? attachments.map(({ path }) => `[${path}]`).join(' ') : text, attachments };
}

/** Puts parts together; a mention, and what stands for an attachment, is a word of its own. */
const join = (text: string, part: string): string => {
  const isApart = text === '' || part === '' || /\s$/.test(text) || /^\s/.test(part);
  return isApart || !(/^[@[]/.test(part) || ENDS_AS_WORD.test(text)) ? text + part : `${text} ${part}`;
};

/** The end of a mention, or of what stands for an attachment. */
const ENDS_AS_WORD = /(?:^|\s)@(?:"[^"]*"|\S+?)(?::\d+(?:-\d+)?)?$|\]$/;

function readBlock(block: ContentBlock, place: PromptPlace, attachments: Attachment[]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link': {
      const file = readFileUri(block.uri, place);
      return file === undefined ? `[${block.title ?? block.name}](${block.uri})` : mentionOf(file);
    }
    case 'image':
      attachments.push(toImage(block, block.uri ?? undefined, attachments.length, place));
      return '';
    case 'resource':
      return readResource(block.resource, place, attachments);
    case 'audio':
      throw new PromptFault('The prompt has audio, which CodeLab does not take: say it in text. (promptCapabilities.audio is false.)');
  }
}

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

function readResource(resource: Resource, place: PromptPlace, attachments: Attachment[]): string {
  const file = readFileUri(resource.uri, place);
  if (!('text' in resource)) {
    const image = { data: resource.blob, mimeType: resource.mimeType ?? '' };
    if (!isImageType(image.mimeType))
      throw new PromptFault(`${resource.uri} can't be attached: it is neither text nor one of ${IMAGE_TYPES.join(', ')}.`);
    attachments.push(toImage(image, resource.uri, attachments.length, place));
    return '';
  }
  if (file !== undefined && findSecretReason(file.path) !== undefined) return mentionOf(file); // read, if at all, as every such file is
  const path = file?.path ?? nameOf(resource.uri);
  const isThere = attachments.some((one) => one.path === path && one.lines === file?.lines);
  if (!isThere) attachments.push({ path, lines: file?.lines, content: resource.text });
  return `[${path}${file?.lines === undefined ? '' : `:${file.lines}`}]`;
}

const isImageType = (type: string): type is ImageType => (IMAGE_TYPES as readonly string[]).includes(type);

function toImage(
  { data, mimeType }: { readonly data: string; readonly mimeType: string },
  uri: string | undefined,
  index: number,
  place: PromptPlace,
): Attachment {
  if (!isImageType(mimeType))
    throw new PromptFault(`The prompt has an image of the type ${mimeType}: take one of ${IMAGE_TYPES.join(', ')}.`);
  const file = uri === undefined ? undefined : readFileUri(uri, place);
  const name = uri === undefined ? `image-${index + 1}.${mimeType.slice('image/'.length)}` : nameOf(uri);
  return { path: file?.path ?? name, content: data, media_type: mimeType };
}

interface FileInWorkspace {
  readonly path: string;
  /** `10-20` */
  readonly lines?: string;
}

/** The lines that editors put behind a path: `#L10`, `#L10-20`, `#L10:20`, `#L10-L20`. */
const FRAGMENT = /#L?(\d{1,9})(?:[:-]L?(\d{1,9}))?$/;

function readFileUri(uri: string, { toWorkspacePath }: PromptPlace): FileInWorkspace | undefined {
  const [, first, last] = FRAGMENT.exec(uri) ?? [];
  const path = toWorkspacePath(uri.replace(/[?#].*$/, ''));
  if (path === undefined || path === '') return undefined;
  return first === undefined ? { path } : { path, lines: last === undefined || last === first ? first : `${first}-${last}` };
}

const mentionOf = ({ path, lines }: FileInWorkspace): string =>
  `${/^[\w./-]+$/.test(path) ? `@${path}` : `@"${path}"`}${lines === undefined ? '' : `:${lines}`}`;

/** Characters of a path that an attachment may have. */
const MAX_PATH = 255;

/** What something outside of the workspace is called: the last name of its address, else the address. */
function nameOf(uri: string): string {
  const last =
    uri
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? '';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // shown as it came
  }
  return [...(name === '' ? uri : name)].slice(0, MAX_PATH).join('');
}
