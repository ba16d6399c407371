import { expect, test } from 'vitest';
import { answerTo } from '../model/answer.js';
import { readPlan, sayPlan } from './conversation-plan.js';
import { decisionOf, editArguments, editedMark, marksIn, originalOf } from './marks.js';
import { ownersOf } from './owners.js';
import { writeScripts } from './write-scripts.js';

const owners = ownersOf(1);

test('the same seed holds the same conversations, another one others', () => {
  expect(writeScripts(5, owners)).toEqual(writeScripts(5, owners));
  expect(writeScripts(5, owners)).not.toEqual(writeScripts(6, owners));
});

test('every mark of a seed stands in one use alone, and no message is longer than one may be', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const messages = writeScripts(seed, owners).flatMap(({ acts }) =>
      acts.flatMap((act) => [act.message, ...('others' in act ? act.others : [])]),
    );
    const uses = messages.flatMap(({ steps }) => steps.flatMap(({ uses = [] }) => uses));
    const inside = uses
      .flatMap(({ args }) => readPlan((args as { prompt?: string }).prompt ?? '') ?? [])
      .flatMap(({ uses: of = [] }) => of);
    const marks = [...uses, ...inside].map(({ mark }) => mark);
    expect(new Set(marks).size).toBe(marks.length);
    for (const { content } of messages) expect(content.length).toBeLessThan(10_000);
  }
});

test('something happens while a child works, whatever it is, and beside a question of the parent', () => {
  const acts = Array.from({ length: 300 }, (_, seed) => writeScripts(seed + 1, owners)).flatMap((scripts) =>
    scripts.flatMap((one) => one.acts),
  );
  const whileChild = acts.filter((act) => 'when' in act && act.when === 'child');
  for (const { message } of whileChild) expect(message.steps[0]?.uses?.some(({ tool }) => tool === 'task')).toBe(true);
  expect(new Set(whileChild.map(({ kind }) => kind))).toEqual(new Set(['cancel', 'join', 'reconnect']));
  const besides = acts.flatMap(({ message }) => message.steps).filter(({ uses = [] }) => uses.some(({ tool }) => tool === 'task'));
  expect(besides.some(({ uses = [] }) => uses.some(({ tool }) => tool === 'write_file'))).toBe(true);
});

test('the model answers by what stands in the conversation: the same again, and the next step once the last was answered', () => {
  const steps = [{ uses: [{ tool: 'read_file', args: { path: 'a' }, mark: 'mks1q1_n' }] }, { text: 'The end.' }];
  const asked = { model: 'm', messages: [{ role: 'user', content: sayPlan('hello', steps) }] };
  expect(answerTo(asked)).toEqual(answerTo(asked));
  expect(answerTo(asked)).toMatchObject({ toolCalls: [{ id: 'use_mks1q1_n', name: 'read_file', arguments: '{"path":"a"}' }] });
  const later = {
    ...asked,
    messages: [...asked.messages, { role: 'assistant' }, { role: 'tool', content: 'x' }, { role: 'user', content: 'steered' }],
  };
  expect(answerTo(later)).toMatchObject({ text: 'The end.', toolCalls: [] });
});

test('marks are found whole, and their edits told apart', () => {
  const args = { command: 'echo mks1q1_e >> log; echo mks1q11_a' };
  expect(marksIn(args)).toEqual(['mks1q1_e', 'mks1q11_a']);
  expect(marksIn(editArguments(args, 'mks1q1_e'))).toEqual(['mks1q1_ex', 'mks1q11_a']);
  expect([originalOf(editedMark('mks1q1_e')), decisionOf('mks1q1_ex'), decisionOf('mks1q1_w'), decisionOf(undefined)]).toEqual([
    ...['mks1q1_e', 'edit', 'watcher', 'approve'],
  ]);
});
