import { expect, test } from 'vitest';
import { newChat, type ChatState } from '../chat/chat-state.js';
import { paintLine } from '../text/paint-line.js';
import type { Line } from '../text/span.js';
import { measure } from '../text/wrap-spans.js';
import { completeCommand, renderOffered } from './complete-command.js';
import { SLASH_COMMANDS } from './commands.js';
import { renderHelp } from './render-help.js';

const CUSTOMS = [
  { name: 'fix', scope: 'workspace', description: 'Fixes a\x1b[2J file', hint: '<file>' },
  { name: 'fix:all', scope: 'user', description: 'Fixes all' },
] as const;
const written = (text: string, cursor = text.length): ChatState => {
  const state = newChat();
  return { ...state, customs: CUSTOMS, editor: { ...state.editor, text, cursor } };
};
const paint = (rows: readonly Line[], width: number): readonly string[] => {
  for (const row of rows) expect(measure(row)).toBeLessThanOrEqual(width);
  return rows.map((row) => paintLine(row).trimEnd());
};

test.each([
  ['/ru', '/rules '],
  ['/co', '/co'],
  ['/com', '/compact '],
  ['/f', '/fix'],
  ['/fix:', '/fix:all '],
  ['/nosuch', undefined],
  ['/rules ', undefined],
  ['rules', undefined],
])('Tab makes %j %j', (text, completed) => {
  expect(completeCommand(written(text), { kind: 'named', name: 'tab' })?.editor.text).toBe(completed);
});

test('Tab in the middle of a line, and other keys, complete nothing', () => {
  expect(completeCommand(written('/ru x', 3), { kind: 'named', name: 'tab' })).toBeUndefined();
  expect(completeCommand(written('/ru'), { kind: 'named', name: 'end' })).toBeUndefined();
});

test('the commands that begin so stand below the line, with what they do', () => {
  expect(paint(renderOffered(written('/fi'), 40), 40)).toEqual(['  /fix <file>  Fixes a\\x1b[2J file', '  /fix:all     Fixes all']);
  const all = paint(renderOffered(written('/'), 40), 40);
  expect(all).toHaveLength(8);
  expect(all.at(-1)).toBe(`  ⋯ ${SLASH_COMMANDS.length + CUSTOMS.length - 7} more: type on, or /help`);
  expect(renderOffered(written('/fix a'), 40)).toEqual([]);
});

test.each([39, 119])('at %i columns help shows every command and key', (width) => {
  const help = paint(renderHelp(SLASH_COMMANDS, CUSTOMS, width), width).join('\n');
  for (const { name, does } of SLASH_COMMANDS) {
    expect(help).toContain(`/${name}`);
    expect(help.replaceAll(/\s+/g, ' ')).toContain(does);
  }
  expect(help.replaceAll(/\s+/g, ' ')).toMatch(/\/fix:all.*Fixes all \(yours\).*Ctrl-D/);
});
