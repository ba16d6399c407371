import { splitFile } from '../../edits/file-lines.js';
import { applyLazyEdit } from '../../edits/lazy/apply-lazy-edit.js';
import { loadGrammarFor } from '@codelab/grammars';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { edited, EDITS, editFile, FILEPATH } from './edit-file.js';

const MAX_SHOWN = 40;

/** Changes a file by text that leaves out what stays. */
export const editExistingFile = defineRow<{ readonly filepath: string; readonly changes: string }>({
  ...EDITS,
  name: 'edit_existing_file',
  displayName: 'Edit file',
  description:
    'Changes a file by its new text, in which a comment such as "// ... existing code ..." stands for each part that stays as it is. Give ' +
    'changed functions whole, with the line of their class around them. For small changes single_find_and_replace is surer.',
  parameters: takes(['filepath', 'changes'], {
    filepath: FILEPATH,
    changes: { type: 'string', minLength: 1, maxLength: 1_048_576, description: 'The new text, with placeholders for what stays.' },
  }),
  aliases: { edit_file: (args) => args },
  check: ({ changes }) => (changes.trim() === '' ? 'changes: blank; expected text' : undefined),
  prepare: ({ filepath }) => loadGrammarFor(filepath),
  next: ({ filepath, changes }, outcomes, context) =>
    editFile(
      {
        filepath,
        edit: (content, path) => {
          const result = applyLazyEdit({ path, text: content }, changes);
          if (!result.ok) {
            const unclear = `Error: can't place the change at "${result.line}" in ${path}: ${result.why}.`;
            return { refused: `${unclear} Nothing was changed; use multi_edit or give the whole block.` };
          }
          const { text, added, deleted } = result;
          const summary = `Edited ${path}: +${String(added)} -${String(deleted)} lines.`;
          return { content: text, done: () => edited(path, [summary, ...newLines(content, text).slice(0, MAX_SHOWN)], context) };
        },
      },
      outcomes,
      context,
    ),
});

/** Lines of the new text, by number, that the old one has not as often, looked for between what both have at the ends. */
function newLines(before: string, after: string): string[] {
  const [old, all] = [before, after].map((text) => splitFile(text).lines.map((line) => line.text)) as [string[], string[]];
  const shorter = Math.min(old.length, all.length);
  let start = 0;
  while (start < shorter && old[start] === all[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && old.at(-1 - tail) === all.at(-1 - tail)) tail += 1;
  const counts = new Map<string, number>();
  for (const line of old.slice(start, old.length - tail)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return all.slice(start, all.length - tail).flatMap((line, place) => {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    return left > 0 ? [] : [`${String(start + place + 1)}: ${line}`];
  });
}
