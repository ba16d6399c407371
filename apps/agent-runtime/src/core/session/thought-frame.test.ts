import { expect, test } from 'vitest';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';
import { toFacts } from './session-facts.js';
import { thoughtFrame } from './thought-frame.js';

const begin = (capabilities: string) => {
  const scene = new Scene(new SimulatedSession({ capabilities }));
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  const facts = toFacts(scene.session.meta);
  const delta = { stepId: scene.session.step!.stepId, attempt: 1, offset: 0, text: '', thought: 'hm' };
  return (changes: object = {}) => {
    const frame = thoughtFrame(scene.state, { ...delta, ...changes }, facts);
    return frame && (JSON.parse(frame.text) as unknown);
  };
};

test(
  verifies('L3:thoughts-told', 'what a model thinks is told to those who asked for it, of the request that is being answered alone'),
  () => {
    const told = begin('agent_thought');
    expect(told()).toEqual({ type: 'agent_thought', turn_id: 't1', token: 'hm' });
    expect(told({ stepId: 'another' })).toBeUndefined();
    expect(told({ attempt: -1 })).toBeUndefined();
    expect(begin('agent_status')()).toBeUndefined();
  },
);
