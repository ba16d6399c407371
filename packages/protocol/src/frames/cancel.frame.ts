import { defineClientFrame } from '../define-frame.js';
import { Flag, Text } from '../fields.js';

/** Stops a turn, its model call and its tools. */
export class Cancel {
  @Text('The turn; without it, the one that runs now.', { optional: true, min: 1, max: 128 }) turn_id?: string;
  @Flag('Empties the queue too.', { optional: true }) queue?: boolean;
}

export const cancel = defineClientFrame({
  type: 'cancel',
  body: Cancel,
  id: 'turn_id',
  answeredBy: 'turn_ended',
  summary: 'Stops the turn.',
});
