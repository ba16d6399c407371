import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Planned } from '../planned-model.js';
import { runCommand } from '../start-system.js';
import { useChats, type Plans } from '../use-chats.js';

/** The second colour of the palette. */
const RED = 1;

const commit = (message: string): Planned => ({ calls: [{ tool: 'git.commit', args: { message, files: ['notes.txt'] } }] });
const write = (content: string): Planned => ({ calls: [{ tool: 'write_file', args: { path: 'notes.txt', content } }] });
const run = (command: string): Planned => ({ calls: [{ tool: 'run_command', args: { command } }] });

/** What the model does, by words of the message. */
const plansOf = (held: Promise<unknown>): Plans => ({
  'tell a tale': [{ text: 'Once upon a time there was **a harbour** without a gauge. The end.', slow: 5 }],
  'two commits': [write('one\n'), commit('First'), write('two\n'), commit('Second'), { text: 'Both are decided.' }],
  'make a file': [run('touch original.txt'), { text: 'It is there.' }],
  'fail, please': [run('echo before && node -e "process.exit(3)"'), { text: 'It failed.' }],
  'wait for me': [{ hold: held, text: 'I waited.' }],
  'and then this': [{ text: 'Then this was done.' }],
  'review it': [
    { calls: [{ tool: 'apply_patch_review', args: { diff: BOTH } }] },
    { calls: [{ tool: 'apply_patch', args: { diff: CHANGED } }] },
    { text: 'As you chose.' },
  ],
  'patch it': [{ calls: [{ tool: 'apply_patch', args: { diff: BOTH } }] }, { text: 'As you chose.' }],
  'think first': [{ thinking: 'The harbour has no gauge.\nSo I must ask the moon.', text: 'I asked the moon.' }],
  'what is this': [{ text: 'One pixel.' }],
  'from elsewhere': [{ text: 'Heard in both windows.' }],
});

/** A patch of two files; and what is left of it when the first one is dropped. */
const CHANGED =
  'diff --git a/src/harbour.ts b/src/harbour.ts\n--- a/src/harbour.ts\n+++ b/src/harbour.ts\n@@ -1 +1 @@\n-export const depth = 4;\n+export const depth = 5;\n';
const BOTH = `diff --git a/notes.txt b/notes.txt\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1 @@\n-zero\n+one\n${CHANGED}`;

let release: () => void;
const held = new Promise<void>((resolve) => (release = resolve));
afterAll(() => release());
const chats = useChats(plansOf(held), { 'notes.txt': 'zero\n', 'src/harbour.ts': 'export const depth = 4;\n' });
const { open } = chats;

beforeEach(async () => {
  await chats.repository.git('config', 'user.name', 'test');
  await chats.repository.git('config', 'user.email', 'test@localhost');
});

test.each([40, 120])(
  verifies('R3:chat-streams', 'at %s columns a message is sent and its answer streams in, formatted'),
  async (columns) => {
    const chat = await open({ columns });
    chat.say('tell a tale');
    await chat.shows('Once upon');
    await chat.rests();
    expect(chat.screen()).toMatch(/› tell a tale[^]*The end\./);
    expect(chat.styleOf('harbour')?.bold).toBe(true);
    expect(chat.screen()).not.toContain('**');
  },
);

test(verifies('H3:chat-approvals', 'each of two approvals is decided by itself, and its row says what became of it'), async () => {
  const chat = await open({ argv: ['--permission-mode', 'accept-edits'] });
  chat.say('two commits');
  await chat.decide(/Approval needed {2}git\.commit.*First/, 'a');
  await chat.decide(/Approval needed {2}git\.commit.*Second/, 'r');
  await chat.shows('why not?');
  chat.say('not yet');
  await chat.shows('Both are decided.');
  expect(chat.history()).toMatch(/✓ git\.commit.*First.*approved[^]*✗ git\.commit.*Second.*rejected\n.*not yet[^]*Both are decided\./);
  expect(await chats.repository.git('log', '--format=%s')).toBe('First\nfirst\n');

  chat.press('ctrl-o'); // an edit that nobody was asked about, in full
  await chat.shows(/write_file notes\.txt\s+done[^]*− zero[^]*\+ one/);
  chat.press('escape');
  await chat.shows('Both are decided.');
});

test(
  verifies('H3:chat-edits', 'e opens the arguments in the editor of the user; what was changed is shown again before it runs'),
  async () => {
    const editor = join(chats.repository.root, '..', `${basename(chats.repository.root)}-editor`);
    await writeFile(editor, '#!/bin/sh\nsed -i s/original/changed/ "$1"\n', { mode: 0o755 });
    const chat = await open({ env: { VISUAL: editor } });
    chat.say('make a file');
    await chat.decide(/run_command.*touch original/, 'e');
    await chat.decide(/\$ touch changed\.txt/, 'a');
    await chat.shows('It is there.');
    expect(await chats.repository.git('status', '--short')).toBe('?? changed.txt\n');
    await rm(editor);
  },
);

test(verifies('H3:chat-failure', 'a command that ends with 3 is shown as failed, in red, with what it printed'), async () => {
  const chat = await open();
  chat.say('fail, please');
  await chat.decide(/Approval needed {2}run_command/, 'a');
  await chat.shows(/✗ run_command.*3[^]*before[^]*It failed\./);
  expect(chat.styleOf('✗')?.colour).toBe(RED);
});

