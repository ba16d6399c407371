import { expect, test } from 'vitest';
import { type SimulatedFacts, SimulatedSession, verifies } from '@codelab/testkit';
import { LIMITS, Scene } from '../__fixtures__/scene.js';

const WRITE = { providerId: 'w', name: 'write_file', arguments: '{"path":"a","content":"x"}' };
const READ = { providerId: 'r', name: 'read_file', arguments: '{"path":"a"}' };
const DAY_MS = 86_400_000;

const calling = (
  toolCall: typeof READ,
  facts: Partial<SimulatedFacts> = {},
  limits = LIMITS,
): { scene: Scene<SimulatedSession>; callId: string } => {
  const scene = new Scene(new SimulatedSession({ mode: 'permissive', ...facts }), limits);
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  scene.session.answer({ toolCalls: [toolCall] });
  scene.settle();
  return { scene, callId: scene.sentCalls[0]! };
};
const lastResult = (scene: Scene<SimulatedSession>): string | undefined => {
  const item = scene.history.findLast(({ role }) => role === 'tool');
  return item?.role === 'tool' ? (/^Error \[(\w+)\]/.exec(item.content)?.[1] ?? item.content) : undefined;
};

test.each([
  [READ, 'TIMEOUT'],
  [WRITE, 'OUTCOME_UNKNOWN'],
])('a call that was begun and is over its deadline is told to stop, then settled: %j', (toolCall, code) => {
  const { scene, callId } = calling(toolCall);
  scene.pass(30_000);
  scene.session.note(callId, { progress: 'started', startedAtMs: scene.nowMs });
  scene.pass(64_999);
  expect(scene.framesOf('tool_cancel')).toEqual([]);
  scene.pass(1);
  expect(scene.framesOf('tool_cancel')).toEqual([{ type: 'tool_cancel', call_id: callId, reason: 'timeout' }]);
  expect(lastResult(scene)).toBeUndefined();
  scene.pass(800);
  expect(lastResult(scene)).toBe(code);
});

test('the true result of a call that was told to stop counts', () => {
  const { scene, callId } = calling(WRITE);
  scene.session.note(callId, { progress: 'started', startedAtMs: scene.nowMs });
  scene.pass(65_000);
  scene.session.settle(callId, { result: { success: true, bytes_written: 1 } });
  scene.settle();
  expect(lastResult(scene)).toBe('{"success":true,"bytes_written":1}');
});

test(verifies('R4:nobody-there', 'a call that nobody has begun waits for ever, and is looked at ever more rarely'), () => {
  const { scene, callId } = calling(WRITE);
  const looks: number[] = [];
  while (scene.nowMs < 1_000_000 + 2 * DAY_MS) {
    looks.push(scene.last!.wakeAtMs! - scene.nowMs);
    scene.pass(looks.at(-1)!);
  }
  expect(looks.length).toBeLessThan(70);
  expect(Math.max(...looks)).toBe(3_600_000);
  scene.session.settle(callId, { result: { success: true, bytes_written: 0 } });
  scene.settle();
  expect(lastResult(scene)).toBe('{"success":true,"bytes_written":0}');
});

test('a session with a grace for absent clients fails calls that nobody took', () => {
  const { scene } = calling(WRITE, { clientGraceMs: 20_000 });
  scene.pass(19_999);
  expect(lastResult(scene)).toBeUndefined();
  scene.pass(1);
  expect(lastResult(scene)).toBe('CLIENT_DISCONNECTED');
});

test('the grace is not for a call that somebody received', () => {
  const { scene, callId } = calling(WRITE, { clientGraceMs: 20_000 });
  scene.session.note(callId, { progress: 'received' });
  scene.pass(DAY_MS);
  expect(lastResult(scene)).toBeUndefined();
});

test('an unsafe call that a client without identity has is unknown after its deadline', () => {
  const { scene, callId } = calling(WRITE, { executor: 'seed', executorTools: '', protocolVersion: '1.0' });
  scene.session.note(callId, { givenTo: 'seed:1' });
  scene.pass(5_000);
  scene.pass(59_999);
  expect(lastResult(scene)).toBeUndefined();
  scene.pass(1);
  expect(lastResult(scene)).toBe('OUTCOME_UNKNOWN');
});

test('a safe call that a client without identity has goes on waiting', () => {
  const { scene, callId } = calling(READ, { executor: 'seed', executorTools: '', protocolVersion: '1.0' });
  scene.session.note(callId, { givenTo: 'seed:1' });
  scene.pass(5_000);
  scene.pass(DAY_MS);
  expect(lastResult(scene)).toBeUndefined();
});

test(verifies('H3:expiry', 'a question expires only where a setting says so, and nobody has refused it then'), () => {
  const { scene, callId } = calling(WRITE, { mode: 'medium' }, { ...LIMITS, approvalTimeoutMs: 60_000 });
  expect(scene.framesOf('tool_call')[0]?.approval).toMatchObject({ expires_at_ms: scene.nowMs + 60_000 });
  scene.pass(59_999);
  expect(scene.framesOf('approval_resolved')).toEqual([]);
  scene.pass(1);
  expect(scene.framesOf('approval_resolved')).toMatchObject([{ call_id: callId, outcome: 'expired', by: 'policy' }]);
  expect(lastResult(scene)).toBe('APPROVAL_TIMED_OUT');
});

test('a decision that came before the expiry was computed wins', () => {
  const { scene, callId } = calling(WRITE, { mode: 'medium' }, { ...LIMITS, approvalTimeoutMs: 60_000 });
  scene.nowMs += 60_000;
  const late = scene.compute();
  scene.session.decide(callId, { outcome: 'approved' });
  expect(scene.session.commit(late.cancelSeen, late.effects!)).toBe('cancelled');
  scene.settle();
  expect(scene.framesOf('approval_resolved')).toMatchObject([{ outcome: 'approved' }]);
});

test('another executor is given safe calls of the one before, with the next fence; unsafe ones stay', () => {
  const scene = new Scene(new SimulatedSession({ mode: 'permissive' }));
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  scene.session.answer({ toolCalls: [READ, WRITE, { ...READ, arguments: '{"path":"b"}' }] });
  scene.settle();
  const [safe, unsafe] = scene.sentCalls;
  for (const callId of [safe!, unsafe!]) scene.session.note(callId, { givenTo: 'client-1' });
  scene.session.facts = { ...scene.session.facts, executor: 'client-2' };
  scene.session.push({ kind: 'executor', executor: 'client-2' });
  scene.settle();
  expect(scene.framesOf('tool_call').slice(3)).toMatchObject([{ call_id: safe, fence: 2, state: 'ready', args: { path: 'a' } }]);
  expect(scene.session.records.map(({ fence, givenTo }) => [fence, givenTo])).toEqual([
    [2, ''],
    [1, 'client-1'],
    [1, ''],
  ]);
});
