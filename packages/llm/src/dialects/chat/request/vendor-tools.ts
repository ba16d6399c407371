import type { JsonSchema, ModelTool } from '../../../canonical/message.js';

type Fields = Readonly<Record<string, JsonSchema>>;

const text = (description: string) => ({ type: 'string', description });
const range = {
  type: 'array',
  items: { type: 'integer' },
  description: 'First and last line to show, from 1; -1 as the last one means the end.',
};

const schema = (properties: Fields, required: readonly string[]): JsonSchema => ({ type: 'object', properties, required });
const commands = (...words: readonly string[]) => ({ type: 'string', enum: words, description: 'What to do.' });

const FILE: Fields = {
  path: text('Path of the file or directory.'),
  file_text: text('For create: the whole content of the file.'),
  old_str: text('For str_replace: the text to replace; it must stand in the file exactly once.'),
  new_str: text('For str_replace: the text that replaces it.'),
  insert_line: { type: 'integer', description: 'For insert: the line after which the text goes; 0 is the beginning.' },
  view_range: range,
};
const INSERT_TEXT: Fields = { insert_text: text('For insert: the text.') };
const INSERT_NEW_STR: Fields = { new_str: text('For str_replace: the text that replaces it. For insert: the text.') };

interface Documented {
  readonly type: RegExp;
  readonly description: string;
  readonly parameters: JsonSchema;
}

const BASH: Documented = {
  type: /^bash_/,
  description: 'Runs a command in a bash session that keeps its state between calls.',
  parameters: schema({ command: text('The command to run.'), restart: { type: 'boolean', description: 'true starts a new session.' } }, []),
};
const EDITOR = {
  description: 'Views, creates and edits text files. view shows a file with line numbers, or what a directory holds.',
  words: ['view', 'create', 'str_replace', 'insert'],
};

/**
 * The tools that Anthropic defines and its callers run, by their types, with the arguments that the vendor documents: to another vendor's
 * model they are functions like all others.
 */
const DOCUMENTED: readonly Documented[] = [
  BASH,
  {
    type: /^text_editor_(?:20241022|20250124)$/,
    description: `${EDITOR.description} undo_edit takes the last edit back.`,
    parameters: schema({ command: commands(...EDITOR.words, 'undo_edit'), ...FILE, ...INSERT_NEW_STR }, ['command', 'path']),
  },
  {
    type: /^text_editor_20250429$/,
    description: EDITOR.description,
    parameters: schema({ command: commands(...EDITOR.words), ...FILE, ...INSERT_NEW_STR }, ['command', 'path']),
  },
  {
    type: /^text_editor_/,
    description: EDITOR.description,
    parameters: schema({ command: commands(...EDITOR.words), ...FILE, ...INSERT_TEXT }, ['command', 'path']),
  },
  {
    type: /^memory_/,
    description: 'Keeps notes in files below /memories, which last from one conversation to the next.',
    parameters: schema(
      {
        command: commands(...EDITOR.words, 'delete', 'rename'),
        ...FILE,
        ...INSERT_TEXT,
        old_path: text('For rename: the path before.'),
        new_path: text('For rename: the path after.'),
      },
      ['command'],
    ),
  },
  {
    type: /^computer_/,
    description: 'Looks at a screen and acts on it with mouse and keyboard.',
    parameters: schema(
      {
        action: text(
          'What to do: screenshot, left_click, right_click, middle_click, double_click, triple_click, left_click_drag, left_mouse_down, ' +
            'left_mouse_up, mouse_move, cursor_position, scroll, type, key, hold_key, wait or zoom.',
        ),
        coordinate: { type: 'array', items: { type: 'integer' }, description: 'x and y in pixels from the upper left corner.' },
        start_coordinate: { type: 'array', items: { type: 'integer' }, description: 'Where a drag begins.' },
        region: { type: 'array', items: { type: 'integer' }, description: 'For zoom: x and y of two corners.' },
        text: text('What to type, or which key to press, such as ctrl+s.'),
        duration: { type: 'number', description: 'Seconds to wait or to hold.' },
        scroll_direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
        scroll_amount: { type: 'integer', description: 'Clicks of the wheel.' },
      },
      ['action'],
    ),
  },
];

/** What a model without a tool of its vendor is told about it. A tool that isn't the vendor's, or is unknown, stays as it is. */
export function describeTool({ description, parameters, vendor }: ModelTool): Pick<ModelTool, 'description' | 'parameters'> {
  const documented = vendor && DOCUMENTED.find(({ type }) => type.test(vendor.type));
  return documented
    ? { description: description === '' ? documented.description : description, parameters: documented.parameters }
    : { description, parameters };
}
