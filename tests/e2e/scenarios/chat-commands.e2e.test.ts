import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { useChats, type Plans } from '../use-chats.js';

/** What the model does, by words of the message. */
const PLANS: Plans = {
  'the harbour': [{ text: 'It has no gauge.' }],
  'the lighthouse': [{ text: 'It is dark.' }],
  'Explain the quay': [{ text: 'It is of stone.' }],
};

const chats = useChats(PLANS);
const { open } = chats;

test.each([40, 120])(
  verifies('L3:chat-sessions', 'at %s columns another conversation is begun, and the one before picked from a list that is searched'),
  async (columns) => {
    const chat = await open({ columns });
    chat.say('tell of the harbour');
    await chat.shows('It has no gauge.');
    await chat.rests();
    chat.say('/new');
    await chat.shows('A new conversation.');
    await chat.rests();
    chat.say('tell of the lighthouse');
    await chat.shows('It is dark.');
    await chat.rests();
    chat.say('/resume');
    await chat.shows(/Conversations of this folder {2}2\n› [^]*▸ tell of the lighthouse ●[^]* {4}tell of the harbour/);
    chat.type('harb');
    await chat.shows(/1 of 2\n› harb\n {2}▸ tell of the harbour[^]*just now · 1 message$/m);
    chat.press('enter');
    await chat.shows(/Back in: tell of the harbour[^]*› tell of the harbour[^]*It has no gauge\./);
    await chat.rests();
    chat.say('tell of the harbour again');
    await chat.until('goes on there', () => (chat.history().match(/It has no gauge\./g) ?? []).length === 3);
    await chat.rests();
    chat.say('/sessions');
    await chat.shows(/tell of the harbour\n {2}just now · 2 messages[^]*tell of the lighthouse\n {2}just now · 1 message /);
    chat.type('q');
    chat.say('/resume');
    await chat.shows('Conversations of this folder');
    chat.press('escape');
    await chat.until('has left the list', () => !/Conversations of this folder/.test(chat.screen()));
  },
);

test(verifies('L3:listed-customs', 'commands that people wrote stand below the line and in help, are completed, and sent'), async () => {
  const commands = join(chats.repository.root, '.codelab', 'commands', 'show');
  await mkdir(commands, { recursive: true });
  await writeFile(join(commands, 'place.md'), '---\ndescription: Explains a place\nargument-hint: <place>\n---\nExplain $1.\n');
  const chat = await open();
  chat.type('/sh');
  await chat.shows(/› \/sh\n {2}\/show:place <place> {2}Explains a place$/m);
  chat.press('tab');
  await chat.shows('› /show:place');
  chat.say('"the quay" now');
  await chat.shows(/› Explain the quay\.[^]*It is of stone\./);
  await chat.rests();
  await writeFile(join(commands, 'later.md'), 'Explain it later.\n');
  chat.say('/help');
  await chat.until('shows help', () => /help {3}\d+ of \d+ rows/.test(chat.screen()));
  chat.type('G');
  await chat.shows(/\/show:later +Explain it later\.\n +\/show:place <place> +Explains a place/);
  chat.type('q');
});

test(verifies('L3:chat-diff', 'the changes of the folder and the cost of the conversation are a line away'), async () => {
  const chat = await open({ columns: 40 });
  await appendFile(join(chats.repository.root, 'notes.txt'), 'one\n');
  await writeFile(join(chats.repository.root, 'new.txt'), 'fresh\n');
  chat.say('/diff');
  await chat.shows(/^Not staged {2}2 files {2}\+2 −0[^]*new\.txt {2}new file {2}\+1 −0\n +1 \+ fresh[^]*notes\.txt {2}\+1 −0[^]*\+ one/);
  expect(chat.styleOf('+ one')?.colour).toBe(chat.styleOf('+1 −0')?.colour);
  chat.type('q');
  chat.say('/cost');
  await chat.shows('Nothing has been used here yet.');
  chat.say('tell of the harbour');
  await chat.shows('It has no gauge.');
  await chat.rests();
  chat.say('/cost');
  await chat.shows(/since it was\s+opened here: 1 turn,[^]*The last turn: \d/);
});
