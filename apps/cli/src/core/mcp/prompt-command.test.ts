import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { readCommand } from '../commands/commands.js';
import { argumentCandidates, openArgumentOf, promptCommands, readPromptArguments } from './prompt-command.js';

test(verifies('L3:mcp-prompts', 'each prompt of a server is a command of its own that can be entered'), () => {
  const commands = promptCommands([
    { server: 'everything', name: 'simple-prompt', description: 'A prompt' },
    { server: 'Every_Thing', name: 'Args Prompt', arguments: [{ name: 'city', required: true }, { name: 'state' }] },
    { server: 'everything', name: 'simple prompt' },
    { server: '1st', name: 'x/y' },
  ]);
  expect(commands.map(({ name, hint }) => [name, hint])).toEqual([
    ['everything:simple-prompt', undefined],
    ['every_thing:args-prompt', '<city> [state]'],
    ['everything:simple-prompt-2', undefined],
    ['mcp-1st:x-y', undefined],
  ]);
  for (const { name } of commands) expect(readCommand(`/${name} a b`)).toEqual({ name, text: 'a b' });
});

const weather = { name: 'weather', arguments: [{ name: 'city', required: true }, { name: 'note' }] };

test.each([
  ['Bern', { city: 'Bern' }],
  ['"New York" very cold there', { city: 'New York', note: 'very cold there' }],
  ['note=now city="São Paulo"', { city: 'São Paulo', note: 'now' }],
  ['a=b', { city: 'a=b' }],
  ['', 'It needs city.'],
])(verifies('L3:mcp-prompts', 'the arguments of %j are told apart'), (text, expected) => {
  expect(readPromptArguments(weather, text)).toEqual(expected);
});

test(verifies('L3:mcp-prompts', 'a prompt without arguments takes none'), () => {
  expect(readPromptArguments({ name: 'plain' }, 'x')).toBe('The prompt takes no arguments.');
  expect(readPromptArguments({ name: 'plain' }, '')).toEqual({});
});

test.each([
  ['', ['Bern', 'New York'], ['Bern', '"New York"', 'city=', 'note=']],
  ['no', [], ['note=']],
  ['"New', ['New York'], ['"New York"']],
  ['city=', ['Bern', "d'Or"], ['city=Bern', 'city="d\'Or"']],
  ['Bern ', ['now'], ['now', 'note=']],
  ['note="very cold" ', ['Bern'], ['Bern', 'city=']],
  ['Bern now ', ['x'], []],
  ['city=', ['', 'a\u001b[2J', `"it's"`, 'x'.repeat(201)], []],
])(verifies('L3:mcp-prompts', 'behind %j the values that a server knows, %j, are offered as they are typed'), (text, values, expected) => {
  const open = openArgumentOf(weather, text);
  expect(argumentCandidates(open, open.name === undefined ? [] : values)).toEqual(expected);
});
