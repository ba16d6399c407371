import { parseRuleFile, type RuleFile } from '@codelab/tools';
import { canonicalError } from '../../table/composite.js';
import type { Next, Outcome } from '../../table/row.js';
import type { UseContext } from '../../table/use-context.js';
import { entriesOf } from '../search/entries.js';
import { failed, fileItem, itemsResult } from '../items.js';
import { textIn } from '../../render/text-in.js';

/** Files of a directory that are read to find one by its name. */
const MAX_FILES = 50;

export interface NamedFiles {
  readonly directory: string;
  /** Which of its files count. */
  readonly isOne: (path: string) => boolean;
  /** The name of one that doesn't name itself. */
  readonly nameOf: (path: string) => string;
  readonly wanted: string;
  /** One of them, in messages: `rule`. */
  readonly kind: string;
}

/** The steps of finding a Markdown file with front matter by its name: all are read, since the name stands inside. */
export function readNamedFile(
  { directory, isOne, nameOf, wanted, kind }: NamedFiles,
  outcomes: readonly Outcome[],
  context: UseContext,
): Next {
  const [list, ...reads] = outcomes;
  const none = `Error: no ${kind} "${wanted}"; there are none in ${directory}`;
  if (list === undefined) {
    const where = { path: directory, recursive: true };
    return { call: { tool: 'list_files', args: context.has('x3') ? { ...where, ignored: true, limit: 1_000 } : where } };
  }
  if (!list.ok) return failed(list.code === 'FILE_NOT_FOUND' ? none : canonicalError(list.code, list.message));
  const paths = entriesOf(list.result).flatMap(({ path, type }) => (type === 'file' && isOne(path) ? [path] : []));
  if (paths.length === 0) return failed(none);
  if (reads.length === 0) return { calls: paths.slice(0, MAX_FILES).map((path) => ({ tool: 'read_file', args: { path } })) };
  const files = reads.flatMap((read) =>
    read.ok && typeof read.result.content === 'string' ? [parse(textIn(read.args, 'path'), read.result.content)] : [],
  );
  const found = files.find(({ name }) => fold(name) === fold(wanted)) ?? files.find(({ path }) => fold(nameOf(path)) === fold(wanted));
  if (found === undefined) return failed(`Error: no ${kind} "${wanted}"; there are: ${files.map(({ name }) => name).join(', ')}`);
  return itemsResult(fileItem(found.path, found.rule, context, found.description ?? `The ${kind} ${found.name}`));

  function parse(path: string, text: string): RuleFile & { readonly path: string } {
    return { ...parseRuleFile(nameOf(path), text), path };
  }
}

const fold = (name: string): string => name.normalize('NFC').trim().toLowerCase();
