import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { BEAT_MS, SILENT_MS } from '../heartbeats.js';
import type { Sid } from '../session-ref.js';
import { useBus } from '../../test/bus-fixture.js';

const fixture = useBus();

/** Beats of one worker, until it stops; what it found. */
const beating = (bus = fixture.bus, worker = 'alive') => {
  const found: { readonly worker: string; readonly sessions: readonly Sid[] }[] = [];
  let running = true;
  const done = (async () => {
    while (running) {
      found.push(...(await bus.heartbeats.beat(worker)));
      await new Promise((resolve) => setTimeout(resolve, BEAT_MS / 5));
    }
  })();
  return { found, stop: () => ((running = false), done) };
};

test(
  verifies(
    'R1:silent-worker',
    'the sessions of a worker that falls silent are woken once, before its leases end; its old fence is refused',
  ),
  async () => {
    const { bus } = fixture;
    const other = await fixture.another();
    const [session, kept] = [await fixture.session(), await fixture.session()];
    await session.say('go');
    await kept.say('go');
    const lost = await bus.store.takeLease(session.ref.sid, 'dead');
    await bus.store.takeLease(kept.ref.sid, 'alive');
    await bus.heartbeats.beat('dead');
    const [one, two] = [beating(bus, 'alive'), beating(other, 'another')];
    const woken: Sid[] = [];
    const worker = await other.wakes.work(async (sid) => void woken.push(sid), { concurrency: 2 });
    const found = await eventually('somebody finds it', () => [...one.found, ...two.found].find((each) => each.worker === 'dead'), {
      withinMs: 4 * SILENT_MS,
    });
    expect(found?.sessions).toEqual([session.ref.sid]);
    await eventually('the wake', () => woken.includes(session.ref.sid));
    const next = await bus.store.takeLease(session.ref.sid, 'alive'); // at once: nobody waits for the lease's own end
    expect(next?.leaseFence).toBeGreaterThan(lost?.leaseFence ?? Infinity);
    expect(await bus.store.renewLeases([{ sid: session.ref.sid, leaseFence: lost!.leaseFence }])).toEqual([session.ref.sid]);
    expect(await bus.store.takeLease(kept.ref.sid, 'third')).toBeUndefined(); // the living keep theirs
    await Promise.all([one.stop(), two.stop()]);
    expect([...one.found, ...two.found].filter((each) => each.worker === 'dead')).toHaveLength(1);
    await worker.close();
  },
);

test('a worker that was only slow keeps its lease where nobody took it meanwhile', async () => {
  const { bus } = fixture;
  const session = await fixture.session();
  const lease = await bus.store.takeLease(session.ref.sid, 'slow');
  await bus.heartbeats.beat('slow');
  const alive = beating();
  await eventually('it is found', () => alive.found.find((each) => each.worker === 'slow'), { withinMs: 4 * SILENT_MS });
  expect(await bus.store.renewLeases([{ sid: session.ref.sid, leaseFence: lease!.leaseFence }])).toEqual([]);
  expect(await bus.store.takeLease(session.ref.sid, 'alive')).toBeUndefined();
  await alive.stop();
});

test(
  verifies('R4:left-behind', 'one that leaves in order is looked for by nobody; what it could not hand over is woken at once'),
  async () => {
    const { bus } = fixture;
    const session = await fixture.session();
    await session.say('go');
    await bus.store.takeLease(session.ref.sid, 'leaving');
    await bus.heartbeats.beat('leaving');
    await bus.heartbeats.beat('staying');
    expect(await bus.heartbeats.leave('leaving')).toEqual([session.ref.sid]);
    expect(await bus.store.takeLease(session.ref.sid, 'staying')).toBeDefined();
    expect(Object.keys(await fixture.redis.client.hgetall('cl:{workers}'))).not.toContain('leaving');
    await bus.heartbeats.leave('staying');
  },
);
