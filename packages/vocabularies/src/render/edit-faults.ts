import { nearHint } from '../edits/near.js';
import type { EditFault } from '../edits/replace.js';

export interface FaultyEdit {
  /** As the vocabulary shows it. */
  readonly path: string;
  /** Its number among several, from 1. */
  readonly edit?: number | undefined;
  /** The model is told that nothing was changed. */
  readonly tellsUnchanged?: boolean;
}

const MAX_LINES = 10;

/** Why an edit by `old_string` and `new_string` was refused, with one hint where the text was not found (vocabularies, rule 11). */
export function editFault(fault: EditFault, { path, edit, tellsUnchanged = false }: FaultyEdit): string {
  const start = edit === undefined ? 'Error: ' : `Error: edit ${String(edit)}: `;
  switch (fault.kind) {
    case 'same':
      return `${start}old_string and new_string are the same; nothing to change`;
    case 'empty':
      return `${start}old_string is empty; only the first edit may put text at the start of the file that way`;
    case 'missing': {
      const near = nearHint(fault.content, fault.needle);
      return `${start}old_string was not found in ${path}${tellsUnchanged ? '; nothing was changed' : ''}.${near === '' ? '' : ` ${near}`}`;
    }
    case 'many': {
      const lines = fault.lines.slice(0, MAX_LINES).map(String).join(', ');
      const count = `occurs ${String(fault.lines.length)} times in ${path} (lines ${lines}${fault.lines.length > MAX_LINES ? ', …' : ''})`;
      return `${start}old_string ${count}. Add lines around it, or set replace_all.`;
    }
  }
}
