import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { parsePath } from '../../files/paths/parse-path.js';
import type { Environment } from '../../inherited-environment.js';
import type { Shell } from './choose-shell.js';

/** Where the shell of a command was when it ended. */
export interface ShellReport {
  /** What is started: the same command, byte for byte, in a shell that reports. */
  readonly shell: Shell;
  readonly environment: Environment;
  /**
   * Relative to the workspace, `.` for itself; `undefined` outside of it. To be called once, at the end.
   *
   * @param start where it was started, which is answered if the shell didn't say
   */
  read(start: string): Promise<string | undefined>;
}

/** A longer one is no path of a tool. */
const MAX_REPORT_CHARACTERS = 8_192;

/** What a crash left is removed after so long, in milliseconds. */
const STALE_MS = 24 * 60 * 60 * 1000;

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** As the shell ends, whatever the command has made of `pwd`, its output and its options; the exit code stays what it was. */
const trapTo = (file: string, pwd: string): string => `trap ${quote(`{ ${pwd} -P >|${quote(file)}; } 2>/dev/null || :`)} EXIT`;

/**
 * Lets shells report where they end. bash reads a file of ours before the command, and forgets that it did; another shell gets a line before
 * the command. Of a command that replaces the shell (`exec`), or has an exit trap of its own, it is not known.
 */
export class ShellReports {
  /** @param directory of our own, for short-lived files */
  constructor(
    private readonly root: string,
    private readonly directory: string,
  ) {}

  async begin({ shell, environment }: Pick<ShellReport, 'shell' | 'environment'>): Promise<ShellReport> {
    const own = join(this.directory, randomUUID());
    const read: ShellReport['read'] = (start) => this.read(own, start);
    const [script, report] = [join(own, 'begin'), join(own, 'end')];
    const isBash = /^bash(\.exe)?$/.test(basename(shell.program));
    if (shell.verbatim || process.platform === 'win32') return { shell, environment, read: (start) => Promise.resolve(start) };
    try {
      await mkdir(own, { recursive: true, mode: 0o700 });
      if (isBash) await writeFile(script, `unset BASH_ENV\n${trapTo(report, 'builtin pwd')}\n`, { mode: 0o600 });
    } catch {
      return { shell, environment, read }; // a full disk: the command runs all the same
    }
    if (isBash) return { shell, environment: { ...environment, BASH_ENV: script }, read };
    const [command = '', ...before] = [...shell.args].reverse();
    const args = [...before.reverse(), `${trapTo(report, 'command pwd')}\n${command}`];
    return { shell: { ...shell, args }, environment, read };
  }

  /** Removes what crashes left. */
  async prune(): Promise<void> {
    const names = await readdir(this.directory).catch(() => []); // there is none yet
    for (const path of names.map((name) => join(this.directory, name))) {
      const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Infinity }))).mtimeMs;
      if (age > STALE_MS) await rm(path, { recursive: true, force: true });
    }
  }

  private async read(own: string, start: string): Promise<string | undefined> {
    const text = await readFile(join(own, 'end'), 'utf8').catch(() => ''); // it ended in another way
    await rm(own, { recursive: true, force: true }).catch(() => undefined); // pruned later
    if (!text.startsWith('/') || text.length > MAX_REPORT_CHARACTERS) return start;
    return insideOf(this.root, text.replace(/\n$/, ''));
  }
}

/** A directory by its absolute path, as one of the workspace. */
export function insideOf(root: string, directory: string): string | undefined {
  if (!directory.startsWith('/')) return undefined;
  const path = relative(root, directory).split(sep).join('/');
  const parsed = parsePath(path === '' ? '.' : path);
  return parsed.ok ? parsed.path.text : undefined;
}
