import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies, type ScriptedProvider } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { startPlannedModel, type Planned } from '../planned-model.js';
import { startChat, type Chat } from '../start-chat.js';
import { runCommand, startSystem, type System } from '../start-system.js';

const task = (description: string, prompt: string, subagent_type: string) => ({
  tool: 'task',
  args: { description, prompt, subagent_type },
});
const read = { tool: 'read_file', args: { path: 'notes.txt' } };
const write = { tool: 'write_file', args: { path: 'notes.txt', content: 'one\n' } };

let model: ScriptedProvider;
let system: System;
let repository: Repository;
let release: () => void;

/** What the model does, by words of the message. */
const plansOf = (held: Promise<unknown>): Readonly<Record<string, readonly Planned[]>> => ({
  'do both': [{ calls: [task('find the depth', 'part one', 'ask'), task('note it', 'part two', 'coder')] }, { text: 'Both are back.' }],
  'part one': [{ calls: [read] }, { hold: held, text: 'It is 4.' }],
  'part two': [{ calls: [write] }, { text: 'Noted.' }],
  'change it': [{ calls: [write] }, { text: 'I may not.' }],
});

beforeAll(async () => {
  const held = new Promise<void>((resolve) => (release = resolve));
  model = await startPlannedModel(plansOf(held));
  system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
  const reviewer = '---\ndescription: Looks for races.\npolicy: read_only\n---\nYou look for races.\n';
  repository = await makeRepository({ extra: { 'notes.txt': 'zero\n', '.codelab/agents/reviewer.md': reviewer } });
});
afterAll(async () => {
  release();
  await system.stop();
  await model.close();
  await repository.remove();
});

const open = (...argv: readonly string[]): Promise<Chat> =>
  startChat(system, { root: repository.root, argv: ['--vocabulary', 'agent', ...argv] });
const target = (): string[] => ['--url', system.gateways[0]?.ws ?? '', '--token', system.token];

test(verifies('H3:chat-tasks', 'a chat shows agents that work side by side, puts their questions, and opens what they did'), async () => {
  const chat = await open();
  chat.say('do both');
  await chat.shows(/task +ask: find the depth[^]*└ 1 call · read_file notes\.txt/);
  await chat.shows(/task +coder: note it[^]*└ 1 call · write_file notes\.txt/);
  await chat.decide(/the agent coder asks/, 'a');
  await chat.shows(/✓ task +coder: note it/);
  const list = await runCommand(['sessions', 'list', '--tasks', ...target()], { env: system.env });
  expect(list.stdout).toMatch(/^ses_\w+ .*do both\n(└ task_\w+ .*\n){2}/m);
  expect(list.stdout).toMatch(/^└ task_\w+ .* running .*ask .*part one$/m);
  expect(list.stdout).toMatch(/^└ task_\w+ .*coder .*part two$/m);
  release();
  await chat.shows('Both are back.');
  await chat.rests();
  expect(chat.history()).toMatch(/✓ task +ask: find the depth +1 call/);
  chat.press('ctrl-o');
  await chat.shows(/read_file notes\.txt\n +done · for a task/);
  await chat.close();
  const id = /└ (task_\w+) .*part two/.exec(list.stdout)?.[1] ?? '';
  const shown = await runCommand(['sessions', 'show', id, ...target()], { env: system.env });
  expect(shown.stdout).toMatch(/part two[^]*write_file[^]*Noted\./);
});

test(
  verifies(
    'H1:chat-agent',
    'a chat begins with an agent of the project, which it offers beside the modes, and is told of one that there is not',
  ),
  async () => {
    const chat = await open('--agent', 'reviewer');
    chat.say('change it');
    await chat.shows('I may not.');
    await chat.rests();
    chat.say('/agent');
    await chat.shows(/reviewer[^]*Looks for races\. · \.codelab\/agents\/reviewer\.md · only reads/);
    chat.type('archi');
    chat.press('enter');
    await chat.shows('The agent is architect now.');
    await chat.close();
    const wrong = await runCommand(['exec', ...target(), '--workspace', repository.root, '--agent', 'wizard', 'change it'], {
      env: system.env,
    });
    expect([wrong.code, wrong.stderr]).toEqual([expect.any(Number), expect.stringContaining('debug, ask, reviewer')]);
    expect(wrong.code).not.toBe(0);
  },
);
