import { expect, test } from 'vitest';
import type { ErrorCode, ServerFrame, ServerFrameOf } from '@codelab/protocol';
import { verifies } from '@codelab/testkit';
import { FakeClock } from '@codelab/testkit';
import { ConnectionClosedError, RefusedError } from '../client-errors.js';
import { PendingRequests } from './pending-requests.js';

const makeRequests = () => {
  const clock = new FakeClock();
  const sent: string[] = [];
  const link = { open: true };
  const send = (text: string): boolean => link.open && sent.push((JSON.parse(text) as { type: string }).type) > 0;
  return { clock, sent, link, requests: new PendingRequests({ send, clock, backoff: { firstMs: 100, maxMs: 1_000, factor: 2 } }) };
};

const error = (code: ErrorCode, reply_to?: string): ServerFrameOf<'error'> => ({
  type: 'error',
  code,
  message: 'because',
  retryable: code === 'UNAVAILABLE',
  reply_to,
});

const decide = (requests: PendingRequests, id: string) =>
  requests.ask({ kind: 'decision', id }, { type: 'hitl_decision', call_id: id, decision: 'approve' });
const answer = (requests: PendingRequests, id: string) =>
  requests.ask({ kind: 'result', id }, { type: 'tool_result', call_id: id, error: { code: 'GIT_ERROR', message: 'm' } });

test('what is asked while nothing is connected is sent later, in its order', async () => {
  const { sent, link, requests } = makeRequests();
  link.open = false;
  const first = requests.ask({ kind: 'message', id: 'm1' }, { type: 'user_message', content: 'x', message_id: 'm1' });
  const second = requests.ask({ kind: 'agent' }, { type: 'switch_agent', agent: 'ask' });
  expect(sent).toEqual([]);
  link.open = true;
  requests.resend();
  expect(sent).toEqual(['user_message', 'switch_agent']);
  requests.settle({ type: 'agent_switched', agent: 'ask' });
  requests.settle({ type: 'message_accepted', message_id: 'm1', turn_id: 't', state: 'started' });
  await expect(first).resolves.toMatchObject({ turn_id: 't' });
  await expect(second).resolves.toMatchObject({ agent: 'ask' });
  requests.resend();
  expect(sent).toHaveLength(2);
});

test('a passing refusal is retried after a wait, every other one is the answer', async () => {
  const { sent, clock, requests } = makeRequests();
  const result = answer(requests, 'c1');
  requests.settle(error('UNAVAILABLE', 'c1'));
  expect(sent).toHaveLength(1);
  clock.advanceSync(100);
  expect(sent).toHaveLength(2);
  requests.settle(error('INTERNAL', 'c1'));
  await expect(result).rejects.toMatchObject({ name: 'RefusedError', code: 'INTERNAL' });
  expect(clock.pending).toBe(0);
});

test(
  verifies('G2:client-match', 'an error finds the request that it refuses, where a result and a decision have the same id'),
  async () => {
    const { requests } = makeRequests();
    const result = answer(requests, 'c1');
    const decision = decide(requests, 'c1');
    requests.settle(error('ALREADY_RESOLVED', 'c1'));
    await expect(decision).rejects.toMatchObject({ code: 'ALREADY_RESOLVED' });
    for (const news of [error('UNAVAILABLE'), error('SLOW_READER'), error('TURN_FAILED', 'c1'), error('UNKNOWN_CALL', 'c2')])
      requests.settle(news);
    expect(requests.has('result', 'c1')).toBe(true);
    requests.settle({ type: 'tool_result_ack', call_id: 'c1', outcome: 'duplicate' });
    await expect(result).resolves.toMatchObject({ outcome: 'duplicate' });
  },
);

test(verifies('G2:reply-to-type', 'an error that names the type of its frame refuses a request of that type alone, at once'), async () => {
  const { requests } = makeRequests();
  const result = answer(requests, 'c1');
  requests.settle({ ...error('UNKNOWN_CALL', 'c1'), reply_to_type: 'tool_ack' });
  requests.settle({ ...error('FORBIDDEN', 'c1'), reply_to_type: 'tool_preview' });
  expect(requests.has('result', 'c1')).toBe(true);
  requests.settle({ ...error('FORBIDDEN', 'c1'), reply_to_type: 'tool_result' });
  await expect(result).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a refusal that may be meant for evidence of the call is believed when it comes twice', async () => {
  const { sent, clock, requests } = makeRequests();
  const acknowledged = answer(requests, 'c1');
  requests.settle(error('UNKNOWN_CALL', 'c1'));
  requests.settle({ type: 'tool_result_ack', call_id: 'c1', outcome: 'accepted' });
  await expect(acknowledged).resolves.toMatchObject({ outcome: 'accepted' });
  const refused = answer(requests, 'c2');
  requests.settle(error('UNKNOWN_CALL', 'c2'));
  clock.advanceSync(100);
  requests.settle(error('UNKNOWN_CALL', 'c2'));
  await expect(refused).rejects.toMatchObject({ code: 'UNKNOWN_CALL' });
  expect(sent).toHaveLength(3);
});

test.each<[string, ServerFrame]>([
  ['approval_resolved', { type: 'approval_resolved', call_id: 'c1', outcome: 'approved', args_sha256: '', by: 'ann', at_ms: 1 }],
  ['the call that comes again as decided', { type: 'tool_call', call_id: 'c1', state: 'ready' } as ServerFrame],
])('a decision is answered by %s', async (_what, frame) => {
  const { requests } = makeRequests();
  const decision = decide(requests, 'c1');
  requests.settle(frame);
  await expect(decision).resolves.toBe(frame);
});

test('a queue without the message answers its removal, another one does not', async () => {
  const { requests } = makeRequests();
  const removed = requests.ask({ kind: 'queue', id: 'm2' }, { type: 'queue_remove', message_id: 'm2' });
  requests.settle({ type: 'queue_updated', queue: [{ message_id: 'm1' }, { message_id: 'm2' }] });
  expect(requests.has('queue', 'm2')).toBe(true);
  requests.settle({ type: 'queue_updated', queue: [{ message_id: 'm1' }] });
  await expect(removed).resolves.toMatchObject({ type: 'queue_updated' });
});

test('a frame that the gateway would close over, or could not read, is refused here', async () => {
  const { sent, requests } = makeRequests();
  const message = (content: string) => requests.ask({ kind: 'message', id: 'm' }, { type: 'user_message', content, message_id: 'm' });
  await expect(message('x'.repeat(10_001))).rejects.toMatchObject({ code: 'INVALID_FIELD' });
  await expect(message('')).rejects.toBeInstanceOf(RefusedError);
  const attachments = Array.from({ length: 12 }, () => ({ path: 'a', content: 'x'.repeat(1024 * 1024) }));
  const large = requests.ask({ kind: 'message', id: 'm' }, { type: 'user_message', content: 'x', message_id: 'm', attachments });
  await expect(large).rejects.toMatchObject({ code: 'FRAME_TOO_LARGE' });
  expect(sent).toEqual([]);
});

test('every request fails when the connection is over, and so does every later one', async () => {
  const { clock, requests } = makeRequests();
  const waiting = answer(requests, 'c1');
  requests.settle(error('OVERLOADED', 'c1'));
  requests.failAll(new ConnectionClosedError({ kind: 'closed', message: 'bye' }));
  await expect(waiting).rejects.toBeInstanceOf(ConnectionClosedError);
  await expect(decide(requests, 'c2')).rejects.toBeInstanceOf(ConnectionClosedError);
  expect(clock.pending).toBe(0);
});
