import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How long it is remembered that a session had something, in milliseconds. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

/** Remembers, beyond the life of this process, that a session had something that ends with it: a shell, a kernel. */
export class SessionMemory {
  /** @param directory of our own */
  constructor(private readonly directory: string) {}

  /** Whether nothing of this name is remembered, as far as can be told. From now on it is. */
  async isFirst(name: string): Promise<boolean> {
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      await this.forgetOld();
      await writeFile(this.pathOf(name), '', { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  async forget(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  private pathOf(name: string): string {
    return join(this.directory, createHash('sha256').update(name).digest('hex').slice(0, 32));
  }

  private async forgetOld(): Promise<void> {
    for (const path of (await readdir(this.directory)).map((name) => join(this.directory, name))) {
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs > REMEMBERED_MS) await rm(path, { force: true });
    }
  }
}
