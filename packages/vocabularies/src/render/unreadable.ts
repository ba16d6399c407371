import { isJsonObject, type JsonObject } from '@codelab/tools';
import { canonicalError } from '../table/composite.js';
import type { Next, Outcome } from '../table/row.js';
import type { UseContext } from '../table/use-context.js';
import { nearestName } from './nearest-name.js';

export interface Unreadable {
  /** What was read, relative to the workspace. */
  readonly path: string;
  /** A canonical path as the vocabulary shows it. */
  readonly show: (path: string) => string;
  /** What to do with a directory instead, `; use ls`, or nothing. */
  readonly insteadOfDirectory?: string;
}

/**
 * What a row does after a `read_file` that failed: one look into the directory, then `Error: no file at {path}` with the nearest name there,
 * `Error: {path} is a directory`, or the canonical error. `undefined`: the last read was no failure.
 */
export function explainUnreadable(
  { path, show, insteadOfDirectory = '' }: Unreadable,
  outcomes: readonly Outcome[],
  context: UseContext,
): Next | undefined {
  const at = outcomes.findLastIndex(({ tool }) => tool === 'read_file');
  const read = outcomes[at];
  if (read === undefined || read.ok) return undefined;
  const listed = outcomes.slice(at + 1).find(({ tool }) => tool === 'list_files');
  const plain = canonicalError(read.code, read.message);
  if (read.code === 'FILE_NOT_FOUND') {
    const directory = path.split('/').slice(0, -1).join('/') || '.';
    if (listed === undefined && context.has('list_files')) return list(directory);
    const near = listed?.ok === true ? nearestPath(path, listed.result) : undefined;
    return failed(`Error: no file at ${show(path)}${near === undefined ? '' : `; nearest name: ${show(near)}`}`);
  }
  if (read.code !== 'INVALID_PATH' || !context.has('list_files')) return failed(plain);
  if (listed === undefined) return list(path);
  return failed(listed.ok ? `Error: ${show(path)} is a directory${insteadOfDirectory}` : plain);
}

const failed = (text: string): Next => ({ text, isError: true });
const list = (path: string): Next => ({ call: { tool: 'list_files', args: { path } } });

function nearestPath(path: string, { entries }: JsonObject): string | undefined {
  const paths = (Array.isArray(entries) ? entries : []).flatMap((entry) =>
    isJsonObject(entry) && typeof entry.path === 'string' ? [entry.path] : [],
  );
  const name = nearestName(nameOf(path), paths.map(nameOf));
  return paths.find((other) => nameOf(other) === name);
}

const nameOf = (path: string): string => path.split('/').at(-1)!;
