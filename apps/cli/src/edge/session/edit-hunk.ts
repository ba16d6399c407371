import { formatLines, parseEditedLines } from '@codelab/tools';
import type { PatchLine } from '@codelab/tools';
import type { ChatEffect } from '../../core/chat/chat-state.js';
import { editText } from './edit-text.js';

const HINTS = [
  'Edit this part of the patch, then save.',
  'To leave a “-” line in the file, make its “-” a blank. To leave a “+” line out, delete it.',
  'Lines with “+” can be changed and added. Everything else must stay: it is what the file holds.',
];

/** Opens lines of a hunk in the user's editor, as `git add -e` does. What doesn't fit the file any more is opened again with the reason. */
export async function editHunk({
  original,
  lines,
  endsHunk,
}: Pick<Extract<ChatEffect, { kind: 'edit_hunk' }>, 'original' | 'lines' | 'endsHunk'>): Promise<{
  readonly lines?: readonly PatchLine[];
  readonly fault?: string;
}> {
  const edited = await editText({
    fileName: 'hunk.diff',
    text: formatLines(lines),
    comment: '#',
    hints: HINTS,
    read: (text) => {
      const parsed = parseEditedLines(original, text, endsHunk);
      return parsed.ok ? { ok: true, value: parsed.lines } : parsed;
    },
  });
  if (edited === undefined) return {};
  return 'fault' in edited ? edited : { lines: edited.value };
}
