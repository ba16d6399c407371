import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitRecord } from '../files/content/commit-changes.js';
import type { FileChange } from '../files/content/file-change.js';
import { sha256Of } from '../files/paths/read-regular-file.js';
import { MAX_KEPT_BYTES } from '../limits.js';
import { BlobStore, unlessMissing } from './blob-store.js';
import type { NameEffects } from './name-effects.js';
import { isAlive, thisProcess, type ProcessMark } from './process-mark.js';
import { Trash } from './trash.js';
import { writeDurably } from './write-durably.js';

/** What a file was, or became; null where there was none. */
export type BackedUpState = { readonly sha256: string; readonly mode: number } | null;

/** What one call changed; the old content is kept under its SHA-256, and what was deleted whole in the trash. */
export interface CallBackup extends NameEffects {
  readonly turn_id: string | null;
  readonly call_id: string;
  readonly tool_name: string;
  /** Unix time of the moment before the effect. */
  readonly at_ms: number;
  /** The process that makes the change, and when it was started: numbers of processes come again. */
  readonly process: ProcessMark;
  /** Where new content waits for its place, as paths in the workspace. */
  readonly temporaries: readonly string[];
  readonly files: readonly FileBackup[];
  /** What the call did, or may have done, and can't be undone: sentences for people. */
  readonly uncovered?: readonly string[];
}

/** What a call made of one file. */
export interface FileBackup {
  /** In the workspace. */
  readonly path: string;
  readonly before: BackedUpState;
  readonly after: BackedUpState;
}

/** The effect of a call that is over. */
interface NameEffect extends NameEffects {
  /** Unix time of the moment before it. */
  readonly atMs: number;
  readonly files: readonly FileBackup[];
  readonly uncovered?: readonly string[];
}

/** Which call it is. */
export type CallName = Pick<CallBackup, 'turn_id' | 'call_id' | 'tool_name'>;

interface BackupOptions {
  /** Made when first needed. */
  readonly directory: string;
  /** Of old content; manifests don't count. */
  readonly limitBytes?: number;
  readonly now?: () => number;
}

/** A call that was begun and perhaps not finished. */
interface UnfinishedCall extends CommitRecord {
  readonly call: CallBackup;
}

/** A content that was put within this time stays, as another process may be about to write the manifest that names it. */
const MIN_AGE_MS = 60_000;

/** How the manifest of a call that is not finished ends. */
const BEGUN = '.begun.json';

/** What one call is about to do: changes of files, and of names. */
export interface BackupPlan extends NameEffects {
  readonly changes?: readonly FileChange[];
  /** Where new content waits for its place, as paths in the workspace. */
  readonly temporaries?: readonly string[];
}

const contentsOf = ({ files }: CallBackup): string[] => files.flatMap(({ before }) => (before === null ? [] : [before.sha256]));

/**
 * The old content of every file that a tool writes, creates or deletes, backups before the effect so that the effect can be undone: contents
 * by SHA-256, and a manifest for each call. Bounded: the oldest calls are forgotten, with what only they need. It lies in the client's data
 * directory, readable by its user alone.
 */
export class Backups {
  private readonly calls: string;
  private readonly blobs: BlobStore;
  /** What was deleted whole. */
  readonly trash: Trash;
  private readonly limitBytes: number;
  private readonly now: () => number;
  /** What was stored since the last look at the disk; unknown before the first. */
  private bytes: number | undefined;
  private count = 0;

  constructor({ directory, limitBytes = MAX_KEPT_BYTES, now = Date.now }: BackupOptions) {
    this.calls = join(directory, 'calls');
    this.blobs = new BlobStore(join(directory, 'blobs'), now);
    this.trash = new Trash(join(directory, 'trash'));
    this.limitBytes = limitBytes;
    this.now = now;
  }

  /** Keeps what the changes of a call would destroy, and the fact that they are begun. Durable when it returns. */
  async begin(call: CallName, { changes = [], temporaries = [], ...effects }: BackupPlan): Promise<CommitRecord> {
    for (const { before } of changes) if (before !== undefined) await this.put(before.sha256, before.content);
    const files = changes.map(({ path, before, after }) => ({
      path: path.text,
      before: before === undefined ? null : { sha256: before.sha256, mode: before.mode },
      after: after === undefined ? null : { sha256: sha256Of(after.content), mode: after.mode },
    }));
    for (const { bytes } of effects.trashed ?? []) if (this.bytes !== undefined) this.bytes += bytes;
    const name = await this.write({ ...call, at_ms: this.now(), process: thisProcess(), temporaries, files, ...effects });
    return this.recordNow(name);
  }

