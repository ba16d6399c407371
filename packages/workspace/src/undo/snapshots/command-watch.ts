import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Mutex } from 'async-mutex';
import { isInside } from '../../files/paths/workspace-root.js';
import type { CallName, CallBackup, Backups } from '../../backups/backups.js';
import { unlessMissing } from '../../backups/blob-store.js';
import { isAlive, thisProcess } from '../../backups/process-mark.js';
import { writeDurably } from '../../backups/write-durably.js';
import { FileModes } from './file-modes.js';
import { recordChanges } from './record-changes.js';
import { NoGit, shadowGit, type ShadowPlace } from './shadow-git.js';
import { withShadowLock } from './shadow-lock.js';
import { openShadowRepository, removeShadowRepository } from './shadow-repository.js';
import { takeSnapshot, type TreeSnapshot } from './take-snapshot.js';

/** What watching needs. */
interface WatchParts {
  /** The canonical path of the workspace. */
  readonly root: string;
  /** The client's data, which no snapshot shows. */
  readonly dataDir: string;
  /** Where what belongs to this workspace is kept. */
  readonly directory: string;
  readonly backups: Backups;
  readonly now?: () => number;
}

/** A command that runs: the workspace before it. On the disk, so that a crash doesn't lose it. */
interface Pending {
  readonly call: CallName;
  readonly at_ms: number;
  readonly process: CallBackup['process'];
  readonly gitDir: string;
  readonly tree: string;
  readonly left_out: readonly (readonly [string, string])[];
}

/** How a command is stopped, and who waits for what it leaves to do. */
interface Stopping {
  readonly signal: AbortSignal;
  readonly later: (work: Promise<void>) => void;
}

/** A larger file is left out, and named: 8 MB. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** What one command waits for files to be stored the first time. */
const STORE_MS = 3_000;

/** A shadow repository that has grown larger begins anew, in KiB. */
const MAX_STORE_KIB = 1024 * 1024;

/**
 * Keeps what commands do to files, as other tools do it themselves: a snapshot before, a snapshot after, and the difference as a manifest.
 * What somebody else changes meanwhile counts as the command's. Nothing here ever fails a command: what can't be kept is said.
 */
export class CommandWatch {
  private readonly parts: WatchParts;
  private readonly taking = new Mutex();
  private place: ShadowPlace | undefined;
  /** What a command leaves to do that was stopped. */
  private ending: Promise<void> = Promise.resolve();

  constructor(parts: WatchParts) {
    this.parts = parts;
  }

  /**
   * Runs a command between two snapshots. Who has it stopped doesn't wait for the second one: it is given to `later`, before which nobody else may write.
   * One that was stopped before it began changes nothing.
   */
  async watch<T>(call: CallName, { signal, later }: Stopping, run: () => Promise<T>): Promise<T> {
    const atMs = this.now();
    await this.settle();
    signal.throwIfAborted();
    const begun = await this.begin(call, atMs).catch((error: unknown) => this.give(error));
    if (signal.aborted && typeof begun !== 'string') await unlessMissing(unlink(begun.file));
    signal.throwIfAborted();
    try {
      return await run();
    } finally {
      const ending =
        typeof begun === 'string' ? this.record({ call, atMs, files: [], uncovered: [begun] }) : this.end(begun.file, begun.pending);
      if (signal.aborted) later((this.ending = ending));
      else await ending;
    }
  }

  /** Records what a command did that was stopped, and what those did that a process which is gone had begun: everything since counts as theirs. */
  async settle(): Promise<void> {
    await this.ending;
    const directory = join(this.parts.directory, 'pending');
    for (const name of (await unlessMissing(readdir(directory))) ?? []) {
      if (!name.endsWith('.json')) continue;
      const file = join(directory, name);
      const text = await unlessMissing(readFile(file, 'utf8'));
      const pending = text === undefined ? undefined : (JSON.parse(text) as Pending); // written below, and by nobody else
      if (pending !== undefined && !isAlive(pending.process)) await this.end(file, pending, 'Its client stopped while it ran.');
    }
  }

