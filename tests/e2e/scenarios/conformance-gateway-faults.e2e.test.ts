import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkGateway, type CheckResult } from '@codelab/conformance';
import { verifies } from '@codelab/testkit';
import { doSideBySide, notPassed } from '../conformance-kit.js';
import { startFaultProxy, type Fault } from '../fault-proxy.js';
import { startSystem, type System } from '../start-system.js';
import type { WireFrame } from '../wire-client.js';

type Change = (frame: WireFrame) => object | undefined;

/** Changes the frames of one type; `undefined` drops one. */
const of =
  (type: string, change: Change) =>
  (frame: WireFrame): readonly object[] => {
    const changed = frame.type === type ? change(frame) : frame;
    return changed === undefined ? [] : [changed];
  };
const says = (type: string, change: Change): Fault => ({ out: of(type, change) });
const takes = (type: string, change: Change): Fault => ({ in: of(type, change) });

/** Lets pass what the gateway refuses with this code. */
const lets = (code: string, instead: Change): Fault => says('error', (error) => (error['code'] === code ? instead(error) : error));
const accepted: Change = ({ reply_to }) => ({ type: 'tool_result_ack', call_id: reply_to, outcome: 'accepted' });
const careless = (args: unknown): string => createHash('sha256').update(JSON.stringify(args).replaceAll('é', '\\u00e9')).digest('hex');

/** A fault of a gateway, and the check that has to find it. */
const FAULTS: readonly (readonly [check: string, fault: Fault])[] = [
  ['door.auth-wrong', { closeCode: (code) => (code === 4500 ? 4000 : code) }],
  ['door.welcome', says('welcome', (frame) => ({ ...frame, recovered: true }))],
  ['door.version', lets('UNSUPPORTED_VERSION', (error) => ({ ...error, code: 'INTERNAL' }))],
  ['frame.bad', lets('INVALID_TYPE', () => undefined)],
  ['frame.reply-to', says('error', (frame) => ({ ...frame, reply_to: undefined }))],
  ['frame.second-hello', takes('hello', () => undefined)],
  ['message.once', says('message_accepted', (frame) => ({ ...frame, turn_id: randomUUID() }))],
  ['message.other-text', takes('user_message', (frame) => ({ ...frame, content: 'read a.txt' }))],
  ['message.turn', { out: (frame) => (frame.type === 'turn_ended' ? [{ ...frame, status: 'failed' }] : [frame]) }],
  ['message.cancel', says('tool_cancel', () => undefined)],
  ['call.fields', says('tool_call', (frame) => ({ ...frame, args: { path: 'other.txt' } }))],
  ['call.digest', says('tool_call', (frame) => ({ ...frame, args_sha256: careless(frame['args']) }))],
  ['call.log', says('turn_started', () => undefined)],
  ['executor.roles', says('welcome', (frame) => ({ ...frame, executor: 'you' }))],
  ['executor.only', lets('FORBIDDEN', accepted)],
  ['executor.preview', takes('tool_preview', (frame) => ({ ...frame, operands: [] }))],
  ['executor.successor', says('executor_changed', () => undefined)],
  ['decision.undecided-result', lets('FORBIDDEN', accepted)],
  ['decision.digest', takes('hitl_decision', (frame) => ({ ...frame, args_sha256: undefined }))],
  ['decision.edit', says('approval_resolved', (frame) => ({ ...frame, args_sha256: careless({}) }))],
  ['decision.bad-edit', takes('hitl_decision', ({ modified_args: _, ...frame }) => ({ ...frame, decision: 'approve' }))],
  ['decision.twice', lets('ALREADY_RESOLVED', (error) => ({ type: 'approval_resolved', call_id: error['reply_to'], outcome: 'rejected' }))],
  ['decision.observer', says('approval_resolved', (frame) => ({ ...frame, outcome: 'rejected' }))],
  ['decision.words', approvesByWords()],
  ['result.once', says('tool_result_ack', (frame) => ({ ...frame, outcome: 'accepted' }))],
  ['result.fence', takes('tool_result', (frame) => ({ ...frame, fence: 1 }))],
  ['result.mismatch', says('tool_call', (frame) => ({ ...frame, call_id: `${String(frame['call_id'])}${String(frame['seq'])}` }))],
  ['resume.replay', { out: (frame) => (frame['seq'] === undefined || frame.type === 'welcome' ? [frame] : [frame, frame]) }],
  ['resume.wrong-epoch', says('welcome', (frame) => ({ ...frame, recovered: true }))],
  ['resume.open-call', says('tool_call', (frame) => ({ ...frame, redelivered: undefined }))],
  ['resume.decided-meanwhile', says('tool_call', (frame) => ({ ...frame, state: 'waiting_approval' }))],
  ['resume.slow-reader', lets('SLOW_READER', () => undefined)],
  ['cut.at-message', takes('user_message', (frame) => ({ ...frame, message_id: randomUUID() }))],
  ['cut.at-result', says('tool_result_ack', (frame) => ({ ...frame, outcome: 'stale' }))],
  ['seed.frames', { out: (frame) => (frame.type === 'tool_call' ? [{ type: 'turn_started' }, frame] : [frame]) }],
  ['owner.apart', { token: 'ann-key' }],
];

/** Takes a yes for a decision (H3). */
function approvesByWords(): Fault {
  let asked: unknown;
  return {
    out: (frame) => {
      if (frame.type === 'tool_call') asked = frame['call_id'];
      return [frame];
    },
    in: (frame, reply) => {
      if (String(frame['content']).startsWith('yes')) reply({ type: 'approval_resolved', call_id: asked, outcome: 'approved' });
      return [frame];
    },
  };
}

/** Checks side by side: most of the time they are waited for. */
const AT_ONCE = 6;

const found = new Map<string, CheckResult | undefined>();
let system: System;

beforeAll(async () => {
  system = await startSystem({ env: { CODELAB_TOKENS: 'ann-key=acme/ann,bob-key=acme/bob' } });
  await doSideBySide(FAULTS, AT_ONCE, async ([check, fault]) => void found.set(check, (await results(fault, [check]))[0]));
}, 300_000);
afterAll(() => system.stop());

async function results(fault: Fault, only: readonly string[]) {
  const proxy = await startFaultProxy(new URL('/', system.gateways[0]?.ws ?? '').href.replace(/\/$/, ''), fault);
  try {
    return await checkGateway({ url: proxy.url, token: 'ann-key', otherToken: 'bob-key', only });
  } finally {
    await proxy.close();
  }
}

test('behind a proxy that changes nothing the checks of these faults pass', async () => {
  const checks = FAULTS.map(([check]) => check);
  expect(notPassed(await results({}, checks))).toEqual([]);
});

test.each(FAULTS)(verifies('L3:conformance-finds-gateways', 'a fault that is planted in a gateway fails the check %s'), (check) => {
  expect(found.get(check)).toMatchObject({ outcome: 'failed', why: expect.not.stringContaining('\n    at ') });
});
