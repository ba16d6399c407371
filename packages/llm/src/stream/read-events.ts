import { createParser } from 'eventsource-parser';
import { LlmError } from '../errors/llm-error.js';

/** One server-sent event: its data, and its name where it has one. */
export interface ServerSentEvent {
  readonly event?: string;
  readonly data: string;
}

/** 32 MiB: far above any answer in one piece, and a bound for a provider that never ends a line. */
export const MAX_EVENT_CHARACTERS = 32 * 1024 * 1024;

/**
 * Cuts a byte stream into server-sent events, those that came together in one list: a step of an iteration costs more than an event. The
 * bytes may be split anywhere, in the middle of a character or a line ending. Comments are dropped. An event that lacks the blank line at the
 * end of the stream is still given out: some servers forget it. Throws `stream_interrupted` for an event above `MAX_EVENT_CHARACTERS`, and
 * whatever `bytes` throws.
 * @param mayBreak asked where that is thrown: whether the stream just ends there. Not where the caller left.
 */
export async function* readEvents(
  bytes: AsyncIterable<Uint8Array>,
  mayBreak = (): boolean => false,
): AsyncGenerator<readonly ServerSentEvent[], void, undefined> {
  let ready: ServerSentEvent[] = [];
  let overflow = false;
  const parser = createParser({
    onEvent: ({ event, data }) => void ready.push(event === undefined ? { data } : { event, data }),
    onError: ({ type }) => void (overflow ||= type === 'max-buffer-size-exceeded'),
    maxBufferSize: MAX_EVENT_CHARACTERS,
  });
  const decoder = new TextDecoder();
  const feed = (text: string): readonly ServerSentEvent[] => {
    if (text !== '') parser.feed(text);
    if (overflow) throw new LlmError('stream_interrupted', `The provider sent an event of more than ${MAX_EVENT_CHARACTERS} characters.`);
    const events = ready;
    ready = [];
    return events;
  };
  try {
    for await (const chunk of bytes) {
      const events = feed(decoder.decode(chunk, { stream: true }));
      if (events.length > 0) yield events;
    }
  } catch (error) {
    if (!mayBreak() || (error instanceof LlmError && error.code === 'cancelled')) throw error;
    return;
  }
  const last = feed(`${decoder.decode()}\n\n`);
  if (last.length > 0) yield last;
}
