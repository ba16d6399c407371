/** One server-sent event, or a comment, as it stood on the wire. */
export interface SentEvent {
  readonly event?: string;
  readonly comment?: string;
  /** Its data as JSON, or the text where it is none, such as `[DONE]`. */
  readonly data?: unknown;
}

/** Cuts a body into its events. Strict: each ends in a blank line, with one line of data. Throws where one does not. */
export function parseEvents(text: string): readonly SentEvent[] {
  if (text === '') return [];
  if (!text.endsWith('\n\n')) throw new Error(`the last event has no end: ${text.slice(-200)}`);
  return text.slice(0, -2).split('\n\n').map(parseEvent);
}

function parseEvent(block: string): SentEvent {
  const event: { event?: string; comment?: string; data?: unknown } = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const [field, value] = [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    if (field === '') event.comment = value;
    else if (field === 'event') event.event = value;
    else if (field === 'data' && event.data === undefined) event.data = parseData(value);
    else throw new Error(`a line that no event of ours has: ${line.slice(0, 200)}`);
  }
  return event;
}

function parseData(text: string): unknown {
  return text.startsWith('{') ? (JSON.parse(text) as unknown) : text;
}
