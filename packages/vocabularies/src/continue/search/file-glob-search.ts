import { cutLines } from '../../render/cut.js';
import { canonicalError } from '../../table/composite.js';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { failed, itemsResult } from '../items.js';
import { entriesOf } from './entries.js';

const MAX_FILES = 100;

/** Finds files by a glob. */
export const fileGlobSearch = defineRow<{ readonly pattern: string }>({
  name: 'file_glob_search',
  displayName: 'Find files',
  description:
    'Finds files by a glob, such as "*.test.ts" or "src/**/*.py". Leaves out what .gitignore names. At most 100 paths. To look for text ' +
    'inside files use grep_search.',
  parameters: takes(['pattern'], { pattern: { type: 'string', minLength: 1, maxLength: 255, description: 'The glob.' } }),
  aliases: { glob_search: (args) => args },
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['list_files'],
  stands: 'list_files',
  next: ({ pattern }, [outcome], context) => {
    const wanted = { path: '.', recursive: true, pattern: pattern.replace(/^(\.\/)+(?=.)/, '') };
    if (outcome === undefined) {
      return { call: { tool: 'list_files', args: context.has('x3') ? { ...wanted, limit: MAX_FILES } : wanted } };
    }
    if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
    const paths = entriesOf(outcome.result).flatMap(({ path, type }) => (type === 'directory' ? [] : [path]));
    const item = { name: 'Files', description: `Files that match ${pattern}` };
    if (paths.length === 0) return itemsResult({ ...item, content: `No files match ${pattern}.` });
    const shown = paths.slice(0, MAX_FILES);
    if (shown.length === paths.length && outcome.result.truncated !== true)
      return itemsResult({ ...item, content: cutLines(shown, narrow) });
    return itemsResult({ ...item, content: [...shown, `[cut: ${String(shown.length)} of more; ${narrow()}]`].join('\n') });
  },
});

const narrow = (): string => 'narrow the pattern';
