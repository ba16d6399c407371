import { expect, test } from 'vitest';
import type { LoggedFrame, Position, SessionRef, SessionStream, StreamEvent } from '@codelab/bus';
import { FakeClock, verifies } from '@codelab/testkit';
import { Follower, type Following } from './follower.js';

const frame = (seq: number): LoggedFrame => ({ seq, head: { type: 'todos_updated' }, text: `{"seq":${String(seq)}}` });
const frames = (from: number, to: number): LoggedFrame[] => Array.from({ length: to - from + 1 }, (_, index) => frame(from + index));

/** A log that its one reader is told of, or not. */
class TestStream implements SessionStream {
  readonly log: LoggedFrame[] = [];
  seq = 0;
  trimmedTo = 0;
  reads = 0;
  listener: SessionStream['listener'] = undefined;
  readonly wasRemoved = false;
  private heard = 0;
  private isClosed = false;

  append(...added: LoggedFrame[]): void {
    this.log.push(...added);
    this.expectMore();
  }
  get hasMore(): boolean {
    return this.heard > this.seq || this.isClosed;
  }
  async next(): Promise<StreamEvent> {
    return this.isClosed ? { kind: 'closed' } : this.take();
  }
  async read(): Promise<StreamEvent> {
    return this.take();
  }
  offer(): void {}
  expectMore(): void {
    this.heard = this.log.at(-1)?.seq ?? 0;
    this.listener?.onNews();
  }
  seek({ seq }: Position): void {
    this.seq = seq;
    this.expectMore();
  }
  wake(): void {}
  close(): void {
    this.isClosed = true;
    this.listener?.onNews();
  }
  private take(): StreamEvent {
    this.reads += 1;
    const from = this.seq;
    this.seq = this.log.at(-1)?.seq ?? 0;
    if (from < this.trimmedTo) return { kind: 'reset', epoch: 'e', seq: this.seq };
    return { kind: 'logged', frames: this.log.filter(({ seq }) => seq > from), fromLog: false };
  }
}

/** A client that notes what it gets. */
class Client implements Following {
  readonly ref = {} as SessionRef;
  readonly maxReplayCharacters = 1e6;
  readonly delivered: number[] = [];
  readonly slow = new Set<number>();
  failures: Error[] = [];
  snapshots = 0;
  dues = 0;
  isDue = false;
  room: Promise<void> | undefined;
  onDeliver: (seq: number) => void = () => {};

  constructor(readonly stream: TestStream) {}

  deliver({ seq }: LoggedFrame): Promise<void> | undefined {
    const failure = this.failures.shift();
    if (failure) throw failure;
    if (this.slow.has(seq)) return Promise.resolve().then(() => void this.delivered.push(seq));
    this.delivered.push(seq);
    return void this.onDeliver(seq);
  }
  async resynchronise(): Promise<Position> {
    this.snapshots += 1;
    return { epoch: 'e', seq: this.stream.log.at(-1)?.seq ?? 0 };
  }
  async doDue(seq: number): Promise<number | undefined> {
    const last = this.stream.log.at(-1)?.seq ?? 0;
    if (seq < last) return last;
    this.isDue = false;
    this.dues += 1;
    return undefined;
  }
  onError(error: unknown): boolean {
    return (error as Error).message === 'away';
  }
}

const idle = () => new Promise((resolve) => setImmediate(resolve));

const begin = async () => {
  const [stream, clock, stats] = [new TestStream(), new FakeClock(), { feedGaps: 0 }];
  const client = new Client(stream);
  const outbox = { whenRoom: () => client.room };
  const follower = new Follower({ clock, stats, store: { readCalls: async () => [] } }, outbox, stream, client);
  follower.start({ epoch: 'e', seq: 0 });
  await idle();
  return { follower, client, stream, clock };
};

test('frames are delivered as they come; one that takes time keeps the order', async () => {
  const { client, stream } = await begin();
  client.slow.add(2);
  stream.append(...frames(1, 3));
  await idle();
  stream.append(frame(4));
  await idle();
  expect(client.delivered).toEqual([1, 2, 3, 4]);
});

test('nothing is delivered while it is held, also between two frames', async () => {
  const { client, stream, follower } = await begin();
  client.onDeliver = (seq) => (seq === 2 ? follower.hold() : undefined);
  stream.append(...frames(1, 4));
  await idle();
  expect(client.delivered).toEqual([1, 2]);
  follower.release();
  await idle();
  expect(client.delivered).toEqual([1, 2, 3, 4]);
});

