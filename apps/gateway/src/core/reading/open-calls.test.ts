import { expect, test } from 'vitest';
import { sessionRef, type SessionReading, type SessionStore } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { DoubtfulGives } from '../delivery/doubtful-gives.js';
import type { Receiver } from '../delivery/give-calls.js';
import { OpenCalls } from './open-calls.js';

const ide = (): Receiver => ({
  audience: 'hello',
  name: 'ide',
  clientId: 'ide',
  tools: new Set(['write_file']),
  doubts: new DoubtfulGives(),
});

const FRAME = JSON.stringify({
  ...{ type: 'tool_call', call_id: 'call_1', tool_name: 'write_file', args: {}, requires_approval: true, args_sha256: 'a'.repeat(64) },
  ...{ fence: 1, deadline_ms: 60_000, idempotency: 'safe', state: 'waiting_approval' },
});

/** The session as it is when the log has this many frames: the call is decided with the sixth. */
const readingAt = (seq: number): SessionReading =>
  ({
    meta: { seq },
    calls: [{ callId: 'call_1', state: seq < 6 ? 'waiting_approval' : 'ready', frame: FRAME, fence: 1, givenTo: '', seq: 4 }],
  }) as unknown as SessionReading;

test(verifies('R3:became-executor', 'no call is given as it was before a frame that the client has'), async () => {
  let seq = 5;
  const store = { read: () => Promise.resolve(readingAt(seq)) } as unknown as SessionStore;
  const calls = new OpenCalls(store, sessionRef({ tenant: 'acme', sub: 'ann' }, 's1'));
  const receiver = ide();
  const given: unknown[] = [];
  const give = (upTo: number): Promise<number | undefined> => calls.give(upTo, receiver, (text) => given.push(JSON.parse(text)));
  calls.demand();
  expect(await give(4)).toBe(5);
  seq = 6;
  expect(await give(6)).toBeUndefined();
  expect(given).toMatchObject([{ call_id: 'call_1', state: 'ready', redelivered: true }]);
});

test(verifies('R3:became-executor', 'a call that was shown before the client heard that it executes is given to it then'), async () => {
  const store = { read: () => Promise.resolve(readingAt(5)) } as unknown as SessionStore;
  const calls = new OpenCalls(store, sessionRef({ tenant: 'acme', sub: 'ann' }, 's1'));
  const receiver = ide();
  const given: unknown[] = [];
  calls.restart();
  calls.note('call_1');
  calls.demandAll();
  await calls.give(5, receiver, (text) => given.push(JSON.parse(text)));
  expect(given).toMatchObject([{ call_id: 'call_1' }]);
});
