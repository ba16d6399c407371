import { canonicalError } from '../table/composite.js';
import { isJsonObject, type JsonObject } from '@codelab/tools';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';
import { failed } from './read-marks.js';
import { withPath } from '../table/with-path.js';

interface GlobArgs {
  readonly pattern: string;
  readonly path?: string;
}

const LIMIT = 100;

/** The strings under one name in a list of objects. */
const pathsOf = (entries: unknown): string[] =>
  (Array.isArray(entries) ? (entries as unknown[]) : []).flatMap((entry) =>
    isJsonObject(entry) && typeof entry.path === 'string' ? [entry.path] : [],
  );

/** `Glob`: files by a pattern of their paths, the ones changed last first. */
export const glob = defineRow<GlobArgs>({
  name: 'Glob',
  displayName: 'Find files',
  description:
    'Finds files by a pattern of their paths, such as "**/*.ts" or "src/**/*.{js,jsx}", the ones changed last first, at most 100. Ignored files are found, ' +
    'too. For what stands in files use Grep.',
  parameters: takes(['pattern'], {
    pattern: { type: 'string', minLength: 1, description: 'A glob: *, **, ?, [abc], {a,b}.' },
    path: { type: 'string', description: 'Directory to look in; the current one without.' },
  }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['list_files'],
  stands: 'list_files',
  next: ({ pattern, path = '' }, outcomes, context) =>
    withPath(path === '' ? context.marks.cwd : path, context, (directory) => {
      const [outcome] = outcomes;
      if (outcome === undefined) {
        const inside = context.toPath(pattern.startsWith('/') ? pattern : '.');
        if (!inside.ok) return failed(inside.message);
        const relative = pattern.startsWith('/') ? inside.path : pattern;
        const more = context.has('x3') ? { ignored: true, sort: 'mtime', limit: LIMIT } : {};
        return {
          call: {
            tool: 'list_files',
            args: { path: pattern.startsWith('/') ? '.' : directory, recursive: true, pattern: relative, ...more },
          },
        };
      }
      if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
      const paths = pathsOf(outcome.result.entries);
      if (paths.length === 0) return { text: 'No files found' };
      const lines = paths.slice(0, LIMIT).map(context.toAbsolute);
      return { text: [...lines, ...moreOf(outcome.result, paths.length)].join('\n') };
    }),
});

const moreOf = ({ total, truncated }: JsonObject, found: number): string[] => {
  const all = typeof total === 'number' ? total : found;
  if (all > LIMIT) return [`[first ${String(LIMIT)} of ${String(all)}]`];
  return truncated === true ? [`[first ${String(Math.min(found, LIMIT))} of more]`] : [];
};
