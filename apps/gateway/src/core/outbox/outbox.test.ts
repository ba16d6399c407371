import { beforeEach, expect, test } from 'vitest';
import { CLOSE } from '@codelab/protocol';
import { FakeClock, LinkedTransport, verifies } from '@codelab/testkit';
import { OutboxBudget } from './outbox-budget.js';
import { Outbox, type OutboxLimits } from './outbox.js';

const LIMITS: OutboxLimits = { maxFrames: 8, maxBytes: 1_000, windowBytes: 100 };

let clock: FakeClock;
let transport: LinkedTransport;
let budget: OutboxBudget;
let events: string[];

const listener = {
  onPressure: () => void events.push('pressure'),
  onOverflow: (seq: number) => void events.push(`overflow from ${String(seq)}`),
  onDrained: () => void events.push('drained'),
};
const create = (limits = LIMITS): Outbox => new Outbox(transport, limits, budget, listener, clock);

beforeEach(() => {
  clock = new FakeClock();
  transport = new LinkedTransport();
  budget = new OutboxBudget(10_000);
  events = [];
});

const fact = (seq: number, bytes = 90): { type: string; seq: number; text: string } => {
  const head = `{"seq":${String(seq)},"type":"todos_updated","x":"`;
  return { type: 'todos_updated', seq, text: `${head}${'x'.repeat(bytes - head.length - 2)}"}` };
};
const token = (seq: number, fields: object = {}): { type: string; seq: number; text: string } => ({
  type: 'assistant_message',
  seq,
  text: JSON.stringify({ seq, type: 'assistant_message', message_id: 'm', token: `${String(seq)} `, is_final: false, ...fields }),
});
const seqs = (): unknown[] => transport.frames.map(({ seq }) => seq);

test('what fits into the window of the socket leaves at once', () => {
  const outbox = create();
  for (const seq of [1, 2, 3]) expect(outbox.log(fact(seq))).toBe(true);
  expect(seqs()).toEqual([1, 2, 3]);
  expect([budget.bytes, outbox.stalledSinceMs]).toEqual([0, undefined]);
});

test('what the socket has not written is bounded by the window, the rest waits in order', () => {
  const outbox = create();
  transport.pause();
  for (const seq of [1, 2, 3, 4]) outbox.log(fact(seq));
  transport.read(1);
  expect(seqs()).toEqual([1]);
  transport.resume();
  expect(seqs()).toEqual([1, 2, 3, 4]);
  expect(budget.bytes).toBe(0);
});

test(verifies('G4:told', 'at three quarters the client is told, before all that waits, and once until the queue has shrunk'), () => {
  const outbox = create();
  transport.pause();
  for (let seq = 1; seq <= 9; seq += 1) outbox.log(fact(seq));
  expect(events).toEqual(['pressure']);
  outbox.answerFirst('{"type":"error"}');
  transport.read(3);
  expect(transport.frames.map(({ seq, type }) => seq ?? type)).toEqual([1, 2, 'error']);
  transport.resume();
  transport.pause();
  for (let seq = 10; seq <= 18; seq += 1) outbox.log(fact(seq));
  expect(events).toEqual(['pressure', 'pressure']);
});

test.each([
  ['frames', { ...LIMITS, maxBytes: 100_000 }, 12],
  ['bytes', { ...LIMITS, maxFrames: 100 }, 14],
])(verifies('G4:overflow', 'over its %s the queue drops the log and says from where; answers stay'), (_, limits, overflowing) => {
  const outbox = create(limits);
  transport.pause();
  outbox.log(fact(1));
  outbox.log(fact(2));
  outbox.answer('{"type":"message_accepted"}');
  for (let seq = 3; seq <= overflowing; seq += 1) outbox.log(fact(seq));
  expect(events).toEqual(['pressure', 'overflow from 3']);
  expect(outbox.log(fact(99))).toBe(false);
  transport.resume();
  expect(transport.frames.map(({ seq, type }) => seq ?? type)).toEqual([1, 2, 'message_accepted']);
  expect(events).toEqual(['pressure', 'overflow from 3', 'drained']);
  expect(budget.bytes).toBe(0);
  expect(outbox.log(fact(100))).toBe(true);
  expect(seqs().at(-1)).toBe(100);
});

test('one frame of any size may wait alone', () => {
  const outbox = create();
  transport.pause();
  outbox.log(fact(1, 200));
  expect(outbox.log(fact(2, 5_000))).toBe(true);
  transport.resume();
  expect(seqs()).toEqual([1, 2]);
});

