import type { AuditLog } from '../audit-log.js';
import type { ChildSessions } from '../child-sessions.js';
import type { Janitor } from '../janitor.js';
import type { Ledger } from '../accounts/ledger.js';
import type { ModelFacts } from '../model-facts.js';
import type { ModelQueue } from '../model-queue.js';
import type { Handovers } from '../handovers.js';
import type { Heartbeats } from '../heartbeats.js';
import type { PublishedTools } from '../published-tools.js';
import type { RuleStore } from '../rule-store.js';
import type { ServerTools } from '../server-tools.js';
import type { ServiceReports } from '../service-reports.js';
import type { SignIns } from '../sign-ins.js';
import type { ToolRevisions } from '../tool-revisions.js';
import { createRedisToolRevisions } from './rules/redis-tool-revisions.js';
import type { SessionAlerts } from '../session-alerts.js';
import type { SessionStreams } from '../session-stream.js';
import type { QuotaLimits } from '../accounts/quota-error.js';
import type { SessionStore } from '../session-store.js';
import type { Storage } from '../accounts/storage-use.js';
import type { ToolCallLog } from '../accounts/tool-call-log.js';
import type { WakeQueue } from '../wake-queue.js';
import { silentLogger, type BusLogger } from './connection/bus-logger.js';
import { ChildRegistry } from './children/child-registry.js';
import { guardStore } from './session/guard-store.js';
import { Blobs } from './blobs/blobs.js';
import { LongStrings } from './blobs/long-strings.js';
import { createKeys } from './keys/keys.js';
import { toRedisPlace } from './connection/redis-url.js';
import { BLOB_SPARE_MS, LONG_STRING_UNITS, PARKED_TTL_MS, SESSION_TTL_MS } from './limits.js';
import { RedisCommands, type BusStatus } from './connection/redis-commands.js';
import { createRedisAuditLog } from './rules/redis-audit-log.js';
import { createRedisJanitor } from './janitor/redis-janitor.js';
import { createRedisHandovers } from './redis-handovers.js';
import { createRedisHeartbeats } from './redis-heartbeats.js';
import { RedisLedger } from './accounts/redis-ledger.js';
import { createRedisChildSessions } from './children/redis-child-sessions.js';
import { createRedisModelFacts } from './models/redis-model-facts.js';
import { createRedisModelQueue } from './models/redis-model-queue.js';
import { createRedisRuleStore } from './rules/redis-rule-store.js';
import { createRedisPublishedTools } from './redis-published-tools.js';
import { createRedisServerTools } from './redis-server-tools.js';
import { createRedisServiceReports } from './redis-service-reports.js';
import { createRedisSignIns } from './redis-sign-ins.js';
import { createRedisSessionAlerts } from './feed/redis-session-alerts.js';
import { RedisSessionStreams } from './feed/redis-session-streams.js';
import { createRedisSessionStore } from './session/redis-session-store.js';
import { RedisSubscriber } from './connection/redis-subscriber.js';
import { RedisToolCallLog } from './accounts/redis-tool-call-log.js';
import { createRedisWakeQueue } from './redis-wake-queue.js';
import { Quotas } from './accounts/quotas.js';
import { RestingSessions } from './rest/resting-sessions.js';
import { SessionScripts } from './session/session-scripts.js';
import { StoredBytes } from './accounts/stored-bytes.js';

/** How to reach Redis, and what is kept there. */
export interface BusOptions {
  /**
   * `redis://[user:password@]host:port[/db]`, `rediss://…` with TLS, `unix:/path/to/socket`, `redis+sentinel://host:port,host:port/name`, or
   * `redis+cluster://host:port,host:port`; the last two with `rediss+` for TLS.
   */
  readonly url: string;
  readonly logger?: BusLogger;
  /** How long an untouched session is kept, in milliseconds; 30 days without. */
  readonly sessionTtlMs?: number;
  /** How long a turn may wait for somebody who does nothing, in milliseconds; 30 days without. */
  readonly parkedTtlMs?: number;
  /** Kept where something comes in; none without. */
  readonly quotas?: QuotaLimits;
  /** How long a string is that stands once for all texts that have it, in UTF-16 units; 16,384 without, 0: none. */
  readonly longStringUnits?: number;
  readonly namespaceForTests?: string;
}

/** Whether the store can be worked with. */
export interface BusHealth {
  readonly isHealthy: boolean;
  /** In a sentence for operators. */
  readonly reason?: string;
}

/** What joins the services. */
export interface Bus {
  readonly store: SessionStore;
  readonly rules: RuleStore;
  readonly audit: AuditLog;
  readonly streams: SessionStreams;
  readonly alerts: SessionAlerts;
  readonly wakes: WakeQueue;
  readonly heartbeats: Heartbeats;
  readonly models: ModelQueue;
  readonly modelFacts: ModelFacts;
  readonly children: ChildSessions;
  readonly ledger: Ledger;
  readonly toolCalls: ToolCallLog;
  readonly serverTools: ServerTools;
  readonly toolRevisions: ToolRevisions;
  readonly publishedTools: PublishedTools;
  readonly handovers: Handovers;
  readonly signIns: SignIns;
  readonly serviceReports: ServiceReports;
  readonly storage: Storage;
  readonly janitor: Janitor;
  /**
   * The time by the store's clock, in whole milliseconds since 1970: the same for all processes, whatever their machines' clocks say or are set to.
   * By ours before the store has told its own.
   */
  nowMs(): number;
  status(): BusStatus;
  /** Hears each change of the status. Returns how to stop. */
  onStatus(listener: (status: BusStatus) => void): () => void;
  /** Whether Redis takes writes, and if not, why, where Redis said so. Looked at every 2 s. */
  health(): BusHealth;
  /** Hears that the health may have changed. Returns how to stop. */
  onHealth(listener: () => void): () => void;
  readonly counters: {
    /** Round trips so far, by the operation that caused them. */
    readonly roundTrips: ReadonlyMap<string, number>;
  };
  /** Closes every connection; what is waited for is refused. */
  close(): Promise<void>;
}

