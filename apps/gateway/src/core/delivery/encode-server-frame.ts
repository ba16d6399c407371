import { encodeFrame, ERRORS, type Refusal, type ServerFrame } from '@codelab/protocol';

/** The text of a frame that is made here; the compiler checks its fields. */
export const encodeServerFrame = (frame: ServerFrame): string => encodeFrame(frame);

/** The `error` frame of a refusal; `retryable` is the table's. */
export const encodeRefusal = ({ code, message, replyTo, replyToType }: Refusal): string =>
  encodeServerFrame({
    type: 'error',
    code,
    message,
    retryable: ERRORS[code].retryable,
    reply_to: replyTo,
    reply_to_type: replyToType,
  });
