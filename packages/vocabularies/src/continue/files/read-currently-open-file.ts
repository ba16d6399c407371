import { splitFile } from '../../edits/file-lines.js';
import { cutLines } from '../../render/cut.js';
import { canonicalError } from '../../table/composite.js';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { failed, fileItem, itemsResult } from '../items.js';

/** Reads what the user looks at in an editor, saved or not. */
export const readCurrentlyOpenFile = defineRow<Record<never, never>>({
  name: 'read_currently_open_file',
  displayName: 'Read the open file',
  description: 'Reads the file that the user has open in the editor, as it stands there. Use it when the user speaks of "this file".',
  parameters: takes([], {}),
  policy: 'ask',
  readonly: true,
  idempotency: 'safe',
  needs: ['editor.open_file'],
  stands: 'editor.open_file',
  next: (_args, [outcome], context) => {
    if (outcome === undefined) return { call: { tool: 'editor.open_file', args: {} } };
    if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
    const { path, content } = outcome.result;
    if (typeof path !== 'string')
      return itemsResult({ name: 'Open file', description: 'What is open in the editor', content: 'No file is open.' });
    const lines = splitFile(typeof content === 'string' ? content : '').lines.map(({ text }) => text);
    const shown = cutLines(lines, (count) => `read on with read_file_range, startLine ${String(count + 1)}`);
    return itemsResult(fileItem(path, `${path}\n${shown}`, context));
  },
});
