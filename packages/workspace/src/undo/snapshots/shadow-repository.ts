import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { findRepository } from '../../git/find-repository.js';
import { shadowGit, type ShadowPlace } from './shadow-git.js';
import { withShadowLock } from './shadow-lock.js';

/** Where the user's own repository is, if the workspace is in one. */
interface Surrounding {
  readonly top: string;
  /** Objects that need not be stored again; absent where they are of another format. */
  readonly objects?: string;
}

/** The repository of the workspace; every doubt means that there is none. */
const findSurrounding = async (root: string): Promise<Surrounding> => {
  const found = await findRepository(root, new AbortController().signal).catch(() => undefined);
  if (found === undefined) return { top: root };
  const isPlain = !found.settings.some(({ key }) => key === 'extensions.objectformat');
  return { top: found.top, ...(isPlain && { objects: join(found.commonDir, 'objects') }) };
};

/** Whatever a workspace says, its files are stored byte for byte. */
const ATTRIBUTES = '* -text -crlf -ident -filter -working-tree-encoding -diff\n';

const make = async (place: ShadowPlace, objects: string | undefined, hidden: readonly string[]): Promise<void> => {
  await shadowGit(place, { args: ['init', '--quiet', '--template=', '--object-format=sha1'] });
  await mkdir(join(place.gitDir, 'info'), { recursive: true });
  await mkdir(join(place.gitDir, 'objects', 'info'), { recursive: true });
  await writeFile(join(place.gitDir, 'info', 'attributes'), ATTRIBUTES);
  await writeFile(join(place.gitDir, 'info', 'exclude'), hidden.map((path) => `/${path.replace(/[\\*?[\]! #]/g, '\\$&')}/\n`).join(''));
  if (objects !== undefined && !/[\n"]/.test(objects)) await writeFile(join(place.gitDir, 'objects', 'info', 'alternates'), `${objects}\n`);
};

/**
 * The repository in the data directory that remembers how the workspace was: its own git directory and its own index, beside the user's,
 * whose index, stash, refs and configuration it never reads or writes. Objects that the user's repository has are not stored again.
 *
 * @param directory where shadow repositories of this workspace lie
 * @param hidden paths in the workspace that are not looked at: the client's own data, should they lie there
 * @throws ShadowFailure if it can't be made, or another process has it for too long
 */
export async function openShadowRepository(root: string, directory: string, hidden: readonly string[]): Promise<ShadowPlace> {
  const { top, objects } = await findSurrounding(root);
  const name = createHash('sha256').update(top).digest('hex').slice(0, 16);
  const place = { gitDir: join(directory, `${name}.git`), top, root };
  const prefix = root === top ? '' : `${root.slice(top.length + 1)}/`;
  await mkdir(place.gitDir, { recursive: true, mode: 0o700 });
  // Another client of the workspace may make it at this moment, or look at the workspace with it.
  await withShadowLock(place.gitDir, () =>
    make(
      place,
      objects,
      hidden.map((path) => prefix + path),
    ),
  );
  return place;
}

/** Removes a shadow repository; the next one begins anew. */
export const removeShadowRepository = (place: ShadowPlace): Promise<void> => rm(place.gitDir, { recursive: true, force: true });
