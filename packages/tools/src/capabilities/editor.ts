import { reads, writes } from '../policy/policy-row.js';
import { readFile } from '../tools/read-file.js';
import { answer, defineTool, takes } from '../tools/tool-definition.js';
import { shown, textOf } from '../tools/wording.js';
import { writeFile } from '../tools/write-file.js';

/** The file that the user looks at in an editor → `{}` where none is open (docs/specification/tools.md#capabilities). */
export const editorOpenFile = defineTool({
  name: 'editor.open_file',
  since: '2.1',
  group: 'file',
  access: 'readonly',
  description: 'Shows the file that is open in the editor, as it stands there, and what is selected.',
  parameters: takes([], {}),
  result: answer(['dirty'], {
    path: { type: 'string', description: 'Relative to the workspace; absent: none is open.' },
    content: { type: 'string', description: 'As it stands in the editor; absent for a file whose name is one that secrets have.' },
    sha256: { type: 'string', description: 'Of the content.' },
    dirty: { type: 'boolean', description: 'It is not saved.' },
    selection: answer(['start_line', 'end_line'], { start_line: { type: 'integer' }, end_line: { type: 'integer' } }),
  }),
  essential: [],
  errors: ['PERMISSION_DENIED', 'ENCODING_ERROR', 'FILE_TOO_LARGE', 'INVALID_ARGUMENTS'],
  limits: ['1 MB (1,048,576 bytes)'],
  policy: reads('reads the file that is open in the editor'),
  paths: 'none',
  describe: () => '',
  summarise: (result) => textOf(result, 'path') || 'no file is open',
});

/** `read_file` on what stands in the editor, saved or not. */
export const editorRead = defineTool({
  name: 'editor.read',
  since: '2.1',
  group: 'file',
  access: 'readonly',
  description: 'Reads a file that is open in the editor, as it stands there.',
  parameters: readFile.additions.parameters,
  result: readFile.additions.result,
  essential: readFile.essential,
  errors: readFile.errors,
  limits: readFile.limits,
  policy: reads('reads a file in the editor'),
  standsFor: 'read_file',
  paths: { named: ['path'] },
  describe: (args) => shown(args, 'path'),
});

/** `write_file` on what stands in the editor; it also saves. */
export const editorWrite = defineTool({
  name: 'editor.write',
  since: '2.1',
  group: 'file',
  access: 'write',
  description: 'Writes a file that is open in the editor, and saves it.',
  parameters: writeFile.additions.parameters,
  result: writeFile.result,
  essential: writeFile.essential,
  errors: writeFile.errors,
  limits: writeFile.limits,
  policy: writes('writes a file in the editor'),
  standsFor: 'write_file',
  paths: { named: ['path'], complete: true },
  describe: (args) => shown(args, 'path'),
});
