import type { Aside, Position, SessionRef, SessionStreams, StreamEvent } from '@codelab/bus';

/** Calls back for all that a session says from a position on, until it is closed. */
export async function followSession(
  streams: SessionStreams,
  ref: SessionRef,
  from: Position,
  listener: (event: Exclude<StreamEvent, { kind: 'woken' | 'closed' }> | Aside) => void,
): Promise<{ close(): Promise<void> }> {
  const asides = { receive: listener };
  await streams.listen(ref, asides);
  const stream = await streams.open(ref, from);
  const follow = async (): Promise<void> => {
    for (;;) {
      const event = await stream.next();
      if (event.kind === 'closed') return;
      if (event.kind !== 'woken') listener(event);
    }
  };
  void follow();
  return {
    close: async () => {
      streams.unlisten(ref, asides);
      stream.close();
    },
  };
}
