import { expect, test } from 'vitest';
import { type SimulatedFacts, SimulatedSession, verifies } from '@codelab/testkit';
import type { PolicyRule } from '@codelab/tools';
import { Scene } from '../__fixtures__/scene.js';

const SHA = 'a'.repeat(64);
const TOOLS = JSON.stringify(['write_file', 'run_command']);
const call = (name: string, args: unknown) => ({ providerId: 'p', name, arguments: JSON.stringify(args) });
const write = (path: string) => call('write_file', { path, content: 'x' });
const npmTest = call('run_command', { command: 'npm test' });
const ALLOW: PolicyRule = { ruleId: 'r1', effect: 'allow', tool: 'write_file', path: 'src/**', scope: 'session' };
const DENY: PolicyRule = { ...ALLOW, ruleId: 'r2', effect: 'deny' };
const BOUND: PolicyRule = {
  ...{ ruleId: 'r3', effect: 'allow', tool: 'run_command', command: ['npm', 'test'], scope: 'project' },
  files: [{ path: 'package.json', sha256: SHA }],
};

/** A session whose model has asked for calls, all of which wait. */
const waiting = (calls: readonly object[], facts: Partial<SimulatedFacts> = {}): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession({ executorTools: TOOLS, ...facts }));
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  scene.session.answer({ toolCalls: calls as never });
  scene.settle();
  return scene;
};
/** The rules that hold now, and the word that they have changed. */
const make = (scene: Scene<SimulatedSession>, ...rules: readonly PolicyRule[]): void => {
  scene.rules = rules;
  scene.session.push({ kind: 'rules' });
};
const resolved = (scene: Scene<SimulatedSession>): unknown[] =>
  scene.framesOf('approval_resolved').map(({ call_id, outcome, by }) => [scene.sentCalls.indexOf(call_id), outcome, by]);
const states = (scene: Scene<SimulatedSession>): string[] => scene.session.records.map(({ state }) => state);

test(
  verifies('H1:rule-siblings', 'a rule that is made while calls wait settles those that it covers and no others, and everybody is told'),
  () => {
    const scene = waiting([write('src/a'), write('docs/a'), write('src/b')]);
    make(scene, ALLOW);
    const { effects } = scene.run();
    expect(resolved(scene)).toEqual([
      [0, 'approved', 'policy'],
      [2, 'approved', 'policy'],
    ]);
    expect(states(scene)).toEqual(['ready', 'waiting_approval', 'ready']);
    expect(effects?.audit).toMatchObject([
      { outcome: 'approved', by: 'policy', ruleId: 'r1', target: 'src/a', reason: 'a rule that was made meanwhile allows it' },
      { outcome: 'approved', by: 'policy', ruleId: 'r1', target: 'src/b' },
    ]);
    for (const id of [0, 2])
      expect(scene.session.settle(scene.sentCalls[id]!, { result: { success: true, bytes_written: 1 } })).toBe('accepted');
  },
);

test('a rule that forbids refuses them, and the model is told that it was no human', () => {
  const scene = waiting([write('src/a'), write('docs/a')]);
  make(scene, DENY);
  scene.settle();
  expect(resolved(scene)).toEqual([[0, 'rejected', 'policy']]);
  scene.session.decide(scene.sentCalls[1]!, { outcome: 'rejected' });
  scene.settle();
  const results = scene.history.filter((item) => item.role === 'tool').map(({ content }) => content);
  expect(results).toEqual([
    expect.stringMatching(/^Error \[DENIED_BY_POLICY\]: .*a rule forbids/),
    expect.stringMatching(/DENIED_BY_USER/),
  ]);
});

test(
  verifies('H1:rule-siblings-as-new', 'what a new call would be asked about waits on: strict, the agent, paths that always ask, a loop'),
  () => {
    const all: PolicyRule = { ...ALLOW, path: '**' };
    const npm: PolicyRule = { ...BOUND, files: [] };
    const cases: [object[], Partial<SimulatedFacts>, PolicyRule[]][] = [
      [[npmTest], { mode: 'strict' }, [npm]],
      [[write('.env'), write('.git/hooks/x')], {}, [all]],
      [[write('src/a')], {}, [ALLOW, { ...ALLOW, ruleId: 'r4', effect: 'ask' }]],
      [[write('src/a')], {}, [{ ...ALLOW, expiresAtMs: 1 }]],
    ];
    for (const [calls, facts, rules] of cases) {
      const scene = waiting(calls, facts);
      make(scene, ...rules);
      scene.settle();
      expect(resolved(scene)).toEqual([]);
    }
    const looping = waiting([write('src/a'), write('src/a'), write('src/a')]);
    make(looping, ALLOW);
    looping.settle();
    expect(states(looping)).toEqual(['ready', 'ready', 'waiting_approval']);
  },
);

test(
  verifies('H2:rule-siblings-files', 'a rule that is bound to files settles a call whose preview has their content, and no other'),
  () => {
    const scene = waiting([npmTest]);
    make(scene, BOUND);
    const [record] = scene.session.records;
    const shown = (sha256: string) => [{ ...record!, preview: JSON.stringify({ operands: [{ path: 'package.json', sha256 }] }) }];
    for (const records of [[record!], shown('b'.repeat(64))]) expect(scene.compute({ records }).effects?.calls).toEqual([]);
    expect(scene.compute({ records: shown(SHA) }).effects?.calls).toMatchObject([{ kind: 'approve' }]);
  },
);

test(
  verifies(
    'R2:rule-siblings-once',
    'they are settled once, whoever dies: by the word of the gateway, or soon after the decision without it',
  ),
  () => {
    const scene = waiting([write('src/a'), write('src/b')]);
    scene.session.decide(scene.sentCalls[0]!, { outcome: 'approved', remembered: true });
    scene.settle();
    expect(resolved(scene)).toEqual([[0, 'approved', 'ana']]);
    scene.rules = [ALLOW]; // kept, and nobody says so
    scene.crash();
    scene.pass(1_000);
    scene.crash();
    make(scene, ALLOW);
    scene.settle();
    expect(resolved(scene).slice(1)).toEqual([[1, 'approved', 'policy']]);
    expect(scene.session.decide(scene.sentCalls[1]!, { outcome: 'rejected' })).toBe(false);
  },
);

test('a human who was faster has decided', () => {
  const scene = waiting([write('src/a')]);
  make(scene, ALLOW);
  const { effects, cancelSeen } = scene.compute();
  scene.session.decide(scene.sentCalls[0]!, { outcome: 'rejected' });
  expect(scene.session.commit(cancelSeen, effects!)).toBe('cancelled');
  scene.settle();
  expect(resolved(scene)).toEqual([[0, 'rejected', 'ana']]);
});
