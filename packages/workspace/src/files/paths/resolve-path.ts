import { findAlwaysAskReason, findSecretReason } from '@codelab/tools';
import { mkdir, readlink, realpath, rmdir } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import { isSame } from './identity.js';
import type { OpenDirectory } from './open-directory.js';
import type { WorkspacePath } from './parse-path.js';
import { isInside, type WorkspaceRoot } from './workspace-root.js';

/** What the place is for, how to treat links, and what may be made on the way. */
export interface ResolveOptions {
  /** A link must not lead round a question: what asks by its real name before it is read or changed is refused under another. */
  readonly purpose: 'read' | 'change';
  /** Whether links among the directories of the path may be followed, as long as they stay inside. */
  readonly links: 'follow' | 'refuse';
  /** Whether a link at the end of the path is followed; otherwise it is the entry. */
  readonly leaf: 'follow' | 'keep';
  readonly createDirectories?: boolean;
}

/** A directory that was made on the way to a file. */
interface CreatedDirectory {
  readonly parent: OpenDirectory;
  readonly name: string;
}

/** A directory that a path leads to. */
interface DirectoryPlace {
  readonly directory: OpenDirectory;
  /** Outermost first. */
  readonly created: readonly CreatedDirectory[];
  /** Everything that is open because of this place: who resolves, closes. */
  close(): Promise<void>;
}

/** The place that a path leads to: a name in an open directory. There may be nothing of that name. */
export interface Place extends DirectoryPlace {
  readonly name: string;
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;

interface Step {
  readonly name: string;
  /** It comes from a link's target, so it has to exist. */
  readonly linked: boolean;
}

const closeAll = async (directories: Iterable<OpenDirectory>): Promise<void> => {
  await Promise.all([...directories].map((directory) => directory.close()));
};

const stepsOf = (path: string): Step[] =>
  path
    .split(sep === '\\' ? /[\\/]/ : '/')
    .filter((name) => name !== '' && name !== '.')
    .map((name) => ({ name, linked: true }));

/** Removes directories that were made for a file that then was not written; one that is not empty by now stays. */
export async function removeDirectories(created: readonly CreatedDirectory[]): Promise<void> {
  for (const { parent, name } of [...created].reverse()) {
    try {
      await rmdir(parent.entry(name));
    } catch {
      return; // in use, or gone: no longer ours to remove
    }
  }
}

class Walk {
  private readonly stack: OpenDirectory[] = [];
  private readonly created: CreatedDirectory[] = [];
  private steps: Step[];
  private links = 0;

  constructor(
    private readonly root: WorkspaceRoot,
    private readonly path: WorkspacePath,
    private readonly options: ResolveOptions,
  ) {
    this.steps = path.segments.map((name) => ({ name, linked: false }));
  }

  run(): Promise<Place> {
    return this.fromRoot(async () => {
      for (;;) {
        const step = this.steps.shift();
        if (step === undefined) throw new ToolFailure('INVALID_PATH', `${this.path.text} is a directory.`);
        if (this.steps.length > 0) await this.enter(step);
        else if (this.options.leaf === 'keep' || !(await this.follow(step.name))) {
          const { name } = step;
          return { ...(await this.arrive([...this.here.segments, name])), name };
        }
      }
    });
  }

  runToDirectory(): Promise<DirectoryPlace> {
    return this.fromRoot(async () => {
      for (let step = this.steps.shift(); step !== undefined; step = this.steps.shift()) await this.enter(step);
      return this.arrive(this.here.segments);
    });
  }

  private async fromRoot<T>(walk: () => Promise<T>): Promise<T> {
    try {
      this.stack.push(await this.root.open());
      return await walk();
    } catch (error) {
      await removeDirectories(this.created);
      await closeAll(this.stack);
      throw error;
    }
  }

  private get here(): OpenDirectory {
    return this.stack.at(-1)!; // the root never leaves the stack
  }

  private async arrive(real: readonly string[]): Promise<DirectoryPlace> {
    const directory = this.here;
    this.assertNamed(real.join('/'));
    const needed = new Set([this.stack[0]!, directory, ...this.created.map(({ parent }) => parent)]);
    await closeAll(this.stack.filter((each) => !needed.has(each)));
    return { directory, created: this.created, close: () => closeAll(needed) };
  }

