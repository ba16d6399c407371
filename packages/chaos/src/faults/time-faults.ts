import { pick, type Fault } from './fault.js';

/** How far clocks jump: seconds, within a lease and beyond it, minutes, and a day. */
const JUMPS_MS = [-86_400_000, -600_000, -30_000, -3_000, -400, 400, 3_000, 30_000, 600_000, 86_400_000];

/** The clock of one service jumps away from those of the others, and back. */
export const TIME_FAULTS: readonly Fault[] = [
  {
    name: 'jump-clock',
    weight: 4,
    ms: [200, 4_000],
    amount: [0, JUMPS_MS.length - 1],
    begin: async ({ system }, { target, amount }) => {
      const service = pick(system.services, target);
      if (service === undefined) return undefined;
      const ms = JUMPS_MS[amount] ?? 0;
      await service.shiftClock(ms);
      return { target: service.name, detail: `${String(ms)} ms`, heal: () => service.shiftClock(0) };
    },
  },
];
