import { setImmediate as nextTurn } from 'node:timers/promises';
import { LlmError, type openai } from '@codelab/llm';
import { request, type Dispatcher } from 'undici';
import { toLlmError } from './errors.js';

/** Characters written without a pause: a few milliseconds, so that a history of 10 MB holds up nobody else. */
const SLICE_CHARACTERS = 512 * 1024;

export interface Upstream {
  /** The base with `/chat/completions`. */
  readonly url: URL;
  readonly apiKey?: string;
  readonly dispatcher: Dispatcher;
}

/** The endpoint below a base URL such as `https://api.openai.com/v1`; a query of the base (`?api-version=…`) is kept. */
export function chatCompletionsUrl(baseUrl: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
}

/** Sends a request and waits for the headers of the answer, or throws an `LlmError`. Never follows a redirect. */
export async function sendRequest(upstream: Upstream, wire: openai.WireRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const body = await toBody(wire, signal);
  const answer = request(upstream.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': 'codelab',
      ...(upstream.apiKey !== undefined && { authorization: `Bearer ${upstream.apiKey}` }),
    },
    body,
    signal,
    dispatcher: upstream.dispatcher,
  });
  try {
    // a request that still waits for its connection doesn't hear of the signal
    return await Promise.race([answer, rejectOnAbort(signal, answer)]);
  } catch (error) {
    answer.then(({ body: late }) => late.destroy()).catch(() => undefined); // nobody reads what comes after all
    throw toLlmError(error, false);
  }
}

/** The body as bytes, message by message: the loop turns in between. */
async function toBody(wire: openai.WireRequest, signal: AbortSignal): Promise<Buffer> {
  const { messages, ...rest } = wire;
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"messages":[`)];
  let written = 0;
  for (const [i, message] of messages.entries()) {
    const text = `${i === 0 ? '' : ','}${JSON.stringify(message)}`;
    pieces.push(Buffer.from(text));
    written += text.length;
    if (written < SLICE_CHARACTERS) continue;
    written = 0;
    await nextTurn();
    if (signal.aborted) throw toLlmError(signal.reason, false);
  }
  pieces.push(Buffer.from(']}'));
  return Buffer.concat(pieces);
}

function rejectOnAbort(signal: AbortSignal, until: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason instanceof LlmError ? signal.reason : new LlmError('cancelled', 'The request was cancelled.'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void until.catch(() => undefined).then(() => signal.removeEventListener('abort', abort));
  });
}
