import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { env } from 'node:process';

const ofUser = (named: string | undefined, ...inHome: readonly string[]): string =>
  named !== undefined && isAbsolute(named) ? join(named, 'codelab') : join(homedir(), ...inHome, 'codelab');

/** CodeLab's own data on this machine: those of the `codelab` command, unless the setting names another folder. */
export const dataDirectory = (named: string): string =>
  resolve(named !== '' ? named : (env['CODELAB_DATA_DIR'] ?? ofUser(env['XDG_STATE_HOME'], '.local', 'state')));

/** What this user wrote for CodeLab: instructions, rules and agents for all of their folders. */
export const configDirectory = (): string => ofUser(env['XDG_CONFIG_HOME'], '.config');

/** The folders in which programs are looked for: absolute ones alone, so that no folder that is open is among them by being current. */
export const programFolders = (): readonly string[] =>
  (env['PATH'] ?? '').split(process.platform === 'win32' ? ';' : ':').filter((folder) => isAbsolute(folder));

/** The environment of the services that this window starts. */
export const stackEnvironment = (dataDir: string): NodeJS.ProcessEnv => {
  const { ELECTRON_RUN_AS_NODE: _e, VSCODE_IPC_HOOK_CLI: _i, NODE_OPTIONS: _o, ...inherited } = env;
  return { ...inherited, CODELAB_DATA_DIR: dataDir };
};
