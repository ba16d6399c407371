import { expect, test } from 'vitest';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';
import { statusFrame } from './status-frame.js';
import { toFacts } from './session-facts.js';

const begin = () => {
  const scene = new Scene(new SimulatedSession({ capabilities: 'agent_status' }));
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  return scene;
};

/** What is said of a step of the scene. */
const told = (scene: Scene<SimulatedSession>, act: () => void): unknown => {
  const before = scene.state;
  act();
  const frame = statusFrame(before, scene.state, { facts: toFacts(scene.session.meta), nowMs: scene.nowMs });
  return frame && JSON.parse(frame.text);
};

test(verifies('G2:wait-told', 'what the proxy says of a wait is told once, and is over with the first text'), () => {
  const scene = begin();
  const { stepId } = scene.session.step!;
  const wait = { code: 'rate_limited', message: 'Limit reached', attempt: 2, maxAttempts: 4, delayMs: 35_000 };
  const hear = (delta: object) => () => void scene.run({ deltas: [{ stepId, attempt: 1, offset: 0, text: '', ...delta }] });
  hear({ text: '' })();
  expect(told(scene, hear({ wait }))).toEqual({
    ...{ type: 'agent_status', status: 'thinking', turn_id: 't1' },
    retry: {
      ...{ reason: 'rate_limited', message: 'Limit reached', attempt: 2, max_attempts: 4 },
      ...{ retry_after_ms: 35_000, retry_at_ms: scene.nowMs + 35_000 },
    },
  });
  expect(told(scene, () => void scene.run())).toBeUndefined();
  expect(told(scene, hear({ text: 'Hi' }))).toEqual({ type: 'agent_status', status: 'writing', turn_id: 't1' });
});

test(verifies('G2:wait-told', 'long words are cut between two characters'), () => {
  const scene = begin();
  const failed = told(scene, () => {
    scene.session.fail({ code: 'overloaded', message: `${'x'.repeat(299)}😀 and more` });
    scene.settle();
  });
  expect(failed).toMatchObject({ retry: { message: 'x'.repeat(299) } });
});

test(verifies('G2:wait-told', 'a pause of the runtime is told, too, with what failed in safe words'), () => {
  const scene = begin();
  const failed = told(scene, () => {
    scene.session.fail({ code: 'overloaded', message: 'ours', waitWording: 'theirs', retryAfterMs: 20_000 });
    scene.settle();
  });
  expect(failed).toMatchObject({ status: 'thinking', retry: { reason: 'overloaded', message: 'theirs', attempt: 2, max_attempts: 4 } });
  expect((failed as { retry: { retry_after_ms: number } }).retry.retry_after_ms).toBeGreaterThanOrEqual(20_000);
  expect(told(scene, () => scene.pass(30_000))).toEqual({ type: 'agent_status', status: 'thinking', turn_id: 't1' });
});
