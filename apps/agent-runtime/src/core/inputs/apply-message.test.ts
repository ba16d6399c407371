import { expect, test } from 'vitest';
import { SimulatedSession } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';
import { toTitle } from './apply-message.js';

const READ = { providerId: 'r', name: 'read_file', arguments: '{"path":"a"}' };

const begin = (): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession());
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  return scene;
};

test('a steered message goes in before the next model request of the turn', () => {
  const scene = begin();
  scene.session.answer({ toolCalls: [READ] });
  scene.settle();
  scene.session.deliver({ content: 'and mind the tests' }, 'steer');
  scene.settle();
  expect(scene.history.map(({ role }) => role)).toEqual(['user', 'assistant']);
  scene.session.settle(scene.sentCalls[0]!, { result: {} });
  scene.settle();
  expect(scene.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(scene.framesOf('turn_steered')).toMatchObject([{ turn_id: 't1', message_ids: ['m2'] }]);
  scene.session.answer({ text: 'done' });
  scene.settle();
  expect(scene.framesOf('turn_ended')).toMatchObject([{ message_ids: ['m1', 'm2'] }]);
});

test('a steered message that no request took in heads the queue', () => {
  const scene = begin();
  scene.session.deliver({ content: 'queued' });
  scene.session.deliver({ content: 'steered' }, 'steer');
  scene.settle();
  scene.session.answer({ text: 'done' });
  scene.settle();
  expect(scene.framesOf('turn_started').map(({ message_ids }) => message_ids)).toEqual([['m1'], ['m3']]);
  scene.session.answer({ text: 'done' });
  scene.settle();
  expect(scene.framesOf('turn_started').map(({ message_ids }) => message_ids)).toEqual([['m1'], ['m3'], ['m2']]);
});

test.each([
  ['the model answers', (scene: Scene<SimulatedSession>) => scene.session.answer({ text: 'done' })],
  [
    'the step has a fault',
    (scene: Scene<SimulatedSession>) => scene.session.push({ kind: 'answer', stepId: scene.session.step!.stepId, attempt: 1, answer: '{' }),
  ],
])('a steered message that the store has in no list heads the queue when %s', (_how, end) => {
  const scene = begin();
  scene.session.deliver({ content: 'queued' });
  const frame = '{"type":"user_message","content":"of an old gateway"}';
  scene.session.push({ kind: 'message', messageId: 'old', turnId: 't1', steered: true, frame });
  end(scene);
  scene.settle();
  expect(scene.framesOf('turn_started').map(({ message_ids }) => message_ids)).toEqual([['m1'], ['old']]);
  scene.session.answer({ text: 'done' });
  scene.settle();
  expect(scene.framesOf('turn_started').map(({ message_ids }) => message_ids)).toEqual([['m1'], ['old'], ['m2']]);
});

test('a steered message that is taken out while it waits goes in nowhere', () => {
  const scene = begin();
  scene.session.answer({ toolCalls: [READ] });
  scene.settle();
  const [first, second] = [scene.session.deliver({ content: 'first' }, 'steer'), scene.session.deliver({ content: 'second' }, 'steer')];
  scene.settle();
  expect(scene.session.removeQueued(first)).toBe(true);
  scene.session.settle(scene.sentCalls[0]!, { result: {} });
  scene.settle();
  expect(scene.history.at(-1)).toMatchObject({ role: 'user', message_id: second });
  expect(scene.framesOf('turn_steered')).toMatchObject([{ turn_id: 't1', message_ids: [second] }]);
  scene.session.answer({ text: 'done' });
  scene.settle();
  expect(scene.framesOf('turn_ended')).toMatchObject([{ message_ids: ['m1', second] }]);
});

test('to begin anew waits for the end of the turn that it was steered into', () => {
  const scene = begin();
  scene.session.answer({ toolCalls: [READ] });
  scene.settle();
  const clear = scene.session.deliver({ content: '/clear', command: 'clear' }, 'steer');
  scene.settle();
  scene.session.settle(scene.sentCalls[0]!, { result: {} });
  scene.settle();
  expect(scene.framesOf('turn_steered')).toEqual([]);
  scene.session.answer({ text: 'done' });
  scene.settle();
  expect(scene.framesOf('turn_started').map(({ message_ids }) => message_ids)).toEqual([['m1'], [clear]]);
});

test('attachments stay with their message', () => {
  const scene = new Scene(new SimulatedSession());
  scene.session.deliver({ content: 'look', attachments: [{ path: 'a.ts', lines: '1-2', sha256: 'f'.repeat(64), content: 'x' }] });
  scene.settle();
  expect(scene.history[0]).toMatchObject({ attachments: [{ path: 'a.ts', lines: '1-2', content: 'x' }] });
});

test.each([
  ['one line', 'one line'],
  ['\n\n  first \t line  \nsecond', 'first line'],
  ['x'.repeat(100), `${'x'.repeat(79)}…`],
  ['🙂'.repeat(100), `${'🙂'.repeat(79)}…`],
])('the title of %j is its first line', (content, title) => expect(toTitle(content)).toBe(title));
