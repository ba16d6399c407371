import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Replay } from '../../session-store.js';
import type { Position } from '../../session-stream.js';
import { LogReader, REMOVED } from './log-reader.js';

const HEAD = { type: 'drain' } as const;

/** A log whose readings the test answers, one after the other. */
const follow = async (position: Position) => {
  const seqs: number[] = [];
  const resets: Position[] = [];
  const readings: { from: Position; answer: (replay: Replay) => void; refuse: () => void }[] = [];
  const replay = (from: Position): Promise<Replay> =>
    new Promise((answer, reject) => readings.push({ from, answer, refuse: () => reject(new Error('away')) }));
  const reader = new LogReader(position, { replay, leave: () => {} });
  reader.seek(position); // nothing was announced since: it waits
  const run = async (): Promise<void> => {
    for (;;) {
      const event = await reader.next();
      if (event.kind === 'closed') return;
      if (event.kind === 'logged') seqs.push(...event.frames.map(({ seq }) => seq));
      if (event.kind === 'reset') resets.push({ epoch: event.epoch, seq: event.seq });
    }
  };
  void run();
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const close = (): void => reader.close();
  await settled();
  return { reader, seqs, resets, readings, settled, close };
};
const frames = (from: number, to: number): Replay => ({
  ...{ kind: 'frames', epoch: 'e', seq: to },
  frames: Array.from({ length: to - from + 1 }, (_, index) => ({ seq: from + index, head: HEAD, text: '' })),
});
const said = (seq: number, count = 1, epoch = 'e') => ({
  ...{ epoch, seq },
  frames: Array.from({ length: count }, (_, index) => ({ seq: seq + index, head: HEAD, text: '' })),
});

test(verifies('G3:cursor-live', 'frames that go on go out as they come; what was there before stays out'), async () => {
  const { reader, seqs, readings, settled, close } = await follow({ epoch: 'e', seq: 3 });
  for (const announced of [said(4), said(4), said(2), said(4, 3)]) reader.hear(announced);
  await settled();
  expect(seqs).toEqual([4, 5, 6]);
  expect(readings).toEqual([]);
  close();
});

test(verifies('G3:cursor-gap', 'a gap, a frame too large to travel, or another epoch makes it read the log'), async () => {
  const { reader, seqs, readings, settled, resets, close } = await follow({ epoch: 'e', seq: 3 });
  reader.hear(said(6));
  await settled();
  expect(readings[0]?.from).toEqual({ epoch: 'e', seq: 3 });
  readings[0]?.answer(frames(4, 6));
  await settled();
  reader.hear(said(7, 0));
  await settled();
  readings[1]?.answer(frames(7, 7));
  await settled();
  expect(seqs).toEqual([4, 5, 6, 7]);
  reader.hear(said(1, 1, 'other'));
  await settled();
  readings[2]?.answer({ kind: 'gone', epoch: 'other', seq: 1 });
  await settled();
  expect(resets).toEqual([{ epoch: 'other', seq: 1 }]);
  reader.hear(said(2, 1, 'other'));
  await settled();
  expect(seqs).toEqual([4, 5, 6, 7, 2]);
  close();
});

test(verifies('G3:cursor-meanwhile', 'what it hears while it reads follows what it read, and nothing comes twice'), async () => {
  const { reader, seqs, readings, settled, close } = await follow({ epoch: 'e', seq: 0 });
  reader.expectMore();
  await settled();
  reader.hear(said(1));
  reader.hear(said(2));
  readings[0]?.answer(frames(1, 1));
  await settled();
  expect(seqs).toEqual([1, 2]);
  expect(readings).toHaveLength(1);
  close();
});

test(verifies('G3:cursor-away', 'a reading that fails is made up for by the next comparison'), async () => {
  const { reader, seqs, readings, settled, resets, close } = await follow({ epoch: 'e', seq: 0 });
  reader.expectMore();
  await settled();
  readings[0]?.refuse();
  await settled();
  reader.compare({ epoch: 'e', seq: 1 });
  await settled();
  readings[1]?.answer(frames(1, 1));
  await settled();
  reader.compare({ epoch: 'e', seq: 1 });
  await settled();
  expect(readings).toHaveLength(2);
  reader.compare(undefined);
  await settled();
  readings[2]?.answer({ kind: 'gone', epoch: '', seq: 0 });
  await settled();
  expect(resets).toEqual([{ epoch: '', seq: 0 }]);
  reader.compare(undefined);
  await settled();
  expect(readings).toHaveLength(3);
  expect(seqs).toEqual([1]);
  close();
});

test(
  verifies('G4:waiting-frames', 'for a reader that takes nothing a bounded number of frames waits; it reads the log for the rest'),
  async () => {
    const readings: Position[] = [];
    const replay = async (from: Position): Promise<Replay> => (readings.push(from), frames(from.seq + 1, 1_000));
    const reader = new LogReader({ epoch: 'e', seq: 0 }, { replay, leave: () => {} });
    reader.seek({ epoch: 'e', seq: 0 });
    for (let seq = 1; seq <= 1_000; seq += 1) reader.hear(said(seq));
    const [first, second] = [await reader.next(), await reader.next()];
    expect([first, second]).toMatchObject([{ fromLog: false }, { fromLog: true }]);
    expect(first.kind === 'logged' && first.frames.length).toBe(64);
    expect(second.kind === 'logged' && second.frames.at(-1)?.seq).toBe(1_000);
    expect(readings).toEqual([{ epoch: 'e', seq: 64 }]);
    reader.close();
  },
);

test(verifies('G3:cursor-closed', 'nothing comes after it is closed'), async () => {
  const { reader, seqs, readings, settled, close } = await follow({ epoch: 'e', seq: 0 });
  reader.expectMore();
  await settled();
  close();
  readings[0]?.answer(frames(1, 1));
  await settled();
  reader.hear(said(1));
  await settled();
  expect(seqs).toEqual([]);
});

test(verifies('G3:gone-told', 'a session that was deleted is so although a comparison had found it a moment before'), async () => {
  const { reader, close } = await follow({ epoch: 'e', seq: 2 });
  reader.hear({ epoch: REMOVED, seq: 0, frames: [] });
  reader.compare({ epoch: 'e', seq: 2 });
  expect(reader.wasRemoved).toBe(true);
  reader.compare({ epoch: 'another', seq: 0 });
  expect(reader.wasRemoved).toBe(false);
  close();
});
