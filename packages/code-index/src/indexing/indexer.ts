import { setImmediate } from 'node:timers/promises';
import { rankFiles } from '../map/rank-files.js';
import type { FileEntry, IndexStore, KnownFile } from '../store/index-store.js';
import type { WriterLock } from '../store/writer-lock.js';
import { hashOf, readEntry } from './read-entry.js';
import type { SourceFile, SourceReader, SourceTree } from './source-tree.js';

/** How far the index is. */
export interface IndexProgress {
  /** `stale`: another process is at it, or there was no time to look. */
  readonly state: 'ready' | 'building' | 'stale';
  /** Files that are in, of those that should be. */
  readonly done: number;
  readonly total: number;
  /** What people should know, such as a limit that was reached. */
  readonly note?: string | undefined;
}

/** When all files are looked at again. */
export interface Pace {
  /** A look that lately took less than so many milliseconds is too short to be put off: searches wait for it. */
  readonly quickMs: number;
  /** How long it is left alone, in milliseconds, by how long the last one took. */
  readonly restMs: (tookMs: number) => number;
}

interface IndexerOptions {
  readonly store: IndexStore;
  readonly lock: WriterLock;
  readonly tree: SourceTree;
  /** Files at most. */
  readonly maxFiles?: number;
  /** Bytes of the database at most. */
  readonly maxBytes?: number;
  readonly pace?: Pace;
}

/** Files that are written together, at most, in all with so many bytes, and read within so long: fewer, larger segments merge faster. */
const BATCH_FILES = 512;
const BATCH_BYTES = 4 * 1024 ** 2;
const BATCH_MS = 1_000;
/** After so long others get their turn. */
const SLICE_MS = 50;
/** So that it takes a tenth of the time at most. */
const PACE: Pace = { quickMs: 50, restMs: (tookMs) => (tookMs < 50 ? 10 * tookMs : Math.max(2_000, 10 * tookMs)) };
/** Ranks are made anew when one file in so many has changed. */
const RANK_SHARE = 20;

/** Brings an index up to date with a tree, again and again. One update runs at a time; those who ask meanwhile wait for it. */
export class Indexer {
  private files: Map<string, KnownFile> | undefined;
  private generation = -1;
  private running: Promise<void> | undefined;
  private readonly touched = new Set<string>();
  private mustWalk = true;
  private mustReset = false;
  /** Searches wait for the walk that is under way. */
  private walkHolds = false;
  private indexesTouched = false;
  private waiting: (() => void)[] = [];
  private stop = new AbortController();
  private walkedAt = 0;
  private walkMs = 0;
  private progress: IndexProgress = { state: 'stale', done: 0, total: 0 };
  private note: string | undefined;

  private readonly pace: Pace;

  constructor(private readonly options: IndexerOptions) {
    this.pace = options.pace ?? PACE;
  }

  get state(): IndexProgress {
    return this.progress;
  }

  /** Files that may have changed; without paths, anything may have. */
  touch(paths?: readonly string[]): void {
    if (paths === undefined) this.mustWalk = true;
    else for (const path of paths) this.touched.add(path);
  }

  /** Whether what is known of a file is what it is now; also where nothing is known of any. */
  isCurrent(path: string, found: Pick<SourceFile, 'size' | 'mtime'> | undefined): boolean {
    const known = this.files?.get(path);
    return this.files === undefined || (known !== undefined && found !== undefined && isSame(known, found));
  }

  /** Brings the index up to date, with a look at all files if that is due. Never rejects because another process has the lock. */
  async update(signal: AbortSignal): Promise<void> {
    do {
      if (this.running === undefined) this.begin(signal);
      await this.running;
    } while ((this.mustWalk || this.touched.size > 0) && this.progress.state !== 'stale');
  }

  /**
   * Waits until all is in that is known to have changed, which is what a search needs. A look at all files that is merely due again is
   * begun, and goes on behind it, unless it takes but a moment.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    do {
      if (this.running === undefined) this.begin(signal);
      while (this.running !== undefined && this.isBehind)
        await Promise.race([this.running, new Promise<void>((resolve) => this.waiting.push(resolve))]);
    } while (this.isBehind && this.progress.state !== 'stale');
  }

  /** Has the next update throw the index away and build it anew; one that runs is stopped. */
  async rebuild(): Promise<void> {
    this.stop.abort(new Error('The index is built anew.'));
    await this.settled();
    this.stop = new AbortController();
    this.mustReset = true;
    this.mustWalk = true;
  }

