import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './fault.js';

/** How far a replica may be behind that nobody holds back. */
const LAG_MS = 1_000;

/** How long a master is away: so long that it is missed and its replica has been chosen before it is back (1.5 s, and what that takes). */
const MISSED_MS = [3_000, 5_000] as const;

/** Masters that go and replicas that take over, with what they had got by then. */
export const FAILOVER_FAULTS: readonly Fault[] = [
  {
    name: 'promote-lagging',
    weight: 12,
    stores: ['sentinel'],
    ms: MISSED_MS,
    amount: [20, 400],
    /** The replica hears nothing for `amount` ms, then its master dies: what that had acknowledged meanwhile is gone. */
    begin: async (scene, { amount }) => {
      const { store } = scene.system;
      const [master] = await store.masters().catch(() => []);
      const replica = store.servers.find((server) => server !== master && server.options.kind !== 'sentinel');
      if (master === undefined || replica === undefined) return undefined;
      scene.storeLost('a replica that lagged was promoted', scene.nowMs());
      replica.process.freeze();
      // What it had been sent stands in its socket and would be read: the line ends, and it can't come back before it is thawed.
      await master.ask('CLIENT', 'KILL', 'TYPE', 'replica').catch(() => undefined);
      await delay(amount);
      await master.process.end('SIGKILL');
      replica.process.thaw();
      return { target: master.options.name, detail: `${String(amount)} ms behind`, heal: () => master.process.start() };
    },
  },
  {
    name: 'fail-over-slot',
    weight: 12,
    stores: ['cluster'],
    ms: [0, 0],
    amount: [0, 1],
    /** The replica takes the slots of its master: in order, or at once and without asking. */
    begin: async (scene, { amount }) => {
      const { store } = scene.system;
      const masters = await store.masters();
      const replica = store.servers.find((server) => !masters.includes(server));
      if (replica === undefined) return undefined;
      scene.storeLost('a replica took over a slot', Math.max(0, scene.nowMs() - LAG_MS));
      await replica.ask('CLUSTER', 'FAILOVER', ...(amount === 0 ? [] : ['TAKEOVER'])).catch(() => undefined);
      return { target: replica.options.name, detail: amount === 0 ? 'in order' : 'by force' };
    },
  },
  {
    name: 'kill-master',
    weight: 6,
    stores: ['sentinel', 'cluster'],
    ms: MISSED_MS,
    begin: async (scene, { target }) => {
      const masters = await scene.system.store.masters().catch(() => []);
      const master = masters[target % Math.max(masters.length, 1)];
      if (master === undefined) return undefined;
      scene.storeLost('a master died, its replica takes over', Math.max(0, scene.nowMs() - LAG_MS));
      await master.process.end('SIGKILL');
      return { target: master.options.name, heal: () => master.process.start() };
    },
  },
];
