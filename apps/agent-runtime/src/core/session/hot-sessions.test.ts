import { expect, test } from 'vitest';
import type { Sid } from '@codelab/bus';
import { FakeClock } from '@codelab/testkit';
import { HotSessions } from './hot-sessions.js';
import type { RuntimePorts } from './runtime-ports.js';

test('sessions that come at once are taken as far as there is room, and a place that is not used comes back', async () => {
  const asked: Sid[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<undefined>((resolve) => (answer = () => resolve(undefined))); // somebody else holds it
  const takeLease = (sid: Sid) => (asked.push(sid), answered);
  const ports = {
    store: { takeLease },
    clock: new FakeClock(),
    worker: 'w',
    maxHotSessions: 2,
    isAway: () => false,
  } as unknown as RuntimePorts; // all that is used
  const sessions = new HotSessions(ports);
  const opening = ['a', 'b', 'c', 'd'].map((sid) => sessions.open(sid as Sid));
  await Promise.all(opening.slice(2));
  expect(asked).toEqual(['a', 'b']);
  answer();
  await Promise.all(opening);
  await sessions.open('c' as Sid);
  expect(asked).toEqual(['a', 'b', 'c']);
});

test('a renewal that comes back late says nothing of who holds the session by then', async () => {
  const forEver = (): Promise<never> => new Promise(() => undefined);
  let leases = 0;
  let lost: (sids: readonly Sid[]) => void = () => undefined;
  let failToListen: () => void = () => undefined;
  const known: Record<string, unknown> = {
    takeLease: async (sid: Sid) => ({
      ...{ leaseFence: (leases += 1), calls: [], inbox: [] },
      meta: {
        ...{ ref: { sid, sessionId: 's', owner: { tenant: 't', sub: 'u' } }, state: '', historyVersion: 0 },
        ...{ executor: '', executorTools: '', protocolVersion: '', capabilities: '', workspace: '', mode: '', agent: '' },
      },
    }),
    renewLeases: () => new Promise<readonly Sid[]>((resolve) => (lost = resolve)),
  };
  const store = new Proxy(known, { get: (methods, name) => methods[String(name)] ?? forEver });
  const alerts = {
    watch: () => (leases > 1 ? Promise.resolve() : new Promise((_, reject) => (failToListen = () => reject(new Error('away'))))),
    unwatch: async () => undefined,
  };
  const models = { watch: async () => undefined, unwatch: async () => undefined };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const clock = new FakeClock();
  const ports = { store, alerts, models, clock, log, worker: 'w', maxHotSessions: 2, isAway: () => false } as unknown as RuntimePorts; // all that is used
  const sessions = new HotSessions(ports);
  const sid = 'a' as Sid;
  const first = sessions.open(sid);
  await settled();
  await clock.advance(1_500);
  failToListen();
  await first;
  await settled();
  await sessions.open(sid);
  expect([leases, sessions.holds(sid)]).toEqual([2, true]);
  lost([sid]);
  await settled();
  expect(sessions.holds(sid)).toBe(true);
});

/** Everything that waits for nothing has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
