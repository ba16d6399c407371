import { decodeClientFrame } from '@codelab/protocol';

/** No `ack` frame is longer. */
const MAX_ACK_CHARACTERS = 128;

/** The `seq` of a message that is an `ack` frame; `undefined` for any other, at the cost of a look. */
export function readAck(text: string): number | undefined {
  if (text.length > MAX_ACK_CHARACTERS || !text.includes('"ack"')) return undefined;
  const decoded = decodeClientFrame(text);
  return decoded.ok && decoded.frame.type === 'ack' ? decoded.frame.seq : undefined;
}
