import type { ChaosEvent, ChaosFrame } from '../../recording/chaos-event.js';
import type { Bar, LaneGroup, Mark, Tone } from './timeline.js';

const TONES: readonly (readonly [pattern: RegExp, tone: Tone])[] = [
  [/^(error|drain)$/, 'bad'],
  [/^(approval|hitl)/, 'ask'],
  [/^(turn_|user_message|message_accepted|cancel)/, 'info'],
  [/^tool_/, 'good'],
];

/** Frames of one family look the same everywhere. */
export const toneOfFrame = ({ type }: ChaosFrame): Tone => TONES.find(([pattern]) => pattern.test(type))?.[1] ?? 'plain';

interface Peer {
  readonly bars: Bar[];
  readonly marks: Mark[];
  readonly open: Map<number, { readonly from: number; readonly event: number }>;
}

/** A lane for each observer: its connections, with the frames that it sent (above) and got (below). */
export function socketLanes(events: readonly ChaosEvent[], end: number): LaneGroup {
  const peers = new Map<string, Peer>();
  const peerOf = (name: string): Peer => {
    const peer = peers.get(name) ?? { bars: [], marks: [], open: new Map() };
    peers.set(name, peer);
    return peer;
  };
  const close = (peer: Peer, connection: number, to: number, open: boolean): void => {
    const began = peer.open.get(connection);
    if (began === undefined) return;
    peer.open.delete(connection);
    peer.bars.push({ from: began.from, to, tone: 'soft', event: began.event, open, label: `#${String(connection)}` });
  };
  events.forEach((event, index) => {
    if (event.kind === 'frame') {
      const shape = event.direction === 'out' ? 'up' : 'down';
      peerOf(event.observer).marks.push({ at: event.at, shape, tone: toneOfFrame(event.frame), event: index });
    }
    if (event.kind !== 'socket') return;
    const peer = peerOf(event.observer);
    if (event.what === 'open') peer.open.set(event.connection, { from: event.at, event: index });
    else {
      close(peer, event.connection, event.at, false);
      peer.marks.push({ at: event.at, shape: 'cross', tone: event.what === 'refused' ? 'warn' : 'bad', event: index });
    }
  });
  return {
    title: 'Sockets',
    lanes: [...peers].map(([name, peer]) => {
      for (const connection of [...peer.open.keys()]) close(peer, connection, end, true);
      return { name, bars: peer.bars, marks: peer.marks };
    }),
  };
}
