import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifies, type ScriptedProvider } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { startPlannedModel, type Planned } from '../planned-model.js';
import { startChat, type Chat } from '../start-chat.js';
import { runCommand, startSystem, type System } from '../start-system.js';

const write = (path: string) => ({ tool: 'write_file', args: { path, content: 'new\n' } });

/** What the model does, by words of the message. */
const PLANS: Readonly<Record<string, readonly Planned[]>> = {
  'delete nothing': [{ calls: [{ tool: 'delete_file', args: { path: 'none.txt' } }] }, { text: 'There is no such file.' }],
  'write three': [{ calls: [write('src/one.txt'), write('src/two.txt'), write('top.txt')] }, { text: 'Three are decided.' }],
  'change it': [{ calls: [write('notes.txt')] }, { text: 'Changed.' }],
  'and now': [{ text: 'I know.' }],
};

let model: ScriptedProvider;
let system: System;
let repository: Repository;
let chat: Chat;

beforeAll(async () => {
  model = await startPlannedModel(PLANS);
  system = await startSystem({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test', CODELAB_VOCABULARY: 'codelab' },
  });
});
afterAll(async () => {
  await system.stop();
  await model.close();
});
beforeEach(async () => {
  repository = await makeRepository({ extra: { 'notes.txt': 'zero\n' } });
  chat = await startChat(system, { root: repository.root });
});
afterEach(async () => {
  await chat.close();
  await repository.remove();
});

/** What the model was last asked with, as text. */
const lastRequest = (): string => JSON.stringify(model.requests.at(-1)?.body);

test(verifies('H1:preview-fault', 'a call that can not be done goes back to the model, and no human is asked about it'), async () => {
  chat.say('delete nothing');
  await chat.shows('There is no such file.');
  expect(chat.history()).not.toContain('Approval needed');
  expect(chat.history()).toMatch(/✗ delete_file.*none\.txt/);
  expect(lastRequest()).toContain('Error [FILE_NOT_FOUND]');
});

test(verifies('H1:preview-fault', 'without a human, too, the model reads what is wrong, and not that nobody is there'), async () => {
  const target = ['--url', system.gateways[0]?.ws ?? '', '--token', system.token, '--workspace', repository.root];
  const { stdout } = await runCommand(['exec', ...target, 'delete nothing'], { env: system.env });
  expect(stdout).toContain('There is no such file.');
  expect(lastRequest()).toContain('Error [FILE_NOT_FOUND]');
  expect(lastRequest()).not.toContain('Error [DENIED_BY_POLICY]');
});

test(verifies('H1:rule-siblings', 'a rule of one of three questions settles the one beside it, and the third is asked'), async () => {
  chat.say('write three');
  // they come in the order in which their previews are ready
  await chat.shows(/Approval needed {2}write_file/);
  const isTopFirst = /Approval needed {2}write_file.*top\.txt/.test(chat.screen());
  const rejectTop = async (): Promise<void> => {
    await chat.decide(/Approval needed {2}write_file.*top\.txt/, 'r');
    await chat.shows('why not?');
    chat.press('enter');
  };
  if (isTopFirst) await rejectTop();
  await chat.decide(/Approval needed {2}write_file.*src\/(?:one|two)\.txt/, 'm');
  await chat.shows(/What may run from now on/);
  chat.type('2');
  await chat.shows(/▸ 2/);
  chat.type('a');
  if (!isTopFirst) await rejectTop();
  await chat.shows('Three are decided.');
  for (const path of ['src/one.txt', 'src/two.txt']) expect(await readFile(join(repository.root, path), 'utf8')).toBe('new\n');
  await expect(access(join(repository.root, 'top.txt'))).rejects.toThrow('ENOENT');
});

test(verifies('R2:undo-told', 'what was undone in the chat the model reads with the next message, once'), async () => {
  chat.say('change it');
  await chat.decide(/Approval needed {2}write_file.*notes\.txt/, 'a');
  await chat.shows('Changed.');
  await chat.rests();
  chat.say('/undo');
  await chat.shows('/undo yes does it.');
  chat.say('/undo yes');
  await chat.shows('Undone: 1 change');
  expect(await readFile(join(repository.root, 'notes.txt'), 'utf8')).toBe('zero\n');
  for (const times of [1, 2]) {
    chat.say('and now');
    await chat.shows(times === 1 ? 'I know.' : /I know\.[^]*I know\./);
    await chat.rests();
    expect(lastRequest().split('The user has undone changes').length - 1).toBe(1);
  }
  expect(lastRequest()).toContain('\\"notes.txt\\"');
});
