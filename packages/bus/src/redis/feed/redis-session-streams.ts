import type { FrameHead } from '@codelab/protocol';
import type { LoggedFrame, SessionSignal } from '../../session-records.js';
import type { SessionRef, Sid } from '../../session-ref.js';
import type { Replay, SessionReads } from '../../session-store.js';
import type { Aside, AsideListener, Position, SessionStream, SessionStreams } from '../../session-stream.js';
import type { BusLogger } from '../connection/bus-logger.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { ChannelListener, RedisSubscriber } from '../connection/redis-subscriber.js';
import type { Keys } from '../keys/keys.js';
import { COMPARE_MS } from '../limits.js';
import { decodePosition } from '../session/session-reads.js';
import { LogReader, REMOVED, type Announcement, type LogSource } from './log-reader.js';

const RS = '\x1e';

/** Epoch, first number, then head and text of each frame; none where the frame was too large to travel. */
const decodeAnnouncement = (message: string): Announcement => {
  const [epoch = '', seq = '0', ...parts] = message.split(RS);
  const frames: LoggedFrame[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    frames.push({ seq: Number(seq) + at / 2, head: JSON.parse(parts[at]!) as FrameHead, text: parts[at + 1]! });
  }
  return { epoch, seq: Number(seq), frames, lastHead: parts[2 * frames.length - 2] };
};

/** What is said outside of the log: head and text of a frame, or a signal, which has no head. */
const decodeAside = (message: string): Aside => {
  const [, head = '', text = ''] = message.split(RS);
  return head === ''
    ? { kind: 'signal', signal: JSON.parse(text) as SessionSignal }
    : { kind: 'relayed', frame: { head: JSON.parse(head) as FrameHead, text } };
};

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
export class RedisSessionStreams implements SessionStreams {
  private readonly channels = new Map<Sid, SessionChannel>();
  private readonly timer: NodeJS.Timeout;
  private readonly unhear: readonly (() => void)[];

  constructor(private readonly parts: StreamParts) {
    const { commands, subscriber } = parts;
    const compareSoon = (): void => void this.compare().catch(() => undefined); // away: the next comparison comes
    this.timer = setInterval(compareSoon, COMPARE_MS);
    this.timer.unref();
    this.unhear = [
      subscriber.onRestored(compareSoon),
      commands.onChange(() => (commands.status() === 'ready' ? compareSoon() : undefined)),
    ];
  }

  async open(ref: SessionRef, from: Position): Promise<SessionStream> {
    const channel = this.join(ref);
    try {
      await channel.standing;
    } catch (error) {
      this.leave(channel);
      throw error;
    }
    const reader = new LogReader(from, channel);
    channel.readers = channel.readers.concat(reader);
    return reader;
  }

  async listen(ref: SessionRef, listener: AsideListener): Promise<void> {
    const channel = this.join(ref);
    channel.listeners = channel.listeners.concat(listener);
    try {
      await channel.standing;
    } catch (error) {
      this.unlisten(ref, listener);
      throw error;
    }
  }

  unlisten({ sid }: SessionRef, listener: AsideListener): void {
    const channel = this.channels.get(sid);
    const at = channel?.listeners.indexOf(listener) ?? -1;
    if (channel === undefined || at === -1) return;
    channel.listeners = channel.listeners.toSpliced(at, 1);
    this.leave(channel);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const stop of this.unhear) stop();
    for (const channel of this.channels.values()) {
      channel.listeners = [];
      for (const reader of channel.readers) reader.close();
    }
    this.channels.clear();
  }

  /** One user of the channel is gone; the last one takes the subscription with it. */
  leave(channel: SessionChannel): void {
    channel.users -= 1;
    if (channel.users > 0) return;
    const { sid } = channel.ref;
    if (this.channels.get(sid) === channel) this.channels.delete(sid);
    this.parts.subscriber.unsubscribe(this.nameOf(sid), channel);
  }

  private join(ref: SessionRef): SessionChannel {
    const channel = this.channels.get(ref.sid) ?? this.subscribe(ref);
    channel.users += 1;
    return channel;
  }

  private subscribe(ref: SessionRef): SessionChannel {
    const channel = new SessionChannel(ref, this, this.parts);
    this.channels.set(ref.sid, channel);
    channel.standing = this.parts.subscriber.subscribe(this.nameOf(ref.sid), channel).then(() => void (channel.standing = undefined));
    return channel;
  }

  private async compare(): Promise<void> {
    const { commands, keys } = this.parts;
    const followed = [...this.channels.values()].filter(({ readers }) => readers.length > 0);
    if (followed.length === 0 || commands.status() === 'away') return;
    const comparisons = followed.map((channel) => channel.beginComparison());
    const replies = await commands.runEach(
      'compare',
      followed.map(({ ref }) => ['hmget', keys.session(ref.sid).meta, 'epoch', 'seq', 'executor']),
    );
    comparisons.forEach((compare, index) => compare(replies[index]));
  }

  private nameOf(sid: Sid): string {
    return this.parts.keys.session(sid).live;
  }
}

/** The subscription to one session, as long as somebody reads or listens. Most say nothing for hours: it holds no set and no closure. */
class SessionChannel implements ChannelListener, LogSource {
  readers: readonly LogReader[] = [];
  listeners: readonly AsideListener[] = [];
  /** Settles when the subscription stands; absent once it does. */
  standing: Promise<void> | undefined = undefined;
  users = 0;

  constructor(
    readonly ref: SessionRef,
    private readonly streams: RedisSessionStreams,
    private readonly parts: StreamParts,
  ) {}

  hear(message: string): void {
    if (message.startsWith(RS)) {
      const aside = decodeAside(message);
      for (const listener of this.listeners) this.guard(() => listener.receive(aside));
    } else {
      const announced = decodeAnnouncement(message);
      const { epoch, seq, frames, lastHead } = announced;
      const last = seq + Math.max(frames.length, 1) - 1;
      if (epoch !== REMOVED) this.parts.commands.noteFrame(this.ref.sid, { epoch, seq: last, head: lastHead });
      for (const reader of this.readers) reader.hear(announced);
    }
  }

  /** The store is asked now; call what this returns with its answer. */
  beginComparison(): (reply: unknown) => void {
    const heard = this.listeners.map(({ heardOfExecutor = 0 }) => heardOfExecutor);
    const { listeners } = this;
    return (reply) => {
      for (const reader of this.readers) reader.compare(decodePosition(reply));
      const [, , executor] = reply as (string | null)[];
      if (executor == null) return; // none yet, no session, or one that rests
      listeners.forEach((listener, index) => this.guard(() => listener.showExecutor?.(executor, heard[index]!)));
    };
  }

  replay(position: Position): Promise<Replay> {
    return this.parts.store.replay(this.ref, position);
  }

  leave(reader: LogReader): void {
    this.readers = this.readers.filter((other) => other !== reader);
    this.streams.leave(this);
  }

  /** One listener's fault is not the others'. */
  private guard(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.parts.logger.warn({ event: 'stream.listener_failed', message: String(error) });
    }
  }
}
