import type { ServiceKind } from '../system/installation.js';
import { FREEZE, pick, thawing, type Done, type Fault, type FaultScene } from './fault.js';

const KINDS = ['gateway', 'agent-runtime', 'llm-proxy'] as const satisfies readonly ServiceKind[];

const endAndStart = async (
  { system }: FaultScene,
  kind: ServiceKind,
  at: number,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<Done | undefined> => {
  const service = pick(system.servicesOf(kind), at);
  if (service === undefined) return undefined;
  const ended = service.process.end(signal);
  if (signal === 'SIGKILL') await ended;
  return {
    target: service.name,
    heal: async () => {
      await ended;
      await service.process.start();
    },
  };
};

const onService = (kind: ServiceKind): readonly Fault[] => [
  { name: `kill-${kind}`, weight: 4, ms: [0, 1_500], begin: (scene, { target }) => endAndStart(scene, kind, target, 'SIGKILL') },
  { name: `stop-${kind}`, weight: 2, ms: [0, 1_500], begin: (scene, { target }) => endAndStart(scene, kind, target, 'SIGTERM') },
  {
    name: `freeze-${kind}`,
    weight: 3,
    ms: [50, 2_000],
    amount: FREEZE,
    begin: ({ system }, how) => {
      const service = pick(system.servicesOf(kind), how.target);
      service?.process.freeze();
      return service && thawing(service.name, how, () => service.process.thaw());
    },
  },
];

/** SIGKILL, SIGTERM, SIGSTOP and SIGCONT of every service, one or all of a kind. */
export const PROCESS_FAULTS: readonly Fault[] = [
  ...KINDS.flatMap(onService),
  ...KINDS.map((kind): Fault => ({
    name: `kill-all-${kind}`,
    weight: 1,
    ms: [0, 800],
    begin: async ({ system }) => {
      const services = system.servicesOf(kind);
      await Promise.all(services.map(({ process }) => process.end('SIGKILL')));
      return { target: kind, heal: async () => void (await Promise.all(services.map(({ process }) => process.start()))) };
    },
  })),
  {
    name: 'kill-everything',
    weight: 1,
    ms: [0, 500],
    begin: async ({ system: { services } }) => {
      await Promise.all(services.map(({ process }) => process.end('SIGKILL')));
      return { target: 'all services', heal: async () => void (await Promise.all(services.map(({ process }) => process.start()))) };
    },
  },
  {
    name: 'roll',
    weight: 2,
    ms: [500, 3_000],
    /** One service goes in order and comes back from the other installation, beside the old ones; and back again. */
    begin: async ({ system }, { target }) => {
      const service = pick(system.services, target);
      if (service === undefined) return undefined;
      const move = async (isOther: boolean): Promise<void> => {
        await service.process.end('SIGTERM');
        service.useOther(isOther);
        await service.process.start();
      };
      await move(true);
      return { target: service.name, heal: () => move(false) };
    },
  },
];
