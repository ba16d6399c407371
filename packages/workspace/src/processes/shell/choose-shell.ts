import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { win32 } from 'node:path';
import { inheritedEnvironment, type Environment } from '../../inherited-environment.js';

/** The program that runs commands on a machine. */
export interface SystemShell {
  readonly program: string;
  /** It reads a line as commands are judged. `cmd.exe` does not: what is one quoted word to the judge may be a second command to it. */
  readonly posix: boolean;
}

/** What decides which shell there is. */
interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
  readonly isExecutable: (path: string) => Promise<boolean>;
}

const variable = (environment: Environment, name: RegExp): string | undefined =>
  Object.entries(environment).find(([key, value]) => name.test(key) && value !== undefined && value !== '')?.[1];

/** Where Git for Windows puts its bash: in the places of its installers, and beside a `git.exe` of the `PATH`. */
async function* placesOfGitBash({ environment, isExecutable }: Machine): AsyncGenerator<string> {
  for (const [name, below] of [
    [/^ProgramW6432$/i, ['Git']],
    [/^ProgramFiles$/i, ['Git']],
    [/^LOCALAPPDATA$/i, ['Programs', 'Git']],
    [/^USERPROFILE$/i, ['scoop', 'apps', 'git', 'current']],
  ] as const) {
    const base = variable(environment, name);
    if (base !== undefined && win32.isAbsolute(base)) yield win32.join(base, ...below, 'bin', 'bash.exe');
  }
  for (const entry of (variable(environment, /^path$/i) ?? '').split(win32.delimiter)) {
    if (!win32.isAbsolute(entry) || !(await isExecutable(win32.join(entry, 'git.exe')))) continue;
    yield win32.join(entry, '..', 'bin', 'bash.exe');
    yield win32.join(entry, '..', '..', 'bin', 'bash.exe');
  }
}

/**
 * The shell of a machine: bash where it is, since that is what models write for, else the system's own; never one that the user's settings name.
 * On Windows that is Git Bash, and without it `cmd.exe`; the bash of the system directory belongs to another system and is not taken.
 */
export async function findShell(machine: Machine): Promise<SystemShell> {
  if (machine.platform !== 'win32') return { program: (await machine.isExecutable('/bin/bash')) ? '/bin/bash' : '/bin/sh', posix: true };
  for await (const program of placesOfGitBash(machine)) if (await machine.isExecutable(program)) return { program, posix: true };
  const system = variable(machine.environment, /^SystemRoot$/i) ?? 'C:\\Windows';
  return { program: win32.join(system, 'System32', 'cmd.exe'), posix: false };
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false, // not there, or not for us
  );

const found = new Map<string, Promise<SystemShell>>();

/**
 * The shell that runs the commands of a workspace on this machine. No program that lies in the workspace is taken for it; without a workspace none
 * that only the `PATH` names.
 */
export function systemShell(root = ''): Promise<SystemShell> {
  const inherited = Object.entries(inheritedEnvironment(root));
  const environment = Object.fromEntries(root === '' ? inherited.filter(([name]) => !/^path$/i.test(name)) : inherited);
  const known = found.get(root) ?? findShell({ platform: process.platform, environment, isExecutable });
  found.set(root, known);
  return known;
}

/** How a command is handed to a shell. */
export interface Shell {
  readonly program: string;
  readonly args: readonly string[];
  /** Windows: the arguments are one text that the shell reads itself. */
  readonly verbatim: boolean;
}

export function handTo({ program, posix }: SystemShell, command: string): Shell {
  if (!posix) return { program, args: ['/d', '/s', '/c', `"${command}"`], verbatim: true };
  return { program, args: ['-c', '--', command], verbatim: false };
}
