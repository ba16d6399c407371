import { toWorkspacePath } from '../../files/paths/parse-path.js';
import { ToolFailure } from '../../tool-failure.js';
import type { Executor } from '../executor.js';

const DEFAULT_TOKENS = 4_000;

/** Shows what the files below a directory define (docs/specification/tools.md#capabilities). */
export const indexMap: Executor<'index.map'> = {
  async run({ path: given = '.', max_tokens: maxTokens = DEFAULT_TOKENS }, { index, files, signal }) {
    if (index === undefined) throw new ToolFailure('TOOL_NOT_FOUND', 'This workspace has no index of its code.');
    const path = toWorkspacePath(given);
    const isDirectory = await files.isDirectory(path);
    if (isDirectory === undefined) throw new ToolFailure('FILE_NOT_FOUND', `Directory not found: ${path.text}`);
    if (!isDirectory) throw new ToolFailure('INVALID_PATH', `${path.text} is a file; name a directory.`);
    const { text, note } = await index.map(path.segments.join('/'), maxTokens, signal);
    return { text: [...(note === undefined ? [] : [`(${note})`]), text].join('\n') };
  },
};
