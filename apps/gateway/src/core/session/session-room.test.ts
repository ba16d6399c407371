import { expect, test } from 'vitest';
import { sessionRef, type SessionSignal } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { SessionRoom, type Member } from './session-room.js';

const ref = sessionRef({ tenant: 't', sub: 'u' }, 's');

/** Two processes that watch a session whose executor is `ide`, and the channel between them. */
const twoProcesses = () => {
  const channel = { isAway: false };
  const rooms: SessionRoom[] = [];
  const board = {
    publish: async (_: unknown, signal: SessionSignal) => {
      if (channel.isAway) return false;
      for (const room of rooms) room.receive({ kind: 'signal', signal });
      return true;
    },
    onMembers: () => undefined,
  };
  const room = (): SessionRoom => {
    const made = new SessionRoom(ref, { executor: 'ide', child: undefined }, board);
    rooms.push(made);
    return made;
  };
  return { channel, here: room(), there: room() };
};

const socket = (connection: string): Member & { newest: number } => ({
  ...{ connection, client: 'ide', executes: true, newest: 0 },
  onNewest() {
    this.newest += 1;
  },
  ...{ onRelayed: () => undefined, onExecutor: () => undefined, succeed: () => undefined, onChild: () => undefined },
});

/** Looks once a second. */
const look = async (rooms: readonly SessionRoom[], seconds: number): Promise<void> => {
  for (let second = 0; second < seconds; second += 1) {
    for (const room of rooms) room.checkNewest(second * 1_000);
    await Promise.resolve();
  }
};

test('a newer socket in another process keeps the calls for as long as it is there', async () => {
  const { here, there } = twoProcesses();
  const [older, newer] = [socket('c1'), socket('c2')];
  here.enter(older);
  there.enter(newer);
  await look([here, there], 30);
  expect([here.roleOf(older), there.roleOf(newer), older.newest]).toEqual(['standby', 'executor', 0]);
});

test(
  verifies('R4:newest-gone', 'a socket whose newer one left without a word takes its place: once the store passes words on, and no sooner'),
  async () => {
    const { channel, here, there } = twoProcesses();
    const [older, newer] = [socket('c1'), socket('c2')];
    here.enter(older);
    there.enter(newer);
    channel.isAway = true;
    there.leave(newer);
    await look([here, there], 30);
    expect([here.roleOf(older), older.newest]).toEqual(['standby', 0]);
    channel.isAway = false;
    await look([here, there], 4);
    expect([here.roleOf(older), older.newest]).toEqual(['executor', 1]);
  },
);

test(verifies('R4:executor-unheard', 'what the store said of the executor before another was heard of is not believed'), async () => {
  const { here } = twoProcesses();
  const { heardOfExecutor: before } = here;
  here.receive({ kind: 'signal', signal: { type: 'executor_changed', executor: 'laptop' } });
  here.showExecutor('ide', before);
  expect(here.executor).toBe('laptop');
  here.showExecutor('desk', here.heardOfExecutor);
  expect(here.executor).toBe('desk');
});
