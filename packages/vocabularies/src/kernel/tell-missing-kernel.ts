import { findRow } from '../vocabularies.js';
import type { VocabularyName } from '@codelab/tools';
import { runCell } from './run-cell.js';

/** A notebook, or a folder of them, in the listing of a workspace. */
const NOTEBOOKS = /\.ipynb\b|\bnotebooks?\//i;

/**
 * What a model is told of `run_cell` where it isn't offered and the workspace has notebooks: how its user gets a kernel.
 *
 * @param has what the executor has
 * @param tree the top of the workspace, as its client tells it
 */
export function tellMissingKernel(vocabulary: VocabularyName, has: (name: string) => boolean, tree = ''): readonly string[] {
  const isMissing = !has('kernel.execute') && has('run_command') && findRow(vocabulary, runCell.name) !== undefined;
  return isMissing && NOTEBOOKS.test(tree)
    ? [
        'No notebook kernel is installed, so cells cannot be run: the user can `pip install ipykernel` (Debian, Ubuntu: `apt install python3-ipykernel`) and begin anew.',
      ]
    : [];
}
