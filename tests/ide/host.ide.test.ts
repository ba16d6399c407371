import { expect, test } from 'vitest';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, verifies } from '@codelab/testkit';
import { plan } from '../e2e/planned-model.js';
import { useEditor } from './use-editor.js';

const WEATHER = fileURLToPath(new URL('./__fixtures__/weather', import.meta.url));
let release: () => void = () => undefined;
const held = new Promise<void>((resolve) => (release = resolve));
const write = (path: string) => ({ calls: [{ tool: 'write_file', args: { path, content: 'one\n' } }] });

const used = useEditor(
  {
    'say hello': [{ text: 'Hello from the **model**.' }],
    'read it': [{ calls: [{ tool: 'read_file', args: { path: 'notes.txt' } }] }, { text: 'I have read it.' }],
    'write while I look elsewhere': [{ ...write('first.txt'), hold: held }, write('second.txt'), { text: 'One is there.' }],
    'start a server': [
      { calls: [{ tool: 'run_persistent', args: { process_id: 'dev', command: 'echo "listening now"; sleep 600' } }] },
      { text: 'It runs.' },
    ],
    'what is this': [{ text: 'It is a zero.' }],
    'write in both folders': [write('here.txt'), write('api/there.txt'), { text: 'Both are there.' }],
  },
  { extensions: { 'test.weather-1.0.0': WEATHER } },
);

const fileOf = (name: string): Promise<string | undefined> => readFile(join(used.repository.root, name), 'utf8').catch(() => undefined);
const withFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-ide-data-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
};

test(
  verifies('S1:ide-token', 'a window talks to a team’s gateway with a token that is asked for once and stands in no settings'),
  () =>
    withFolder(async (dataDir) => {
      const [gateway] = used.system.gateways;
      await used.server.configure({ 'codelab.dataDirectory': dataDir, 'codelab.command': '/nowhere/codelab' });
      const editor = await used.open();
      await editor.run('CodeLab: Connect to a Gateway');
      await editor.answer('Address of the gateway', gateway!.url);
      await editor.answer('Token for', used.system.token);
      await editor.run('CodeLab: Open the Chat');
      await editor.say('say hello');
      await editor.shows('Hello from the');
      expect(await used.server.settings()).not.toContain(used.system.token);
      expect(await used.server.settings()).toContain(gateway!.url);
      await editor.load(); // the token is remembered
      await editor.run('CodeLab: Open the Chat');
      await editor.shows('Hello from the');
    }),
  300_000,
);

test(
  verifies('R4:ide-stack', 'a window starts the services of its machine where none run, and they end when it is closed'),
  () =>
    withFolder(async (dataDir) => {
      await used.server.configure({ 'codelab.dataDirectory': dataDir });
      const editor = await used.open();
      await editor.run('CodeLab: Open the Chat');
      await editor.say('say hello');
      await editor.shows('Hello from the');
      const { pid } = JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8')) as { readonly pid: number };
      await editor.leave();
      const isOver = (): boolean => {
        try {
          process.kill(pid, 0);
          return false;
        } catch {
          return true;
        }
      };
      await eventually('the services have ended', isOver, { withinMs: 120_000 });
    }),
  300_000,
);

test(
  verifies('H1:ide-untrusted', 'in a folder that is not trusted even reading is asked about'),
  async () => {
    await used.server.configure({ 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' });
    const editor = await used.open();
    await editor.page.locator('.statusbar-item').filter({ hasText: 'Restricted Mode' }).waitFor();
    await editor.run('CodeLab: Open the Chat');
    await editor.say('read it');
    await editor.asked();
    await editor.picture('untrusted');
    await editor.page.keyboard.press('Control+Alt+Y');
    await editor.shows('I have read it.');
  },
  300_000,
);

test(
  verifies('H3:ide-notifications', 'what waits while the chat is out of sight is told by a notification, and decided by its buttons'),
  async () => {
    const editor = await used.open();
    const { page } = editor;
    await editor.run('CodeLab: Open the Chat');
    await editor.say('write while I look elsewhere');
    await page.keyboard.press('Control+Shift+E');
    await page.locator('.explorer-folders-view').waitFor();
    release();
    const told = (text: string) => page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });
    await told('CodeLab asks: write_file first.txt').getByRole('button', { name: 'Approve' }).click();
    await eventually('it is written', async () => (await fileOf('first.txt')) === 'one\n');
    await editor.picture('notification');
    await told('CodeLab asks: write_file second.txt').getByRole('button', { name: 'Reject' }).click();
    await editor.answer('Why not?', 'one is enough');
    await editor.run('CodeLab: Open the Chat');
    await editor.shows('One is there.');
    expect(await fileOf('second.txt')).toBeUndefined();
    expect(JSON.stringify(used.model.requests.at(-1)!.body.messages.at(-1))).toContain('one is enough');

    await editor.say('start a server');
    await editor.asked();
    await page.keyboard.press('Control+Alt+Y');
    await editor.shows('It runs.');
    const terminal = page.locator('.terminal-wrapper.active');
    await terminal.locator('.xterm-rows').getByText('listening now').last().waitFor();
    await editor.picture('terminal');
    await terminal.click();
    await page.keyboard.press('Control+C');
    await terminal
      .locator('.xterm-rows')
      .getByText(/killed|exited/)
      .waitFor();
  },
  300_000,
);