  /** Waits until nothing runs. */
  async settled(): Promise<void> {
    await this.running?.catch(() => undefined); // whoever began it has heard
  }

  private get isDue(): boolean {
    return this.mustWalk || performance.now() - this.walkedAt > this.pace.restMs(this.walkMs);
  }

  private get isBehind(): boolean {
    return this.mustWalk || this.walkHolds || this.indexesTouched || this.touched.size > 0 || this.progress.state === 'building';
  }

  private begin(signal: AbortSignal): void {
    const { isDue } = this;
    if (!isDue && this.touched.size === 0) return;
    this.running = this.bringUpToDate(isDue, AbortSignal.any([signal, this.stop.signal])).finally(() => {
      this.running = undefined;
      this.walkHolds = false;
      this.tell();
    });
    this.running.catch(() => undefined); // nobody may wait for it; the next one tries again
  }

  private tell(): void {
    for (const each of this.waiting.splice(0)) each();
  }

  private async bringUpToDate(walks: boolean, signal: AbortSignal): Promise<void> {
    const { lock, store } = this.options;
    if (!lock.take()) {
      this.progress = { ...this.progress, state: 'stale', note: 'another process is bringing the index up to date' };
      return;
    }
    try {
      if (this.mustReset) {
        store.reset();
        this.files = undefined;
        this.mustReset = false;
      } else store.beginWriting();
      this.load();
      if (walks) await this.walk(signal);
      await this.indexTouched(signal);
      await this.rank(signal);
      const { size: total } = this.files!;
      this.progress = { state: 'ready', done: total, total, note: this.note };
    } catch (error) {
      this.mustWalk = true;
      this.progress = { ...this.progress, state: 'stale' };
      if (!signal.aborted && isDamaged(error)) {
        store.reset();
        this.files = undefined;
      }
      throw error;
    } finally {
      lock.release();
    }
  }

  private load(): void {
    const generation = this.options.store.meta('generation') ?? 0;
    if (this.files === undefined || generation !== this.generation) this.files = this.options.store.known();
    this.generation = generation;
  }

  /** @returns the paths that it indexed */
  private async indexTouched(signal: AbortSignal): Promise<readonly string[]> {
    const paths = [...this.touched].sort(byPath);
    if (paths.length === 0) return paths;
    this.touched.clear();
    this.indexesTouched = true;
    try {
      await this.options.tree.read((reader) => this.index(reader, paths, signal));
    } catch (error) {
      this.touch(paths);
      throw error;
    } finally {
      this.indexesTouched = false;
      this.tell();
    }
    return paths;
  }

  private async walk(signal: AbortSignal): Promise<void> {
    const { tree, maxFiles = 200_000 } = this.options;
    const [known, before] = [this.files!, performance.now()];
    this.walkHolds = this.mustWalk || this.walkMs < this.pace.quickMs;
    this.mustWalk = false;
    const changed: string[] = [];
    const gone = new Set(known.keys());
    let seen = 0;
    for await (const { path, size, mtime } of tree.walk(signal)) {
      seen += 1;
      if (seen > maxFiles) break;
      gone.delete(path);
      const file = known.get(path);
      if (file === undefined || !isSame(file, { size, mtime })) changed.push(path);
      if (this.touched.size > 0) for (const each of await this.indexTouched(signal)) gone.delete(each);
    }
    this.note = seen > maxFiles ? `only the first ${String(maxFiles)} files are indexed` : undefined;
    this.walkMs = performance.now() - before;
    this.walkedAt = performance.now();
    if (changed.length === 0 && gone.size === 0) return;
    const total = Math.min(seen, maxFiles);
    this.progress = { state: 'building', done: total - changed.length, total };
    await this.forget([...gone], signal);
    await tree.read((reader) => this.index(reader, changed.sort(byPath), signal));
  }

