/**
 * Takes the screenshots of README from the real command at a real terminal, with a scripted model:
 * `node --conditions=codelab-source --import ./scripts/register-swc.mjs scripts/screenshots/take-screenshots.ts`, after `./codelab --version`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startChat, type Chat } from '../../tests/e2e/start-chat.js';
import { renderSvg } from './render-svg.js';
import { steadyCells } from './steady-cells.js';
import { REQUEST, startTide } from './tide.js';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const COLUMNS = 96;
async function save(name: string, title: string, chat: Chat): Promise<void> {
  await writeFile(`${IMAGES}${name}.svg`, renderSvg(title, steadyCells(chat.cells()), COLUMNS));
}

const tide = await startTide();
const { system, root } = tide;
await mkdir(IMAGES, { recursive: true });
const chat = await startChat(system, { root, columns: COLUMNS, rows: 34 });
/** What is asked is there, and its keys have lit up. */
const asks = (pattern: RegExp) =>
  chat.until(`asks ${String(pattern)}`, () => pattern.test(chat.screen()) && chat.styleOf('a\u00a0approve')?.underline === true);
try {
  chat.say(REQUEST);
  await asks(/Approval needed[^]*later than predicted/);
  await save('chat-approval', 'An approval in codelab chat: the change, why it is asked, and the keys', chat);
  chat.type('a');
  await asks(/Approval needed[^]*npm test/);
  await save('chat-turn', 'A turn in codelab chat: calls, the change made, the tasks, a command that waits', chat);
  chat.type('a');
  await chat.shows(/later than predicted to a tide that is late/);
  chat.say('/context');
  await chat.shows(/conversation +\d/);
  await chat.rests();
  await save('chat-context', 'What fills the context, shown by /context in codelab chat', chat);
} finally {
  await chat.close();
  await tide.stop();
}
