import { LIMITS } from '@codelab/protocol';
import { decodeText } from '../decode-text.js';
import type { Executor } from './executor.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { ToolFailure } from '../tool-failure.js';

/** Reads one text file (docs/specification/tools.md#read_file). */
export const readFile: Executor<'read_file'> = {
  async run(args, { files }) {
    const path = toWorkspacePath(args.path);
    const state = await files.read(path, LIMITS.MAX_FILE_BYTES);
    if (state === undefined) throw new ToolFailure('FILE_NOT_FOUND', `File not found: ${path.text}`);
    return { content: decodeText(state.content, path.text), encoding: 'utf-8' };
  },
};