test('many slow readers share a bound', () => {
  budget = new OutboxBudget(500);
  const outboxes = [create(), create(), create()];
  transport.pause();
  for (const outbox of outboxes) for (let seq = 1; seq <= 4; seq += 1) outbox.log(fact(seq));
  expect(events.filter((event) => event.startsWith('overflow')).length).toBeGreaterThan(0);
  expect(budget.bytes).toBeLessThan(500 + 3 * 200);
});

test(
  verifies('G3:coalesced-unit', 'text that waits becomes one frame that says after which it comes; another message begins a new one'),
  () => {
    const outbox = create();
    transport.pause();
    outbox.log(fact(1, 200));
    for (const seq of [2, 3, 4]) outbox.log(token(seq));
    outbox.log(token(5, { message_id: 'n', replaces: 'm' }));
    outbox.log(token(7, { message_id: 'n', prev_seq: 5, is_final: true, content: 'all' }));
    outbox.log(token(8, { message_id: 'n' }));
    transport.resume();
    expect(transport.frames.slice(1)).toEqual([
      { type: 'assistant_message', seq: 4, prev_seq: 1, message_id: 'm', token: '2 3 4 ', is_final: false },
      { type: 'assistant_message', seq: 7, prev_seq: 4, message_id: 'n', token: '5 7 ', is_final: true, content: 'all', replaces: 'm' },
      { type: 'assistant_message', seq: 8, message_id: 'n', token: '8 ', is_final: false },
    ]);
  },
);

test('progress that waits is kept in its newest state only', () => {
  const outbox = create();
  transport.pause();
  outbox.log(fact(1, 200));
  outbox.relay('status', '{"status":"thinking"}');
  outbox.relay('output:c1', '{"data":"1"}');
  outbox.relay('status', '{"status":"writing"}');
  outbox.relay('output:c1', '{"data":"2"}');
  transport.resume();
  expect(transport.received.slice(1)).toEqual(['{"status":"writing"}', '{"data":"2"}']);
});

test('whoever asks more than it reads waits for room', async () => {
  const outbox = create();
  transport.pause();
  outbox.log(fact(1, 200));
  expect(outbox.whenRoom()).toBeUndefined();
  for (let index = 0; index < 5; index += 1) outbox.answer('{}');
  let hasRoom = false;
  const waiting = outbox.whenRoom()?.then(() => (hasRoom = true));
  await Promise.resolve();
  expect(hasRoom).toBe(false);
  transport.resume();
  await waiting;
  expect(hasRoom).toBe(true);
});

test('it is known since when nothing moves', async () => {
  const outbox = create();
  transport.pause();
  await clock.advance(1_000);
  outbox.log(fact(1));
  const since = clock.now();
  await clock.advance(5_000);
  expect(outbox.stalledSinceMs).toBe(since);
  transport.resume();
  expect(outbox.stalledSinceMs).toBeUndefined();
});

test('a client that acknowledges is not sent far beyond what it has read', () => {
  budget = new OutboxBudget(100_000_000);
  const outbox = create({ maxFrames: 100, maxBytes: 100_000_000, windowBytes: 100_000_000 });
  const megabyte = (seq: number) => fact(seq, 1024 * 1024);
  outbox.acknowledge(0);
  for (let seq = 1; seq <= 8; seq += 1) outbox.log(megabyte(seq));
  expect(seqs()).toEqual([1, 2, 3, 4, 5]);
  outbox.acknowledge(3);
  expect(seqs()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  for (let seq = 9; seq <= 12; seq += 1) outbox.log(megabyte(seq));
  outbox.check(clock.now() + 4_999);
  expect(seqs()).toHaveLength(8);
  outbox.check(clock.now() + 5_000);
  expect(seqs()).toHaveLength(12);
});

test('closing hands over the answers that wait, and forgets the rest', async () => {
  const outbox = create();
  transport.pause();
  for (let seq = 1; seq <= 5; seq += 1) outbox.log(fact(seq));
  outbox.answer('{"type":"error"}');
  const room = outbox.whenRoom();
  outbox.close(CLOSE.DRAIN);
  await room;
  expect(transport.closedWith).toMatchObject({ code: 4000 });
  expect(transport.frames.map(({ seq, type }) => seq ?? type)).toEqual([1, 2, 'error']);
  expect([budget.bytes, outbox.log(fact(9)), outbox.whenRoom()]).toEqual([0, false, undefined]);
});