  private async enter({ name, linked }: Step): Promise<void> {
    let child: OpenDirectory;
    try {
      child = await this.here.openChild(name);
    } catch (error) {
      if (isErrno(error, 'ENOTDIR', 'ELOOP') && (await this.follow(name))) return;
      if (linked && isErrno(error, 'ENOENT'))
        throw new ToolFailure('FILE_NOT_FOUND', `${this.path.text} has a link in it that leads to nothing.`);
      if (!isErrno(error, 'ENOENT') || !this.options.createDirectories) throw error;
      child = await this.create(name);
    }
    this.stack.push(child);
    if (this.root.foreign.some((identity) => isSame(identity, child.identity))) throw this.outside();
  }

  private async create(name: string): Promise<OpenDirectory> {
    const parent = this.here;
    await parent.assertInPlace();
    try {
      await mkdir(parent.entry(name));
      this.created.push({ parent, name });
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error; // someone else made it meanwhile: if it is a directory, it will do
    }
    return parent.openChild(name);
  }

  /** Puts the target of a link before the steps that are left; false if the name is no link. */
  private async follow(name: string): Promise<boolean> {
    let target: string;
    try {
      target = await readlink(this.here.entry(name));
    } catch (error) {
      if (isErrno(error, 'EINVAL', 'ENOENT', 'UNKNOWN')) return false; // no link; Windows says UNKNOWN
      throw error;
    }
    const at = [...this.here.segments, name].join('/');
    this.links += 1;
    if (this.links > MAX_LINKS) throw new ToolFailure('INVALID_PATH', `The links of ${this.path.text} lead in a circle.`);
    if (this.options.links === 'refuse' || this.created.length > 0) {
      if (!isInside(this.root.path, (await this.realTarget(target)) ?? this.namedTarget(target))) throw this.outside();
      throw new ToolFailure('INVALID_PATH', `${at} is a link; ${this.path.text} must not lead through one.`);
    }
    if (isAbsolute(target) || target.includes('..')) await this.restart(target);
    else this.steps.unshift(...stepsOf(target));
    return true;
  }

  /** What the target of a link is called, whatever links it goes through itself. */
  private namedTarget(target: string): string {
    return resolve(this.root.path, ...this.here.segments, target);
  }

  /** The canonical path of a target; `undefined` if there is nothing. */
  private realTarget(target: string): Promise<string | undefined> {
    return realpath(this.namedTarget(target)).catch(() => undefined);
  }

  /** Goes on from the root along the canonical path of a target that climbs: found by name, then walked like any other path. */
  private async restart(target: string): Promise<void> {
    const real = await this.realTarget(target);
    if (real === undefined || !isInside(this.root.path, real)) throw this.outside();
    await closeAll(this.stack.splice(1));
    this.steps.unshift(...stepsOf(relative(this.root.path, real)));
  }

  private assertNamed(real: string): void {
    const reasonOf = this.options.purpose === 'read' ? findSecretReason : findAlwaysAskReason;
    const reason = reasonOf(real);
    if (reason !== undefined && reasonOf(this.path.text) === undefined)
      throw new ToolFailure('INVALID_PATH', `${this.path.text} leads to ${real} (${reason}); use that path.`);
  }

  private outside(): ToolFailure {
    return new ToolFailure('PATH_OUTSIDE_WORKSPACE', `${this.path.text} leads out of the workspace.`);
  }
}

/**
 * Finds the place that a path leads to: one directory after the other from the root, each opened without following links. Links are read
 * and resolved here, so nothing outside is ever opened, and what is swapped behind the walk is not seen by it (W1). A link to nothing, or
 * to something outside, fails, the latter as what it is, also where no link may be followed; directories are only ever made below real ones.
 *
 * @throws ToolFailure `PATH_OUTSIDE_WORKSPACE` or `INVALID_PATH`; else the system's answer, for `about` to translate
 */
export const resolvePath = (root: WorkspaceRoot, path: WorkspacePath, options: ResolveOptions): Promise<Place> =>
  new Walk(root, path, options).run();

/** The same for a path that has to be a directory, which is opened. The workspace itself is one. */
export const resolveDirectory = (
  root: WorkspaceRoot,
  path: WorkspacePath,
  options: Omit<ResolveOptions, 'leaf'>,
): Promise<DirectoryPlace> => new Walk(root, path, { ...options, leaf: 'follow' }).runToDirectory();
