import { defineServerFrame } from '../../define-frame.js';
import { Choice, Text } from '../../fields.js';

/** Answers `tool_result`. */
export class ToolResultAck {
  @Text('The call.') call_id!: string;
  @Choice('`accepted`: stored; `duplicate`: there was one; `stale`: another executor has the call.', ['accepted', 'duplicate', 'stale'])
  outcome!: 'accepted' | 'duplicate' | 'stale';
}

export const toolResultAck = defineServerFrame({
  type: 'tool_result_ack',
  body: ToolResultAck,
  log: false,
  summary: 'Answers `tool_result`.',
});