test('a position that was trimmed is replaced by a snapshot', async () => {
  const { client, stream } = await begin();
  stream.trimmedTo = 5;
  stream.append(...frames(1, 9));
  await idle();
  stream.append(frame(10));
  await idle();
  expect([client.snapshots, client.delivered]).toEqual([1, [10]]);
});

test(verifies('G4:lagging', 'a client that takes nothing is read nothing for; it goes on by a snapshot, or where it stopped'), async () => {
  const { client, stream, follower } = await begin();
  client.onDeliver = (seq) => (seq === 2 || seq === 12 ? follower.lag() : undefined);
  stream.append(...frames(1, 3));
  await idle();
  stream.append(...frames(4, 9));
  await idle();
  expect([client.delivered, stream.reads]).toEqual([[1, 2], 1]);
  follower.catchUp('lost');
  await idle();
  expect(client.snapshots).toBe(1);
  stream.append(...frames(10, 13));
  await idle();
  client.onDeliver = () => {};
  follower.catchUp({ seq: 11 });
  await idle();
  expect(client.delivered).toEqual([1, 2, 10, 11, 12, 12, 13]);
});

test('an overflow that is over within the delivery goes on at the right place', async () => {
  const { client, stream, follower } = await begin();
  client.onDeliver = (seq) => {
    if (seq !== 2) return;
    client.onDeliver = () => {};
    follower.lag();
    follower.catchUp({ seq: 0 });
  };
  stream.append(...frames(1, 4));
  await idle();
  stream.append(frame(5));
  await idle();
  expect(client.delivered).toEqual([1, 2, 1, 2, 3, 4, 5]);
});

test('while the store is away it tries again, and stops when it is told', async () => {
  const { client, stream, follower, clock } = await begin();
  client.failures = [new Error('away'), new Error('away')];
  stream.append(...frames(1, 2));
  await clock.advance(400);
  expect(client.delivered).toEqual([]);
  await clock.advance(2_000);
  expect(client.delivered).toEqual([1, 2]);
  client.failures = [new Error('away')];
  stream.append(frame(3));
  await clock.advance(1);
  follower.stop();
  await idle();
  expect(clock.pending).toBe(0);
});

test('a fault ends it', async () => {
  const { client, stream, clock } = await begin();
  client.failures = [new Error('a bug')];
  stream.append(frame(1));
  await clock.advance(5_000);
  expect([client.delivered, clock.pending]).toEqual([[], 0]);
});

test('what is due is done when every frame up to it is delivered', async () => {
  const { client, stream, follower } = await begin();
  stream.log.push(...frames(1, 2)); // not announced yet
  client.isDue = true;
  follower.wake();
  await idle();
  expect([client.delivered, client.dues]).toEqual([[1, 2], 1]);
});

test('a client without room is waited for', async () => {
  const { client, stream, follower } = await begin();
  let open = () => {};
  client.room = new Promise((resolve) => (open = resolve));
  stream.append(frame(1));
  await idle();
  expect(client.delivered).toEqual([1]); // live: the queue of the client decides
  follower.hold();
  stream.append(frame(2));
  stream.append(frame(3));
  follower.release();
  await idle();
  stream.seek({ epoch: 'e', seq: 3 });
  client.room = undefined;
  open();
  await idle();
  expect(client.delivered).toEqual([1, 2, 3]);
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
  verifies('G3:gap', 'whatever is late, held or slow, each frame is delivered once and in order (seed %i)'),
  async (seed) => {
    const pick = random(seed);
    const { client, stream, follower, clock } = await begin();
    let held = 0;
    for (let round = 0; round < 60; round += 1) {
      const what = pick(7);
      const next = (stream.log.at(-1)?.seq ?? 0) + 1;
      if (what < 4) {
        const fresh = frames(next, next + pick(3));
        for (const { seq } of fresh) if (pick(4) === 0) client.slow.add(seq);
        if (pick(3) > 0) stream.append(...fresh);
        else stream.log.push(...fresh);
      } else if (what === 4 && held === 0) {
        follower.hold();
        held += 1;
      } else if (what === 5 && held > 0) {
        follower.release();
        held -= 1;
      } else {
        if (pick(2) === 0) client.failures.push(new Error('away'));
        await clock.advance(pick(2) * 600);
      }
    }
    for (; held > 0; held -= 1) follower.release();
    stream.expectMore();
    await clock.advance(60_000);
    expect(client.delivered).toEqual(stream.log.map(({ seq }) => seq));
  },
);
