import { expect, test } from 'vitest';
import { encodeFrame, LIMITS, type CallRecord } from '@codelab/protocol';
import { sessionRef, type SessionMeta, type SessionReading } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { buildSnapshot } from './build-snapshot.js';

const META = { ref: sessionRef({ tenant: 't', sub: 's' }, 'x'), seq: 7, epoch: 'e' } as SessionMeta;

const reading = (fields: Partial<SessionReading> = {}): SessionReading => ({
  ...{ meta: META, calls: [], history: [], historyFrom: 0, queue: [], steering: [], todos: '' },
  ...fields,
});

const call = (callId: string, content = 'x', fields: Partial<CallRecord> = {}): CallRecord =>
  ({
    ...{ callId, toolName: 'write_file', idempotency: 'unsafe', deadlineMs: 1 },
    seq: 1,
    frame: JSON.stringify({
      ...{ type: 'tool_call', call_id: callId, tool_name: 'write_file', args: { path: 'a', content }, requires_approval: true },
      ...{ args_sha256: 'd', fence: 1, deadline_ms: 1, idempotency: 'unsafe', state: 'waiting_approval' },
      approval: { reason: 'r', risk: 'low', choices: [] },
    }),
    ...{
      state: 'waiting_approval',
      argsSha256: 'd',
      fence: 1,
      expiresAtMs: 0,
      preview: '',
      progress: '',
      startedAtMs: 0,
      givenTo: '',
      agent: '',
    },
    ...fields,
  }) as CallRecord; // a test gives a state and what belongs to it

const parse = (built: ReturnType<typeof buildSnapshot>) =>
  JSON.parse(encodeFrame({ type: 'welcome', ...{ snapshot: built.snapshot } })) as { snapshot: Record<string, never> };

test('an empty session has an empty snapshot', () => {
  expect(parse(buildSnapshot(reading(), undefined)).snapshot).toEqual({ seq: 7, history: [], open_calls: [], todos: [], queue: [] });
});

test(verifies('G4:snapshot-size', 'a snapshot of the largest session is at most 1 MB, and what is left out can be had elsewhere'), () => {
  const note = JSON.stringify({ role: 'note', content: '\u{1F600}'.repeat(20_000), at_ms: 1 });
  const result = JSON.stringify({ role: 'tool', content: '"'.repeat(900_000), at_ms: 1 });
  const queue = Array.from({ length: 32 }, (_, index) => {
    const messageId = `m${String(index)}`;
    return {
      messageId,
      turnId: 't',
      frame: JSON.stringify({ type: 'user_message', message_id: messageId, content: '\u{1F600}'.repeat(10_000) }),
    };
  });
  const built = buildSnapshot(
    reading({
      history: [...Array.from({ length: 25 }, () => note), ...Array.from({ length: 25 }, () => result)],
      historyFrom: 100,
      calls: Array.from({ length: 40 }, (_, index) => call(`c${String(index)}`, 'x'.repeat(30_000))),
      queue,
      todos: JSON.stringify([{ content: 'x'.repeat(200_000) }]),
    }),
    { turn: { turn_id: 't' }, partial: { message_id: 'a', text: 'é'.repeat(100_000) } },
  );
  const text = encodeFrame({ type: 'welcome', ...{ snapshot: built.snapshot } });
  expect(Buffer.byteLength(text)).toBeLessThan(LIMITS.MAX_SNAPSHOT_BYTES);
  const { snapshot } = parse(built) as unknown as {
    snapshot: { history: object[]; open_calls: object[]; history_cursor: string; partial: object };
  };
  expect(Number(snapshot.history_cursor)).toBe(150 - snapshot.history.length);
  expect(snapshot.open_calls.length + built.leftOut.length).toBe(40);
  expect(built.leftOut[0]).toBe(`c${String(snapshot.open_calls.length)}`);
  expect(snapshot.partial).toBeDefined();
});

test('text that is too long to go into a snapshot is left out, not cut: what follows would not fit to it', () => {
  const built = buildSnapshot(reading(), { turn: { turn_id: 't' }, partial: { message_id: 'a', text: 'x'.repeat(1_000_000) } });
  expect(parse(built).snapshot).not.toHaveProperty('partial');
});

test(
  verifies('H2:present-args', 'an open call shows its present state, the decision and the arguments to run; an answered one is not there'),
  () => {
    const args = '{"path": "b","content":1e-7}';
    const decision = { outcome: 'edited', args, argsSha256: 'f', by: 'alice', atMs: 5 } as const;
    const calls = [call('c1', 'x', { state: 'ready', argsSha256: 'f', decision }), call('c2', 'x', { state: 'answered' })];
    const built = buildSnapshot(reading({ calls }), undefined);
    expect(built.snapshot.open_calls[0]?.text).toContain(`"args":${args}`);
    expect(parse(built).snapshot['open_calls']).toEqual([
      expect.objectContaining({
        call_id: 'c1',
        state: 'ready',
        args_sha256: 'f',
        approval: expect.objectContaining({ outcome: 'edited', by: 'alice', at_ms: 5 }),
      }),
    ]);
  },
);

test(verifies('G2:steer-taken', 'messages that wait for the next step stand beside the queue'), () => {
  const waiting = (messageId: string) => ({ messageId, turnId: 't', frame: JSON.stringify({ content: messageId }) });
  const built = buildSnapshot(reading({ queue: [waiting('q')], steering: [waiting('s')] }), undefined);
  expect(parse(built).snapshot).toMatchObject({
    queue: [{ message_id: 'q', content: 'q' }],
    steering: [{ message_id: 's', content: 's' }],
  });
  expect(buildSnapshot(reading(), undefined).snapshot).not.toHaveProperty('steering');
});
