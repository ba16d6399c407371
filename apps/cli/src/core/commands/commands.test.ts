import { expect, test } from '@jest/globals';
import { findCommand, readCommand, SLASH_COMMANDS } from './commands.js';

test('no two commands have one name', () => {
  const names = SLASH_COMMANDS.flatMap((command: { name: string; aliases?: readonly string[] }) => [
    command.name,
    ...(command.aliases ?? []),
  ]);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(readCommand(`/${name}`)).toEqual({ name, text: '' });
});

test('a command has other names', () => {
  expect(findCommand('exit')).toBe(findCommand('quit'));
  expect(findCommand('nosuch')).toBeUndefined();
});

test.each([
  ['/undo  yes ', { name: 'undo', text: 'yes' }],
  ['/fix a\nb', { name: 'fix', text: 'a\nb' }],
  ['/git:commit now', { name: 'git:commit', text: 'now' }],
  ['/etc/hosts is odd', undefined],
  ['/', undefined],
  ['/1', undefined],
  ['no /command', undefined],
])('%j is read', (line, command) => expect(readCommand(line)).toEqual(command));
