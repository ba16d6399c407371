import { newId, type WakeQueue } from '@codelab/bus';
import type { Tracing } from '@codelab/tracing';
import type { Bus } from '@codelab/bus/redis';
import { type Clock, systemClock } from '@codelab/clock';
import { KnownModels } from '../core/model/known-models.js';
import { Tasks } from '../core/tasks/tasks.js';
import { joinSources } from '../core/server-tools/join-sources.js';
import { ServerCalls } from '../core/server-tools/server-calls.js';
import type { ServerToolSource } from '../core/server-tools/server-tool.js';
import { traceTurns } from '../core/tracing/turn-trace.js';
import { HotSessions } from '../core/session/hot-sessions.js';
import type { RuntimeLimits } from '../core/turn/runtime-limits.js';
import type { EventLog } from '../core/session/runtime-ports.js';
import type { PrometheusMeter } from './metrics.js';
import { Pulse } from './pulse.js';
import { Sweep } from './sweep.js';

/** Wakes that one process takes at the same time: each costs a few milliseconds. */
const CONCURRENT_WAKES = 64;

/** What a runtime is made of. */
export interface RuntimeOptions {
  readonly bus: Bus;
  readonly log: EventLog;
  readonly meter: PrometheusMeter;
  /** Absent where tracing is off. */
  readonly tracing?: Tracing;
  readonly limits: RuntimeLimits;
  readonly lingerMs: number;
  readonly maxHotSessions: number;
  /** Where tools come from that this process runs itself; of two with one name that of the earlier one counts. */
  readonly sources?: readonly ServerToolSource[];
}

/** A runtime that takes sessions. */
export interface Runtime {
  /** Takes no more sessions. */
  stopTaking(): Promise<void>;
  /** Hands over those it holds, so that another replica goes on at once. */
  handOver(signal: AbortSignal): Promise<void>;
  /** Sessions that it holds. */
  readonly size: number;
}

/** Begins to take sessions: by wakes, which are fast, and by sweeps, which miss none. */
export async function startRuntime({ bus, log, meter, tracing, sources = [], ...behaviour }: RuntimeOptions): Promise<Runtime> {
  const { store, rules, alerts, models, modelFacts, wakes, heartbeats, children } = bus;
  // Times of a session are read by whichever process holds it next, and no clock that is set moves them.
  const clock: Clock = { ...systemClock, now: () => bus.nowMs() };
  const isAway = (): boolean => bus.status() === 'away';
  const known = new KnownModels(modelFacts, clock);
  await known.start();
  const worker = newId('worker');
  const sessions = new HotSessions({
    store,
    rules,
    alerts,
    models,
    wakes,
    known,
    tasks: new Tasks({ store, children, newId, limits: behaviour.limits, log }),
    serverTools: joinSources(sources, (error) => log.warn({ event: 'tools.not_listed', err: error })),
    serverCalls: new ServerCalls({ store, clock, log }),
    clock,
    newId,
    log,
    meter,
    tracing,
    beginTrace: traceTurns(tracing),
    worker,
    isAway,
    ...behaviour,
  });
  meter.watchHotSessions(() => sessions.size);
  const wakeWorker = await takeWakes(wakes, sessions, log);
  const pulse = new Pulse({ heartbeats, worker, clock, log });
  const sweep = new Sweep({ wakes, children, clock, log, sessions, isAway, onSwept: (count) => meter.swept(count) });
  return {
    stopTaking: async () => {
      await Promise.all([sweep.stop(), wakeWorker.close()]);
    },
    handOver: async (signal) => {
      known.stop();
      await sessions.close(signal);
      await pulse.stop();
    },
    get size() {
      return sessions.size;
    },
  };
}

/** Takes wakes, until closed: a session that is woken is held when its wake is done, here or elsewhere; the work itself is done there. */
const takeWakes = (wakes: WakeQueue, sessions: HotSessions, log: EventLog): Promise<{ close(): Promise<void> }> =>
  wakes.work(
    async (sid) => {
      try {
        await sessions.open(sid);
      } catch (error) {
        log.warn({ event: 'wake.failed', sid, message: String(error) }); // the sweep finds the session
      }
    },
    { concurrency: CONCURRENT_WAKES },
  );
