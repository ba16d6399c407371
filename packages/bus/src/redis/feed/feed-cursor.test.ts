import { expect, test } from '@jest/globals';
import { verifies } from '@codelab/testkit';
import type { FeedEvent } from '../../session-feed.js';
import type { Replay } from '../../session-store.js';
import { FeedCursor, type Position } from './feed-cursor.js';

const HEAD = { type: 'drain' } as const;

/** A log whose readings the test answers, one after the other. */
const follow = (position: Position) => {
  const seqs: number[] = [];
  const resets: Position[] = [];
  const readings: { from: Position; answer: (replay: Replay) => void; refuse: () => void }[] = [];
  const cursor = new FeedCursor(
    position,
    (from) => new Promise((answer, reject) => readings.push({ from, answer, refuse: () => reject(new Error('away')) })),
    (event: FeedEvent) => {
      if (event.kind === 'logged') seqs.push(...event.frames.map(({ seq }) => seq));
      if (event.kind === 'reset') resets.push({ epoch: event.epoch, seq: event.seq });
    },
  );
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { cursor, seqs, resets, readings, settled };
};
const frames = (from: number, to: number): Replay => ({
  ...{ kind: 'frames', epoch: 'e', seq: to },
  frames: Array.from({ length: to - from + 1 }, (_, index) => ({ seq: from + index, head: HEAD, text: '' })),
});
const said = (seq: number, ...texts: string[]) => ({
  epoch: 'e',
  seq,
  frames: texts.map((text, index) => ({ seq: seq + index, head: HEAD, text })),
});

test(verifies('G3:cursor-live', 'frames that go on go out as they come; what was there before stays out'), () => {
  const { cursor, seqs, readings } = follow({ epoch: 'e', seq: 3 });
  cursor.hear(said(4, 'a'));
  cursor.hear(said(4, 'a'));
  cursor.hear(said(2, 'x'));
  cursor.hear(said(4, 'a', 'b', 'c'));
  expect(seqs).toEqual([4, 5, 6]);
  expect(readings).toEqual([]);
});

test(verifies('G3:cursor-gap', 'a gap, a frame too large to travel, or another epoch makes it read the log'), async () => {
  const { cursor, seqs, readings, settled, resets } = follow({ epoch: 'e', seq: 3 });
  cursor.hear(said(6, 'c'));
  expect(readings).toHaveLength(1);
  expect(readings[0]?.from).toEqual({ epoch: 'e', seq: 3 });
  readings[0]?.answer(frames(4, 6));
  await settled();
  cursor.hear(said(7));
  readings[1]?.answer(frames(7, 7));
  await settled();
  expect(seqs).toEqual([4, 5, 6, 7]);
  cursor.hear({ ...said(1, 'x'), epoch: 'other' });
  readings[2]?.answer({ kind: 'gone', epoch: 'other', seq: 1 });
  await settled();
  expect(resets).toEqual([{ epoch: 'other', seq: 1 }]);
  cursor.hear({ ...said(2, 'y'), epoch: 'other' });
  expect(seqs).toEqual([4, 5, 6, 7, 2]);
});

test(verifies('G3:cursor-meanwhile', 'what it hears while it reads makes it read again, and nothing comes twice'), async () => {
  const { cursor, seqs, readings, settled } = follow({ epoch: 'e', seq: 0 });
  cursor.catchUp();
  cursor.hear(said(1, 'a'));
  cursor.hear(said(2, 'b'));
  expect(readings).toHaveLength(1);
  readings[0]?.answer(frames(1, 1));
  await settled();
  readings[1]?.answer(frames(2, 2));
  await settled();
  expect(seqs).toEqual([1, 2]);
  expect(readings).toHaveLength(2);
});

test(verifies('G3:cursor-away', 'a reading that fails is made up for by the next comparison'), async () => {
  const { cursor, seqs, readings, settled, resets } = follow({ epoch: 'e', seq: 0 });
  cursor.catchUp();
  readings[0]?.refuse();
  await settled();
  cursor.compare({ epoch: 'e', seq: 1 });
  readings[1]?.answer(frames(1, 1));
  await settled();
  cursor.compare({ epoch: 'e', seq: 1 });
  expect(readings).toHaveLength(2);
  cursor.compare(undefined);
  readings[2]?.answer({ kind: 'gone', epoch: '', seq: 0 });
  await settled();
  expect(resets).toEqual([{ epoch: '', seq: 0 }]);
  cursor.compare(undefined);
  expect(readings).toHaveLength(3);
  expect(seqs).toEqual([1]);
});

test(verifies('G3:cursor-closed', 'nothing comes after it is closed'), async () => {
  const { cursor, seqs, readings, settled } = follow({ epoch: 'e', seq: 0 });
  cursor.catchUp();
  cursor.close();
  readings[0]?.answer(frames(1, 1));
  await settled();
  cursor.hear(said(1, 'a'));
  cursor.pass({ kind: 'relayed', frame: { head: HEAD, text: '{}' } });
  expect(seqs).toEqual([]);
});
