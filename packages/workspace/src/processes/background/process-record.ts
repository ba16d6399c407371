import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../../to-tool-error.js';

/** Which process it is, whoever has its pid by now. */
export interface ProcessName {
  readonly pid: number;
  readonly birth: string;
  readonly began: number;
}

/** What is kept of a process that goes on after its call, in the client's own data. */
export interface ProcessRecord {
  readonly directory: string;
  readonly processId: string;
  readonly command: string;
  readonly cwd: string;
  readonly marker: string;
  readonly startedAtMs: number;
  /** The session that started it; a client of an earlier release didn't note it. */
  readonly sessionId?: string;
  readonly supervisor: ProcessName;
  /** The shell; missing if the client and the supervisor died while it was started. */
  readonly leader?: ProcessName;
  readonly exit?: ProcessExit;
  /** A call asked to end it before it ended. */
  readonly wasKilled: boolean;
}

interface ProcessExit {
  readonly exit_code: number | null;
  readonly signal?: string;
}

/** A directory in which nothing was written for so long belongs to a start that a crash cut off, in milliseconds. */
const STALE_MS = 60_000;

const readJson = async (path: string): Promise<Record<string, unknown> | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR') || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const readRecord = async (directory: string): Promise<ProcessRecord | undefined> => {
  const about = await readJson(join(directory, 'process.json'));
  if (about === undefined) return undefined;
  const [exit, killed] = await Promise.all([readJson(join(directory, 'exit.json')), readJson(join(directory, 'killed.json'))]);
  const record = about as Omit<ProcessRecord, 'directory' | 'wasKilled'>; // written by the supervisor, in a directory of ours alone
  return { ...record, exit: exit as ProcessExit | undefined, directory, wasKilled: killed !== undefined };
};

/** The processes of one workspace as they are written down: a directory for each, under the client's own data. */
export class ProcessRecords {
  constructor(private readonly directory: string) {}

  /** Where the record of a name is; names differ where file systems may not see it. */
  directoryOf(processId: string): string {
    return join(this.directory, createHash('sha256').update(processId).digest('hex').slice(0, 32));
  }

  find(processId: string): Promise<ProcessRecord | undefined> {
    return readRecord(this.directoryOf(processId));
  }

  /** All of them, oldest first. */
  async list(): Promise<readonly ProcessRecord[]> {
    const names = await readdir(this.directory).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) return [];
      throw error;
    });
    const records = await Promise.all(
      names.filter((name) => /^[0-9a-f]{32}$/.test(name)).map((name) => readRecord(join(this.directory, name))),
    );
    return records.filter((record) => record !== undefined).sort((one, other) => one.startedAtMs - other.startedAtMs);
  }

  /**
   * Makes an empty directory for a name, in place of the one of a process that has ended.
   *
   * @param ended what the caller knows of that process
   * @returns `undefined` if another client starts a process of this name at the same time
   */
  async claim(processId: string, ended: ProcessRecord | undefined): Promise<string | undefined> {
    const directory = this.directoryOf(processId);
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    if (ended !== undefined) await this.drop(ended);
    try {
      await mkdir(directory, { mode: 0o700 });
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
      if ((await readRecord(directory)) !== undefined || !(await isStale(directory))) return undefined;
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { mode: 0o700 });
    }
    return directory;
  }

  /** Forgets a process that has ended; one that took its name meanwhile stays. */
  async drop({ directory, marker }: ProcessRecord): Promise<void> {
    const gone = `${directory}.${marker}`;
    await rename(directory, gone).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error; // another client was first
    });
    const moved = await readRecord(gone);
    if (moved !== undefined && moved.marker !== marker) await rename(gone, directory);
    else await rm(gone, { recursive: true, force: true });
  }

  /** Notes that a process is about to be ended by a call, so that its end is told as that. */
  async noteKill({ directory }: ProcessRecord): Promise<void> {
    await writeFile(join(directory, 'killed.json'), '{}\n', { mode: 0o600 });
  }
}

const isStale = async (directory: string): Promise<boolean> => Date.now() - (await stat(directory)).mtimeMs > STALE_MS;
