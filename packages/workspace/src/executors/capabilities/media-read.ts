import { toWorkspacePath } from '../../files/paths/parse-path.js';
import { readMediaHeader } from '../../media/image-header.js';
import { ToolFailure } from '../../tool-failure.js';
import type { Executor } from '../executor.js';

/** 3 MB: what models take of one image, and what a frame carries as base64. */
const MAX_MEDIA_BYTES = 3 * 1024 * 1024;

/** Reads an image or a PDF file (docs/specification/tools.md#capabilities). What it is, its content says and not its name. */
export const mediaRead: Executor<'media.read'> = {
  async run({ path: given, pages, max_bytes: maxBytes = MAX_MEDIA_BYTES }, { files }) {
    const path = toWorkspacePath(given);
    const state = await files.read(path, maxBytes);
    if (state === undefined) throw new ToolFailure('FILE_NOT_FOUND', `File not found: ${path.text}`);
    const header = readMediaHeader(state.content);
    if (header === undefined) throw new ToolFailure('ENCODING_ERROR', `${path.text} is no image (PNG, JPEG, GIF, WebP) and no PDF file.`);
    const { mediaType, width, height } = header;
    if (pages !== undefined) throw new ToolFailure('INVALID_ARGUMENTS', `${path.text} can only be read whole here: leave "pages" out.`);
    return { media_type: mediaType, data: state.content.toString('base64'), width, height };
  },
};
