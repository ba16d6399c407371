import { expect, test } from 'vitest';
import type { TaskBudget } from '@codelab/bus';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { LIMITS, Scene } from '../__fixtures__/scene.js';
import { budgetFor } from './task-budget.js';
import { toTaskResult } from './task-result.js';

const begin = (budget: TaskBudget): Scene<SimulatedSession> => {
  const executorTools = JSON.stringify(['read_file']);
  const child = { origin: 'task', parent: 'p', callId: 'call_1', within: ['coder'], budget } as const;
  const scene = new Scene(new SimulatedSession({ child, vocabulary: 'agent', protocolVersion: '2.1', executorTools }));
  scene.session.deliver({ content: 'look' });
  scene.settle();
  return scene;
};
const READ = { providerId: 'p', name: 'read_file', arguments: '{"path":"a.ts"}' };
const step = (scene: Scene<SimulatedSession>, costUsd?: number): void => {
  scene.session.answer({ text: 'still looking', toolCalls: [READ], usage: { inputTokens: 10, outputTokens: 5, costUsd } });
  scene.settle();
  const callId = scene.sentCalls.at(-1)!;
  if (!scene.session.records.some((record) => record.callId === callId)) return;
  scene.session.settle(callId, { result: { content: 'x\n', encoding: 'utf-8', lines_total: 1 } });
  scene.settle();
};
const resultOf = (scene: Scene<SimulatedSession>) => {
  const readHistory = () => Promise.resolve({ items: [...scene.session.history], version: scene.session.history.length });
  return toTaskResult({ readHistory } as unknown as Parameters<typeof toTaskResult>[0], scene.session.meta, 'coder');
};

test.each<[TaskBudget, number | undefined, string]>([
  [{ steps: 2 }, undefined, 'its budget of 2 steps'],
  [{ tokens: 30 }, undefined, 'its budget of 30 tokens'],
  [{ costUsd: 0.5 }, 0.25, 'its budget of $0.50'],
])(
  `${verifies('L3:task-budget', 'an agent that has used up its budget of steps, tokens or money is asked for its last words, and they say so')}: %j`,
  async (budget, costUsd, used) => {
    const scene = begin(budget);
    step(scene, costUsd);
    expect(scene.history.at(-1)?.role).toBe('tool');
    step(scene, costUsd);
    expect(scene.history.at(-1)).toMatchObject({ role: 'note', content: expect.stringContaining(used) });
    scene.crash();
    scene.session.answer({ text: 'PORT is set in a.ts', toolCalls: [READ] });
    scene.settle();
    expect(scene.sentCalls).toHaveLength(2);
    expect(scene.framesOf('turn_ended')).toMatchObject([{ status: 'completed', stop: 'budget' }]);
    expect((await resultOf(scene)).result).toEqual({ text: `Stopped at ${used}. What it found so far:\nPORT is set in a.ts` });
  },
);

test('an agent that ends within its budget just ends', async () => {
  const scene = begin({ steps: 2, tokens: 1_000, costUsd: 1 });
  step(scene, 0.1);
  scene.session.answer({ text: 'found' });
  scene.settle();
  expect(scene.framesOf('turn_ended')).toMatchObject([{ status: 'completed' }]);
  expect((await resultOf(scene)).result).toEqual({ text: 'found' });
});

test.each([
  [1, { steps: 40 }, 40],
  [45, { steps: 40 }, 5],
  [50, { steps: 40 }, 1],
  [3, undefined, 47],
])('a turn that has made %i of 50 requests and grants %j leaves %i steps', (rounds, taskBudget, steps) => {
  expect(budgetFor({ rounds }, { ...LIMITS, taskBudget })).toEqual({ ...taskBudget, steps });
});
