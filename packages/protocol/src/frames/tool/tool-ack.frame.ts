import { CALL_EVIDENCE, type CallEvidence } from '../../call/call.js';
import { defineClientFrame } from '../../define-frame.js';
import { Choice, Integer, Text } from '../../fields.js';

/** Evidence of how far the executor has come with a call (R2). */
export class ToolAck {
  @Text('The call.', { min: 1, max: 128 }) call_id!: string;
  @Integer('The assignment that is acknowledged.') fence!: number;
  @Choice('`started`: the effect may have begun.', CALL_EVIDENCE) state!: CallEvidence;
}

export const toolAck = defineClientFrame({ type: 'tool_ack', body: ToolAck, id: 'call_id', summary: 'Evidence of what was begun.' });
