import { defineServerFrame } from '../define-frame.js';
import { Choice, Flag, Integer, Text } from '../fields.js';
import { ERRORS, type ErrorCode } from '../errors.js';

/** A frame was refused, or something went wrong. */
export class ErrorFrame {
  @Choice('A code of the table of errors.', Object.keys(ERRORS)) code!: ErrorCode;
  @Text('What was wrong, where, and what to do.') message!: string;
  @Flag('The same frame may succeed later.') retryable!: boolean;
  @Text('The `call_id`, `message_id` or `turn_id` of the frame that is answered.', { optional: true }) reply_to?: string;
  @Text('The `type` of the frame that is answered. Without it the error answers no frame: it is news of the session or the connection.', {
    optional: true,
  })
  reply_to_type?: string;
}

/** This replica is going away. Reconnect: nothing is lost. */
export class Drain {
  @Integer('When to come back, in milliseconds, jittered.') retry_after_ms!: number;
}

export const error = defineServerFrame({
  type: 'error',
  body: ErrorFrame,
  log: false,
  summary: 'A frame was refused, or something went wrong.',
});
export const drain = defineServerFrame({ type: 'drain', body: Drain, log: false, summary: 'This replica is going away.' });
