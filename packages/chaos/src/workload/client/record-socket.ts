import { openWebSocket, type OpenSocket } from '@codelab/client';
import type { ChaosFrame } from '../../recording/chaos-event.js';
import type { ObserverRecord } from './record-runs.js';

/** Sockets whose frames are recorded: those that come as they come, those that go before they go. */
export function recordSocket({ observer, record }: Omit<ObserverRecord, 'session'>): OpenSocket {
  let connections = 0;
  return (address, events) => {
    const connection = (connections += 1);
    const about = { observer, connection };
    const frame = (direction: 'in' | 'out', text: string): void =>
      record({ kind: 'frame', ...about, direction, frame: JSON.parse(text) as ChaosFrame });
    const socket = openWebSocket(address, {
      onOpen: () => {
        record({ kind: 'socket', ...about, what: 'open' });
        events.onOpen();
      },
      onMessage: (text) => {
        frame('in', text);
        events.onMessage(text);
      },
      onSign: () => events.onSign(),
      onClose: (closing) => {
        record({
          kind: 'socket',
          ...about,
          what: closing.status === undefined ? 'closed' : 'refused',
          code: closing.status ?? closing.code,
        });
        events.onClose(closing);
      },
    });
    return {
      get buffered() {
        return socket.buffered;
      },
      send: (text) => {
        frame('out', text);
        socket.send(text);
      },
      ping: () => socket.ping(),
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.terminate(),
    };
  };
}
