import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { ToolExecutor } from '@codelab/client';
import type { Workspace } from '@codelab/workspace';

/** A folder of the window, opened for work. */
export interface WindowFolder {
  /** The first segment of the paths that lead into it; '' for the main folder. */
  readonly name: string;
  /** Without links. */
  readonly root: string;
  readonly workspace: Workspace;
  readonly executor: ToolExecutor;
}

/** A path, and the folder that it belongs to. */
export interface PlacedPath {
  readonly folder: WindowFolder;
  /** In that folder. */
  readonly path: string;
}

/**
 * The folders of a window as one workspace. Paths are those of the main folder; a path whose first segment is the name of another folder of
 * the window belongs to that one. No path leads into a folder that isn't of the window, and none out of the one that it belongs to (W1).
 */
export class WindowFolders {
  constructor(
    readonly main: WindowFolder,
    readonly others: readonly WindowFolder[] = [],
  ) {}

  get all(): readonly WindowFolder[] {
    return [this.main, ...this.others];
  }

  /** Where a path of the window leads. Whether it is a good one, the folder says. */
  place(path: string): PlacedPath {
    const [first, ...rest] = path.split('/').filter((segment, at) => segment !== '.' && (segment !== '' || at === 0));
    const folder = first && this.others.find(({ name }) => name === first);
    return folder ? { folder, path: rest.join('/') || '.' } : { folder: this.main, path };
  }

  /** A path of a folder as one of the window. */
  name({ folder, path }: PlacedPath): string {
    if (folder.name === '' || path.startsWith('codelab-log:')) return path;
    return path === '.' ? folder.name : `${folder.name}/${path}`;
  }

  /** Where a path of the window is on disk. Say nothing of a path that hasn't been checked: it may lead anywhere. */
  absolute(path: string): string {
    const { folder, path: inside } = this.place(path);
    return join(folder.root, inside);
  }

  /** A file on disk as a path of the window; `undefined` outside of its folders. Of folders in one another the main one counts, else the innermost. */
  locate(absolute: string): string | undefined {
    const [inner] = this.others.filter(({ root }) => isBelow(root, absolute)).sort((one, other) => other.root.length - one.root.length);
    const folder = isBelow(this.main.root, absolute) ? this.main : inner;
    return folder && this.name({ folder, path: absolute.slice(folder.root.length + 1).replaceAll(sep, '/') });
  }
}

const isBelow = (root: string, path: string): boolean => path.startsWith(`${root}${sep}`);

/**
 * Names for the other folders of a window, as its explorer shows them: of each one that is like an entry of the main folder, or like one
 * before it, a number makes another. Only letters, digits, `.`, `_` and `-` stay as they are.
 *
 * @param mainRoot the main folder
 */
export async function nameFolders(mainRoot: string, shown: readonly string[]): Promise<readonly string[]> {
  const taken = new Set((await readdir(mainRoot).catch(() => [])).map((name) => name.toLowerCase())); // a folder that is gone has no entries
  return shown.map((text) => {
    const plain = text.replaceAll(/[^\w.-]+/g, '-');
    const base = /[A-Za-z0-9]/.test(plain) ? plain : 'folder';
    let name = base;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${base}-${String(count)}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
