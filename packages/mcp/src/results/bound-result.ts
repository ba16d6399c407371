import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';

/** A whole result, in characters of JSON: it fits into a frame. */
export const MAX_RESULT = 4 * 1024 * 1024;

/** One text. */
export const MAX_TEXT = 400_000;

/** One image, sound or binary resource, in characters of base64 (about 3 MB). */
export const MAX_BINARY = 4 * Math.ceil((3 * 1024 * 1024) / 3);

const MAX_BLOCKS = 1_000;

const note = (text: string): ContentBlock => ({ type: 'text', text: `[${text}]` });

const megabytes = (base64: string): string => `${((base64.length * 3) / 4 / (1024 * 1024)).toFixed(1)} MB`;

/** A text that is cut at a character, with a note of how long it was. */
export function boundText(text: string, max = MAX_TEXT): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  return `${kept}\n[cut: ${text.length.toLocaleString('en')} characters in all, ${kept.length.toLocaleString('en')} shown]`;
}

/** One block of content, cut or replaced by a note where it is too large. */
export function boundBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return block.text.length <= MAX_TEXT ? block : { ...block, text: boundText(block.text) };
    case 'image':
    case 'audio':
      if (block.data.length <= MAX_BINARY) return block;
      return note(`${block.type} of ${megabytes(block.data)} left out: more than 3 MB`);
    case 'resource': {
      const { resource } = block;
      if ('text' in resource)
        return resource.text.length <= MAX_TEXT ? block : { ...block, resource: { ...resource, text: boundText(resource.text) } };
      return resource.blob.length <= MAX_BINARY
        ? block
        : note(`resource ${resource.uri.slice(0, 200)} of ${megabytes(resource.blob)} left out: more than 3 MB`);
    }
    default:
      return block;
  }
}

/**
 * A result that is no larger than {@link MAX_RESULT}: long texts are cut, large images, sounds and binaries replaced by a note, and what is
 * still too much is left out from the end, with a note. `structuredContent`, links and `isError` are kept.
 *
 * @param isValid whether `structuredContent` fits the output schema; absent: there is none
 */
export function boundResult(result: CallToolResult, isValid?: (value: unknown) => boolean): CallToolResult {
  const blocks = (result.content ?? []).slice(0, MAX_BLOCKS).map(boundBlock);
  if ((result.content ?? []).length > MAX_BLOCKS) blocks.push(note(`${result.content.length - MAX_BLOCKS} further blocks left out`));
  const { structuredContent } = result;
  const structured = structuredContent === undefined ? 0 : JSON.stringify(structuredContent).length;
  const keepsStructured = structuredContent !== undefined && structured <= MAX_RESULT / 2;
  if (structuredContent !== undefined && !keepsStructured) blocks.push(note('the structured content was left out: it is larger than 2 MB'));
  if (isValid !== undefined && result.isError !== true) {
    if (structuredContent === undefined) blocks.push(note('the tool promises structured content, and gave none'));
    else if (keepsStructured && !isValid(structuredContent))
      blocks.push(note("the structured content does not match the tool's output schema"));
  }
  const content = withinTotal(blocks, MAX_RESULT - (keepsStructured ? structured : 0) - 1_024);
  return {
    content: [...content],
    ...(keepsStructured && { structuredContent }),
    ...(result.isError === true && { isError: true }),
  };
}

/** As many blocks as fit. */
export function withinTotal(blocks: readonly ContentBlock[], max: number): readonly ContentBlock[] {
  let total = 0;
  for (const [index, block] of blocks.entries()) {
    total += JSON.stringify(block).length + 1;
    if (total > max - 200)
      return [...blocks.slice(0, index), note(`${blocks.length - index} blocks left out: the result is larger than 4 MB`)];
  }
  return blocks;
}
