import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a human approved of the tools of MCP servers: the digest of what a server said of each, as it was then. */
export interface ToolPins {
  /** The digest that was approved last; `undefined`: none was. */
  find(server: string, tool: string): Promise<string | undefined>;
  /** A human approved the tool as it is described now. */
  keep(server: string, tool: string, digest: string): Promise<void>;
}

/**
 * Pins in a folder of the data directory, one small file for each tool, which only its owner reads. A file that can't be understood counts as
 * another description: it is asked, never guessed.
 */
export function fileToolPins(directory: string): ToolPins {
  const fileOf = (server: string, tool: string): string =>
    join(directory, `${createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, 32)}.json`);
  return {
    async find(server, tool) {
      const text = await readFile(fileOf(server, tool), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        return ''; // it can't be read: nothing that anybody could have approved has this digest
      });
      return text === undefined ? undefined : readDigest(text);
    },
    async keep(server, tool, digest) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const draft = join(directory, `${randomUUID()}.tmp`);
      try {
        await writeFile(draft, `${JSON.stringify({ server, tool, digest })}\n`, { mode: 0o600, flag: 'wx' });
        await rename(draft, fileOf(server, tool));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}

function readDigest(text: string): string {
  try {
    const { digest } = JSON.parse(text) as { readonly digest?: unknown };
    return typeof digest === 'string' ? digest : '';
  } catch {
    return ''; // cut off: as above
  }
}
