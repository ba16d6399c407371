import { spawn } from 'node:child_process';
import { open, readFile, rename } from 'node:fs/promises';
import { once } from 'node:events';
import { dirname } from 'node:path';

/** Runs ripgrep as a shell would, and reads what it says; how many bytes that is. */
export async function bareRipgrep(root: string, args: readonly string[]): Promise<number> {
  const child = spawn('rg', ['--no-config', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(child, 'close');
  return bytes;
}

export const bareRead = (file: string): Promise<string> => readFile(file, 'utf8');

/** The same durable write as the tool's: beside the file, fdatasync, rename, fsync of the directory. Nothing is kept, nothing checked. */
export async function bareWrite(file: string, content: string): Promise<void> {
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, 'w');
  await handle.writeFile(content);
  await handle.datasync();
  await handle.close();
  await rename(temporary, file);
  const directory = await open(dirname(file), 'r');
  await directory.sync();
  await directory.close();
}
