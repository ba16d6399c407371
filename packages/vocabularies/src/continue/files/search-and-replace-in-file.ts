import { applyBlocks } from '../../edits/blocks/apply-blocks.js';
import { findBlockFault, parseBlocks } from '../../edits/blocks/parse-blocks.js';
import { editFault } from '../../render/edit-faults.js';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { withPath } from '../../table/with-path.js';
import { failed } from '../items.js';
import { edited, EDITS, editFile, FILEPATH, toleratedLine } from './edit-file.js';

/** Changes a file by SEARCH/REPLACE blocks. */
export const searchAndReplaceInFile = defineRow<{ readonly filepath: string; readonly diffs: readonly string[] }>({
  ...EDITS,
  name: 'search_and_replace_in_file',
  displayName: 'Edit file',
  description:
    'Changes parts of a file by SEARCH/REPLACE blocks of whole lines, in order, all or none. The lines to search must stand in the file ' +
    'exactly once; an empty REPLACE deletes them. One block:\n------- SEARCH\nold lines\n=======\nnew lines\n+++++++ REPLACE',
  parameters: takes(['filepath', 'diffs'], {
    filepath: FILEPATH,
    diffs: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string' }, description: 'The blocks, one each.' },
  }),
  next: ({ filepath, diffs }, outcomes, context) => {
    const parsed = parseBlocks(diffs);
    if (!parsed.ok) return failed(parsed.message);
    const { blocks } = parsed;
    const same = findBlockFault(blocks);
    if (same !== undefined) return withPath(filepath, context, (path) => failed(editFault({ kind: 'same' }, { path, edit: same })));
    return editFile(
      {
        filepath,
        edit: (content, path) => {
          const applied = applyBlocks(content, blocks);
          if (!applied.ok) return { refused: editFault(applied.fault, { path, edit: applied.block, tellsUnchanged: true }) };
          const tolerated = applied.tolerated.map(({ block, lines }) => toleratedLine(lines, blocks.length > 1 ? block : undefined));
          return {
            content: applied.content,
            done: () => edited(path, [`Edited ${path}: ${String(blocks.length)} blocks.`, ...tolerated], context),
          };
        },
      },
      outcomes,
      context,
    );
  },
});
