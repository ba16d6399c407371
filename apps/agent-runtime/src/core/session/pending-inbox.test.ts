import { expect, test } from 'vitest';
import type { InboxEntry } from '@codelab/bus';
import { PendingInbox } from './pending-inbox.js';

const entry = (id: number): InboxEntry => ({ id, kind: 'cancel', turnId: 't' });
const ids = (inbox: PendingInbox): number[] => inbox.entries.map(({ id }) => id);

test('announcements that fit on are taken as they come', () => {
  const inbox = new PendingInbox(2, [entry(3)]);
  inbox.hear({ entry: entry(4) });
  expect([ids(inbox), inbox.isBehind]).toEqual([[3, 4], false]);
});

test('a repeat changes nothing, a gap and a large entry say that the inbox has to be read', () => {
  const inbox = new PendingInbox(0, [entry(1)]);
  inbox.hear({ entry: entry(1) });
  expect(inbox.isBehind).toBe(false);
  inbox.hear({ entry: entry(3) });
  expect([ids(inbox), inbox.isBehind]).toEqual([[1], true]);
  const other = new PendingInbox(0, []);
  other.hear({});
  expect(other.isBehind).toBe(true);
});

test('what is read and heard at the same time is there once', () => {
  const inbox = new PendingInbox(0, []);
  inbox.hear({ entry: entry(1) });
  inbox.add([entry(1), entry(2), entry(3)]);
  inbox.hear({ entry: entry(2) });
  expect(ids(inbox)).toEqual([1, 2, 3]);
});

test('what a commit consumed is gone, and what comes after it still fits on', () => {
  const inbox = new PendingInbox(0, [entry(1), entry(2), entry(3)]);
  inbox.consume(2);
  inbox.hear({ entry: entry(4) });
  expect([ids(inbox), inbox.consumed, inbox.seen]).toEqual([[3, 4], 2, 4]);
});

test('what is announced while the inbox is read is looked for again', async () => {
  const inbox = new PendingInbox(0, []);
  await inbox.catchUp(async () => {
    inbox.hear({}); // too large to be announced, and stored after this reading
    return [entry(1)];
  });
  expect([ids(inbox), inbox.isBehind]).toEqual([[1], true]);
});

test('a reading that fails leaves the inbox behind', async () => {
  const inbox = new PendingInbox(0, []);
  inbox.isBehind = true;
  await expect(inbox.catchUp(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(inbox.isBehind).toBe(true);
});
