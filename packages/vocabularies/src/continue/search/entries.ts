import { isJsonObject, type JsonObject } from '@codelab/tools';
import { textIn } from '../../render/text-in.js';

export interface ListedEntry {
  readonly path: string;
  readonly type: string;
}

/** The entries of an answer of `list_files`. */
export const entriesOf = ({ entries }: JsonObject): ListedEntry[] =>
  (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) =>
    isJsonObject(entry) && typeof entry.path === 'string' ? [{ path: entry.path, type: textIn(entry, 'type') }] : [],
  );
