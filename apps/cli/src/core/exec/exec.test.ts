import { expect, test } from 'vitest';
import { EMPTY_VIEW, type Item } from '@codelab/client/view';
import { NO_HUMAN, answerHeadless } from '../approval/answer-headless.js';
import { plainHighlighter } from '../markdown/highlight-code.js';
import { exitCodeOf, progressView, traceLine, renderAnswer } from './exec-output.js';
test.each([
  ['completed', false, 0],
  ['failed', false, 1],
  ['cancelled', false, 3],
  ['completed', true, 4],
  ['failed', true, 4],
  ['cancelled', true, 3],
] as const)('a turn that %s, a human lacking: %s, exits with %i', (status, lacked, code) => expect(exitCodeOf(status, lacked)).toBe(code));

test('without a human the answer is a policy’s, with the rule it is the human’s', () => {
  expect(answerHeadless('none')).toEqual({ decision: 'reject', noHuman: true, feedback: NO_HUMAN });
  expect(NO_HUMAN).toMatch(/^No human is present/);
  expect(answerHeadless('all')).toEqual({ decision: 'approve' });
});

const message = (text: string, extra: object = {}): Item => ({
  kind: 'assistant',
  messageId: text,
  text,
  done: true,
  final: false,
  replaced: false,
  ...extra,
});
const view = {
  ...EMPTY_VIEW,
  items: [
    { kind: 'user', messageId: 'm', content: 'do', state: 'accepted' } as const,
    message('first'),
    message('writing', { done: false }),
    message('**the** answer\x1b[2J\n', { final: true }),
    { kind: 'turn_end', turnId: 't', model: 'm', status: 'completed', usage: { input_tokens: 1, output_tokens: 1 } } as const,
  ],
};

test('progress is what is neither the prompt nor the answer', () => {
  expect(progressView(view).items).toEqual([message('first')]);
});

test('the answer is Markdown for programs and drawn for people, and steers no terminal', () => {
  expect(renderAnswer(view)).toBe('**the** answer\\x1b[2J\n');
  expect(renderAnswer(view, { width: 40, highlight: plainHighlighter, marks: true })).toBe('the answer\\x1b[2J\n');
  expect(renderAnswer(EMPTY_VIEW)).toBe('');
});

test('a traced frame says when, what and whose', () => {
  const line = traceLine({ type: 'turn_started', seq: 3, turn_id: 't', message_ids: [], model: 'm' }, 12.34, 99);
  expect(line.trim()).toBe('12.3 ms turn_started      seq=3 bytes=99');
});
