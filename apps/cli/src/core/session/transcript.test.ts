import { expect, test } from 'vitest';
import { EMPTY_VIEW, type CallItem, type Item, type SessionView } from '@codelab/client/view';
import { plainHighlighter } from '../markdown/highlight-code.js';
import { paintLine } from '../text/paint-line.js';
import type { Look } from './look.js';
import { Transcript } from './transcript.js';

const LOOK: Look = { width: 70, highlight: plainHighlighter, marks: true, nowMs: 5_000 };
const view = (...items: readonly Item[]): SessionView => ({ ...EMPTY_VIEW, items });
const user: Item = { kind: 'user', messageId: 'm', content: 'read it', state: 'accepted' };
const message = (text: string, extra: object = {}): Item => ({
  kind: 'assistant',
  messageId: 'a',
  text,
  done: false,
  final: false,
  replaced: false,
  ...extra,
});
const call = (callId: string, progress: CallItem['progress'], extra: Partial<CallItem> = {}): CallItem => ({
  kind: 'call',
  callId,
  toolName: 'read_file',
  args: '{"path":"src/a.ts"}',
  argsSha256: '',
  progress,
  ...extra,
});

function draw(transcript: Transcript, ...items: readonly Item[]): { settled: string[]; live: string[] } {
  const { settled, live } = transcript.update(view(...items), LOOK);
  return { settled: settled.map((line) => paintLine(line)), live: live.map((line) => paintLine(line)) };
}

test('each row is settled once, in order, and nothing settled comes back', () => {
  const transcript = new Transcript();
  expect(draw(transcript, user, message('One.\n\nTw'))).toEqual({ settled: ['› read it', '', '  One.'], live: ['', '  Tw'] });
  expect(draw(transcript, user, message('One.\n\nTwo.'))).toEqual({ settled: [], live: ['', '  Two.'] });
  expect(draw(transcript, user, message('One.\n\nTwo.', { done: true }), call('c', 'running', { startedAtMs: 4_990 }))).toEqual({
    settled: ['', '  Two.'],
    live: ['', '⠙ read_file    src/a.ts'],
  });
});

test('parallel calls keep their order: one that is done waits for the one above it', () => {
  const transcript = new Transcript();
  const done = call('2', 'done', { startedAtMs: 0, endedAtMs: 7, summary: '3 lines' });
  expect(draw(transcript, call('1', 'ready'), done)).toEqual({
    settled: [],
    live: ['… read_file    src/a.ts', '✓ read_file    src/a.ts  3 lines · 7 ms'],
  });
  expect(draw(transcript, call('1', 'cancelled'), done).settled).toEqual([
    '↷ read_file    src/a.ts  cancelled',
    '✓ read_file    src/a.ts  3 lines · 7 ms',
  ]);
  expect(draw(transcript, call('1', 'cancelled'), done)).toEqual({ settled: [], live: [] });
});

test.each<[CallItem, string[]]>([
  [call('c', 'waiting'), ['⏸ read_file    src/a.ts  waits for you']],
  [call('c', 'running', { startedAtMs: 2_000 }), ['⠙ read_file    src/a.ts  3.0 s']],
  [
    call('c', 'running', { toolName: 'prompt_user', args: '{"message":"Sure?"}', startedAtMs: 2_000 }),
    ['⏸ prompt_user  Sure?  waits for you'],
  ],
  [
    call('c', 'failed', { error: { code: 'FILE_NOT_FOUND', message: 'no src/a.ts' } }),
    ['✗ read_file    src/a.ts', '  FILE_NOT_FOUND  no src/a.ts'],
  ],
  [call('c', 'rejected', { feedback: 'not there' }), ['✗ read_file    src/a.ts  rejected', '  “not there”']],
  [
    call('c', 'rejected', { feedback: 'No human is present.', byPolicy: true }),
    ['✗ read_file    src/a.ts  rejected', '  No human is present.'],
  ],
  [
    call('c', 'unknown', { error: { code: 'OUTCOME_UNKNOWN', message: 'look first' } }),
    ['? read_file    src/a.ts', '  OUTCOME_UNKNOWN  look first'],
  ],
  [call('c', 'done', { args: '{broken' }), ['✓ read_file    {broken']],
  [call('c', 'done', { args: JSON.stringify({ path: 'x'.repeat(200) }) }), [`✓ read_file    ${'x'.repeat(54)}…`]],
  [call('c', 'done', { toolName: 'evil\x1b]0;t\x07', args: '{"a":"\\u202e"}' }), ['✓ evil\\x1b]0;t\\x07 a: \\u{202e}']],
  [call('c', 'done', { toolName: 'get_tides', args: '{"harbour":"Old quay","days":3}' }), ['✓ get_tides    harbour: Old quay, days: 3']],
  [
    call('c', 'done', { toolName: 'web.fetch', args: '{"url":"https://docs.test/a","prompt":"when?"}' }),
    ['✓ web.fetch    https://docs.test/a'],
  ],
  [call('c', 'done', { toolName: 'web.search', args: '{"query":"tides"}' }), ['✓ web.search   tides']],
])('a call that is $progress', (item, rows) => {
  const { settled, live } = draw(new Transcript(), item);
  expect([...settled, ...live]).toEqual(rows);
});