  /** Keeps the old content of a file that is gone already, for {@link record}; it may be lost if the machine stops. */
  async keep(content: Buffer): Promise<string> {
    const sha256 = sha256Of(content);
    await this.put(sha256, content, 'lazily');
    return sha256;
  }

  /** Keeps what a call did that is over, such as a command; old content was kept before. */
  async record(call: CallName, { atMs, ...effect }: NameEffect): Promise<void> {
    const name = await this.write({ ...call, at_ms: atMs, process: thisProcess(), temporaries: [], ...effect });
    await this.recordNow(name).done();
  }

  /** The calls that processes which are gone have begun and not finished. */
  async unfinished(): Promise<readonly UnfinishedCall[]> {
    const read = await this.read();
    return read
      .filter(({ name, call }) => name.endsWith(BEGUN) && !isAlive(call.process))
      .map(({ name, call }) => ({ call, ...this.recordNow(name) }));
  }

  /** The calls that are kept, oldest first. */
  async list({ newest = Infinity }: { readonly newest?: number } = {}): Promise<readonly CallBackup[]> {
    return (await this.read(newest)).map(({ call }) => call);
  }

  /** The content of this SHA-256; `undefined` if it is kept no longer. */
  content(sha256: string): Promise<Buffer | undefined> {
    return this.blobs.get(sha256);
  }

  private async put(sha256: string, content: Buffer, how: 'durably' | 'lazily' = 'durably'): Promise<void> {
    await this.blobs.put(sha256, content, how);
    if (this.bytes !== undefined) this.bytes += content.length;
  }

  private async write(call: CallBackup): Promise<string> {
    await mkdir(this.calls, { recursive: true, mode: 0o700 });
    this.count += 1;
    const order = `${String(call.at_ms).padStart(15, '0')}-${String(this.count).padStart(6, '0')}`;
    const id = createHash('sha256').update(call.call_id).digest('hex').slice(0, 16);
    const name = `${order}-${id}${BEGUN}`;
    await writeDurably(join(this.calls, name), JSON.stringify(call));
    return name;
  }

  private recordNow(name: string): CommitRecord {
    const path = join(this.calls, name);
    return {
      done: async () => {
        await unlessMissing(rename(path, join(this.calls, name.replace(BEGUN, '.json'))));
        if (this.bytes === undefined || this.bytes > this.limitBytes) await this.forget();
      },
      drop: async () => {
        await unlessMissing(unlink(path));
      },
    };
  }

  private async read(newest = Infinity): Promise<readonly { readonly name: string; readonly call: CallBackup }[]> {
    const names = ((await unlessMissing(readdir(this.calls))) ?? []).filter((name) => name.endsWith('.json')).sort();
    const read = await Promise.all(
      names.slice(-newest).map(async (name) => {
        const text = await unlessMissing(readFile(join(this.calls, name), 'utf8'));
        return text === undefined ? undefined : { name, call: JSON.parse(text) as CallBackup }; // written above, and by nobody else
      }),
    );
    return read.filter((each) => each !== undefined);
  }

  /** Keeps the newest calls whose contents fit the limit, the last one in any case, and removes the rest. */
  private async forget(): Promise<void> {
    const blobs = await this.blobs.list();
    const sizes = new Map(blobs.map(({ sha256, bytes }) => [sha256, bytes]));
    const needed = new Set<string>();
    const trashed = new Set<string>();
    let bytes = 0;
    let full = false;
    for (const [age, { name, call }] of [...(await this.read())].reverse().entries()) {
      const fresh = new Set(contentsOf(call).filter((sha256) => !needed.has(sha256)));
      const items = call.trashed ?? [];
      const more = [...fresh].reduce((sum, sha256) => sum + (sizes.get(sha256) ?? 0), 0) + items.reduce((sum, item) => sum + item.bytes, 0);
      full ||= age > 0 && bytes + more > this.limitBytes;
      if (full && !name.endsWith(BEGUN)) {
        await unlessMissing(unlink(join(this.calls, name)));
        continue;
      }
      bytes += more;
      for (const sha256 of fresh) needed.add(sha256);
      for (const { trash } of items) trashed.add(trash);
    }
    const unneeded = blobs.filter(({ sha256, usedAtMs }) => !needed.has(sha256) && this.now() - usedAtMs >= MIN_AGE_MS);
    for (const { sha256 } of unneeded) await this.blobs.remove(sha256);
    await this.trash.keepOnly(trashed, this.now() - MIN_AGE_MS);
    this.bytes = bytes;
  }
}
