import type { LoggedFrame } from '@codelab/bus';
import { expect, test } from '@jest/globals';
import { FakeClock, verifies } from '@codelab/testkit';
import { LogCursor, type CursorOwner } from './log-cursor.js';

import type { Position, ReplayRead } from './read-replay.js';

const frame = (seq: number): LoggedFrame => ({ seq, head: { type: 'todos_updated' }, text: `{"seq":${String(seq)}}` });
const frames = (from: number, to: number): LoggedFrame[] => Array.from({ length: to - from + 1 }, (_, index) => frame(from + index));

/** A log, a feed that is as far as the test says, and a client that notes what it gets. */
class Owner implements CursorOwner {
  readonly delivered: number[] = [];
  readonly log: LoggedFrame[] = [];
  readonly slow = new Set<number>();
  reads = 0;
  snapshots = 0;
  gaps = 0;
  dues = 0;
  head = 0;
  trimmedTo = 0;
  isSomethingDue = false;
  room: Promise<void> | undefined;
  failures: Error[] = [];
  onDeliver: (seq: number) => void = () => {};

  deliverNow({ seq }: LoggedFrame): boolean {
    if (this.slow.has(seq)) return false;
    this.delivered.push(seq);
    this.onDeliver(seq);
    return true;
  }
  async deliver({ seq }: LoggedFrame): Promise<void> {
    await Promise.resolve();
    this.delivered.push(seq);
  }
  async readOn({ seq }: Position): Promise<ReplayRead> {
    this.reads += 1;
    await Promise.resolve();
    const failure = this.failures.shift();
    if (failure) throw failure;
    return seq < this.trimmedTo
      ? { kind: 'gone' }
      : { kind: 'frames', frames: this.log.filter((one) => one.seq > seq), openCalls: undefined };
  }
  async resynchronise(): Promise<Position> {
    await Promise.resolve();
    this.snapshots += 1;
    return { epoch: 'e', seq: this.log.at(-1)?.seq ?? 0 };
  }
  async doDue(seq: number): Promise<number | undefined> {
    await Promise.resolve();
    const last = this.log.at(-1)?.seq ?? 0;
    if (seq < last) return last;
    this.dues += 1;
    this.isSomethingDue = false;
    return undefined;
  }
  onGap(): void {
    this.gaps += 1;
  }
  whenRoom(): Promise<void> | undefined {
    return this.room;
  }
  onError(error: unknown): boolean {
    return (error as Error).message === 'away';
  }
  /** The log grows, and the feed says so. */
  append(...more: LoggedFrame[]): LoggedFrame[] {
    this.log.push(...more);
    this.head = this.log.at(-1)!.seq;
    return more;
  }
}

const idle = () => new Promise((resolve) => setImmediate(resolve));

const begin = async (owner = new Owner(), clock = new FakeClock()) => {
  const cursor = new LogCursor(owner, clock);
  cursor.begin({ epoch: 'e', seq: owner.log.at(-1)?.seq ?? 0 });
  await idle();
  return { cursor, owner, clock };
};

test('a live cursor delivers what the feed brings, once, and reads nothing', async () => {
  const { cursor, owner } = await begin();
  cursor.offer(owner.append(...frames(1, 3)));
  cursor.offer(frames(2, 3));
  cursor.offer(owner.append(frame(4)));
  expect([owner.delivered, owner.reads]).toEqual([[1, 2, 3, 4], 0]);
});

test(verifies('G3:gap', 'a frame that the feed skipped is read from the log, in its place'), async () => {
  const { cursor, owner } = await begin();
  owner.append(...frames(1, 5));
  cursor.offer([frame(1)]);
  cursor.offer(frames(4, 5));
  await idle();
  expect([owner.delivered, owner.gaps, owner.reads]).toEqual([[1, 2, 3, 4, 5], 1, 1]);
});

test('frames that pass while the log is read are not lost and not repeated', async () => {
  const { cursor, owner } = await begin();
  owner.append(...frames(1, 2));
  cursor.want(2);
  cursor.offer(owner.append(frame(3)));
  await idle();
  cursor.offer([frame(3)]);
  cursor.offer(owner.append(frame(4)));
  expect(owner.delivered).toEqual([1, 2, 3, 4]);
});

test('a delivery that takes time keeps the order', async () => {
  const { cursor, owner } = await begin();
  owner.slow.add(2);
  cursor.offer(owner.append(...frames(1, 3)));
  expect(owner.delivered).toEqual([1]);
  cursor.offer(owner.append(frame(4)));
  await idle();
  expect(owner.delivered).toEqual([1, 2, 3, 4]);
});

test('nothing is delivered while it is held', async () => {
  const { cursor, owner } = await begin();
  cursor.hold();
  cursor.offer(owner.append(...frames(1, 2)));
  await idle();
  expect(owner.delivered).toEqual([]);
  cursor.release();
  await idle();
  expect(owner.delivered).toEqual([1, 2]);
});

test('a hold during a reading stops it between two frames', async () => {
  const { cursor, owner } = await begin();
  owner.append(...frames(1, 4));
  owner.onDeliver = (seq) => (seq === 2 ? cursor.hold() : undefined);
  cursor.want(4);
  await idle();
  expect(owner.delivered).toEqual([1, 2]);
  cursor.release();
  await idle();
  expect(owner.delivered).toEqual([1, 2, 3, 4]);
});

