import { expect, test } from 'vitest';
import { type SimulatedFacts, SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';

const PLAN = '# Plan\n1. Write `a`.';
const SUBMIT = { providerId: 'p', name: 'submit_plan', arguments: JSON.stringify({ plan: PLAN }) };
const WRITE = { providerId: 'w', name: 'write_file', arguments: '{"path":"a","content":"x"}' };

/** A session in plan mode whose model has been asked. */
const planning = (facts: Partial<SimulatedFacts> = {}): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession({ mode: 'plan', ...facts }));
  scene.session.deliver({ content: 'add a' });
  scene.settle();
  return scene;
};

const answer = (scene: Scene<SimulatedSession>, ...toolCalls: readonly { providerId: string; name: string; arguments: string }[]): void => {
  scene.session.answer({ toolCalls });
  scene.settle();
};

/** What the last request shows of tools, and what it is told. */
const request = ({ session }: Scene<SimulatedSession>): { readonly system: string; readonly names: readonly string[] } => {
  const { system, tools } = JSON.parse(session.step!.request) as { system: string; tools: readonly { name: string }[] };
  return { system, names: tools.map(({ name }) => name) };
};

const lastResult = (scene: Scene<SimulatedSession>): string => {
  const item = scene.history.findLast(({ role }) => role === 'tool');
  return item?.role === 'tool' ? item.content : '';
};

test(verifies('H1:plan', 'in plan mode nothing is offered that writes'), () => {
  const scene = planning();
  const { system, names } = request(scene);
  expect(names).toContain('read_file');
  expect(names).toContain('submit_plan');
  expect(names).not.toContain('write_file');
  expect(system).toContain('your mode is `plan`');
});

test(verifies('H1:plan', 'the mode counts for the next call of a turn that runs'), () => {
  const scene = planning({ mode: 'permissive' });
  scene.session.facts = { ...scene.session.facts, mode: 'plan' };
  answer(scene, WRITE);
  expect(scene.sentCalls).toEqual([]);
  expect(lastResult(scene)).toContain('Error [DENIED_BY_POLICY]: This call is not allowed in plan mode');
});

test(verifies('H1:plan', 'a plan waits for a human, and accepted ends the mode in the same turn'), () => {
  const scene = planning();
  answer(scene, SUBMIT);
  const [call] = scene.framesOf('tool_call');
  expect(call).toMatchObject({ tool_name: 'submit_plan', requires_approval: true, runs_at: 'server', args: { plan: PLAN } });
  scene.session.decide(call!.call_id, { outcome: 'approved' });
  scene.crash();
  scene.settle();
  expect(scene.session.facts.mode).toBe('medium');
  expect(lastResult(scene)).toContain('The user has accepted the plan.');
  const { system, names } = request(scene);
  expect(names).toContain('write_file');
  expect(names).not.toContain('submit_plan');
  expect(system).toContain('your mode is `coder`');
});

test('a plan that the human has changed is told to the model as changed', () => {
  const scene = planning();
  answer(scene, SUBMIT);
  const args = JSON.stringify({ plan: '# Less' });
  scene.session.decide(scene.sentCalls[0]!, { outcome: 'edited', args, argsSha256: 'e'.repeat(64) });
  scene.settle();
  expect(lastResult(scene)).toMatch(/accepted the plan\.[^]*\nThe user changed the plan\. This is what they accepted:\n# Less$/);
});

test('whoever has chosen another mode before accepting keeps it', () => {
  const scene = planning();
  answer(scene, SUBMIT);
  scene.session.facts = { ...scene.session.facts, mode: 'permissive' };
  scene.session.decide(scene.sentCalls[0]!, { outcome: 'approved' });
  scene.settle();
  expect(scene.session.facts.mode).toBe('permissive');
});

test(verifies('H1:plan', 'a rejected plan leaves the mode as it is, and the model reads why'), () => {
  const scene = planning();
  answer(scene, SUBMIT);
  scene.session.decide(scene.sentCalls[0]!, { outcome: 'rejected', feedback: 'write b, too' });
  scene.settle();
  expect(scene.session.facts.mode).toBe('plan');
  expect(lastResult(scene)).toMatch(/^Error \[DENIED_BY_USER\]: .* They said: write b, too$/);
  expect(request(scene).names).toContain('submit_plan');
});

test('models of claude-code know it as ExitPlanMode', () => {
  const scene = planning({ vocabulary: 'claude-code', protocolVersion: '2.1' });
  expect(request(scene).names).toContain('ExitPlanMode');
  answer(scene, { ...SUBMIT, name: 'ExitPlanMode' });
  expect(scene.framesOf('tool_call')).toMatchObject([{ tool_name: 'submit_plan' }]);
  expect(scene.history.at(-1)).toMatchObject({ role: 'assistant', tool_calls: [{ tool_name: 'submit_plan', name: 'ExitPlanMode' }] });
});

test('a plan without words is no plan', () => {
  const scene = planning();
  answer(scene, { ...SUBMIT, arguments: '{}' });
  expect(lastResult(scene)).toContain('INVALID_ARGUMENTS');
});
