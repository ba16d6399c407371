import { setImmediate as nextTurn } from 'node:timers/promises';
import { toJsonText } from '@codelab/llm';

/** Characters written without a pause: a few milliseconds, so that a history of 10 MB holds up nobody else. */
const SLICE_CHARACTERS = 512 * 1024;

/** A request body in the dialect of an upstream: its messages are what can be large. */
export interface WireBody {
  readonly messages: readonly unknown[];
}

/** Writes a body as JSON, message by message: the loop turns in between. Stops in the middle when `signal` aborts. */
export async function writeBody({ messages, ...rest }: WireBody, signal: { readonly aborted: boolean }): Promise<string> {
  let text = '';
  let paused = 0;
  for (const message of messages) {
    text += `${text === '' ? '' : ','}${toJsonText(message)}`;
    if (text.length - paused < SLICE_CHARACTERS) continue;
    paused = text.length;
    await nextTurn();
    if (signal.aborted) break; // the text is for nobody
  }
  return `${toJsonText(rest).slice(0, -1)},"messages":[${text}]}`;
}
