import { expect, test } from 'vitest';
import { eventually, toTestEnvelope, verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { useBus } from '../../../test/bus-fixture.js';
import type { TestSession } from '../../../test/test-session.js';
import type { LoggedFrame } from '../../session-records.js';
import type { Position, SessionStream } from '../../session-stream.js';
import { isSplit, joinText } from '../blobs/split-text.js';

const fixture = useBus();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Above the limit of an announcement. */
const LARGE = 'x'.repeat(20_000);

/** What is in the log of one session, as its own entries say, kept beyond their trimming. */
class Log {
  readonly texts = new Map<string, string>();
  readonly epochs = new Set<string>();
  trimmedTo = 0;
  position: Position;

  constructor(readonly session: TestSession) {
    this.position = { epoch: session.meta.epoch, seq: 0 };
    this.epochs.add(session.meta.epoch);
  }

  get key(): string {
    return `cl:{${this.session.ref.sid}}`;
  }

  /** Reads on, behind the back of what is tested. */
  async note(): Promise<void> {
    const { client } = fixture.redis;
    const [epoch, seq] = await client.hmget(`${this.key}:meta`, 'epoch', 'seq');
    for (const [id, [, text = '']] of await client.xrange(`${this.key}:log`, `${String(this.position.seq + 1)}-0`, '+')) {
      const whole = isSplit(text) ? joinText(text, () => LARGE) : text;
      this.texts.set(`${epoch ?? ''} ${String(Number.parseInt(id, 10))}`, whole);
    }
    this.position = { epoch: epoch ?? '', seq: Number(seq) };
    this.epochs.add(this.position.epoch);
  }
}

/** One reader: whatever it gets has to follow its position. */
class Reader {
  readonly faults: string[] = [];
  private pulls = 0;

  constructor(
    readonly log: Log,
    readonly stream: SessionStream,
    public position: Position,
    private readonly habit: Habit,
  ) {}

  async run(): Promise<void> {
    for (;;) {
      this.pulls += 1;
      if (this.pulls === this.habit.rewindsAt) {
        this.position = { epoch: this.position.epoch, seq: Math.floor(this.position.seq / 2) };
        this.stream.seek(this.position);
      }
      if (this.pulls === this.habit.wakesAt) this.stream.wake();
      const event = await (this.pulls % this.habit.readsEvery === 0 ? this.stream.read().catch(() => undefined) : this.stream.next());
      if (event?.kind === 'closed') return;
      if (event?.kind === 'logged') for (const frame of event.frames) this.take(frame);
      if (event?.kind === 'reset') this.reset(event);
      if (this.habit.lagMs > 0) await pause(this.habit.lagMs);
    }
  }

  private take({ seq, text }: LoggedFrame): void {
    if (seq !== this.position.seq + 1) this.faults.push(`${String(seq)} after ${String(this.position.seq)}`);
    if (!text.startsWith(`{"seq":${String(seq)},`)) this.faults.push(`${String(seq)} is ${text.slice(0, 20)}`);
    this.taken.set(`${this.position.epoch} ${String(seq)}`, text);
    this.position = { epoch: this.position.epoch, seq };
  }

  readonly taken = new Map<string, string>();

  private reset({ epoch, seq }: Position): void {
    // In the same epoch only a frame that was trimmed before it was read is a reason.
    if (epoch === this.position.epoch && this.log.trimmedTo <= this.position.seq) {
      this.faults.push(`reset to ${String(seq)} at ${String(this.position.seq)} without a reason`);
    }
    this.position = { epoch, seq };
  }

  get isThere(): boolean {
    return this.position.epoch === this.log.position.epoch && this.position.seq === this.log.position.seq;
  }
}

interface Habit {
  readonly lagMs: number;
  readonly readsEvery: number;
  readonly rewindsAt: number;
  readonly wakesAt: number;
}

const habit: fc.Arbitrary<Habit> = fc.record({
  lagMs: fc.constantFrom(0, 0, 3, 40),
  readsEvery: fc.constantFrom(1_000_000, 1_000_000, 3),
  rewindsAt: fc.constantFrom(0, 2, 5),
  wakesAt: fc.constantFrom(0, 3),
});
const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('commit' as const), large: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('burst' as const), count: fc.integer({ min: 60, max: 90 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unsaid' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('relay' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trim' as const), keeps: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('epoch' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('open' as const), at: fc.double({ min: 0, max: 1, noNaN: true }), habit }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pause' as const), ms: fc.integer({ min: 0, max: 25 }) }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** What happens to one session while it is read. */
const perform = async (log: Log, what: Happening, readers: Reader[]): Promise<void> => {
  const { session, key } = log;
  const { client } = fixture.redis;
  switch (what.kind) {
    case 'commit':
      await session.commit({ frames: what.large.map((large) => (large ? `{"text":"${LARGE}"}` : '{"n":1}')) });
      break;
    case 'burst':
      await Promise.all(Array.from({ length: what.count }, () => session.commit({ frames: ['{"n":2}'] })));
      break;
    case 'unsaid': {
      const seq = String(log.position.seq + 1);
      await client
        .multi()
        .xadd(`${key}:log`, `${seq}-0`, 'text', `{"seq":${seq},"n":3}`, 'head', '{}')
        .hset(`${key}:meta`, 'seq', seq)
        .exec();
      break;
    }
    case 'relay':
      await session.bus.store.relay(session.ref, toTestEnvelope('{"type":"tool_output","data":""}'));
      break;
    case 'drop':
      await fixture.redis.dropSubscribers();
      break;
    case 'trim':
      log.trimmedTo = Math.max(log.trimmedTo, log.position.seq - what.keeps);
      await client.xtrim(`${key}:log`, 'MINID', `${String(Math.max(0, log.position.seq - what.keeps) + 1)}-0`);
      break;
    case 'epoch':
      log.trimmedTo = log.position.seq; // it begins with an empty log
      await client.hset(`${key}:meta`, 'run_id', 'another life');
      await session.bus.store.switchAgent(session.ref, 'ask', '{"type":"agent_switched"}');
      await client.hset(`${key}:meta`, 'lease_until', '0');
      await session.take();
      break;
    case 'open': {
      const position = { epoch: log.position.epoch, seq: Math.floor(what.at * log.position.seq) };
      const stream = await eventually('a stream', () => session.bus.streams.open(session.ref, position).catch(() => undefined));
      readers.push(new Reader(log, stream, position, what.habit));
      break;
    }
    case 'pause':
      await pause(what.ms);
  }
  await log.note();
};

/** Lives one session through, and says what its readers got wrong. */
const live = async (happenings: readonly Happening[]): Promise<readonly string[]> => {
  const session = await fixture.session();
  await session.say('go');
  await session.take();
  const log = new Log(session);
  const readers: Reader[] = [];
  const runs: Promise<void>[] = [];
  const opening = { kind: 'open', at: 0, habit: { lagMs: 0, readsEvery: 1_000_000, rewindsAt: 0, wakesAt: 0 } } as const;
  for (const what of [opening, ...happenings]) {
    await perform(log, what, readers);
    for (const reader of readers.slice(runs.length)) runs.push(reader.run());
  }
  // Nothing more is said: whatever was lost is found by the next comparison.
  const end = await eventually('the end of the log', () => readers.every((one) => one.isThere), { withinMs: 6_000 }).catch(String);
  for (const { stream } of readers) stream.close();
  await Promise.all(runs);
  const faults = readers.flatMap((one) => one.faults);
  for (const { taken } of readers) {
    for (const [place, text] of taken) if (log.texts.get(place) !== text) faults.push(`${place} isn't what the log has`);
  }
  if (end !== true) faults.push(`${end}: ${readers.map(({ position }) => position.seq).join(' ')} of ${String(log.position.seq)}`);
  return faults;
};

// Sessions live side by side, because each waits for a comparison in the end.
test(
  verifies('G3:stream-any-loss', 'whatever is lost, trimmed or begun anew, each reader gets every frame once and in order, or a reset'),
  async () => {
    const lives = fc.array(fc.array(happening, { minLength: 10, maxLength: 40, size: 'max' }), { minLength: 15, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(lives, async (sessions) => {
        expect(await Promise.all(sessions.map(live))).toEqual(sessions.map(() => []));
      }),
      { numRuns: 6, endOnFailure: true },
    );
  },
);

test(
  verifies('G3:stream-older-log', 'entries without heads, of an older release, are read as a snapshot, and the log goes on after them'),
  async () => {
    await eventually('the bus is back from what the test before dropped', () => fixture.bus.status() === 'ready');
    const session = await fixture.session();
    await session.say('go');
    await session.take();
    const { epoch } = session.meta;
    const key = `cl:{${session.ref.sid}}`;
    const older = fixture.redis.client.multi();
    for (const seq of ['1', '2', '3']) older.xadd(`${key}:log`, `${seq}-0`, 'text', `{"seq":${seq},"n":${seq}}`);
    await older.hset(`${key}:meta`, 'seq', '3').exec();
    const streams = await Promise.all([0, 2, 3].map((seq) => session.bus.streams.open(session.ref, { epoch, seq })));
    const [first, second, last] = streams as [SessionStream, SessionStream, SessionStream];
    for (const stream of [first, second]) expect(await stream.next()).toEqual({ kind: 'reset', epoch, seq: 3 });
    expect(await last.next()).toEqual({ kind: 'logged', frames: [], fromLog: true });
    await session.commit({ frames: ['{"n":4}', `{"text":"${LARGE}"}`] });
    for (const stream of streams) {
      const seqs: number[] = [];
      while (seqs.length < 2) {
        const event = await stream.next();
        expect(event.kind).toBe('logged');
        if (event.kind === 'logged') seqs.push(...event.frames.map(({ seq }) => seq));
      }
      expect(seqs).toEqual([4, 5]);
      stream.close();
    }
  },
);
