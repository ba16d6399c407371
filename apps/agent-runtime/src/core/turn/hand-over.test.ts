import { expect, test } from 'vitest';
import type { StepRequest } from '@codelab/bus';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { readKnowledge } from '@codelab/tools';
import { Scene } from '../__fixtures__/scene.js';

const REVIEWER = '---\npolicy: read_only\nmodel: m9\n---\nYou look for races.';

const begin = (agent = 'orchestrator', vocabulary = 'agent'): Scene<SimulatedSession> => {
  const executorTools = JSON.stringify(['read_file', 'write_file']);
  const scene = new Scene(new SimulatedSession({ agent, vocabulary, mode: 'permissive', protocolVersion: '2.1', executorTools }));
  const file = { path: '.codelab/agents/reviewer.md', scope: 'workspace', bytes: REVIEWER.length, sha256: '', content: REVIEWER };
  const knowledge = readKnowledge(JSON.stringify({ files: [file] }));
  scene.knowledge = { first: knowledge, latest: knowledge };
  scene.session.deliver({ content: 'go' });
  scene.settle();
  return scene;
};
const requestOf = (scene: Scene<SimulatedSession>): StepRequest => JSON.parse(scene.session.step?.request ?? '{}') as StepRequest;
const toolsOf = (scene: Scene<SimulatedSession>): string[] => requestOf(scene).tools.map(({ name }) => name);
const call = (scene: Scene<SimulatedSession>, name: string, args: object): void => {
  scene.session.answer({ toolCalls: [{ providerId: 'p', name, arguments: JSON.stringify(args) }] });
  scene.settle();
};
const results = (scene: Scene<SimulatedSession>): string[] => scene.history.flatMap((item) => (item.role === 'tool' ? [item.content] : []));

test(
  verifies(
    'H1:handed-over',
    'an agent that takes a turn over may do nothing that the one before it may not, and has it for that turn only',
  ),
  () => {
    const scene = begin();
    expect(toolsOf(scene)).toEqual(expect.arrayContaining(['write_file', 'task', 'switch_agent']));
    call(scene, 'switch_agent', { agent: 'reviewer', note: 'look at a.ts' });
    expect(scene.framesOf('agent_switched')).toMatchObject([
      { agent: 'reviewer', from: 'orchestrator', turn_id: scene.session.turnId, note: 'look at a.ts' },
    ]);
    expect(results(scene)).toEqual([expect.stringContaining('You are the agent reviewer now')]);
    scene.crash();
    expect(requestOf(scene)).toMatchObject({ model: 'm9', system: expect.stringContaining('You look for races.') });
    expect(toolsOf(scene)).not.toEqual(expect.arrayContaining(['switch_agent']));
    expect(toolsOf(scene)).not.toContain('write_file');
    call(scene, 'write_file', { path: 'a.txt', content: 'x' });
    expect(scene.framesOf('tool_call')).toEqual([]);
    scene.session.answer({ text: 'done' });
    scene.settle();
    expect(scene.frames.slice(-2)).toMatchObject([
      { type: 'agent_switched', agent: 'orchestrator', from: 'reviewer' },
      { type: 'turn_ended', status: 'completed' },
    ]);
    scene.session.deliver({ content: 'and now?' });
    scene.settle();
    expect(toolsOf(scene)).toContain('switch_agent');
    expect(scene.history.at(-2)).toMatchObject({
      role: 'note',
      content: 'You are the agent orchestrator from here on, and no longer reviewer.',
    });
  },
);

test('only the orchestrator hands a turn over, to an agent that there is, and not to itself', () => {
  const coder = begin('coder');
  expect(toolsOf(coder)).not.toContain('switch_agent');
  call(coder, 'switch_agent', { agent: 'ask', note: 'x' });
  expect(results(coder)).toEqual([expect.stringContaining('TOOL_NOT_FOUND')]);

  const claude = begin('orchestrator', 'claude-code');
  expect(toolsOf(claude)).toContain('SwitchAgent');
  for (const agent of ['wizard', 'orchestrator']) call(claude, 'SwitchAgent', { agent, note: 'x' });
  expect(results(claude)).toEqual([
    'Error [INVALID_ARGUMENTS]: agent: "wizard"; expected coder, architect, debug, ask, reviewer',
    'Error [INVALID_ARGUMENTS]: agent: "orchestrator"; expected coder, architect, debug, ask, reviewer',
  ]);
  expect(claude.framesOf('agent_switched')).toEqual([]);
});

test('a person who chooses an agent meanwhile has the last word', () => {
  const scene = begin();
  call(scene, 'switch_agent', { agent: 'ask', note: 'x' });
  scene.session.facts = { ...scene.session.facts, agent: 'debug' };
  scene.session.push({ kind: 'agent', agent: 'debug' });
  scene.settle();
  scene.session.answer({ text: 'done' });
  scene.settle();
  expect(scene.framesOf('agent_switched')).toHaveLength(1);
});