/** A bus that begins to connect, and does so for ever: `status` says when it serves. Nothing that Redis does ends the process. */
export function createBus({
  url,
  logger = silentLogger,
  sessionTtlMs = SESSION_TTL_MS,
  parkedTtlMs = PARKED_TTL_MS,
  quotas: limits,
  longStringUnits = LONG_STRING_UNITS,
  namespaceForTests,
}: BusOptions): Bus {
  const keys = createKeys(namespaceForTests, toRedisPlace(url).kind);
  const commands = new RedisCommands({ url, keys, logger });
  const subscriber = new RedisSubscriber(url, logger);
  const wakes = createRedisWakeQueue(commands, keys, url, logger);
  const textTtlMs = sessionTtlMs + parkedTtlMs + BLOB_SPARE_MS;
  const blobs = new Blobs(commands, keys, textTtlMs);
  const strings = new LongStrings(commands, keys, textTtlMs, longStringUnits);
  const rest = new RestingSessions(commands, keys);
  commands.thaw = (sid) => rest.thaw(sid);
  const scripts = new SessionScripts(commands, keys, sessionTtlMs, blobs, strings, rest, (sid) => void wakes.wake(sid));
  const storage = new StoredBytes({ commands, keys, logger });
  const quotas = new Quotas(storage, limits ?? { ownerBytes: 0, tenantBytes: 0 });
  const store = guardStore(createRedisSessionStore(scripts, sessionTtlMs), scripts, storage, quotas);
  const registry = new ChildRegistry(scripts, sessionTtlMs);
  const rules = createRedisRuleStore(scripts, sessionTtlMs);
  const audit = createRedisAuditLog({ commands, keys, rest, registry });
  const streams = new RedisSessionStreams({ commands, subscriber, keys, store, logger });
  const alerts = createRedisSessionAlerts(commands, subscriber, keys);
  const models = createRedisModelQueue({ scripts, subscriber, url, logger });
  const modelFacts = createRedisModelFacts(commands, keys);
  const children = createRedisChildSessions(scripts, store, registry, { quotas, storage });
  const ledger = new RedisLedger({ commands, keys, logger });
  const toolCalls = new RedisToolCallLog({ commands, keys, logger });
  const serverTools = createRedisServerTools(commands, keys);
  const toolRevisions = createRedisToolRevisions(commands, keys);
  const publishedTools = createRedisPublishedTools(commands, keys);
  const handovers = createRedisHandovers(commands, keys);
  const heartbeats = createRedisHeartbeats(commands, keys, wakes);
  const signIns = createRedisSignIns(commands, keys);
  const serviceReports = createRedisServiceReports(commands, keys);
  const janitor = createRedisJanitor({ commands, keys, url, logger, store, rest, registry, sessionTtlMs, parkedTtlMs, textTtlMs });
  const status = (): BusStatus => (commands.status() === 'ready' && subscriber.status() === 'ready' ? 'ready' : 'away');
  return {
    ...{ store, rules, audit, streams, alerts, wakes, heartbeats, models, modelFacts, children },
    ...{ ledger, toolCalls, serverTools, toolRevisions, publishedTools, handovers, signIns, serviceReports, storage, janitor, status },
    nowMs: () => Math.floor(commands.score()),
    onStatus: (listener) => {
      let known = status();
      const tell = (): void => {
        if (status() === known) return;
        known = status();
        listener(known);
      };
      const stops = [commands.onChange(tell), subscriber.onStatus(tell)];
      return () => stops.forEach((stop) => stop());
    },
    health: () => {
      const reason = commands.trouble();
      return { isHealthy: status() === 'ready' && reason === undefined, reason };
    },
    onHealth: (listener) => {
      const stops = [commands.onChange(listener), subscriber.onStatus(listener)];
      return () => stops.forEach((stop) => stop());
    },
    counters: { roundTrips: commands.roundTrips },
    close: async () => {
      children.stop();
      await Promise.all([streams.close(), alerts.close(), models.close(), wakes.close()]);
      await Promise.all([ledger.close(), toolCalls.close(), storage.close()]); // what the others did meanwhile is in them
      await subscriber.close();
      await commands.close();
    },
  };
}

/** A bus that serves: waits until Redis is there, for ever unless the signal fires first; then it is closed, and the reason thrown. */
export async function connectBus({ signal, ...options }: BusOptions & { readonly signal?: AbortSignal }): Promise<Bus> {
  signal?.throwIfAborted();
  const bus = createBus(options);
  const served = await new Promise<boolean>((resolve) => {
    const settle = (ready: boolean): void => {
      stop();
      signal?.removeEventListener('abort', giveUp);
      resolve(ready);
    };
    const giveUp = (): void => settle(false);
    const stop = bus.onStatus((status) => (status === 'ready' ? settle(true) : undefined));
    signal?.addEventListener('abort', giveUp);
  });
  if (served) return bus;
  await bus.close();
  throw signal?.reason;
}
