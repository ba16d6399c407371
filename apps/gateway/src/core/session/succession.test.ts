import { expect, test } from 'vitest';
import { sessionRef } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import type { SessionRoom } from './session-room.js';
import { Succession } from './succession.js';

/** A session whose executor is away, with one client that may follow it. */
const vacant = () => {
  const succeeded: string[] = [];
  const state = { present: false, away: false };
  const room = {
    ref: sessionRef({ tenant: 't', sub: 'u' }, 's'),
    executor: 'c1',
    successor: { succeed: (executor: string) => succeeded.push(executor) },
  } as unknown as SessionRoom;
  const present = async (refs: readonly unknown[]) => {
    if (state.away) throw new Error('away');
    return refs.map(() => state.present);
  };
  return { succeeded, state, room, succession: new Succession({ present }, 5_000) };
};

test(verifies('R4:succession', 'an executor that comes back in time keeps its session, and its grace begins anew'), async () => {
  const { succession, state, room, succeeded } = vacant();
  await succession.check([room], 1_000);
  await succession.check([room], 5_900);
  state.present = true;
  await succession.check([room], 6_000);
  state.present = false;
  await succession.check([room], 7_000);
  await succession.check([room], 11_900);
  expect(succeeded).toEqual([]);
  await succession.check([room], 12_000);
  expect(succeeded).toEqual(['c1']);
});

test('where it may still run something the next one is asked again after another grace, not each second', async () => {
  const { succession, room, succeeded } = vacant();
  for (let nowMs = 0; nowMs <= 20_000; nowMs += 1_000) await succession.check([room], nowMs);
  expect(succeeded).toHaveLength(4);
});

test('a session that nobody could follow in, or whose connections are gone, is forgotten', async () => {
  const { succession, room, succeeded } = vacant();
  await succession.check([room], 0);
  await succession.check([], 4_000);
  await succession.check([room], 6_000);
  expect(succeeded).toEqual([]);
});

test('while the store is away nobody is gone', async () => {
  const { succession, state, room, succeeded } = vacant();
  state.away = true;
  for (const nowMs of [0, 5_000, 10_000]) await succession.check([room], nowMs);
  expect(succeeded).toEqual([]);
});
