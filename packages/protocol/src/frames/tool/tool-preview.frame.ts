import { defineClientFrame } from '../../define-frame.js';
import { Choice, Nested, NestedList, Text } from '../../fields.js';
import { LIMITS } from '../../limits.js';

/** What an approver is shown. */
export class Preview {
  @Choice('How to show it.', ['diff', 'command', 'text']) kind!: 'diff' | 'command' | 'text';
  @Text('The diff, the command or the words.', { max: LIMITS.MAX_FILE_BYTES }) text!: string;
}

/** A file that the call would read as a program or overwrite, as it was when previewed (H2). */
export class Operand {
  @Text('The path in the workspace.', { min: 1, max: LIMITS.MAX_PATH_CHARACTERS }) path!: string;
  @Text('Lower-case hex SHA-256 of the content; empty where there is no file.', { pattern: /^([0-9a-f]{64})?$/ }) sha256!: string;
}

/** What the executor would do, for the approvers: the servers hold no files. */
export class ToolPreview {
  @Text('The call.', { min: 1, max: 128 }) call_id!: string;
  @Nested('What an approver is shown.', Preview) preview!: Preview;
  @NestedList('The files that the call depends on.', Operand, { maxItems: 256, optional: true }) operands?: Operand[];
}

export const toolPreview = defineClientFrame({
  type: 'tool_preview',
  body: ToolPreview,
  id: 'call_id',
  summary: 'What the executor would show and touch, for every approver.',
});
