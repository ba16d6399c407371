import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Planned } from '../planned-model.js';
import { useChats, type Plans } from '../use-chats.js';

const PLAN = '# Two steps\n\n1. Write `notes.txt`.\n2. Run **nothing**.';
const submit: Planned = { calls: [{ tool: 'submit_plan', args: { plan: PLAN } }] };
const write = (content: string): Planned => ({ calls: [{ tool: 'write_file', args: { path: 'notes.txt', content } }] });

/** What a provider says that has had enough for a while. */
const SLOW_DOWN = {
  status: 429,
  headers: { 'retry-after': '3' },
  body: { error: { message: 'Rate limit reached for gpt-test.', type: 'requests', code: 'rate_limit_exceeded' } },
};

/** The model carries a plan out from then on. */
let heldUntil: Promise<void> | undefined;
const held = (planned: Planned): Planned => ({
  ...planned,
  get hold() {
    return heldUntil;
  },
});

/** What the model does, by words of the message. */
const PLANS: Plans = {
  'plan it': [submit, submit, held(write('planned\n')), { text: 'Carried out.' }],
  'look first': [{ calls: [{ tool: 'run_command', args: { command: 'touch seen' } }] }, { text: 'I looked.' }],
  'and the size': [{ text: 'With the size.' }],
  'be patient': [{ refused: SLOW_DOWN, text: 'Thank you.' }],
  'write it': [write('edited\n'), { text: 'Written.' }],
};

const chats = useChats(PLANS);
const { open } = chats;
afterEach(() => {
  heldUntil = undefined;
});

test.each([40, 120])(
  verifies('H1:plan', 'at %s columns a plan is shown, sent back with words, accepted, and carried out without asking about edits'),
  async (columns) => {
    const chat = await open({ columns, argv: ['--permission-mode', 'plan'] });
    await chat.shows(/^ {2}plan · /m);
    chat.say('plan it');
    await chat.decide(/The plan[^]*Two steps/, 'r');
    expect(chat.bells()).toBe(1);
    await chat.shows('why not?');
    chat.say('shorter');
    const other = await open({ argv: ['--continue'] });
    let release = (): void => undefined;
    heldUntil = new Promise((resolve) => (release = resolve));
    await chat.decide(/“shorter”[^]*The plan[^]*Two steps/, 'f');
    await other.shows(/^ {2}accept-edits · /m); // the servers have it, and no model is as fast as a scripted one
    release();
    await chat.shows('Carried out.');
    await chat.shows(/^ {2}accept-edits · /m);
    expect(await readFile(join(chats.repository.root, 'notes.txt'), 'utf8')).toBe('planned\n');
    expect(chat.history()).toMatch(/✓ submit_plan[^]*Two steps[^]*✓ write_file/);
  },
);

test(verifies('H1:plan', 'Shift-Tab sets the mode for the next call of the session'), async () => {
  const chat = await open();
  await chat.shows(/^ {2}ask · /m);
  chat.press('shift-tab');
  await chat.shows(/^ {2}accept-edits · /m);
  chat.say('write it');
  await chat.shows('Written.');
  expect(await readFile(join(chats.repository.root, 'notes.txt'), 'utf8')).toBe('edited\n');
  chat.press('shift-tab', 'shift-tab');
  await chat.shows(/^ {2}ask · /m);
  chat.say('write it');
  await chat.shows(/Approval needed/);
});

test(verifies('G2:mode-told', 'what Shift-Tab and an accepted plan set in one window shows in the other one'), async () => {
  const first = await open();
  first.say('and the size');
  await first.shows('With the size.');
  const second = await open({ argv: ['--continue'] });
  await second.shows(/^ {2}ask · /m);
  first.press('shift-tab', 'shift-tab');
  await second.shows(/^ {2}plan · /m);
  await first.shows(/^ {2}plan · /m);
  first.say('plan it');
  await first.decide(/The plan[^]*Two steps/, 'a');
  await second.shows(/^ {2}ask · /m);
  await first.shows(/^ {2}ask · /m);
});

test.each([40, 120])(
  verifies('R3:chat-waits', 'at %s columns a provider that lets the model wait is named with its words, and how long it takes'),
  async (columns) => {
    const chat = await open({ columns });
    chat.say(`be patient at ${String(columns)}`);
    await chat.until('counts down', () =>
      /rate limited: Rate limit reached for gpt-test\. · trying again in [1-4] s \(2 of \d\)/.test(chat.screen().replaceAll(/\s+/g, ' ')),
    );
    await chat.shows('Thank you.');
    expect(chat.screen()).not.toContain('trying again');
  },
);

test(
  verifies('R3:chat-shell', 'a command of the user runs at once, and the model reads what it printed with the next message'),
  async () => {
    const chat = await open();
    chat.say('!echo seen; cat notes.txt; exit 3');
    await chat.shows(/! echo seen; cat notes\.txt; exit 3\n {2}│ seen\n {2}│ zero\n {2}exit 3 · .* with your next message/);
    chat.say('!echo begun; sleep 600');
    await chat.shows(/│ begun[^]*Ctrl-C ends it/); // before it has begun an interrupt may pass it by
    chat.press('ctrl-c');
    await chat.shows('ended by a signal');
    chat.say('and the size');
    await chat.shows(/› and the size\n {2}\+ the user ran: echo seen[^]*With the size\./);
    expect(chats.model.requests.at(-1)?.text).toMatch(/the user ran: echo seen; cat notes\.txt; exit 3 \(exit 3\)[^]*seen\\nzero/);
  },
);

test(verifies('R3:chat-steer', 'Enter reaches the model at the next step of the turn that runs'), async () => {
  const chat = await open();
  chat.say('look first');
  await chat.shows('Approval needed');
  chat.press('tab');
  chat.say('and the size');
  await chat.shows(/↳ next step {2}and the size/);
  chat.press('tab');
  await chat.decide(/Approval needed/, 'a');
  await chat.shows(/run_command[^]*› and the size[^]*With the size\./);
  expect(chat.history()).not.toContain('I looked.');
});

test(verifies('R3:chat-windows', 'what a second window steers into a turn appears in the first one, too'), async () => {
  const first = await open();
  first.say('look first');
  await first.shows('Approval needed');
  const second = await open({ argv: ['--continue'] });
  await second.shows('Approval needed');
  second.press('tab');
  second.say('and the size');
  await first.shows(/↳ next step {2}and the size/);
  await first.decide(/Approval needed/, 'a');
  await first.shows(/run_command[^]*› and the size[^]*With the size\./);
  await second.shows('With the size.');
});
