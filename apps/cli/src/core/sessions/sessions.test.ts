import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { readHistory } from '@codelab/client/view';
import { paintLine } from '../text/paint-line.js';
import type { Line } from '../text/span.js';
import { exportMarkdown } from './export-markdown.js';
import { formatAge, renderSessions, renderTasks } from './render-sessions.js';
import { readSessionSummary } from './session-summary.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;

test.each([
  [0, 'just now'],
  [5 * MINUTE, '5 min ago'],
  [3 * 60 * MINUTE, '3 h ago'],
  [30 * 60 * MINUTE, 'yesterday'],
  [5 * 24 * 60 * MINUTE, '5 days ago'],
  [60 * 24 * 60 * MINUTE, '2026-09-21'],
])('%i ms ago reads %s', (ms, expected) => expect(formatAge(NOW - ms, NOW)).toBe(expected));

test('sessions are listed in columns that hold something, and steer no terminal', () => {
  const sessions = [
    { session_id: 'new-one', updated_at_ms: NOW, status: 'idle', model: 'offline\x1b[2J', title: '' },
    { session_id: 'old', updated_at_ms: NOW - 90 * MINUTE, status: 'running', model: 'offline', title: 'Fix it' },
  ].map(readSessionSummary);
  expect(renderSessions(sessions, NOW).map((line) => paintLine(line).trimEnd())).toEqual([
    'new-one  just now           offline\\x1b[2J',
    'old      1 h ago   running  Fix it',
  ]);
  expect(paintLine(renderSessions([], NOW)[0]!)).toContain('codelab chat');
});

test(verifies('S1:task-list', 'agents that work on parts of a task are listed below its session, and behind it when it is shown'), () => {
  const [session, task] = [
    { session_id: 's1', updated_at_ms: NOW, status: 'running', workspace: { name: 'app' }, title: 'Fix it' },
    { session_id: 'task_a', updated_at_ms: NOW, status: 'running', agent: 'ask', title: 'find the port' },
  ].map(readSessionSummary);
  const paint = (lines: readonly Line[]): string[] => lines.map((line) => paintLine(line).trimEnd());
  expect(paint(renderSessions([session!], NOW, () => [task!]))).toEqual([
    's1        just now  running  app  Fix it',
    '└ task_a  just now  running  ask  find the port',
  ]);
  expect(paint(renderTasks([task!], NOW)).at(-1)).toBe('task_a  just now  running  ask  find the port');
  expect(renderTasks([], NOW)).toEqual([]);
});

test('a conversation becomes Markdown', () => {
  const items = readHistory([
    { role: 'user', message_id: 'm', content: 'Fix it' },
    {
      role: 'assistant',
      message_id: 'a',
      content: 'I look.',
      tool_calls: [{ call_id: 'c', tool_name: 'read_file', arguments: '{"path":"a.ts"}' }],
    },
    { role: 'tool', call_id: 'c', tool_name: 'read_file', content: 'Error [FILE_NOT_FOUND]: no a.ts', is_error: true },
    { role: 'note', content: 'a note' },
  ]);
  expect(exportMarkdown(readSessionSummary({ session_id: 's1', model: 'offline' }), items)).toBe(
    '# Session s1\n\noffline\n\n## You\n\nFix it\n\n## CodeLab\n\nI look.\n\n- `read_file a.ts` — FILE_NOT_FOUND: no a.ts\n\n> a note\n',
  );
});
