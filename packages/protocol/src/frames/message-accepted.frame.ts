import { defineServerFrame } from '../define-frame.js';
import { Choice, Integer, Text } from '../fields.js';

/** Answers `user_message`. */
export class MessageAccepted {
  @Text('The message; the one that the client sent, else one made here.') message_id!: string;
  @Text('The turn that it starts, will start or joins.') turn_id!: string;
  @Choice('What became of it.', ['started', 'queued', 'steered']) state!: 'started' | 'queued' | 'steered';
  @Integer('Its place in the queue, from 1.', { optional: true }) position?: number;
}

export const messageAccepted = defineServerFrame({
  type: 'message_accepted',
  body: MessageAccepted,
  log: false,
  summary: 'Answers `user_message`.',
});
