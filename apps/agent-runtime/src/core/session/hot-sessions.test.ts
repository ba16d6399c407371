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
  const ports = { store: { takeLease }, clock: new FakeClock(), worker: 'w', maxHotSessions: 2 } as unknown as RuntimePorts; // all that is used
  const sessions = new HotSessions(ports);
  const opening = ['a', 'b', 'c', 'd'].map((sid) => sessions.open(sid as Sid));
  await Promise.all(opening.slice(2));
  expect(asked).toEqual(['a', 'b']);
  answer();
  await Promise.all(opening);
  await sessions.open('c' as Sid);
  expect(asked).toEqual(['a', 'b', 'c']);
});
