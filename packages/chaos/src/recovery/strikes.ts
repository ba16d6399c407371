import type { ChaosService, ChaosSystem } from '../system/chaos-system.js';
import type { ServiceKind } from '../system/installation.js';
import type { SteadyModel } from './steady-model.js';

/** What a strike acts on. */
export interface StrikeScene {
  readonly system: ChaosSystem;
  readonly model: SteadyModel;
  /** How many turns go on. */
  readonly turns: number;
  /** Resolves when every turn goes on steadily. */
  untilSteady(): Promise<void>;
}

/** A way to break something that clients use, so that each of them is struck. */
export interface Strike {
  readonly name: string;
  /** What p99 should stay below. */
  readonly aimMs?: number;
  readonly note: string;
  /** Once, before the first round. */
  prepare?(scene: StrikeScene): Promise<void>;
  /** Before each round; the answer breaks it, at once. */
  aim(scene: StrikeScene): Promise<() => void>;
  /** After each round: everything runs again. */
  heal(scene: StrikeScene): Promise<void>;
}

const both = (system: ChaosSystem, kind: ServiceKind): [ChaosService, ChaosService] => {
  const [one, other] = system.servicesOf(kind);
  if (one === undefined || other === undefined) throw new Error(`Two of ${kind} are needed: one that dies and one that goes on.`);
  return [one, other];
};

const startAll = async ({ system }: StrikeScene): Promise<void> => {
  await Promise.all(system.services.map(({ process }) => process.start()));
};

/** One of two dies, and it is always the one that everybody is with: the other one comes later. */
const replicaStrike = (kind: ServiceKind, word: string, signal: 'SIGKILL' | 'SIGTERM', aimMs: number): Strike => {
  let round = 0;
  return {
    ...{ name: `${word} ${signal}`, aimMs, note: 'silence of the turn' },
    prepare: async (scene) => {
      round = 0;
      const [, other] = both(scene.system, kind);
      await other.process.end('SIGTERM');
      await scene.untilSteady();
      await other.process.start();
    },
    aim: async ({ system }) => {
      const victim = both(system, kind)[round % 2]!;
      round += 1;
      return () => void victim.process.end(signal);
    },
    heal: startAll,
  };
};

/** Every request is open at one proxy when it dies; the other one has been there for a moment. */
const proxyStrike = (signal: 'SIGKILL' | 'SIGTERM'): Strike => ({
  ...{ name: `proxy ${signal}`, aimMs: 3_000, note: 'silence of the turn, whose model request was open' },
  aim: async ({ system, model, turns }) => {
    const [one, other] = both(system, 'llm-proxy');
    await other.process.end('SIGTERM');
    await model.holdAll(turns);
    await other.process.start();
    return () => {
      model.answerNew();
      void one.process.end(signal);
    };
  },
  heal: startAll,
});

const redisStrike = (signal: 'SIGKILL' | 'SIGTERM'): Strike => ({
  ...{ name: `Redis ${signal}, started again`, aimMs: 2_000, note: 'with its append-only file; its own start is a part of it' },
  aim: async ({ system }) => {
    const [server] = system.store.servers;
    return () => void server?.process.end(signal).then(() => server.process.start());
  },
  heal: startAll,
});

const lineStrike: Strike = {
  ...{ name: 'client loses its connection', aimMs: 1_000, note: 'until it is back and has the next frame' },
  aim:
    async ({ system }) =>
    () => {
      for (const link of system.links.values()) link.cut();
    },
  heal: async () => undefined,
};

/** Each kind of kill, by its name. */
export const STRIKES: readonly Strike[] = [
  replicaStrike('gateway', 'gateway', 'SIGKILL', 1_000),
  replicaStrike('gateway', 'gateway', 'SIGTERM', 1_000),
  replicaStrike('agent-runtime', 'runtime', 'SIGKILL', 3_000),
  replicaStrike('agent-runtime', 'runtime', 'SIGTERM', 3_000),
  proxyStrike('SIGKILL'),
  proxyStrike('SIGTERM'),
  redisStrike('SIGTERM'),
  redisStrike('SIGKILL'),
  lineStrike,
];
