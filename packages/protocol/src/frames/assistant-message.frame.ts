import { defineServerFrame } from '../define-frame.js';
import { Flag, Text } from '../fields.js';

/** A piece of the answer. `token` is the new part only, never null. */
export class AssistantMessage {
  @Text('The message that grows.') message_id!: string;
  @Text('The new part.') token!: string;
  @Flag('True once a turn: on the last text frame of a completed turn.') is_final!: boolean;
  @Text('The whole message, with `is_final`.', { optional: true }) content?: string;
  @Flag('The whole message is over 1 MB; REST has it.', { optional: true }) content_truncated?: boolean;
  @Text('The message that this one stands for, because its model request was repeated.', { optional: true }) replaces?: string;
}

export const assistantMessage = defineServerFrame({
  type: 'assistant_message',
  body: AssistantMessage,
  log: true,
  summary: 'Streamed text.',
});
