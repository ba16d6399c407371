import { expect, test } from 'vitest';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { LIMITS, Scene } from '../__fixtures__/scene.js';
import { readToolLimits, TOOL_LIMITS } from './tool-limits.js';

const begin = (vocabulary: string, limits: string): Scene<SimulatedSession> => {
  const executorTools = JSON.stringify(['read_file', 'run_command']);
  const session = new SimulatedSession({ vocabulary, protocolVersion: '2.1', executorTools, mode: 'permissive' });
  const scene = new Scene(session, { ...LIMITS, tools: readToolLimits(limits) });
  session.deliver({ content: 'go' });
  scene.settle();
  return scene;
};
const uses = (scene: Scene<SimulatedSession>, name: string, ...args: readonly object[]): void => {
  scene.session.answer({
    toolCalls: args.map((one) => ({ providerId: 'p', name, arguments: JSON.stringify(one) })),
    finish: 'tool_calls',
  });
  scene.settle();
  for (const callId of scene.sentCalls) scene.session.settle(callId, { result: { content: 'x', encoding: 'utf-8' } });
  scene.settle();
};
const results = (scene: Scene<SimulatedSession>): string[] =>
  scene.history.flatMap((item) => (item.role === 'tool' ? [item.is_error ? item.content : 'ok'] : []));

test('a text of limits is read, and another is refused', () => {
  const text = 'run_command=20/120000, WebFetch=5,task=/900000';
  expect(TOOL_LIMITS.test(text)).toBe(true);
  expect([...readToolLimits(text)]).toEqual([
    ['run_command', { maxExecutions: 20, timeoutMs: 120_000 }],
    ['WebFetch', { maxExecutions: 5 }],
    ['task', { timeoutMs: 900_000 }],
  ]);
  expect(TOOL_LIMITS.test('')).toBe(true);
  for (const wrong of ['run_command', 'a=0', 'a=1/5', 'a=1,', 'a=1 b=2', '=1'])
    expect([wrong, TOOL_LIMITS.test(wrong)]).toEqual([wrong, false]);
});

test.each([
  ['codelab', 'read_file', 'path', 'read_file=2'],
  ['claude-code', 'Read', 'file_path', 'Read=2'],
  ['claude-code', 'Read', 'file_path', 'read_file=2'],
])(verifies('R3:tool-limits', 'in %s a turn uses %s so often only, and the next turn again'), (vocabulary, name, path, limits) => {
  const scene = begin(vocabulary, limits);
  uses(scene, name, { [path]: 'a' });
  uses(scene, name, { [path]: 'b' }, { [path]: 'c' });
  const refused = `Error [DENIED_BY_POLICY]: ${name} runs at most 2 times in a turn, and has. Go on without it, or say what is left.`;
  expect(results(scene)).toEqual(['ok', 'ok', refused]);
  scene.session.answer({ text: 'done' });
  scene.settle();
  scene.session.deliver({ content: 'again' });
  scene.settle();
  uses(scene, name, { [path]: 'd' });
  expect(results(scene).at(-1)).toBe('ok');
});

test.each([
  ['codelab', 'run_command', 'run_command=/120000', 120_000],
  ['agent', 'run_command', 'run_command=/120000', 120_000],
  ['claude-code', 'Bash', 'Bash=/90000', 90_000],
  ['claude-code', 'Bash', 'Bash=/10000', 60_000],
])(verifies('R3:tool-limits', 'in %s each call of %s has the time that %s gives'), (vocabulary, name, limits, deadline_ms) => {
  const scene = begin(vocabulary, limits);
  uses(scene, name, { command: 'ls' });
  expect(scene.framesOf('tool_call')).toMatchObject([{ tool_name: 'run_command', deadline_ms }]);
});
