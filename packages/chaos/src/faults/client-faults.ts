import { FREEZE, pick, thawing, type Fault } from './fault.js';

/** Faults of the programs that run tools, and of their lines to the gateways. */
export const CLIENT_FAULTS: readonly Fault[] = [
  ...(['SIGKILL', 'SIGTERM'] as const).map((signal): Fault => ({
    name: signal === 'SIGKILL' ? 'kill-client' : 'stop-client',
    weight: signal === 'SIGKILL' ? 4 : 1,
    ms: [0, 1_500],
    begin: async ({ clients }, { target }) => {
      const client = pick(clients(), target);
      if (client === undefined) return undefined;
      await client.kill(signal);
      return { target: client.name, heal: () => client.restart() };
    },
  })),
  {
    name: 'freeze-client',
    weight: 3,
    ms: [50, 3_500],
    amount: FREEZE,
    begin: ({ clients }, how) => {
      const client = pick(clients(), how.target);
      client?.freeze();
      return client && thawing(client.name, how, () => client.thaw());
    },
  },
];
