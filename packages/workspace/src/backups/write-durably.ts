import { randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';

/** Writes a file of the client's own, for its user alone: durable (`lazily`: when the system finds time), and whole or not at all. */
export async function writeDurably(path: string, content: Buffer | string, how: 'durably' | 'lazily' = 'durably'): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    if (how === 'durably') await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
}
