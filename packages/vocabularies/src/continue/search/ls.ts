import { canonicalError } from '../../table/composite.js';
import { defineRow, type Next } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { withPath } from '../../table/with-path.js';
import { cutLines } from '../../render/cut.js';
import { failed, itemsResult } from '../items.js';
import { entriesOf } from './entries.js';

const MAX_ENTRIES = 200;
/** Entries that are counted beyond those. */
const MAX_COUNTED = 10_000;

/** Lists a directory. */
export const ls = defineRow<{ readonly dirPath: string; readonly recursive: boolean }>({
  name: 'ls',
  displayName: 'List directory',
  description:
    'Lists the files and directories of one directory; directories end with "/". Use recursive for small directories only, and ' +
    'file_glob_search to find files by name.',
  parameters: takes([], {
    dirPath: { type: 'string', default: '.', description: 'Directory, relative to the workspace root.' },
    recursive: { type: 'boolean', default: false, description: 'Also what its directories hold.' },
  }),
  argumentAliases: { path: 'dirPath' },
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['list_files'],
  stands: 'list_files',
  next: ({ dirPath, recursive }, outcomes, context) =>
    withPath(dirPath || '.', context, (path): Next => {
      const wanted = { path, recursive };
      const limited = context.has('x3') ? { ...wanted, ignored: true, limit: MAX_ENTRIES } : wanted;
      const [outcome, counted] = outcomes;
      if (outcome === undefined) return { call: { tool: 'list_files', args: limited } };
      if (!outcome.ok) {
        return failed(outcome.code === 'FILE_NOT_FOUND' ? `Error: no file at ${path}` : canonicalError(outcome.code, outcome.message));
      }
      const isCut = outcome.result.truncated === true;
      if (isCut && counted === undefined && context.has('x3')) {
        return { call: { tool: 'list_files', args: { ...limited, limit: MAX_COUNTED } } };
      }
      const entries = entriesOf(counted?.ok === true ? counted.result : outcome.result);
      const item = { name: 'Directory', description: `Entries of ${path}` };
      if (entries.length === 0) return itemsResult({ ...item, content: `${path} is empty.` });
      const below = path === '.' ? '' : `${path}/`;
      const names = entries.map(
        (entry) => entry.path.slice(entry.path.startsWith(below) ? below.length : 0) + (entry.type === 'directory' ? '/' : ''),
      );
      const more = names.length - MAX_ENTRIES;
      const shown = cutLines(names.slice(0, MAX_ENTRIES), () => 'list a directory below');
      const isMore = counted?.ok === true ? counted.result.truncated === true : isCut;
      if (more <= 0 && !isMore) return itemsResult({ ...item, content: shown });
      return itemsResult({
        ...item,
        content: `${shown}\n[${more > 0 ? String(more) : ''}${isMore ? '+' : ''} more]`.replace('[+ more]', '[more]'),
      });
    }),
});
