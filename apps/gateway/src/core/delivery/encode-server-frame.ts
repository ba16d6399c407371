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

/** How a frame of a log begins. */
const SEQ = /^\{"seq":\d+,/;

/**
 * A frame of a child's log as connections of its parent get it: `seq` counts in the log of the session that a connection is of, and no frame
 * of a child has a place there.
 */
export const withoutSeq = (text: string): string => text.replace(SEQ, '{');