  private async forget(paths: readonly string[], signal: AbortSignal): Promise<void> {
    for (let from = 0; from < paths.length; from += BATCH_FILES) {
      this.write([], paths.slice(from, from + BATCH_FILES));
      await breathe(signal);
    }
  }

  private async index(reader: SourceReader, paths: readonly string[], signal: AbortSignal): Promise<void> {
    const { store, maxBytes = 1024 ** 3 } = this.options;
    let [entries, removed, bytes]: [FileEntry[], string[], number] = [[], [], 0];
    let [begun, breathed] = [performance.now(), performance.now()];
    for (const [index, path] of paths.entries()) {
      const found = reader.file(path);
      const file = this.files!.get(path);
      if (found === undefined) removed.push(path);
      else if (file !== undefined && hashOf(found.content) === store.hashOf(file.id)) this.noteTime(path, file, found);
      else {
        entries.push(await readEntry(path, found));
        bytes += found.size;
      }
      const now = performance.now();
      if (entries.length + removed.length >= BATCH_FILES || bytes > BATCH_BYTES || now - begun > BATCH_MS) {
        this.write(entries, removed);
        [entries, removed, bytes, begun] = [[], [], 0, performance.now()];
        if (this.progress.state === 'building')
          this.progress = { ...this.progress, done: this.progress.total - (paths.length - index - 1) };
        if (store.bytes > maxBytes) {
          this.note = `the index has ${String(Math.round(store.bytes / 1024 ** 2))} MB, and no more files are taken in`;
          break;
        }
      }
      if (performance.now() - breathed > SLICE_MS) {
        await breathe(signal);
        breathed = performance.now();
      }
    }
    this.write(entries, removed);
    await breathe(signal);
  }

  /** The same content at another time. */
  private noteTime(path: string, file: KnownFile, found: Pick<SourceFile, 'size' | 'mtime'>): void {
    if (isSame(file, found)) return;
    this.options.store.transaction(() => this.options.store.touch(file.id, found.size, found.mtime));
    this.files!.set(path, { id: file.id, size: found.size, mtime: found.mtime });
  }

  private write(entries: readonly FileEntry[], removed: readonly string[]): void {
    const { store } = this.options;
    const files = this.files!;
    const forgotten = removed.flatMap((path) => files.get(path)?.id ?? []);
    if (entries.length === 0 && forgotten.length === 0) return;
    const ids = store.transaction(() => {
      for (const id of forgotten) store.remove(id);
      const made = entries.map((entry) => store.put(entry, files.get(entry.path)?.id));
      store.setMeta('generation', this.generation + 1);
      store.setMeta('changed', (store.meta('changed') ?? 0) + entries.length + forgotten.length);
      return made;
    });
    this.generation += 1;
    for (const path of removed) files.delete(path);
    entries.forEach(({ path, size, mtime }, index) => files.set(path, { id: ids[index]!, size, mtime }));
  }

  private async rank(signal: AbortSignal): Promise<void> {
    const { store } = this.options;
    const changed = store.meta('changed') ?? 0;
    if (changed === 0 || changed * RANK_SHARE < this.files!.size) return;
    const ranks = await rankFiles(store, signal);
    const ids = [...ranks];
    for (let from = 0; from < ids.length; from += 1_000) {
      store.transaction(() => ids.slice(from, from + 1_000).forEach(([id, rank]) => store.setRank(id, rank)));
      await setImmediate();
    }
    store.transaction(() => store.setMeta('changed', 0));
  }
}

const isSame = (file: Pick<SourceFile, 'size' | 'mtime'>, other: Pick<SourceFile, 'size' | 'mtime'>): boolean =>
  file.size === other.size && file.mtime === other.mtime;

/** Lets others have their turn; whoever wants all this to end has been heard then. */
const breathe = async (signal: AbortSignal): Promise<void> => {
  await setImmediate();
  signal.throwIfAborted();
};

const byPath = (one: string, other: string): number => (one < other ? -1 : 1);

const isDamaged = (error: unknown): boolean =>
  /malformed|corrupt|not a database|disk image/i.test(error instanceof Error ? error.message : '');
