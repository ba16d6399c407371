import { defineClientFrame } from '../define-frame.js';
import { Text } from '../fields.js';

/** Takes a waiting message out of the queue. */
export class QueueRemove {
  @Text('The message.', { min: 1, max: 128 }) message_id!: string;
}

export const queueRemove = defineClientFrame({
  type: 'queue_remove',
  body: QueueRemove,
  id: 'message_id',
  answeredBy: 'queue_updated',
  summary: 'Takes a waiting message out.',
});
