import { defineServerFrame } from '../../define-frame.js';
import { Choice, Text } from '../../fields.js';

/** Stop the tool, then answer with the true `tool_result`. */
export class ToolCancel {
  @Text('The call.') call_id!: string;
  @Choice('Why.', ['cancelled', 'timeout', 'superseded']) reason!: 'cancelled' | 'timeout' | 'superseded';
}

export const toolCancel = defineServerFrame({ type: 'tool_cancel', body: ToolCancel, log: true, summary: 'Stop a tool that runs.' });
