import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

interface Holder {
  readonly pid: number;
  readonly key: string;
}

const isAlive = ({ pid }: Holder): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // there, and someone else's
  }
};

const birthOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return ''; // no such system: the number has to do
  }
};

/** One process at a time brings an index up to date; the others read. A lock that a killed process left is taken over. */
export class WriterLock {
  private held = false;
  private readonly key = randomUUID();

  constructor(private readonly file: string) {}

  /** Takes the lock if nobody has it; whether this one has it now. */
  take(): boolean {
    if (this.held) return true;
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        const mark = JSON.stringify({ pid: process.pid, key: this.key, birth: birthOf(process.pid) });
        writeFileSync(this.file, mark, { flag: 'wx', mode: 0o600 });
        this.held = true;
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      if (this.isTaken()) return false;
      try {
        unlinkSync(this.file);
      } catch {
        // another one was faster
      }
    }
    return false;
  }

  release(): void {
    if (!this.held) return;
    this.held = false;
    try {
      unlinkSync(this.file);
    } catch {
      // its directory is gone
    }
  }

  private isTaken(): boolean {
    try {
      const holder = JSON.parse(readFileSync(this.file, 'utf8')) as Holder & { readonly birth?: string };
      return isAlive(holder) && (holder.birth ?? '') === birthOf(holder.pid);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ENOENT' && !(error instanceof SyntaxError);
    }
  }
}
