import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from '../../backups/blob-store.js';

/** Permission bits that git does not keep: those of files that are not as the system makes new ones, such as private keys. */
export class FileModes {
  private constructor(private readonly unusual: ReadonlyMap<string, number>) {}

  /** Reads those that were noted beside a shadow repository. */
  static async read(gitDir: string): Promise<FileModes> {
    const text = await unlessMissing(readFile(join(gitDir, 'modes.json'), 'utf8'));
    try {
      return new FileModes(new Map(Object.entries(JSON.parse(text ?? '{}') as Record<string, number>))); // written below
    } catch {
      return new FileModes(new Map()); // cut short: files come back with the usual bits
    }
  }

  /** The bits of a file, from the top of the repository. */
  of(path: string, program: boolean): number {
    const mode = this.unusual.get(path);
    return mode !== undefined && ((mode & 0o100) !== 0) === program ? mode : usual(program);
  }

  with(modes: ReadonlyMap<string, number>): FileModes {
    const next = new Map(this.unusual);
    for (const [path, mode] of modes) {
      if (mode === usual(true) || mode === usual(false)) next.delete(path);
      else next.set(path, mode);
    }
    return new FileModes(next);
  }

  async write(gitDir: string): Promise<void> {
    await writeFile(join(gitDir, 'modes.json'), JSON.stringify(Object.fromEntries(this.unusual)), { mode: 0o600 });
  }
}

const usual = (program: boolean): number => (program ? 0o777 : 0o666) & ~process.umask();