  private now(): number {
    return (this.parts.now ?? Date.now)();
  }

  private async begin(call: CallName, atMs: number): Promise<{ readonly file: string; readonly pending: Pending }> {
    const { gitDir } = await this.open();
    const { tree, leftOut } = await this.snapshot();
    const pending = { call, at_ms: atMs, process: thisProcess(), gitDir, tree, left_out: [...leftOut] };
    const directory = join(this.parts.directory, 'pending');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, `${randomUUID()}.json`);
    await writeDurably(file, JSON.stringify(pending));
    return { file, pending };
  }

  private async end(file: string, { call, at_ms: atMs, gitDir, tree, left_out: leftOut }: Pending, note?: string): Promise<void> {
    const notes = note === undefined ? [] : [note];
    try {
      const place = await this.open();
      if (place.gitDir !== gitDir) throw new Error('the repository around the workspace is another one since it ran');
      const modes = await FileModes.read(gitDir);
      const before: TreeSnapshot = { tree, leftOut: new Map(leftOut), modes: new Map() };
      const after = await this.snapshot(before.leftOut);
      const now = (path: string, program: boolean): number => after.modes.get(path) ?? modes.of(path, program);
      const { files, uncovered } = await recordChanges(place, {
        ...{ before, after, backups: this.parts.backups },
        modeOf: { before: (path, program) => modes.of(path, program), after: now },
      });
      if (files.length > 0 || uncovered.length > 0) await this.record({ call, atMs, files, uncovered: [...notes, ...uncovered] });
    } catch (error) {
      await this.record({ call, atMs, files: [], uncovered: [...notes, await this.give(error)] });
    } finally {
      await unlessMissing(unlink(file)).catch(() => undefined); // settled again later, to the same effect
    }
  }

  /** What is said of a command that can't be undone. */
  private async give(error: unknown): Promise<string> {
    const place = this.place;
    this.place = undefined;
    if (error instanceof NoGit) return 'git is not installed, so what this command changes can not be undone.';
    if (place !== undefined) await removeShadowRepository(place).catch(() => undefined); // whatever is wrong with it, the next one is new
    return `What this command changes can not be undone: ${error instanceof Error ? error.message : String(error)}.`;
  }

  private async record({ call, ...rest }: { call: CallName; atMs: number } & Parameters<Backups['record']>[1]): Promise<void> {
    await this.parts.backups.record(call, rest).catch(() => undefined); // a full disk takes undoing away, not the command's result
  }

  private snapshot(leftOutBefore?: ReadonlyMap<string, string>): Promise<TreeSnapshot> {
    return this.taking.runExclusive(async () => {
      const place = await this.open();
      return withShadowLock(place.gitDir, async () => {
        const snapshot = await takeSnapshot(place, {
          ...{ fileBytes: MAX_FILE_BYTES, storeMs: STORE_MS, now: () => performance.now() },
          ...(leftOutBefore && { leftOutBefore }),
        });
        await (await FileModes.read(place.gitDir)).with(snapshot.modes).write(place.gitDir);
        return snapshot;
      });
    });
  }

  private async open(): Promise<ShadowPlace> {
    if (this.place !== undefined) return this.place;
    const { root, dataDir, directory } = this.parts;
    const data = await realpath(dataDir);
    const hidden = isInside(root, data)
      ? [
          data
            .slice(root.length + 1)
            .split(sep)
            .join('/'),
        ]
      : [];
    let place = await openShadowRepository(root, join(directory, 'shadow'), hidden);
    if ((await sizeOf(place)) > MAX_STORE_KIB) {
      await removeShadowRepository(place);
      place = await openShadowRepository(root, join(directory, 'shadow'), hidden);
    }
    this.place = place;
    return place;
  }
}

const sizeOf = async (place: ShadowPlace): Promise<number> => {
  const text = await shadowGit(place, { args: ['count-objects', '-v'] });
  return [...text.matchAll(/^size(?:-pack)?: (\d+)$/gm)].reduce((sum, [, size]) => sum + Number(size), 0);
};
