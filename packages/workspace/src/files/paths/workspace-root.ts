import { access, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { identityOf, isSame, type Identity } from './identity.js';
import { openTop, type Anchoring, type OpenDirectory } from './open-directory.js';
import { ToolFailure } from '../../tool-failure.js';
import { isErrno } from '../../to-tool-error.js';

/** Whether a canonical path is `top` or below it; a sibling whose name starts the same is not. */
export const isInside = (top: string, path: string): boolean => path === top || path.startsWith(top.endsWith(sep) ? top : top + sep);

/** The folder that all tools work in: found once, and recognised ever after. */
export interface WorkspaceRoot {
  /** The canonical absolute path. */
  readonly path: string;
  readonly anchoring: Anchoring;
  /** Directories that count as outside although they may lie inside: the client's own data. */
  readonly foreign: readonly Identity[];
  /** Those, and the directories that they lie in. */
  readonly own: readonly Identity[];
  /** Opens it. Fails if another directory has taken its place. */
  open(): Promise<OpenDirectory>;
}

const hasDescriptors = async (): Promise<boolean> => {
  if (process.platform !== 'linux') return false;
  try {
    await access('/proc/self/fd');
    return true;
  } catch {
    return false; // no /proc mounted: the portable way remains
  }
};

const identitiesUpwards = async (path: string): Promise<readonly Identity[]> => {
  const identities: Identity[] = [];
  for (let at = path; ; at = dirname(at)) {
    identities.push(identityOf(await stat(at, { bigint: true })));
    if (dirname(at) === at) return identities;
  }
};

/**
 * Finds the workspace: canonical path, identity, and how its directories can be held.
 *
 * @param dataDir where the client keeps its journal and copies; no tool reaches it, should it lie in the workspace. Created if missing.
 * @throws Error with a sentence for the user, if `root` is no directory or lies in `dataDir`
 */
export async function findWorkspaceRoot(root: string, dataDir: string, anchoring?: Anchoring): Promise<WorkspaceRoot> {
  const path = await realpath(root).catch((error: unknown) => {
    throw new Error(`The workspace ${root} cannot be opened: there is no such folder.`, { cause: error });
  });
  const stats = await stat(path, { bigint: true });
  if (!stats.isDirectory()) throw new Error(`The workspace ${root} cannot be opened: it is a file, not a folder.`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const data = await realpath(dataDir);
  if (isInside(data, path))
    throw new Error(`The workspace ${root} lies in ${dataDir}, where the client keeps its own data. Set CODELAB_DATA_DIR elsewhere.`);
  const identity = identityOf(stats);
  const held = anchoring ?? ((await hasDescriptors()) ? 'descriptor' : 'path');
  return {
    path,
    anchoring: held,
    foreign: [identityOf(await stat(data, { bigint: true }))],
    own: await identitiesUpwards(data),
    open: async () => {
      const gone = new ToolFailure('PATH_OUTSIDE_WORKSPACE', 'The workspace folder was removed or replaced; open it again.');
      const top = await openTop(path, held).catch((error: unknown) => {
        throw isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP') ? gone : error;
      });
      if (isSame(top.identity, identity)) return top;
      await top.close();
      throw gone;
    },
  };
}
