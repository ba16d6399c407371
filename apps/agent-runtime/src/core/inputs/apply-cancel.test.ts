import { expect, test } from 'vitest';
import { type SimulatedFacts, SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';

const WRITE = { providerId: 'w', name: 'write_file', arguments: '{"path":"a","content":"x"}' };
const READ = { providerId: 'r', name: 'read_file', arguments: '{"path":"a"}' };

const calling = (toolCalls: readonly (typeof READ)[], facts: Partial<SimulatedFacts> = {}): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession(facts));
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  scene.session.answer({ toolCalls });
  scene.settle();
  return scene;
};
const results = (scene: Scene<SimulatedSession>): string[] =>
  scene.history.filter((item) => item.role === 'tool').map(({ content }) => /^Error \[(\w+)\]/.exec(content)?.[1] ?? content);
const status = (scene: Scene<SimulatedSession>): unknown => scene.framesOf('turn_ended')[0]?.status;

test('a cancel while the model writes ends the turn at once', () => {
  const scene = new Scene(new SimulatedSession());
  scene.session.deliver({ content: 'hello' });
  scene.session.cancel();
  scene.settle();
  expect([scene.framesOf('turn_started').length, status(scene)]).toEqual([1, 'cancelled']);
});

test('an undecided question is withdrawn at once, and its call gets a result', () => {
  const scene = calling([WRITE]);
  scene.session.cancel();
  scene.settle();
  expect(scene.framesOf('approval_resolved')).toMatchObject([{ call_id: scene.sentCalls[0], outcome: 'cancelled', by: 'ana' }]);
  expect([results(scene), status(scene)]).toEqual([['CANCELLED'], 'cancelled']);
  expect(scene.session.decide(scene.sentCalls[0]!, { outcome: 'approved' })).toBe(false);
});

test(verifies('R2:cancel-true-result', 'a true result within the grace of a cancel counts'), () => {
  const scene = calling([READ]);
  scene.session.cancel();
  scene.settle();
  expect(status(scene)).toBeUndefined();
  scene.session.settle(scene.sentCalls[0]!, { result: { content: 'true', encoding: 'utf-8' } });
  scene.settle();
  expect([results(scene), status(scene)]).toEqual([['{"content":"true","encoding":"utf-8"}'], 'cancelled']);
});

test(verifies('R2:cancel-unknown', 'after 800 ms a call that was begun is unknown, another one is cancelled'), () => {
  const scene = calling([READ, READ, READ]);
  scene.session.note(scene.sentCalls[0]!, { progress: 'started', startedAtMs: scene.nowMs });
  scene.session.note(scene.sentCalls[1]!, { progress: 'received' });
  scene.session.cancel();
  scene.settle();
  scene.pass(799);
  expect(status(scene)).toBeUndefined();
  scene.pass(1);
  expect([results(scene), status(scene)]).toEqual([['OUTCOME_UNKNOWN', 'CANCELLED', 'CANCELLED'], 'cancelled']);
});

test('an unsafe call that a client without identity was given may have had its effect', () => {
  const scene = calling([WRITE, WRITE], { executor: 'seed', executorTools: '', protocolVersion: '1.0' });
  for (const callId of scene.sentCalls) scene.session.decide(callId, { outcome: 'approved' });
  scene.session.note(scene.sentCalls[0]!, { givenTo: 'seed:7' });
  scene.settle();
  scene.session.cancel();
  scene.settle();
  scene.pass(800);
  expect(results(scene)).toEqual(['OUTCOME_UNKNOWN', 'CANCELLED']);
});

test.each([
  ['answer', 'cancel'],
  ['cancel', 'answer'],
] as const)(
  verifies('R2:cancel-opens-nothing', 'of an answer that comes with the cancel the text is kept, and no call is opened: %s, %s'),
  (...order) => {
    const scene = new Scene(new SimulatedSession());
    scene.session.deliver({ content: 'hello' });
    scene.settle();
    const answer = { model: 'm', text: 'whole', toolCalls: [WRITE], finish: 'tool_calls', usage: { inputTokens: 1, outputTokens: 1 } };
    const entry = { kind: 'answer', stepId: scene.session.step!.stepId, attempt: 1, answer: JSON.stringify(answer) } as const;
    for (const what of order) {
      if (what === 'cancel') scene.session.cancel();
      else scene.session.push(entry);
    }
    scene.settle();
    expect(status(scene)).toBe('cancelled');
    expect(scene.sentCalls).toEqual([]);
    expect(scene.history.at(-1)).toMatchObject({ role: 'assistant', content: 'whole', tool_calls: [] });
    expect(scene.framesOf('turn_ended')[0]?.usage).toEqual({ input_tokens: 1, output_tokens: 1 });
  },
);

test('news of the executor within the grace of a cancel settle nothing early', () => {
  const scene = calling([READ]);
  scene.session.cancel();
  scene.settle();
  scene.session.push({ kind: 'executor', executor: 'client-1' });
  scene.pass(799);
  expect(status(scene)).toBeUndefined();
  scene.pass(1);
  expect(status(scene)).toBe('cancelled');
});

test('the cancel of another turn is none of this one', () => {
  const scene = calling([READ]);
  scene.session.push({ kind: 'cancel', turnId: 'another' });
  scene.settle();
  scene.pass(10_000);
  expect(status(scene)).toBeUndefined();
});

test(verifies('R2:late-result-replaces', 'a true result that no model could miss yet counts instead of the made-up one'), () => {
  const scene = calling([READ]);
  const [callId] = scene.sentCalls;
  scene.session.note(callId!, { progress: 'started', startedAtMs: scene.nowMs });
  scene.session.cancel();
  scene.settle();
  scene.pass(800);
  expect(scene.session.settle(callId!, { result: { content: 'true', encoding: 'utf-8' } })).toBe('accepted');
  scene.settle();
  const items = scene.history.filter((item) => item.role === 'tool');
  expect(items.map((item) => [item.call_id, item.turn_id, item.content])).toEqual([
    [callId, 't1', expect.stringMatching(/OUTCOME_UNKNOWN/)],
    [callId, 't1', '{"content":"true","encoding":"utf-8"}'],
  ]);
});

test('a true result that comes after a model has read the made-up one is told as a note', () => {
  const scene = calling([READ]);
  const [callId] = scene.sentCalls;
  scene.session.cancel();
  scene.settle();
  scene.pass(800);
  scene.session.deliver({ content: 'go on' });
  scene.settle();
  expect(scene.session.settle(callId!, { result: { content: 'true', encoding: 'utf-8' } })).toBe('duplicate');
  scene.settle();
  expect(scene.history.at(-1)).toMatchObject({
    role: 'note',
    content: expect.stringMatching(/read_file.*\{"content":"true","encoding":"utf-8"\}/),
  });
});

test('a message that interrupts starts in the commit that ends the turn', () => {
  const scene = calling([WRITE]);
  scene.session.deliver({ content: 'stop, do this' }, 'interrupt');
  scene.settle();
  expect(scene.frames.slice(-2).map(({ type }) => type)).toEqual(['turn_ended', 'turn_started']);
  expect(scene.session.turnId).toBe('t2');
});
