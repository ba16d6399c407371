import { DEFAULT_LISTED, type ResultOf } from '@codelab/tools';
import type { Executor } from './executor.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { readFilePattern } from '../search/file-pattern.js';
import { rulesAbove } from '../search/rules-above.js';
import { TreeWalk } from '../search/walk-tree.js';

/** Lists a directory (docs/specification/tools.md#list_files), by our own walk: the order and the ignore rules are the same on every machine. */
export const listFiles: Executor<'list_files'> = {
  async run(args, { files, signal }) {
    const { limit = DEFAULT_LISTED, include_ignored: all = false } = args;
    const path = toWorkspacePath(args.path ?? '.');
    const pattern = args.pattern === undefined ? undefined : readFilePattern(args.pattern);
    return files.tree(path, async (tree) => {
      const prefix = tree.segments.length === 0 ? 0 : tree.segments.join('/').length + 1;
      const entries: ResultOf<'list_files'>['entries'][number][] = [];
      const walk = new TreeWalk(tree.way.at(-1)!, {
        path: tree.segments.join('/'),
        recursive: (args.recursive ?? false) || pattern?.hasDirectories === true,
        rules: all ? undefined : { above: rulesAbove(tree) },
        wants: (entry) => pattern?.matches(pattern.hasDirectories ? entry.path.slice(prefix) : '', entry.name) ?? true,
        room: () => limit + 1 - entries.length,
        signal,
      });
      for await (const { name, path: text, kind, directory } of walk.entries()) {
        if (kind === 'directory' && pattern !== undefined) continue;
        if (entries.length === limit) return { entries, truncated: true };
        entries.push({ path: text, type: kind, size: kind === 'file' ? directory.stats(name)?.size : undefined });
      }
      return { entries, truncated: walk.tooDeep };
    });
  },
};
