import { closeSync, mkdirSync, openSync, readSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type * as Sqlite from 'node-sqlite3-wasm';
import { SCHEMA, SCHEMA_VERSION } from './schema.js';

export type Database = Sqlite.Database;

/** CommonJS without names that Node can tell. */
const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm') as typeof Sqlite;

/** A lock of so many milliseconds is of a process that was killed: no transaction of ours takes a tenth of it. */
const STALE_LOCK_MS = 20_000;

const codeOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
export const isBusy = (error: unknown): boolean => /locked|busy/i.test(codeOf(error));

/** The directory that the library marks a transaction with: whoever is killed in one leaves it behind. */
const lockOf = (file: string): string => `${file}.lock`;

/** Removes the mark of a transaction whose process is gone; whether it did. */
export function removeStaleLock(file: string, olderThanMs = STALE_LOCK_MS): boolean {
  try {
    if (Date.now() - statSync(lockOf(file)).mtimeMs < olderThanMs) return false;
    rmdirSync(lockOf(file));
    return true;
  } catch {
    return false; // gone meanwhile
  }
}

/** Removes a database with all that belongs to it. */
export function removeDatabase(file: string): void {
  for (const each of [file, `${file}-journal`]) rmSync(each, { force: true });
  rmSync(lockOf(file), { recursive: true, force: true });
}

const looksLikeDatabase = (file: string): boolean => {
  const head = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  try {
    return readSync(descriptor, head, 0, 16, 0) === 0 || head.toString('latin1') === 'SQLite format 3\0';
  } finally {
    closeSync(descriptor);
  }
};

const exists = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

const versionOf = (database: Database): number => Number(database.get('PRAGMA user_version')?.['user_version'] ?? 0);

const open = (file: string): Database => {
  const database = new Database(file);
  try {
    database.exec('PRAGMA cache_size=-24000; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Opens the database for one that may write. One of another version, a damaged one and something else of its name are thrown away and
 * begun anew: all of it can be read again from the files.
 */
export function openForWriting(file: string): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (exists(file) && !looksLikeDatabase(file)) removeDatabase(file);
  for (let attempt = 0; ; attempt += 1) {
    let database: Database | undefined;
    try {
      database = open(file);
      const version = versionOf(database);
      if (version === SCHEMA_VERSION) return database;
      if (version === 0 && database.get('SELECT count(*) AS n FROM sqlite_schema')?.['n'] === 0) {
        database.exec(
          `PRAGMA page_size=8192; PRAGMA journal_mode=TRUNCATE; BEGIN; ${SCHEMA}; PRAGMA user_version=${String(SCHEMA_VERSION)}; COMMIT`,
        );
        return database;
      }
      throw new Error('another version');
    } catch (error) {
      database?.close();
      if (isBusy(error) || attempt > 0) throw error;
      removeDatabase(file);
    }
  }
}

/** Opens the database to read it; `undefined` if there is none of this version yet. */
export function openForReading(file: string): Database | undefined {
  if (!exists(file) || !looksLikeDatabase(file)) return undefined;
  const database = open(file);
  try {
    if (versionOf(database) === SCHEMA_VERSION) return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) throw error;
    return undefined;
  }
  database.close();
  return undefined;
}
