import { compositeEdit } from '../../table/composite.js';
import type { Next, Outcome, UseResult } from '../../table/row.js';
import type { UseContext } from '../../table/use-context.js';
import { failed } from '../items.js';

export interface NewFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly content: string;
  readonly done: (content: string) => UseResult;
}

/** Writes a file that must not exist yet. It is looked for first, so that no human is asked about a write that can't be. */
export function createFile({ path, content, done }: NewFile, outcomes: readonly Outcome[], context: UseContext): Next {
  const exists = `Error: ${path} exists already; use an edit tool`;
  const last = outcomes.at(-1);
  if (last?.tool === 'write_file' && !last.ok && last.code === 'CONFLICT') return failed(exists);
  return compositeEdit(
    {
      path,
      edit: () => ({ refused: exists }),
      unreadable: (code, message) => {
        if (code === 'FILE_NOT_FOUND') return { create: content, done: (written) => done(written.content) };
        return code === 'PATH_OUTSIDE_WORKSPACE' ? `Error [${code}]: ${message}` : exists;
      },
    },
    outcomes,
    context,
  );
}
