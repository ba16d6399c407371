import type { Alert, SessionAlerts } from '../../session-alerts.js';
import type { Sid } from '../../session-ref.js';
import { decodeInboxEntry } from '../session/decode-inbox.js';
import type { Keys } from '../keys/keys.js';
import { COMPARE_MS } from '../limits.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { ChannelListener, RedisSubscriber } from '../connection/redis-subscriber.js';

interface Watched {
  readonly listener: (alert: Alert) => void;
  readonly subscription: ChannelListener;
  /** The last entry that the listener was told of, or that was there before it listened. */
  last: number;
}

/** Takes an announcement; entries are numbered without gaps, so one that is missing is noticed. */
const hear = (watched: Watched, message: string): void => {
  const [id = '0', ...flat] = message.split('\x1e');
  const number = Number(id);
  if (number <= watched.last) return; // told before, as itself or as part of a loss
  const lost = number > watched.last + 1;
  watched.last = number;
  watched.listener(lost || flat.length === 0 ? {} : { entry: decodeInboxEntry(number, flat) });
};

/** Announcements to the holder of a lease. After a gap, a reconnection or a silent loss it is told to read the inbox. */
export function createRedisSessionAlerts(commands: RedisCommands, subscriber: RedisSubscriber, keys: Keys): SessionAlerts {
  const sessions = new Map<Sid, Watched>();

  const compare = async (): Promise<void> => {
    const sids = [...sessions.keys()];
    if (sids.length === 0 || commands.status() === 'away') return;
    const before = sids.map((sid) => sessions.get(sid)?.last ?? 0);
    const replies = await commands.runEach(
      'compare-inboxes',
      sids.map((sid) => ['hget', keys.session(sid).meta, 'inbox_seq']),
    );
    sids.forEach((sid, index) => {
      const watched = sessions.get(sid);
      const last = Number(replies[index] ?? 0);
      const isSetBack = last < before[index]!; // what was announced meanwhile may be newer than the answer
      if (watched === undefined || !(isSetBack || last > watched.last)) return;
      watched.last = last;
      watched.listener(isSetBack ? { setBack: true } : {});
    });
  };
  const compareSoon = (): void => void compare().catch(() => undefined); // away: the next comparison comes
  /** What was announced meanwhile is lost, model requests among it: whoever listens looks for itself. */
  const tellAll = (): void => {
    for (const { listener } of sessions.values()) listener({ restored: true });
  };
  const timer = setInterval(compareSoon, COMPARE_MS);
  timer.unref();
  const unhear = [subscriber.onRestored(tellAll), commands.onChange(() => (commands.status() === 'ready' ? tellAll() : undefined))];

  const unwatch = (sid: Sid): void => {
    const watched = sessions.get(sid);
    if (watched !== undefined) subscriber.unsubscribe(keys.session(sid).wake, watched.subscription);
    sessions.delete(sid);
  };
  return {
    watch: async (sid, listener) => {
      unwatch(sid);
      const early: string[] = [];
      let watched: Watched | undefined;
      const subscription: ChannelListener = {
        hear: (message) => {
          if (watched === undefined) early.push(message);
          else hear(watched, message);
        },
      };
      await subscriber.subscribe(keys.session(sid).wake, subscription);
      try {
        const [last] = await commands.run('watch-inbox', [['hget', keys.session(sid).meta, 'inbox_seq']]);
        watched = { listener, subscription, last: Number(last ?? 0) };
      } catch (error) {
        subscriber.unsubscribe(keys.session(sid).wake, subscription);
        throw error;
      }
      sessions.set(sid, watched);
      for (const message of early) hear(watched, message);
    },
    unwatch: async (sid) => unwatch(sid),
    close: async () => {
      clearInterval(timer);
      for (const stop of unhear) stop();
      for (const sid of [...sessions.keys()]) unwatch(sid);
    },
  };
}
