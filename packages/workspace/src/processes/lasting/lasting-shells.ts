import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { ToolFailure } from '../../tool-failure.js';
import type { ReadyCommand } from '../commands.js';
import type { SystemShell } from '../shell/choose-shell.js';
import { insideOf } from '../shell/shell-report.js';
import { LastingShell } from './lasting-shell.js';
import type { SessionMemory } from './session-memory.js';

/** Whether shells that last are made of this one: they are bash. */
export const canLast = ({ program, posix }: SystemShell): boolean => posix && process.platform !== 'win32' && basename(program) === 'bash';

/** Shells of a workspace at once. */
const MAX_SHELLS = 8;

/** Which shell it is. */
export interface ShellName {
  readonly sessionId: string;
  readonly shellId: string;
}

/** A shell that is there, and whether it is another one than the session had before. */
export interface FoundShell {
  readonly shell: LastingShell;
  readonly restarted: boolean;
}

/** The lasting shells of a workspace, each of one session. They end with this process; that there was one is remembered beyond it. */
export class LastingShells {
  private readonly shells = new Map<string, { readonly shell: LastingShell; cwd: string | undefined }>();
  private watchesExit = false;

  /** @param memory where it is remembered that a session had a shell */
  constructor(
    private readonly root: string,
    private readonly memory: SessionMemory,
  ) {}

  /** Where a shell is, relative to the workspace; `undefined` if it has left it. */
  placeOf(name: ShellName): string | undefined {
    const known = this.shells.get(keyOf(name));
    return known?.shell.isAlive ? known.cwd : '.';
  }

  /** @throws ToolFailure `CONFLICT` if there are too many, or `PERMISSION_DENIED` if it cannot be started */
  async open(name: ShellName, ready: ReadyCommand): Promise<FoundShell> {
    const key = keyOf(name);
    const known = this.shells.get(key);
    if (known?.shell.isAlive) return { shell: known.shell, restarted: false };
    this.shells.delete(key);
    for (const [other, { shell }] of this.shells) if (!shell.isAlive) this.shells.delete(other);
    if (this.shells.size >= MAX_SHELLS)
      throw new ToolFailure('CONFLICT', `${String(MAX_SHELLS)} shells run, which is the limit; end one with shell.restart.`);
    const shell = await LastingShell.start(ready);
    this.shells.set(key, { shell, cwd: '.' });
    this.endWithProcess();
    return { shell, restarted: !(await this.memory.isFirst(key)) };
  }

  /** Notes where a shell is, and answers it relative to the workspace; `undefined` outside of it. */
  moved(name: ShellName, directory: string): string | undefined {
    const cwd = insideOf(this.root, directory);
    const known = this.shells.get(keyOf(name));
    if (known !== undefined) known.cwd = cwd;
    return cwd;
  }

  /** Ends a shell, if there is one; the next command of its name has a new one, as is expected then. */
  async end(name: ShellName): Promise<void> {
    const key = keyOf(name);
    await this.shells.get(key)?.shell.end();
    this.shells.delete(key);
    await this.memory.forget(key);
  }

  /** What runs in the background of a shell ends with the client, too. */
  private endWithProcess(): void {
    if (this.watchesExit) return;
    this.watchesExit = true;
    process.once('exit', () => {
      for (const { shell } of this.shells.values()) if (shell.isAlive) killGroup(shell.pid);
    });
  }
}

const keyOf = ({ sessionId, shellId }: ShellName): string =>
  createHash('sha256')
    .update(JSON.stringify([sessionId, shellId]))
    .digest('hex')
    .slice(0, 32);

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended
  }
};
