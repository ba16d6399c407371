import { BusError } from '../../bus-error.js';
import type { BusLogger } from './bus-logger.js';
import { openRedis, type RedisLink } from './open-redis.js';
import type { BusStatus } from './redis-commands.js';

/** Channels of one command: many fit, a command of unlimited length doesn't. */
const CHANNELS_A_COMMAND = 500;
/** A connection that only listens would not notice that nobody speaks any more. */
const PING_MS = 5_000;
/** How long a channel that nobody listens to any more stays subscribed at least: who left often comes back, a model step at a time. */
const LINGER_MS = 5_000;

/** Who hears a channel. */
export interface ChannelListener {
  hear(message: string): void;
}

interface Channel {
  listeners: readonly ChannelListener[];
  /** Settles when the subscription stands on the present connection; absent once it does. */
  standing: Promise<void> | undefined;
  /** When its last listener left. */
  leftAtMs: number | undefined;
}

/**
 * The connection for sharded pub/sub. Channels are subscribed again after each reconnection, and then `onRestored` fires: what was announced
 * in between is lost, so whoever listens compares with the store.
 */
export class RedisSubscriber {
  private readonly redis: RedisLink;
  private readonly channels = new Map<string, Channel>();
  private readonly restoredListeners = new Set<() => void>();
  private readonly statusListeners = new Set<(status: BusStatus) => void>();
  private readonly pings: NodeJS.Timeout;
  private present: BusStatus = 'away';

  constructor(
    url: string,
    private readonly logger: BusLogger,
  ) {
    this.redis = openRedis(url, { purpose: 'subscriber', socketTimeout: 2 * PING_MS });
    this.redis.on('error', (error: Error) => this.logger.warn({ event: 'redis.error', connection: 'subscriber', message: error.message }));
    this.redis.on('ready', () => void this.restore());
    this.redis.on('smessage', (channel: string, message: string) => {
      for (const listener of this.channels.get(channel)?.listeners ?? []) this.tell(listener, message);
    });
    this.redis.on('close', () => this.tellStatus('away'));
    // A node that took slots over: its channels were deaf meanwhile, and the connection stood.
    this.redis.on('subscribersReady', () => (this.present === 'ready' ? this.tellRestored() : undefined));
    this.pings = setInterval(() => {
      this.dropUnheard();
      if (this.redis.status === 'ready') this.redis.ping().catch(() => undefined); // no answer: the socket's timeout closes it
    }, PING_MS);
    this.pings.unref();
  }

  status(): BusStatus {
    return this.present;
  }

  /** Hears each change of the status. Returns how to stop. */
  onStatus(listener: (status: BusStatus) => void): () => void {
    this.statusListeners.add(listener);
    return () => this.statusListeners.delete(listener);
  }

  /** Hears when all channels are subscribed again. Returns how to stop. */
  onRestored(listener: () => void): () => void {
    this.restoredListeners.add(listener);
    return () => this.restoredListeners.delete(listener);
  }

  /** Resolves when the subscription stands; call `unsubscribe` once for each that does. Refused at once while Redis is away. */
  async subscribe(name: string, listener: ChannelListener): Promise<void> {
    const channel = this.channels.get(name) ?? { listeners: [], standing: this.send('ssubscribe', [name]), leftAtMs: undefined };
    this.channels.set(name, channel);
    channel.listeners = channel.listeners.concat(listener);
    const { standing } = channel;
    try {
      await standing;
      if (channel.standing === standing) channel.standing = undefined;
    } catch (cause) {
      this.unsubscribe(name, listener);
      if (channel.listeners.length === 0 && this.channels.get(name) === channel) this.channels.delete(name);
      throw new BusError(`subscribe ${name}: Redis is away`, { cause });
    }
  }

  /** Ends a subscription, or one that is about to stand. */
  unsubscribe(name: string, listener: ChannelListener): void {
    const channel = this.channels.get(name);
    const at = channel?.listeners.indexOf(listener) ?? -1;
    if (channel === undefined || at === -1) return;
    channel.listeners = channel.listeners.toSpliced(at, 1);
    if (channel.listeners.length === 0) channel.leftAtMs = performance.now();
  }

  async close(): Promise<void> {
    clearInterval(this.pings);
    this.channels.clear();
    this.restoredListeners.clear();
    this.statusListeners.clear();
    this.redis.disconnect();
  }

  private dropUnheard(): void {
    const before = performance.now() - LINGER_MS;
    const unheard = [...this.channels].filter(([, { listeners, leftAtMs = before + 1 }]) => listeners.length === 0 && leftAtMs <= before);
    const names = unheard.map(([name]) => name);
    for (const name of names) this.channels.delete(name);
    for (let first = 0; first < names.length; first += CHANNELS_A_COMMAND) {
      // away: nothing is subscribed then
      this.send('sunsubscribe', names.slice(first, first + CHANNELS_A_COMMAND)).catch(() => undefined);
    }
  }

  private async send(command: 'ssubscribe' | 'sunsubscribe', names: readonly string[]): Promise<void> {
    // Channels of several sessions are in several slots.
    if (this.redis.isCluster) await Promise.all(names.map((name) => this.redis[command](name)));
    else await this.redis[command](...names);
  }

  private async restore(): Promise<void> {
    const names = [...this.channels.keys()];
    try {
      for (let first = 0; first < names.length; first += CHANNELS_A_COMMAND) {
        const some = names.slice(first, first + CHANNELS_A_COMMAND);
        const standing = this.send('ssubscribe', some);
        for (const name of some) {
          const channel = this.channels.get(name);
          if (channel !== undefined) channel.standing = standing;
        }
        await standing;
      }
    } catch {
      this.redis.disconnect(true); // lost again on the way; the next connection begins anew
      return;
    }
    this.tellStatus('ready');
    this.tellRestored();
  }

  private tellRestored(): void {
    for (const listener of this.restoredListeners) listener();
  }

  private tell(listener: ChannelListener, message: string): void {
    try {
      listener.hear(message);
    } catch (error) {
      this.logger.warn({ event: 'redis.listener_failed', message: String(error) }); // one listener's fault is not the others'
    }
  }

  private tellStatus(status: BusStatus): void {
    if (status === this.present) return;
    this.present = status;
    for (const listener of this.statusListeners) listener(status);
  }
}
