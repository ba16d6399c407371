import { expect, test } from 'vitest';
import { LIMITS } from '@codelab/protocol';
import { verifies } from '@codelab/testkit';
import { newChat } from '../chat/chat-state.js';
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

test(
  verifies('L3:chat-init', '/init is one message that has the agent write or improve AGENTS.md, with what matters to the person'),
  () => {
    const { effects } = findCommand('init')!.run({ ...newChat(), chosenModel: 'm' }, 'the release', 0);
    expect(effects).toMatchObject([{ kind: 'send', model: 'm', waits: true }]);
    const { content } = effects[0] as { readonly content: string };
    expect(content).toMatch(/^Prepare AGENTS\.md[^]*If AGENTS\.md is there, improve it[^]*Above all: the release$/);
    expect(content.length).toBeLessThan(LIMITS.MAX_MESSAGE_CHARACTERS / 4);
  },
);
