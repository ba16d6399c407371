import { expect, test } from 'vitest';
import { SimulatedSession } from '@codelab/testkit';
import { LIMITS, Scene } from '../__fixtures__/scene.js';

const begin = (): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession());
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  return scene;
};

test('a failure that may pass is followed by another request, later and later', () => {
  const scene = begin();
  const first = scene.session.step!.stepId;
  const pauses: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    scene.session.fail();
    scene.settle();
    expect(scene.session.step).toBeUndefined();
    pauses.push(scene.last!.wakeAtMs! - scene.nowMs);
    scene.pass(pauses.at(-1)!);
    expect(scene.session.step).toBeDefined();
  }
  expect(scene.session.step?.stepId).not.toBe(first);
  expect(pauses.map((pause) => Math.floor(Math.log2(pause / 1_000)))).toEqual([0, 1, 2]);
  scene.session.fail({ message: 'The provider is away.' });
  scene.settle();
  expect(scene.framesOf('turn_ended')).toMatchObject([
    { status: 'failed', error: { code: 'TURN_FAILED', message: 'The provider is away.' } },
  ]);
});

test('a failure that asks for a pause gets it; one that asks for too much ends the turn', () => {
  const scene = begin();
  scene.session.fail({ retryAfterMs: 45_000 });
  scene.settle();
  const pauseMs = scene.last!.wakeAtMs! - scene.nowMs;
  expect(pauseMs).toBeGreaterThanOrEqual(45_000);
  scene.pass(pauseMs);
  scene.session.fail({ retryAfterMs: 3_600_000, message: 'Come back in an hour.' });
  scene.settle();
  expect(scene.framesOf('turn_ended')).toMatchObject([{ status: 'failed', error: { message: 'Come back in an hour.' } }]);
});

test('a failure that stays ends the turn at once', () => {
  const scene = begin();
  scene.session.fail({ retryable: false, message: 'No such model.' });
  scene.settle();
  expect(scene.framesOf('turn_ended')).toMatchObject([{ status: 'failed', error: { message: 'No such model.' } }]);
});

test('a repeated request is a new message that replaces what the user saw, and no new round', () => {
  const scene = begin();
  const { stepId } = scene.session.step!;
  scene.run({ deltas: [{ stepId, attempt: 1, offset: 0, text: 'half' }] });
  scene.session.fail();
  scene.settle();
  scene.pass(2_000);
  scene.session.answer({ text: 'whole' });
  scene.settle();
  const [half, whole] = scene.framesOf('assistant_message');
  expect(whole).toMatchObject({ token: 'whole', is_final: true, replaces: half?.message_id });
  expect(scene.history.map(({ role }) => role)).toEqual(['user', 'assistant']);
});

test('a repeat is not counted against the rounds of the turn', () => {
  const scene = new Scene(new SimulatedSession(), { ...LIMITS, maxRounds: 2 });
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  scene.session.fail();
  scene.settle();
  scene.pass(2_000);
  scene.session.answer({ toolCalls: [{ providerId: 'c', name: 'nothing', arguments: '' }] });
  scene.settle();
  expect(scene.session.step).toBeDefined();
});

test('an answer forgets the failures before it', () => {
  const scene = begin();
  for (let times = 0; times < 3; times += 1) {
    scene.session.fail();
    scene.settle();
    scene.pass(10_000);
  }
  scene.session.answer({ toolCalls: [{ providerId: 'c', name: 'nothing', arguments: '' }] });
  scene.settle();
  scene.session.fail();
  scene.settle();
  expect(scene.framesOf('turn_ended')).toEqual([]);
});

test('a request whose record is gone is asked again', () => {
  const scene = begin();
  const { stepId } = scene.session.step!;
  scene.run({ lostStepId: stepId });
  scene.pass(5_000);
  expect(scene.session.step?.stepId).not.toBe(stepId);
});

test('a cancelled turn does not wait for its next attempt', () => {
  const scene = begin();
  scene.session.fail();
  scene.settle();
  scene.session.cancel();
  scene.settle();
  expect(scene.framesOf('turn_ended')).toMatchObject([{ status: 'cancelled' }]);
});
