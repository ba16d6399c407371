import { setImmediate as nextTurn } from 'node:timers/promises';
import { toJsonText } from '@codelab/llm';

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
  const texts: string[] = [`${toJsonText(rest).slice(0, -1)},"messages":[`];
  let paused = 0;
  let written = 0;
  for (const message of messages) {
    const text = toJsonText(message);
    if (texts.length > 1) texts.push(',');
    texts.push(text);
    if ((written += text.length) - paused < SLICE_CHARACTERS) continue;
    paused = written;
    await nextTurn();
    if (signal.aborted) break; // the text is for nobody
  }
  texts.push(']}');
  return toBytes(texts);
}

function toBytes(texts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let place = 0;
  for (const text of texts) place += bytes.write(text, place);
  return bytes;
}
