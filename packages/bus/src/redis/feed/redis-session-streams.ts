import type { FrameHead } from '@codelab/protocol';
import type { LoggedFrame, SessionSignal } from '../../session-records.js';
import type { SessionRef, Sid } from '../../session-ref.js';
import type { SessionReads } from '../../session-store.js';
import type { Aside, Position, SessionStreams } from '../../session-stream.js';
import type { BusLogger } from '../connection/bus-logger.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { RedisSubscriber } from '../connection/redis-subscriber.js';
import type { Keys } from '../keys.js';
import { COMPARE_MS } from '../limits.js';
import { decodePosition } from '../session/session-reads.js';
import { LogReader, type Announcement } from './log-reader.js';

const RS = '\x1e';

/** Epoch, first number, then head and text of each frame; none where the frame was too large to travel. */
const decodeAnnouncement = (message: string): Announcement => {
  const [epoch = '', seq = '0', ...parts] = message.split(RS);
  const frames: LoggedFrame[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    frames.push({ seq: Number(seq) + at / 2, head: JSON.parse(parts[at]!) as FrameHead, text: parts[at + 1]! });
  }
  return { epoch, seq: Number(seq), frames };
};

/** What is said outside of the log: head and text of a frame, or a signal, which has no head. */
const decodeAside = (message: string): Aside => {
  const [, head = '', text = ''] = message.split(RS);
  return head === ''
    ? { kind: 'signal', signal: JSON.parse(text) as SessionSignal }
    : { kind: 'relayed', frame: { head: JSON.parse(head) as FrameHead, text } };
};

/** The subscription to one session, as long as somebody reads or listens. */
interface Channel {
  readonly readers: Set<LogReader>;
  readonly listeners: Set<(aside: Aside) => void>;
  /** Settles when the subscription stands, with how to end it. */
  readonly standing: Promise<() => void>;
  users: number;
}

/** What streams are made of. */
export interface StreamParts {
  readonly commands: RedisCommands;
  readonly subscriber: RedisSubscriber;
  readonly keys: Keys;
  readonly store: Pick<SessionReads, 'replay'>;
  readonly logger: BusLogger;
}

/**
 * What sessions say, from their live channels and, where those lose something, from their logs: a reader subscribes first and reads then; all
 * are compared with the store after each (re)subscription, on each `ready` of the connection, and every 2 s.
 */
export function createRedisSessionStreams({ commands, subscriber, keys, store, logger }: StreamParts): SessionStreams {
  const channels = new Map<Sid, Channel>();

  const compare = async (): Promise<void> => {
    const followed = [...channels].filter(([, { readers }]) => readers.size > 0);
    if (followed.length === 0 || commands.status() === 'away') return;
    const replies = await commands.runEach(
      'compare',
      followed.map(([sid]) => ['hmget', keys.session(sid).meta, 'epoch', 'seq']),
    );
    followed.forEach(([, { readers }], index) => {
      for (const reader of readers) reader.compare(decodePosition(replies[index]));
    });
  };
  const compareSoon = (): void => void compare().catch(() => undefined); // away: the next comparison comes
  const timer = setInterval(compareSoon, COMPARE_MS);
  timer.unref();
  const unhear = [subscriber.onRestored(compareSoon), commands.onChange(() => (commands.status() === 'ready' ? compareSoon() : undefined))];

  const subscribe = (sid: Sid): Channel => {
    const [readers, listeners] = [new Set<LogReader>(), new Set<(aside: Aside) => void>()];
    const standing = subscriber.subscribe(keys.session(sid).live, (message) => {
      if (message.startsWith(RS)) {
        const aside = decodeAside(message);
        for (const listener of listeners) tell(listener, aside);
      } else {
        const announced = decodeAnnouncement(message);
        for (const reader of readers) reader.hear(announced);
      }
    });
    return { readers, listeners, standing, users: 0 };
  };
  const tell = (listener: (aside: Aside) => void, aside: Aside): void => {
    try {
      listener(aside);
    } catch (error) {
      logger.warn({ event: 'stream.listener_failed', message: String(error) }); // one listener's fault is not the others'
    }
  };
  const leave = (sid: Sid, channel: Channel): void => {
    channel.users -= 1;
    if (channel.users > 0) return;
    if (channels.get(sid) === channel) channels.delete(sid);
    channel.standing.then(
      (end) => end(),
      () => undefined, // it never stood; whoever waited for it was told
    );
  };
  const enter = async ({ sid }: SessionRef): Promise<Channel> => {
    const channel = channels.get(sid) ?? subscribe(sid);
    channels.set(sid, channel);
    channel.users += 1;
    try {
      await channel.standing;
      return channel;
    } catch (error) {
      leave(sid, channel);
      throw error;
    }
  };

  return {
    open: async (ref, from) => {
      const channel = await enter(ref);
      const close = (reader: LogReader): void => {
        channel.readers.delete(reader);
        leave(ref.sid, channel);
      };
      const reader = new LogReader(from, (position: Position) => store.replay(ref, position), close);
      channel.readers.add(reader);
      return reader;
    },
    listen: async (ref, listener) => {
      const channel = await enter(ref);
      const own = (aside: Aside): void => listener(aside);
      channel.listeners.add(own);
      return () => {
        if (channel.listeners.delete(own)) leave(ref.sid, channel);
      };
    },
    close: async () => {
      clearInterval(timer);
      for (const stop of unhear) stop();
      for (const { readers, listeners } of channels.values()) {
        listeners.clear();
        for (const reader of readers) reader.close();
      }
      channels.clear();
    },
  };
}
