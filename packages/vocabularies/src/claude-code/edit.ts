import { compositeEdit, type Edited, type FileContent } from '../table/composite.js';
import { editFault } from '../render/edit-faults.js';
import { explainUnreadable } from '../render/unreadable.js';
import { linesAround } from '../render/changed-lines.js';
import { replaceText, type TextEdit } from '../edits/replace.js';
import { defineRow, type Next, type Outcome } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { UseContext } from '../table/use-context.js';
import { failed, unreadFault, writtenMark } from './read-marks.js';
import { pathOf, withPath } from '../table/with-path.js';

interface EditArgs extends TextEdit {
  readonly file_path: string;
}

/** `Edit`: one text of a file that was read gives way to another. */
export const edit = defineRow<EditArgs>({
  name: 'Edit',
  displayName: 'Edit file',
  description:
    'Replaces old_string by new_string in a file that you have read. old_string must stand there exactly once, blanks and line ends included, without the ' +
    'line numbers that Read shows: take enough lines around it. With replace_all every place counts. An empty old_string creates a new file.',
  parameters: takes(['file_path', 'old_string', 'new_string'], {
    file_path: { type: 'string', minLength: 1, description: 'Absolute path of the file.' },
    old_string: { type: 'string', description: 'The text to replace.' },
    new_string: { type: 'string', description: 'What stands there afterwards.' },
    replace_all: { type: 'boolean', description: 'Wherever it stands.' },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'write_file'],
  stands: 'write_file',
  composite: true,
  file: ({ file_path }, context) => pathOf(file_path, context),
  next: (args, outcomes, context) =>
    withPath(args.file_path, context, (path) =>
      editTexts({
        path,
        edits: [args],
        outcomes,
        context,
        show: context.toAbsolute,
        tell: ({ count }) => `Edited ${context.toAbsolute(path)}: ${String(count)} replacement(s).`,
      }),
    ),
});

export interface TextEdits {
  readonly path: string;
  readonly edits: readonly TextEdit[];
  readonly outcomes: readonly Outcome[];
  readonly context: UseContext;
  /** Errors name the number of the edit. */
  readonly numbered?: true;
  readonly tell: (done: { readonly count: number }) => string;
  /** How a path is shown. */
  readonly show: (path: string) => string;
  /** The file need not have been read: that the text is found there is the proof that the model knows it. */
  readonly unread?: true;
}

/** Edits of a file in order, each on the result of the one before, all or nothing. The first may have an empty `old_string`, for a new file. */
export function editTexts({ path, edits, outcomes, context, numbered, tell, show, unread: isUnreadAllowed }: TextEdits): Next {
  const shown = show(path);
  const fault = (index: number, why: Parameters<typeof editFault>[0]): string =>
    editFault(why, { path: shown, edit: numbered && index + 1 });
  const same = edits.findIndex(({ old_string, new_string }) => old_string === new_string);
  if (same !== -1) return failed(fault(same, { kind: 'same' }));
  const mark = context.marks.reads[path];
  const creates = edits[0]?.old_string === '';

  const apply = (content: string, from: number): Edited => {
    let [text, count] = [content, 0];
    let lines: readonly string[] = [];
    for (const [index, one] of edits.entries()) {
      if (index < from) continue;
      const replaced = replaceText(text, one);
      if (!replaced.ok) return { refused: fault(index, replaced.fault) };
      text = replaced.content;
      count += replaced.count;
      lines = linesAround(text, replaced.first);
    }
    const around = edits.length === 1 ? lines : [];
    return {
      content: text,
      done: ({ sha256 }) => ({ text: [tell({ count }), ...around].join('\n'), marks: writtenMark(path, sha256, mark) }),
    };
  };
  const create = (content: string): Edited => {
    const first = edits[0]!.new_string;
    const created = apply(content.startsWith('\uFEFF') ? `\uFEFF${first}` : first, 1);
    if ('refused' in created) return created;
    const done = ({ sha256 }: FileContent) => ({ text: `Created ${shown}.`, marks: writtenMark(path, sha256, undefined) });
    return { content: created.content, done };
  };

  const isMissing = outcomes.some((outcome) => !outcome.ok && outcome.code === 'FILE_NOT_FOUND');
  const unreadable = creates && isMissing ? undefined : explainUnreadable({ path, show }, outcomes, context);
  if (unreadable !== undefined) return unreadable;
  return compositeEdit(
    {
      path,
      edit: ({ content, sha256 }) => {
        const isEmpty = content === '' || content === '\uFEFF';
        if (creates) return isEmpty ? create(content) : { refused: `Error: ${shown} exists already; give the text to replace` };
        const unread = isUnreadAllowed ? undefined : unreadFault(mark, sha256, shown);
        return unread === undefined ? apply(content, 0) : { refused: unread };
      },
      unreadable: (code) => {
        if (code !== 'FILE_NOT_FOUND') return undefined;
        const created = create('');
        return 'refused' in created ? created.refused : { create: created.content, done: created.done };
      },
    },
    outcomes,
    context,
  );
}
