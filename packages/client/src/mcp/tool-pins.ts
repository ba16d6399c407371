import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Digests of one tool that are kept, the last ones: folders may name different servers alike. */
const MAX_DIGESTS = 16;

/** What a human approved of the tools of MCP servers: the digests of what servers of a name said of each, as it was then. */
export interface ToolPins {
  /** The digests that were approved; `undefined`: none was. */
  find(server: string, tool: string): Promise<readonly string[] | undefined>;
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
  const find = async (server: string, tool: string): Promise<readonly string[] | undefined> => {
    const text = await readFile(fileOf(server, tool), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      return ''; // it can't be read: nothing that anybody could have approved is in it
    });
    return text === undefined ? undefined : readDigests(text);
  };
  return {
    find,
    async keep(server, tool, digest) {
      const known = (await find(server, tool)) ?? [];
      if (known.at(-1) === digest) return;
      const digests = [...known.filter((each) => each !== digest), digest].slice(-MAX_DIGESTS);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const draft = join(directory, `${randomUUID()}.tmp`);
      try {
        await writeFile(draft, `${JSON.stringify({ server, tool, digests })}\n`, { mode: 0o600, flag: 'wx' });
        await rename(draft, fileOf(server, tool));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}

function readDigests(text: string): readonly string[] {
  try {
    const { digests } = JSON.parse(text) as { readonly digests?: unknown };
    return Array.isArray(digests) ? digests.filter((digest) => typeof digest === 'string') : [];
  } catch {
    return []; // cut off: as above
  }
}
