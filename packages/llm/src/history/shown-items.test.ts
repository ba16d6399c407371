import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Message } from '../canonical/message.js';
import { Conversation } from './conversation.js';
import type { HistoryItem } from './history-item.js';
import { historyToMessages } from './history-to-messages.js';

const names = (tool: string): string => tool.replace('.', '_');
const user = (content: string): HistoryItem => ({ role: 'user', turn_id: 't', message_id: 'm', content, at_ms: 1 });
const ask = (id: string, tool = 'read_file', args: object = { path: 'src/a.ts' }): HistoryItem => ({
  ...{ role: 'assistant', turn_id: 't', message_id: 'm', content: '', at_ms: 1 },
  tool_calls: [{ call_id: id, tool_name: tool, arguments: JSON.stringify(args) }],
});
const result = (id: string, content: string, tool_name = 'read_file'): HistoryItem => ({
  ...{ role: 'tool', turn_id: 't', call_id: id, tool_name, content, is_error: false, at_ms: 1 },
});
const long = 'a line of a file that is long\n'.repeat(1_240);

const texts = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ role, parts }) =>
    parts.map((part) => `${role}: ${part.kind === 'text' ? part.text : part.kind === 'tool_result' ? part.content : part.kind}`).join('|'),
  );

describe('a cut', () => {
  test(verifies('R5:cut', 'shows long results before it by a reference that says what they were; short ones and later ones stay'), () => {
    const items = [
      ...[user('go'), ask('1'), result('1', long), ask('2'), result('2', 'short')],
      ...[ask('3', 'run_command', { command: 'npm test\nmore' }), result('3', `exit code 0\n${'x'.repeat(4_988)}`, 'run_command')],
      ...[ask('4'), result('4', long), { role: 'cut', up_to: 7, at_ms: 2 } as const],
    ];
    expect(texts(historyToMessages(items, names))).toEqual([
      'user: go',
      'assistant: tool_call',
      'tool: [result of read_file src/a.ts (1,240 lines) was left out; read it again if needed]',
      'assistant: tool_call',
      'tool: short',
      'assistant: tool_call',
      'tool: [result of run_command npm test (2 lines) was left out; it began: exit code 0]',
      'assistant: tool_call',
      `tool: ${long}`,
    ]);
  });

  test(verifies('R5:cut', 'with a limit shows the head and the tail of every text before it that is longer'), () => {
    const items = [
      user(`BEGIN${'x'.repeat(9_000)}END`),
      { role: 'cut', up_to: 0, limit: 1_000, at_ms: 2 } as const,
      user('y'.repeat(2_000)),
    ];
    const [first, second] = texts(historyToMessages(items, names));
    expect(first).toMatch(/^user: BEGINx+\n\[… 8,008 characters were left out: it is too long to be shown at once …\]\nx+END$/);
    expect(second).toHaveLength(2_006);
  });
});

describe('a summary', () => {
  const items: readonly HistoryItem[] = [
    ...[user('the task'), ask('1'), result('1', 'one'), ask('2'), result('2', 'two'), ask('3'), result('3', 'three')],
    { role: 'summary', up_to: 5, content: 'what was done', at_ms: 2 },
  ];

  test(verifies('R5:summary', 'stands in the place of what is before, and the rest follows with every call answered once'), () => {
    const [first, ...rest] = texts(historyToMessages(items, names));
    expect(first).toMatch(/^user: Note from CodeLab[^]*<summary>\nwhat was done\n<\/summary>/);
    expect(rest).toEqual(['assistant: tool_call', 'tool: three']);
  });

  test(verifies('R5:summary', 'tells a result that comes later of a call which stands in it'), () => {
    const [, , , note] = texts(historyToMessages([...items, result('1', 'late')], names));
    expect(note).toMatch(/^user: Note from CodeLab, not from the user: A result of the call 1 of read_file, .*: late$/);
  });

  test(verifies('R5:clear', 'is gone, like all before it, after the conversation was cleared'), () => {
    expect(texts(historyToMessages([...items, { role: 'clear', at_ms: 3 }, user('anew')], names))).toEqual(['user: anew']);
  });
});

test('a conversation that goes on is said anew when what it shows changes, as one that is read at once', () => {
  const items: HistoryItem[] = [];
  const growing = new Conversation([], names);
  const steps: readonly (readonly HistoryItem[])[] = [
    [user('go'), ask('1')],
    [result('1', long), ask('2'), result('2', long)],
    [{ role: 'cut', up_to: 3, at_ms: 1 }, ask('3'), result('3', 'x')],
    [{ role: 'summary', up_to: 5, content: 's', at_ms: 1 }, ask('4'), result('4', 'y')],
    [result('2', 'late')],
    [{ role: 'clear', at_ms: 1 }, user('anew')],
  ];
  for (const added of steps) {
    items.push(...added);
    expect(growing.say(items)).toEqual(historyToMessages(items, names));
  }
});
