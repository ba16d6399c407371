import type { FrameHead } from '@codelab/protocol';
import type { LoggedFrame, SessionSignal } from '../../session-records.js';
import type { FeedEvent, SessionFeed } from '../../session-feed.js';
import type { Sid } from '../../session-ref.js';
import type { SessionReads } from '../../session-store.js';
import type { BusLogger } from '../connection/bus-logger.js';
import { FeedCursor, type Announcement } from './feed-cursor.js';
import type { Keys } from '../keys.js';
import { COMPARE_MS } from '../limits.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { RedisSubscriber } from '../connection/redis-subscriber.js';
import { decodePosition } from '../session/session-reads.js';

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
const decodeAside = (message: string): FeedEvent => {
  const [, head = '', text = ''] = message.split(RS);
  return head === ''
    ? { kind: 'signal', signal: JSON.parse(text) as SessionSignal }
    : { kind: 'relayed', frame: { head: JSON.parse(head) as FrameHead, text } };
};

/** What a feed is made of. */
export interface FeedParts {
  readonly commands: RedisCommands;
  readonly subscriber: RedisSubscriber;
  readonly keys: Keys;
  readonly store: SessionReads;
  readonly logger: BusLogger;
}

/** Frames of sessions, from their live channels and, where those lose something, from their logs. */
export function createRedisSessionFeed({ commands, subscriber, keys, store, logger }: FeedParts): SessionFeed {
  const cursors = new Map<Sid, Set<FeedCursor>>();
  const ends = new Set<() => void>();

  const compare = async (): Promise<void> => {
    const sids = [...cursors.keys()];
    if (sids.length === 0 || commands.status() === 'away') return;
    const replies = await commands.runEach(
      'compare',
      sids.map((sid) => ['hmget', keys.session(sid).meta, 'epoch', 'seq']),
    );
    sids.forEach((sid, index) => {
      for (const cursor of cursors.get(sid) ?? []) cursor.compare(decodePosition(replies[index]));
    });
  };
  const compareSoon = (): void => void compare().catch(() => undefined); // away: the next comparison comes
  const timer = setInterval(compareSoon, COMPARE_MS);
  timer.unref();
  const unhear = [subscriber.onRestored(compareSoon), commands.onChange(() => (commands.status() === 'ready' ? compareSoon() : undefined))];

  return {
    subscribe: async (ref, position, listener) => {
      const tell = (event: FeedEvent): void => {
        try {
          listener(event);
        } catch (error) {
          logger.warn({ event: 'feed.listener_failed', message: String(error) }); // one subscriber's fault is not the others'
        }
      };
      const cursor = new FeedCursor(position, (from) => store.replay(ref, from), tell);
      const end = await subscriber.subscribe(keys.session(ref.sid).live, (message) => {
        if (message.startsWith(RS)) cursor.pass(decodeAside(message));
        else cursor.hear(decodeAnnouncement(message));
      });
      ends.add(end);
      const watched = cursors.get(ref.sid) ?? new Set();
      cursors.set(ref.sid, watched.add(cursor));
      cursor.catchUp();
      return {
        close: async () => {
          cursor.close();
          watched.delete(cursor);
          if (watched.size === 0 && cursors.get(ref.sid) === watched) cursors.delete(ref.sid);
          if (ends.delete(end)) end();
        },
      };
    },
    close: async () => {
      clearInterval(timer);
      for (const stop of unhear) stop();
      for (const watched of cursors.values()) for (const cursor of watched) cursor.close();
      for (const end of ends) end();
      ends.clear();
      cursors.clear();
    },
  };
}
