import { expect, test } from 'vitest';
import { sessionRef, type SessionMeta } from '@codelab/bus';
import type { CallRecord } from '@codelab/protocol';
import { FakeClock, verifies } from '@codelab/testkit';
import { ApprovalInbox } from './approval-inbox.js';

const OWNER = { tenant: 'acme', sub: 'ann' };
const SESSION = { ref: sessionRef(OWNER, 's1'), turnId: 't1', title: '', agent: 'coder', workspace: '' } as SessionMeta;

const setUp = () => {
  const clock = new FakeClock();
  let looks = 0;
  let calls: CallRecord[] = [];
  const inbox = new ApprovalInbox({
    clock,
    store: {
      listRefs: () => Promise.resolve(((looks += 1), [SESSION.ref])),
      readMeta: () => Promise.resolve(SESSION),
      readWaiting: (sids) => Promise.resolve(sids.map(() => calls)),
    },
    children: {
      of: (parents) => Promise.resolve(parents.map(() => [])),
      connected: () => Promise.resolve([]),
      present: (refs) => Promise.resolve(refs.map(() => true)),
    },
  });
  const ask = (callId: string, frame = '{}'): void =>
    void (calls = [{ callId, argsSha256: 'a', frame, preview: '', state: 'waiting_approval' } as CallRecord]);
  const askMany = (count: number, frame: string): void => {
    ask('c', frame);
    calls = Array.from({ length: count }, () => calls[0]!);
  };
  return { clock, inbox, ask, askMany, looks: () => looks };
};

const settle = () => new Promise((resolve) => setImmediate(resolve));

test(
  verifies('G4:inbox', 'who waits for a person’s inbox costs one look in a while, however many wait, and none when nobody does'),
  async () => {
    const { clock, inbox, ask, looks } = setUp();
    const { revision } = await inbox.read(OWNER);
    const { signal } = new AbortController();
    const waiting = Array.from({ length: 20 }, () => inbox.change(OWNER, revision, { waitMs: 20_000, signal }));
    await settle();
    const before = looks();
    for (let times = 0; times < 3; times += 1) {
      await clock.advance(1_500);
      await settle();
    }
    expect(looks() - before).toBe(3);
    ask('call_1');
    await clock.advance(1_500);
    const answers = await Promise.all(waiting);
    expect(new Set(answers.map((answer) => answer.items[0]?.call.callId))).toEqual(new Set(['call_1']));
    const after = looks();
    await clock.advance(60_000);
    await settle();
    expect(looks()).toBe(after);
  },
);

test('a wait ends with its time, with its request and with the process', async () => {
  const { clock, inbox } = setUp();
  const { revision } = await inbox.read(OWNER);
  const gone = new AbortController();
  const inTime = inbox.change(OWNER, revision, { waitMs: 1_000, signal: new AbortController().signal });
  const left = inbox.change(OWNER, revision, { waitMs: 20_000, signal: gone.signal });
  const stopped = inbox.change(OWNER, revision, { waitMs: 20_000, signal: new AbortController().signal });
  await settle();
  await clock.advance(1_000);
  gone.abort();
  expect([(await inTime).revision, (await left).revision]).toEqual([revision, revision]);
  inbox.stop();
  expect((await stopped).revision).toBe(revision);
});

test(verifies('G4:inbox', 'an inbox is bounded by its size, too; its first question is always there'), async () => {
  const { inbox, askMany } = setUp();
  askMany(10, 'x'.repeat(1024 * 1024));
  expect(await inbox.read(OWNER)).toMatchObject({ items: { length: 4 }, truncated: true });
  askMany(2, 'x'.repeat(5 * 1024 * 1024));
  expect(await inbox.read(OWNER)).toMatchObject({ items: { length: 1 }, truncated: true });
});
