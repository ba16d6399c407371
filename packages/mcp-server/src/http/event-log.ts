import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

interface Kept {
  readonly id: string;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** What is kept of a session for a client that comes back: the last messages, so many and so much. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** The last messages of one session, from which a stream that broke goes on. What is older can't be resumed. */
export class EventLog implements EventStore {
  private readonly events: Kept[] = [];
  private bytes = 0;
  private count = 0;

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.count += 1;
    const id = `${String(this.count)}-${streamId}`;
    const bytes = Buffer.byteLength(JSON.stringify(message));
    this.events.push({ id, streamId, message, bytes });
    this.bytes += bytes;
    while (this.events.length > MAX_EVENTS || (this.bytes > MAX_BYTES && this.events.length > 1)) this.bytes -= this.events.shift()!.bytes;
    return Promise.resolve(id);
  }

  getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return Promise.resolve(this.events.find(({ id }) => id === eventId)?.streamId);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { readonly send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.events.findIndex(({ id }) => id === lastEventId);
    if (at === -1) throw new Error('The events after this one are not kept any more.');
    const { streamId } = this.events[at]!;
    for (const { id, message } of this.events.slice(at + 1).filter((event) => event.streamId === streamId)) await send(id, message);
    return streamId;
  }
}
