import { DEFAULT_LISTED, type ArgumentsOf, type ResultOf } from '@codelab/tools';
import type { Tree } from '../files/tree/tree.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { MAX_TIMED_ENTRIES } from '../limits.js';
import { readFilePattern } from '../search/file-pattern.js';
import { rulesAbove } from '../search/rules-above.js';
import { TreeWalk, type WalkedEntry } from '../search/walk-tree.js';
import { LatestEntries } from '../reading/latest-entries.js';
import type { Executor } from './executor.js';

type Answer = ResultOf<'list_files'>;
type Entry = Answer['entries'][number];

const describe = ({ name, path, kind, directory }: WalkedEntry): Entry => {
  const found = kind === 'file' || kind === 'directory' ? directory.stats(name) : undefined;
  return {
    ...{ path, type: kind, size: kind === 'file' ? found?.size : undefined },
    mtime_ms: found && Number(found.stats.mtimeMs),
  };
};

const walkOf = (tree: Tree, args: ArgumentsOf<'list_files'>, { room, signal }: { room: () => number; signal: AbortSignal }): TreeWalk => {
  const pattern = args.pattern === undefined ? undefined : readFilePattern(args.pattern);
  const prefix = tree.segments.length === 0 ? 0 : tree.segments.join('/').length + 1;
  return new TreeWalk(tree.way.at(-1)!, {
    path: tree.segments.join('/'),
    recursive: (args.recursive ?? false) || pattern?.hasDirectories === true,
    depth: args.depth,
    rules: args.include_ignored || args.ignored ? undefined : { above: rulesAbove(tree) },
    wants: (entry) => pattern?.matches(pattern.hasDirectories ? entry.path.slice(prefix) : '', entry.name) ?? true,
    room,
    signal,
  });
};

/** Lists a directory (docs/specification/tools.md#list_files), by our own walk: the order and the ignore rules are the same on every machine. */
export const listFiles: Executor<'list_files'> = {
  async run(args, { files, signal }) {
    const { limit = DEFAULT_LISTED, pattern, sort } = args;
    return files.tree(toWorkspacePath(args.path ?? '.'), async (tree): Promise<Answer> => {
      const latest = sort === 'mtime' ? new LatestEntries<Entry>(limit, ({ mtime_ms: time = 0 }) => time) : undefined;
      const entries: Entry[] = [];
      const room = latest === undefined ? (): number => limit + 1 - entries.length : (): number => MAX_TIMED_ENTRIES;
      const walk = walkOf(tree, args, { room, signal });
      for await (const entry of walk.entries()) {
        if (entry.kind === 'directory' && pattern !== undefined) continue;
        if (latest === undefined) {
          if (entries.length === limit) return { entries, truncated: true };
          entries.push(describe(entry));
        } else if (latest.seen < MAX_TIMED_ENTRIES) latest.add(describe(entry));
        else return { entries: latest.entries, truncated: true, total: latest.seen };
      }
      if (latest === undefined) return { entries, truncated: walk.tooDeep };
      return { entries: latest.entries, truncated: walk.tooDeep || latest.seen > limit, total: latest.seen };
    });
  },
};
