import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { UseContext } from '../table/use-context.js';
import { create, failed, insert, strReplace } from './edit-file.js';
import { view } from './view.js';

type Command = 'view' | 'str_replace' | 'create' | 'insert';

interface EditorArgs {
  readonly command: Command;
  readonly path: string;
  readonly view_range?: readonly number[];
  readonly old_str?: string;
  readonly new_str?: string;
  readonly file_text?: string;
  readonly insert_line?: number;
  readonly insert_text?: string;
}

const MAX_TEXT = 1_048_576;
const NEEDED: { readonly [Name in Command]: readonly (keyof EditorArgs)[] } = {
  view: [],
  str_replace: ['old_str'],
  create: ['file_text'],
  insert: ['insert_line', 'insert_text'],
};

const pathOf = (given: string, { toPath }: UseContext): string | undefined => {
  const path = toPath(given);
  return path.ok ? path.path : undefined;
};

/** `str_replace_based_edit_tool`: the editor that Anthropic documents, on the files of the workspace. */
export const editor = defineRow<EditorArgs>({
  name: 'str_replace_based_edit_tool',
  displayName: 'Text editor',
  description:
    'Views and edits files of the workspace. view: a file with line numbers, or a directory two levels deep. str_replace: old_str must stand in the file ' +
    'exactly once, without line numbers. create: a new file. insert: whole lines behind insert_line, 0 for the beginning. View a file before you change it.',
  parameters: takes(['command', 'path'], {
    command: { type: 'string', enum: ['view', 'str_replace', 'create', 'insert'] },
    path: { type: 'string', minLength: 1, description: 'File, or for view a directory.' },
    view_range: { type: 'array', items: { type: 'integer' }, description: 'view: first and last line, from 1; -1 as the last is the end.' },
    old_str: { type: 'string', description: 'str_replace: the text to replace.' },
    new_str: { type: 'string', description: 'str_replace: what stands there afterwards; nothing without.' },
    file_text: { type: 'string', maxLength: MAX_TEXT, description: 'create: the whole content.' },
    insert_line: { type: 'integer', description: 'insert: the line behind which the text goes.' },
    insert_text: { type: 'string', description: 'insert: the lines.' },
  }),
  vendor: ({ maxCharacters }) => ({ type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: maxCharacters }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'write_file'],
  stands: 'write_file',
  reads: true,
  composite: true,
  file: ({ path }, context) => pathOf(path, context),
  check: (args) => {
    const text = args.insert_text ?? (args.command === 'insert' ? args.new_str : undefined);
    const missing = NEEDED[args.command].find((name) => (name === 'insert_text' ? text === undefined : args[name] === undefined));
    if (missing !== undefined) return `${missing}: missing; expected ${missing === 'insert_line' ? 'integer' : 'string'}`;
    if (args.command === 'str_replace' && args.old_str === '') return 'old_str: empty; expected text that stands in the file';
    if (args.command !== 'view' || args.view_range === undefined) return undefined;
    return args.view_range.length === 2 ? undefined : `view_range: ${String(args.view_range.length)} items; expected 2`;
  },
  next: (args, outcomes, context) => {
    const path = context.toPath(args.path);
    if (!path.ok) return failed(path.message);
    const use = { path: path.path, given: args.path, outcomes, context };
    switch (args.command) {
      case 'view':
        return view(use, args.view_range as readonly [number, number] | undefined);
      case 'str_replace':
        return strReplace(use, { old_str: args.old_str!, new_str: args.new_str }); // checked
      case 'create':
        return create(use, { file_text: args.file_text! });
      case 'insert':
        return insert(use, { insert_line: args.insert_line!, insert_text: args.insert_text ?? args.new_str! });
    }
  },
});