test(
  verifies('R3:chat-queue', 'a message sent while a turn runs waits; ↑ takes it back, and Esc stops the turn without starting it'),
  async () => {
    const chat = await open();
    chat.say('wait for me');
    await chat.shows('thinking');
    chat.type('and then this');
    chat.press('alt-enter');
    await chat.shows(/queued {2}and then this/);
    chat.press('up');
    await chat.until('the message is in the line again', () => /› and then this\n/.test(chat.screen()) && !/queued/.test(chat.screen()));
    chat.press('alt-enter');
    await chat.shows(/queued {2}and then this/);
    chat.press('escape');
    await chat.shows(/Cancelled[^]*› and then this\n/);
    await chat.rests();
    release();
    chat.press('enter');
    await chat.shows('Then this was done.');
    expect(chat.history()).not.toContain('I waited.');
    expect(chats.model.requests.filter(({ text }) => text.includes('and then this'))).toHaveLength(1);
  },
);

test.each(['review it', 'patch it'])(
  verifies('H3:chat-reviewed', 'hunks that were chosen by hand are applied without being asked about again: %s'),
  async (message) => {
    const chat = await open();
    chat.say(message);
    if (message === 'patch it') await chat.decide(/Approval needed {2}apply_patch/, 'h');
    await chat.decide(/notes\.txt/, 'n');
    await chat.decide(/depth = 5/, 'y');
    await chat.shows('Everything is decided.');
    chat.press('enter');
    await chat.shows('As you chose.');
    expect(await chats.repository.git('status', '--short')).toBe(' M src/harbour.ts\n');
  },
);

test(
  verifies('R4:settings-used', 'the settings of a user decide what a chat looks like, and a file in a repository does not'),
  async () => {
    const [home, hostile] = [
      join(chats.repository.root, '..', `${basename(chats.repository.root)}-config`),
      join(chats.repository.root, '.codelab'),
    ];
    await mkdir(join(home, 'codelab'), { recursive: true });
    await mkdir(hostile);
    await writeFile(join(home, 'codelab', 'config.yaml'), 'theme: light\npermission_mode: accept-edits\n');
    await writeFile(join(hostile, 'config.yaml'), 'theme: none\n');
    const chat = await open({ env: { XDG_CONFIG_HOME: home } });
    chat.say('two commits');
    await chat.decide(/✓ write_file[^]*Approval needed/, 'a');
    expect(chat.styleOf('✓')?.colour).toBe(28); // the green of the light theme
    expect(chat.styleOf('high risk')?.colour).toBe(124);
    const config = () => runCommand(['config'], { env: { ...chats.system.env, XDG_CONFIG_HOME: home } });
    expect((await config()).stdout).toMatch(/theme +light +config\.yaml:1\n[^]*thoughts +folded +default\n/);
    await writeFile(join(home, 'codelab', 'config.yaml'), '# mine\nthme: light\n');
    expect(await config()).toMatchObject({ code: 2, stderr: expect.stringContaining(':2: "thme" is no setting: did you mean theme?') });
    await rm(home, { recursive: true });
  },
);

test(verifies('L3:thoughts-shown', 'what a model thinks is shown folded, and after Ctrl-T in full and dim; Ctrl-O opens it'), async () => {
  const chat = await open();
  chat.say('think first');
  await chat.shows(/✻ thought for [^]*I asked the moon\./);
  await chat.rests();
  expect(chat.history()).not.toContain('no gauge');
  chat.press('ctrl-o');
  await chat.shows(/✻ The harbour has no gauge\.\n +So I must ask the moon\./);
  chat.press('escape');
  await chat.shows('thought for');
  chat.press('ctrl-t');
  chat.say('think first, once more');
  await chat.shows(/✻ The harbour has no gauge\.\n +So I must ask the moon\.[^]*I asked the moon\./);
  expect(chat.styleOf('The harbour')).toMatchObject({ dim: true, italic: true });
});

test(verifies('L3:chat-images', 'the path of an image that is pasted becomes the image, and the model sees it'), async () => {
  const image = join(chats.repository.root, '..', `${basename(chats.repository.root)} shot.gif`);
  const pixel = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=';
  await writeFile(image, Buffer.from(pixel, 'base64'));
  const chat = await open();
  chat.type('what is this ');
  chat.paste(`'${image}'`);
  await chat.shows(/what is this @".* shot\.gif"/);
  chat.press('enter');
  await chat.shows(/ shot\.gif, image, \d+ B[^]*One pixel\./);
  expect(chats.model.requests.at(-1)?.text).toContain(`data:image/gif;base64,${pixel}`);
  await rm(image);
});

test(verifies('R3:chat-windows', 'what a second window says appears in the first one, with its answer'), async () => {
  const first = await open();
  first.say('tell a tale');
  await first.shows('The end.');
  const second = await open({ argv: ['--continue'] });
  await second.shows('The end.');
  second.say('from elsewhere');
  await first.shows(/› from elsewhere[^]*Heard in both windows\./);
});

test(verifies('R3:chat-commands', 'help, the context and compacting are a line away, and Tab completes commands and paths'), async () => {
  const chat = await open();
  chat.say('/help');
  await chat.shows('/compact [what to keep]');
  chat.type('q');
  chat.say('tell a tale');
  await chat.shows('The end.');
  chat.type('/cont');
  chat.press('tab');
  await chat.shows('› /context');
  chat.press('enter');
  await chat.shows(/tools +\d[^]*conversation +\d/);
  chat.say('/compact');
  await chat.shows('summed up');
  chat.type('read @src/har');
  await chat.shows(/^ +src\/harbour\.ts$/m);
  chat.press('tab');
  await chat.shows('› read @src/harbour.ts');
});