test('a position that was trimmed, or lost, is replaced by a snapshot', async () => {
  const { cursor, owner } = await begin();
  owner.append(...frames(1, 9));
  owner.trimmedTo = 5;
  cursor.want(9);
  await idle();
  cursor.offer(owner.append(frame(10)));
  cursor.lose();
  await idle();
  expect([owner.snapshots, owner.delivered]).toEqual([2, [10]]);
});

test(verifies('G4:lagging', 'a client that takes nothing is read nothing for; it goes on by a snapshot, or where it stopped'), async () => {
  const { cursor, owner } = await begin();
  owner.onDeliver = (seq) => (seq === 2 || seq === 12 ? cursor.lag() : undefined);
  cursor.offer(owner.append(...frames(1, 3)));
  cursor.offer(owner.append(...frames(4, 9)));
  await idle();
  expect([owner.delivered, owner.reads]).toEqual([[1, 2], 0]);
  cursor.resume('lost');
  await idle();
  expect(owner.snapshots).toBe(1);
  cursor.offer(owner.append(...frames(10, 13)));
  owner.onDeliver = () => {};
  cursor.resume({ seq: 11 });
  await idle();
  expect(owner.delivered).toEqual([1, 2, 10, 11, 12, 12, 13]);
});

test('an overflow that is over within the delivery leaves one reading, at the right place', async () => {
  const { cursor, owner } = await begin();
  owner.onDeliver = (seq) => {
    if (seq !== 2) return;
    owner.onDeliver = () => {};
    cursor.lag();
    cursor.resume({ seq: 0 });
  };
  cursor.offer(owner.append(...frames(1, 4)));
  await idle();
  cursor.offer(owner.append(frame(5)));
  expect(owner.delivered).toEqual([1, 2, 1, 2, 3, 4, 5]);
});

test('while the store is away it tries again, and stops when it is told', async () => {
  const { cursor, owner, clock } = await begin();
  owner.append(...frames(1, 2));
  owner.failures = [new Error('away'), new Error('away')];
  cursor.want(2);
  await clock.advance(400);
  expect([owner.reads, owner.delivered]).toEqual([1, []]);
  await clock.advance(2_000);
  expect([owner.reads, owner.delivered]).toEqual([3, [1, 2]]);
  owner.append(frame(3));
  owner.failures = [new Error('away')];
  cursor.want(3);
  await clock.advance(1);
  cursor.stop();
  expect(clock.pending).toBe(0);
});

test('a fault ends it', async () => {
  const { cursor, owner, clock } = await begin();
  owner.append(frame(1));
  owner.failures = [new Error('a bug')];
  cursor.want(1);
  await clock.advance(5_000);
  expect([owner.reads, clock.pending]).toEqual([1, 0]);
});

test('what is due is done when every frame up to it is delivered', async () => {
  const { cursor, owner } = await begin();
  owner.log.push(...frames(1, 2)); // the feed has not brought them yet
  owner.isSomethingDue = true;
  cursor.wake();
  await idle();
  expect([owner.delivered, owner.dues]).toEqual([[1, 2], 1]);
});

test('a log that never gets as far as was wanted does not make it read for ever', async () => {
  const { cursor, owner } = await begin();
  owner.head = 50;
  cursor.want(99);
  await idle();
  expect(owner.reads).toBe(1);
});

test('a client without room is waited for', async () => {
  const { cursor, owner } = await begin();
  let open = () => {};
  owner.room = new Promise((resolve) => (open = resolve));
  owner.append(...frames(1, 2));
  cursor.want(2);
  await idle();
  expect(owner.delivered).toEqual([]);
  open();
  await idle();
  expect(owner.delivered).toEqual([1, 2]);
});

/** Numbers that look random and are the same for a seed. */
const random = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
};

test.each(Array.from({ length: 40 }, (_, index) => index + 1))(
  verifies('G3:gap', 'whatever is lost, late, held or slow, each frame is delivered once and in order (seed %i)'),
  async (seed) => {
    const pick = random(seed);
    const { cursor, owner, clock } = await begin();
    let held = 0;
    for (let round = 0; round < 60; round += 1) {
      const what = pick(8);
      const next = (owner.log.at(-1)?.seq ?? 0) + 1;
      if (what < 4) {
        const fresh = owner.append(...frames(next, next + pick(3)));
        for (const { seq } of fresh) if (pick(4) === 0) owner.slow.add(seq);
        if (pick(3) > 0) cursor.offer(fresh);
      } else if (what === 4 && held === 0) {
        cursor.hold();
        held += 1;
      } else if (what === 5 && held > 0) {
        cursor.release();
        held -= 1;
      } else if (what === 6) {
        owner.failures.push(new Error('away'));
        cursor.want(next - 1);
      } else {
        await clock.advance(pick(2) * 600);
      }
    }
    for (; held > 0; held -= 1) cursor.release();
    cursor.want(owner.log.at(-1)!.seq);
    await clock.advance(60_000);
    expect(owner.delivered).toEqual(owner.log.map(({ seq }) => seq));
  },
);