test('a call that is asked about anew is told of again, with how it ended then', () => {
  const transcript = new Transcript();
  const failed = call('c', 'failed', { error: { code: 'APPROVAL_MISMATCH', message: 'nothing was done' } });
  expect(draw(transcript, failed).settled.join('\n')).toContain('nothing was done');
  expect(draw(transcript, call('c', 'waiting')).settled).toEqual([]);
  const { settled } = draw(transcript, call('c', 'done', { summary: '3 lines' }));
  expect(settled).toHaveLength(1);
  expect(settled[0]).toMatch(/^✓ read_file .*3 lines/);
  expect(draw(transcript, call('c', 'done')).settled).toEqual([]);
});

test('a change that was made is shown, cut where it is long', () => {
  const text = `--- a/a\n+++ b/a\n@@ -0,0 +1,30 @@\n${'+x\n'.repeat(30)}`;
  const { settled } = draw(
    new Transcript(),
    call('c', 'done', { toolName: 'write_file', preview: { kind: 'diff', text } }),
    call('d', 'done'),
  );
  expect(settled).toHaveLength(1 + 16 + 2);
  expect(settled[16]).toContain('⋯ 15 more rows');
  expect(settled.at(-2)).toBe('');
});

test.each<[Item, string[]]>([
  [
    {
      kind: 'turn_end',
      turnId: 't',
      model: 'm',
      status: 'completed',
      usage: { input_tokens: 1_200, output_tokens: 34, cost_usd: 0.01 },
      elapsedMs: 3_210,
    },
    ['  3.2 s · 1.2k in · 34 out · $0.0100'],
  ],
  [{ kind: 'turn_end', turnId: 't', model: 'm', status: 'completed', usage: { input_tokens: 0, output_tokens: 0 } }, []],
  [
    { kind: 'turn_end', turnId: 't', model: 'm', status: 'cancelled', usage: { input_tokens: 0, output_tokens: 0 }, elapsedMs: 500 },
    ['↷ Cancelled  500 ms'],
  ],
  [
    {
      kind: 'turn_end',
      turnId: 't',
      model: 'm',
      status: 'failed',
      usage: { input_tokens: 0, output_tokens: 0 },
      error: { code: 'TURN_FAILED', message: 'The model is away.' },
    },
    ['✗ The turn failed: The model is away. (TURN_FAILED)'],
  ],
  [{ kind: 'notice', id: '1', tone: 'warning', text: 'careful' }, ['! careful']],
  [{ kind: 'user', messageId: 'm', content: 'two\nlines', state: 'accepted' }, ['› two', '  lines']],
  [
    {
      ...{ kind: 'user', messageId: 'm', content: 'see', state: 'accepted' },
      attachments: [{ path: 'a', lines: '10-11', lineCount: 2 }, { path: 'p.png', imageBytes: 3072 }, { path: 'b' }],
    },
    ['› see', '  + a:10-11, 2 lines', '  + p.png, image, 3.0 KB', '  + b'],
  ],
])('%j', (item, rows) => expect(draw(new Transcript(), item).settled).toEqual(rows));

test('a message that was asked for again says so below what is already printed', () => {
  const transcript = new Transcript();
  draw(transcript, message('Half'));
  const { settled } = draw(transcript, message('Half', { replaced: true, done: true }), message('Whole', { messageId: 'b', done: true }));
  expect(settled).toEqual(['  Half', '  ↻ The model was asked again: its new answer follows.', '', '  Whole']);
});
