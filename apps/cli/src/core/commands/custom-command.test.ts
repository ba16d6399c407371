import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { commandName, commandPath, faultOfAgent, fillCommand, findSource, listCustom, type CommandSource } from './custom-command.js';

test.each([
  ['Fix $ARGUMENTS, then test $ARGUMENTS.', 'a.ts', 'Fix a.ts, then test a.ts.'],
  ['Fix $ARGUMENTS', "$& $' $ARGUMENTS", "Fix $& $' $ARGUMENTS"],
  ['Move $1 to $2.', 'a "b c" d', 'Move a to b c.'],
  ['Move $1 to $2.', 'a', 'Move a to .'],
  ['Move $1.', '$2 x', 'Move $2.'],
  ['It costs $12, $ARGUMENTS_OF', 'much', 'It costs $12, $ARGUMENTS_OF\n\nmuch'],
  ['Review it.\n', '', 'Review it.'],
  ['Review it.\n', 'the tests', 'Review it.\n\nthe tests'],
  ['---\ndescription: d\n---\nReview it.', '', 'Review it.'],
  ['---\r\ndescription: d\r\n---\r\nReview it.', '', 'Review it.'],
  ['---\nReview it.', '', '---\nReview it.'],
  ['--- a\nReview it.', '', '--- a\nReview it.'],
])('%j with %j', (file, args, text) => expect(fillCommand(file, args)).toEqual({ text }));

test('a command may name the model and the agent of its message', () => {
  expect(fillCommand('---\nmodel: small\nagent: architect\n---\nPlan it.', '')).toEqual({
    text: 'Plan it.',
    model: 'small',
    agent: 'architect',
  });
});

test.each([
  ['fix.md', 'fix'],
  ['git/commit.md', 'git:commit'],
  ['Fix.md', undefined],
  ['a b.md', undefined],
  ['-x.md', undefined],
  ['notes.txt', undefined],
])('%s is %s', (file, name) => {
  expect(commandName(file)).toBe(name);
  if (name !== undefined) expect(commandPath(name)).toBe(`.codelab/commands/${file}`);
});

test('commands are listed by name, that of the workspace before one of the person, none of ours', () => {
  const sources: readonly CommandSource[] = [
    { scope: 'user', name: 'fix.md', text: 'My way.' },
    { scope: 'workspace', name: 'git/commit.md', text: '---\ndescription: Commits\x1b[2J all\nargument-hint: [message]\n---\nCommit.' },
    { scope: 'workspace', name: 'fix.md', text: '\nFix $1.\nThen test.' },
    { scope: 'workspace', name: 'help.md', text: 'No.' },
    { scope: 'user', name: 'binary.md' },
  ];
  expect(listCustom(sources, (name) => name === 'help')).toEqual([
    { name: 'binary', scope: 'user', description: '' },
    { name: 'fix', scope: 'workspace', description: 'Fix $1.' },
    { name: 'git:commit', scope: 'workspace', description: 'Commits\\x1b[2J all', hint: '[message]' },
  ]);
  expect(findSource(sources, 'fix')?.text).toContain('Then test');
});

test.each([
  ['workspace', 'debug', 'coder', undefined],
  ['workspace', 'debug', 'orchestrator', undefined],
  ['workspace', 'ask', 'ask', undefined],
  ['workspace', 'coder', 'ask', 'the agent is ask'],
  ['workspace', 'debug', 'architect', 'the agent is architect'],
  ['workspace', 'coder', 'reviewer', 'the agent is reviewer'],
  ['user', 'coder', 'ask', undefined],
] as const)(verifies('H1:custom-agent', 'a command of the %s that wants %s while the agent is %s'), (scope, agent, current, fault) => {
  const found = faultOfAgent({ text: 'Do it.', scope, agent }, current);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});
