import { setImmediate as nextTurn } from 'node:timers/promises';
import { JsonBytes, toJsonText } from '@codelab/llm';

/** Characters written without a pause: a few milliseconds, so that a history of 10 MB holds up nobody else. */
const SLICE_CHARACTERS = 512 * 1024;

/** A request body in the dialect of an upstream: its messages are what can be large. */
export interface WireBody {
  readonly messages: readonly unknown[];
}

/**
 * Writes a body as JSON in UTF-8, message by message: the loop turns in between. Stops in the middle when `signal` aborts. Each text is put in its
 * place by itself: most of them were written before, and joining them first costs several times as much.
 */
export async function writeBody({ messages, ...rest }: WireBody, signal: { readonly aborted: boolean }): Promise<Buffer> {
  const pieces: (string | Buffer)[] = ['{'];
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) pieces.push(`"${name}":`, toPiece(value), ',');
  }
  pieces.push('"messages":[');
  let written = 0;
  for (const [place, message] of messages.entries()) {
    const piece = toPiece(message);
    if (place > 0) pieces.push(',');
    pieces.push(piece);
    if (typeof piece !== 'string' || (written += piece.length) < SLICE_CHARACTERS) continue;
    written = 0;
    await nextTurn();
    if (signal.aborted) break; // the text is for nobody
  }
  pieces.push(']}');
  return join(pieces);
}

const toPiece = (value: unknown): string | Buffer => (value instanceof JsonBytes ? value.bytes : toJsonText(value));

function join(pieces: readonly (string | Buffer)[]): Buffer {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let place = 0;
  for (const piece of pieces) place += typeof piece === 'string' ? bytes.write(piece, place) : piece.copy(bytes, place);
  return bytes;
}