test(
  verifies('L3:ide-ask', 'the light bulb at a selection asks the agent about these lines'),
  async () => {
    const editor = await used.open();
    await editor.open('notes.txt');
    const offer = editor.page.locator('.action-widget').getByText('Ask CodeLab about this');
    const offers = async (): Promise<boolean> => {
      await editor.page.keyboard.press('Escape');
      await editor.page.locator('.monaco-editor .view-lines').first().click();
      await editor.page.keyboard.press('Control+A');
      await editor.page.keyboard.press('Control+.');
      return offer.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false, // the extension is about to start
      );
    };
    await eventually('the light bulb offers it', offers, { withinMs: 90_000 });
    await offer.click();
    await editor.answer('Ask CodeLab about notes.txt', 'what is this');
    await editor.shows('It is a zero.');
    expect(JSON.stringify(used.model.requests.at(-1)!.body.messages)).toContain('what is this @notes.txt:1');
  },
  300_000,
);

test(
  verifies('W1:ide-folders', 'in a window with two folders a call writes into the one that its path names'),
  () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, 'api'));
      const file = join(folder, 'two.code-workspace');
      await writeFile(file, JSON.stringify({ folders: [{ path: used.repository.root }, { path: join(folder, 'api') }] }));
      const editor = await used.open(file);
      await editor.run('CodeLab: Open the Chat');
      await editor.say('write in both folders');
      for (const path of [join(used.repository.root, 'here.txt'), join(folder, 'api/there.txt')]) {
        await editor.shows(basename(path)); // the question before is over then
        await editor.asked();
        await editor.picture(`folders-${path.includes('here.txt') ? 'one' : 'two'}`);
        await editor.page.keyboard.press('Control+Alt+Y');
        await eventually(`${path} is written`, async () => (await readFile(path, 'utf8').catch(() => '')) === 'one\n');
      }
      await editor.shows('Both are there.');
    }),
  300_000,
);

test(
  verifies('H1:ide-programs', 'a program lists the editor’s tools and has one run by use_vscode_tools, once it is approved in the editor'),
  async () => {
    const editor = await used.open();
    await editor.run('CodeLab: Open the Chat');
    const { url } = used.system.proxies[0]!;
    const headers = { authorization: `Bearer ${used.system.token}`, 'content-type': 'application/json' };
    const listed = async (): Promise<string | undefined> => {
      const { data } = (await (await fetch(`${url}/v1/tools?tags=vscode`, { headers })).json()) as {
        readonly data: readonly { readonly name: string }[];
      };
      return data.find(({ name }) => name.endsWith('weather_of'))?.name;
    };
    const tool = await eventually('the proxy lists the tool', listed, { withinMs: 60_000 });
    const content = plan({ calls: [{ tool, args: { city: 'Bonn' } }] }, { text: 'Take no coat.' });
    const body = JSON.stringify({ messages: [{ role: 'user', content }], use_vscode_tools: true, tool_execution: 'auto' });
    const asks = fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    await editor.asked();
    await editor.picture('program');
    await editor.page.keyboard.press('Control+Alt+Y');
    const answer = (await (await asks).json()) as { readonly choices: readonly { readonly message: { readonly content: string } }[] };
    expect(answer.choices[0]?.message.content).toBe('Take no coat.');
    expect(JSON.stringify(used.model.requests.at(-1)!.body.messages)).toContain('sunny in Bonn');
  },
  300_000,
);
