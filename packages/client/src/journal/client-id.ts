import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const readId = async (path: string): Promise<string | undefined> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return ''; // not made yet
  });
  const id = text.trim();
  return UUID.test(id) ? id : undefined;
};

/**
 * The `client_id` of a workspace on this machine: a UUID, made at the first call and kept under `dataDir`, so that every process that
 * works on this workspace is the same executor. Two first calls at once agree on one.
 *
 * @param workspaceId any text that names the workspace, such as `workspace.id`
 * @throws the file system's error, if the folder can't be read or written
 */
export async function clientIdFor(dataDir: string, workspaceId: string): Promise<string> {
  const folder = join(dataDir, 'clients');
  const path = join(folder, createHash('sha256').update(workspaceId).digest('hex').slice(0, 32));
  const known = await readId(path);
  if (known !== undefined) return known;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${randomUUID()}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      if ((await readId(path)) !== undefined) return; // another process was faster
      await rm(path, { force: true }); // cut short or not ours: no id at all
      await link(draft, path);
    });
  } finally {
    await rm(draft, { force: true });
  }
  const id = await readId(path);
  if (id === undefined) throw new Error(`${path} holds no client id; remove it`);
  return id;
}
