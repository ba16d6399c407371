import type { Executor } from './executor.js';
import { compareOperands } from '../files/content/check-operands.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';

/** Creates a directory (docs/specification/tools.md#create_directory). */
export const createDirectory: Executor<'create_directory'> = {
  async run(args, { files, keep, operands }) {
    const path = toWorkspacePath(args.path);
    if (operands !== undefined) compareOperands([], operands);
    return { success: true, created: await files.makeDirectory(path, keep) };
  },
  async preview(args, { files }) {
    const path = toWorkspacePath(args.path);
    const missing = await files.missingDirectories(path);
    const text = missing.length === 0 ? `${path.text} is there already; nothing is done.` : `Creates:\n${missing.join('\n')}`;
    return { preview: { kind: 'text', text }, operands: [] };
  },
};
