import { expect, test } from 'vitest';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';

const begin = (vocabulary: string, capabilities = 'tool_use'): Scene<SimulatedSession> => {
  const executorTools = JSON.stringify(['read_file', 'write_file', 'git.diff']);
  const scene = new Scene(new SimulatedSession({ vocabulary, protocolVersion: '2.1', executorTools, capabilities }));
  scene.session.deliver({ content: 'go' });
  scene.settle();
  return scene;
};
const begins = (scene: Scene<SimulatedSession>, name: string, attempt = 1): void => {
  const { stepId } = scene.session.step!;
  scene.run({ deltas: [{ stepId, attempt, offset: 0, text: '', tool: { index: 0, name } }] });
};
const writes = (scene: Scene<SimulatedSession>, name: string, args: object): void => {
  scene.session.answer({ toolCalls: [{ providerId: 'p', name, arguments: JSON.stringify(args) }], finish: 'tool_calls' });
  scene.settle();
};
const settle = (scene: Scene<SimulatedSession>, call: number, settled: Parameters<SimulatedSession['settle']>[1]): void => {
  scene.session.settle(scene.sentCalls[call]!, settled);
  scene.settle();
};
const statuses = (scene: Scene<SimulatedSession>): string[] => scene.framesOf('tool_use').map(({ status }) => status);
const EDIT = { path: 'a.txt', old_string: 'a', new_string: 'b' };

test(verifies('G2:uses-told', 'a use of several calls has one name and one state, from its first letter to its result'), () => {
  const scene = begin('agent');
  begins(scene, 'edit_file');
  writes(scene, 'edit_file', EDIT);
  settle(scene, 0, { result: { content: 'a\n', encoding: 'utf-8' } });
  scene.crash();
  scene.session.decide(scene.sentCalls[1]!, { outcome: 'approved' });
  scene.settle();
  scene.crash();
  settle(scene, 1, { result: { success: true, bytes_written: 2 } });
  expect(statuses(scene)).toEqual(['generating', 'generated', 'calling', 'waiting_approval', 'calling', 'done']);
  const [useId] = scene.sentCalls;
  for (const frame of scene.framesOf('tool_use'))
    expect(frame).toMatchObject({ use_id: useId, tool_name: 'edit_file', title: 'Edit file' });
  expect(scene.framesOf('tool_use').at(-1)).toMatchObject({
    call_ids: scene.sentCalls,
    items: [{ name: 'Edit file', description: 'Tool output', content: 'Edited a.txt: 1 replacement(s).\n1\tb' }],
  });
  expect(scene.framesOf('tool_status')).toEqual([]);
});

test(verifies('G2:uses-told', 'a call that the model makes itself is told in the same states, and its parts are cut'), () => {
  const scene = begin('codelab');
  begins(scene, 'git_diff');
  writes(scene, 'git_diff', { path: '.' });
  settle(scene, 0, { result: { diff: `${'x'.repeat(4_096 - '{"diff":"'.length - 1)}😀${'x'.repeat(900)}` } });
  expect(statuses(scene)).toEqual(['generating', 'generated', 'calling', 'done']);
  const [item] = scene.framesOf('tool_use').at(-1)!.items!;
  expect(scene.framesOf('tool_use').at(-1)).toMatchObject({ tool_name: 'git.diff', title: 'Git diff', call_ids: scene.sentCalls });
  expect(item).toMatchObject({ name: 'Git diff', content_truncated: true });
  expect(item!.content).toMatch(/^\{"diff":"x+$/); // no half of a character
  expect(item!.content).toHaveLength(4_095);
});

test(verifies('G2:uses-told', 'context items are shown with their names and addresses'), () => {
  const scene = begin('continue');
  writes(scene, 'read_file', { filepath: 'src/a.ts' });
  settle(scene, 0, { result: { content: 'one\n', encoding: 'utf-8' } });
  expect(scene.framesOf('tool_use').at(-1)).toMatchObject({
    title: 'Read file',
    items: [{ name: 'a.ts', description: 'Contents of src/a.ts', content: 'one', uri: 'file:///workspace/src/a.ts' }],
  });
});

test(verifies('G2:uses-told', 'what fails, is refused, never begins or is stopped ends so, once'), () => {
  const failing = begin('agent');
  writes(failing, 'edit_file', EDIT);
  settle(failing, 0, { result: { content: 'z\n', encoding: 'utf-8' } });
  expect(statuses(failing)).toEqual(['generated', 'calling', 'errored']);
  const refused = begin('agent');
  writes(refused, 'edit_file', { path: 5 });
  expect(statuses(refused)).toEqual(['generated', 'errored']);
  const unwritten = begin('agent');
  begins(unwritten, 'edit_file');
  unwritten.session.fail();
  unwritten.settle();
  expect(statuses(unwritten)).toEqual(['generating', 'canceled']);
  const stopped = begin('agent');
  writes(stopped, 'edit_file', EDIT);
  stopped.session.cancel();
  stopped.settle();
  stopped.pass(1_000);
  expect(statuses(stopped)).toEqual(['generated', 'calling', 'canceled']);
});
