import { expect, test } from 'vitest';
import { type SimulatedFacts, SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';

const WRITE = { providerId: 'w', name: 'write_file', arguments: '{"path":"a","content":"x"}' };
const SEED = { executor: 'seed', executorTools: '', protocolVersion: '1.0' };

const asked = (facts: Partial<SimulatedFacts> = {}): { scene: Scene<SimulatedSession>; callId: string } => {
  const scene = new Scene(new SimulatedSession(facts));
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  scene.session.answer({ toolCalls: [WRITE] });
  scene.settle();
  return { scene, callId: scene.sentCalls[0]! };
};
const lastResult = (scene: Scene<SimulatedSession>): string => {
  const item = scene.history.findLast(({ role }) => role === 'tool');
  return item?.role === 'tool' ? item.content : '';
};

test('a client without identity that answers a question has decided it', () => {
  const { scene, callId } = asked(SEED);
  scene.session.settle(callId, { result: { success: true, bytes_written: 1 } });
  scene.settle();
  expect(lastResult(scene)).toBe('{"success":true,"bytes_written":1}');
});

test('its PERMISSION_DENIED is a human who refused', () => {
  const { scene, callId } = asked(SEED);
  scene.session.settle(callId, { error: { code: 'PERMISSION_DENIED', message: 'user said no' } });
  scene.settle();
  expect(lastResult(scene)).toMatch(/^Error \[DENIED_BY_USER\]: .*user said no/);
});

test(verifies('H3:own-words', 'its own policy that refused is told as that, and not as a human'), () => {
  const { scene, callId } = asked(SEED);
  scene.session.settle(callId, { error: { code: 'DENIED_BY_POLICY', message: "The client's own policy: no writes" } });
  scene.settle();
  expect(lastResult(scene)).toBe("Error [DENIED_BY_POLICY]: The client's own policy: no writes");
});

test('PERMISSION_DENIED of a call that ran is what it says', () => {
  const { scene, callId } = asked();
  scene.session.decide(callId, { outcome: 'approved' });
  scene.session.settle(callId, { error: { code: 'PERMISSION_DENIED', message: 'EACCES' } });
  scene.settle();
  expect(lastResult(scene)).toBe('Error [PERMISSION_DENIED]: EACCES');
});

test(verifies('H2:asked-anew', 'a call whose operands are not those that were approved is asked about again, under its id'), () => {
  const { scene, callId } = asked();
  scene.session.decide(callId, { outcome: 'edited', args: '{"path":"b","content":"x"}', argsSha256: 'e'.repeat(64) });
  scene.settle();
  scene.session.settle(callId, { error: { code: 'APPROVAL_MISMATCH', message: 'changed' } });
  scene.settle();
  const [first, again] = scene.framesOf('tool_call');
  expect(again).toMatchObject({
    call_id: callId,
    state: 'waiting_approval',
    requires_approval: true,
    args_sha256: first?.args_sha256,
    args: first?.args,
    approval: { question: 2 },
  });
  expect(scene.session.records[0]).not.toHaveProperty('result');
  expect(scene.session.records[0]).toMatchObject({ state: 'waiting_approval' });
  scene.crash();
  scene.session.decide(callId, { outcome: 'approved' });
  scene.session.settle(callId, { result: { success: true, bytes_written: 1 } });
  scene.settle();
  expect(lastResult(scene)).toBe('{"success":true,"bytes_written":1}');
  expect(scene.history.findLast(({ role }) => role === 'tool')).not.toHaveProperty('edited_arguments');
});

test('a call that always mismatches is told to the model in the end', () => {
  const { scene, callId } = asked();
  for (let times = 0; times < 6; times += 1) {
    scene.session.decide(callId, { outcome: 'approved' });
    scene.session.settle(callId, { error: { code: 'APPROVAL_MISMATCH', message: 'changed' } });
    scene.settle();
  }
  expect(lastResult(scene)).toBe('Error [APPROVAL_MISMATCH]: changed');
});

test('arguments that a human edited go into the history with the result', () => {
  const { scene, callId } = asked();
  scene.session.decide(callId, { outcome: 'edited', args: '{"path":"b", "content":"y"}' });
  scene.settle();
  scene.crash();
  scene.session.settle(callId, { result: {} });
  scene.settle();
  expect(scene.history.findLast(({ role }) => role === 'tool')).toMatchObject({ edited_arguments: '{"path":"b", "content":"y"}' });
});

test.each([
  [{ outcome: 'rejected', by: 'ana' }, /^Error \[DENIED_BY_USER\]: The user rejected this call/],
  [{ outcome: 'rejected', by: 'ana', feedback: 'too risky' }, /^Error \[DENIED_BY_USER\]: .*They said: too risky/],
  [{ outcome: 'rejected', by: 'policy', feedback: 'no human' }, /^Error \[DENIED_BY_POLICY\]: no human/],
  [{ outcome: 'rejected', by: 'policy' }, /^Error \[DENIED_BY_POLICY\]: No human/],
  [{ outcome: 'expired', by: 'policy' }, /^Error \[APPROVAL_TIMED_OUT\]/],
] as const)(verifies('H3:four-results', 'a decision of %j reaches the model as a result of its own'), (decision, expected) => {
  const { scene, callId } = asked();
  scene.session.decide(callId, decision);
  scene.settle();
  expect(lastResult(scene)).toMatch(expected);
  expect(scene.session.step).toBeDefined();
});

test(verifies('H3:one-call', 'a decision touches one call: its neighbours stay undecided'), () => {
  const scene = new Scene(new SimulatedSession());
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  scene.session.answer({ toolCalls: [WRITE, { ...WRITE, arguments: '{"path":"b","content":""}' }] });
  scene.settle();
  scene.session.decide(scene.sentCalls[0]!, { outcome: 'rejected' });
  scene.settle();
  expect(scene.session.records.map(({ state }) => state)).toEqual(['waiting_approval']);
  expect(scene.session.step).toBeUndefined();
});

test('a result that nobody waits for is consumed without effect', () => {
  const { scene } = asked();
  scene.session.push({ kind: 'result', callId: 'call_unknown', frame: '{"result":{}}', local: false });
  const { events } = scene.run();
  expect(events).toContainEqual(expect.objectContaining({ kind: 'ignored', id: 'call_unknown' }));
  expect(scene.session.inbox).toEqual([]);
});
