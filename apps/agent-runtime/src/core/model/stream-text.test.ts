import { expect, test } from 'vitest';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';
import { hasHole } from './stream-text.js';
import { stepOf } from '../turn/turn-state.js';

const begin = (): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession());
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  return scene;
};
const hear = (scene: Scene<SimulatedSession>, ...pieces: [offset: number, text: string, attempt?: number][]): void => {
  const { stepId } = scene.session.step!;
  scene.run({ deltas: pieces.map(([offset, text, attempt = 1]) => ({ stepId, attempt, offset, text })) });
};
const tokens = (scene: Scene<SimulatedSession>): string[] => scene.framesOf('assistant_message').map(({ token }) => token);

test('the first text goes at once, what follows within 25 ms goes together', () => {
  const scene = begin();
  hear(scene, [0, 'a']);
  hear(scene, [1, 'b']);
  hear(scene, [2, 'c']);
  expect(tokens(scene)).toEqual(['a']);
  expect(scene.last?.wakeAtMs).toBe(scene.nowMs + 25);
  scene.pass(25);
  expect(tokens(scene)).toEqual(['a', 'bc']);
});

test('text that waits is not worth a commit', () => {
  const scene = begin();
  hear(scene, [0, 'a']);
  hear(scene, [1, 'b']);
  expect(scene.last?.effects).toBeUndefined();
});

test('text is never said twice, however often it is announced', () => {
  const scene = begin();
  hear(scene, [0, 'abc'], [0, 'abc'], [1, 'bcd']);
  scene.pass(25);
  hear(scene, [0, 'abcd'], [4, 'e']);
  scene.pass(25);
  scene.session.answer({ text: 'abcdef' });
  scene.settle();
  expect(tokens(scene).join('')).toBe('abcdef');
  expect(scene.framesOf('assistant_message').at(-1)).toMatchObject({ is_final: true, content: 'abcdef' });
});

test('what was lost on the way comes from the record of the request, and joins what was heard since', () => {
  const scene = begin();
  hear(scene, [0, 'ab'], [4, 'ef'], [6, 'gh']);
  expect(tokens(scene)).toEqual(['ab']);
  expect(hasHole(stepOf(scene.state.turn)!)).toBe(true);
  scene.nowMs += 25;
  scene.run({ reading: { stepId: scene.session.step!.stepId, state: 'running', attempt: 1, partial: 'abcde' } });
  expect(tokens(scene)).toEqual(['ab', 'cdefgh']);
  expect(hasHole(stepOf(scene.state.turn)!)).toBe(false);
});

test('a runtime that comes later goes on where the log ends', () => {
  const scene = begin();
  hear(scene, [0, 'abcd']);
  scene.crash();
  expect(hasHole(stepOf(scene.state.turn)!)).toBe(true);
  scene.run({ reading: { stepId: scene.session.step!.stepId, state: 'running', attempt: 1, partial: 'abcdef' } });
  scene.session.answer({ text: 'abcdefg' });
  scene.settle();
  expect(tokens(scene).join('|')).toBe('abcd|ef|g');
});

test('a new attempt is a new message that names the one it replaces', () => {
  const scene = begin();
  hear(scene, [0, 'old text']);
  scene.nowMs += 25;
  hear(scene, [0, 'new', 2], [8, 'late', 1]);
  scene.session.step!.attempt = 2;
  scene.session.answer({ text: 'new text' });
  scene.settle();
  const [old, first, last] = scene.framesOf('assistant_message');
  expect([first?.message_id === old?.message_id, first?.replaces, last?.replaces]).toEqual([false, old?.message_id, old?.message_id]);
  expect([first?.token, last?.token, last?.content]).toEqual(['new', ' text', 'new text']);
});

test('an attempt of which nobody saw anything replaces nothing', () => {
  const scene = begin();
  hear(scene, [0, '', 1]);
  hear(scene, [0, 'x', 2]);
  expect(scene.framesOf('assistant_message')[0]).not.toHaveProperty('replaces');
});

test('text before a call is not final', () => {
  const scene = begin();
  hear(scene, [0, 'let me ']);
  scene.session.answer({ text: 'let me look', toolCalls: [{ providerId: 'c', name: 'read_file', arguments: '{"path":"a"}' }] });
  scene.settle();
  expect(scene.framesOf('assistant_message').map(({ token, is_final }) => [token, is_final])).toEqual([
    ['let me ', false],
    ['look', false],
  ]);
});

test(verifies('R5:partial-text', 'a cancelled answer keeps its text: what was heard is shown and in the history'), () => {
  const scene = begin();
  hear(scene, [0, 'half of '], [8, 'it']);
  hear(scene, [10, ' all']);
  scene.session.cancel();
  scene.settle();
  expect(tokens(scene).join('')).toBe('half of it all');
  expect(scene.history.at(-1)).toMatchObject({ role: 'assistant', content: 'half of it all', tool_calls: [] });
  expect(scene.framesOf('turn_ended')).toMatchObject([{ status: 'cancelled' }]);
});

test('deltas of another request change nothing', () => {
  const scene = begin();
  scene.run({ deltas: [{ stepId: 'step_other', attempt: 1, offset: 0, text: 'x' }] });
  expect(scene.last?.effects).toBeUndefined();
  expect(tokens(scene)).toEqual([]);
});
