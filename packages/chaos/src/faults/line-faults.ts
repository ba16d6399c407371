import type { Link } from '../system/link.js';
import { pick, type Done, type Fault, type FaultScene } from './fault.js';

type Choose = (scene: FaultScene, target: number) => Link | undefined;

const ofClient: Choose = ({ system }, target) => pick([...system.links.values()], target);
const toStore: Choose = ({ system }, target) => {
  const service = pick(system.services, target);
  return service && system.store.linkOf(service.name);
};

const done = (link: Link | undefined, act: (link: Link) => void): Done | undefined => {
  if (link === undefined) return undefined;
  act(link);
  return { target: link.name, heal: () => link.heal() };
};

const onLine = (where: string, choose: Choose, more: Partial<Fault>): readonly Fault[] => [
  { ...more, name: `cut-${where}`, weight: 3, ms: [0, 0], begin: (scene, { target }) => done(choose(scene, target), (link) => link.cut()) },
  {
    ...more,
    name: `refuse-${where}`,
    weight: 1,
    ms: [100, 1_500],
    begin: (scene, { target }) =>
      done(choose(scene, target), (link) => {
        link.refuse(true);
        link.cut();
      }),
  },
  {
    ...more,
    name: `delay-${where}`,
    weight: 2,
    ms: [200, 2_500],
    amount: [5, 400],
    begin: (scene, { target, amount }) => done(choose(scene, target), (link) => link.delay(amount)),
  },
  {
    ...more,
    name: `lose-${where}`,
    weight: 2,
    ms: [100, 3_000],
    amount: [0, 1],
    begin: (scene, { target, amount }) => done(choose(scene, target), (link) => link.hold(amount === 0 ? 'up' : 'down')),
  },
  {
    ...more,
    name: `halve-${where}`,
    weight: 2,
    ms: [100, 500],
    amount: [0, 1],
    begin: (scene, { target, amount }) => done(choose(scene, target), (link) => link.halve(amount === 0 ? 'up' : 'down')),
  },
];

/** Lines of clients to the gateways, and of services to a single Redis: cut, refused, late, lost one way, ended half way, doubled. */
export const LINE_FAULTS: readonly Fault[] = [
  ...onLine('line', ofClient, {}),
  ...onLine('store-line', toStore, { stores: ['single'] }),
  {
    name: 'double-line',
    weight: 2,
    ms: [100, 2_500],
    begin: (scene, { target }) => done(ofClient(scene, target), (link) => link.double(true)),
  },
];
