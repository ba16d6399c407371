import type * as Sqlite from 'node-sqlite3-wasm';
import type { Chunk } from '../chunks/chunk.js';
import type { CodeSymbol } from '../symbols/symbol.js';
import { isBusy, openForReading, openForWriting, removeDatabase, removeStaleLock, type Database } from './open-database.js';

/** What is kept of a file to see whether it has changed. */
export interface KnownFile {
  readonly id: number;
  readonly size: number;
  /** Last change, Unix time in microseconds. */
  readonly mtime: number;
}

/** A file as it goes into the index. */
export interface FileEntry {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly hash: string;
  readonly symbols: readonly CodeSymbol[];
  readonly references: Uint32Array;
  readonly chunks: readonly (Chunk & { readonly tokens: readonly [name: string, path: string, doc: string, body: string] })[];
}

/** What a search found in the database. */
export interface FoundChunk {
  readonly id: number;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly rank: number;
  /** Less is better. */
  readonly bm25: number;
}

type Row = Record<string, number | string | Uint8Array>;

/** How long a statement waits for another process's transaction. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 10;
/** To seek 150 rows takes as long as to go through so many. */
const SEEK_FROM = 30_000;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** The database of one workspace. All of it is for a worker: each call does its work at once. */
export class IndexStore {
  private database: Database | undefined;
  private readonly statements = new Map<string, Sqlite.Statement>();

  constructor(readonly file: string) {}

  /** Opens it, or begins it. Only for whoever has the lock. */
  beginWriting(): void {
    removeStaleLock(this.file, 3_000);
    if (this.database === undefined) this.database = this.patiently(() => openForWriting(this.file));
  }

  /** Whether there is something to read. */
  get isReadable(): boolean {
    this.database ??= this.patiently(() => openForReading(this.file));
    return this.database !== undefined;
  }

  /** Throws everything away, to begin anew. Only for whoever has the lock. */
  reset(): void {
    this.close();
    removeDatabase(this.file);
    this.beginWriting();
  }

  close(): void {
    for (const statement of this.statements.values()) statement.finalize();
    this.statements.clear();
    this.database?.close();
    this.database = undefined;
  }

  meta(name: string): number | undefined {
    const value = this.all('SELECT value FROM meta WHERE name = ?', [name])[0]?.['value'];
    return typeof value === 'number' ? value : undefined;
  }

  setMeta(name: string, value: number): void {
    this.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', [name, value]);
  }

  known(): Map<string, KnownFile> {
    const rows = this.all('SELECT id, path, size, mtime FROM files');
    return new Map(rows.map(({ id, path, size, mtime }) => [String(path), { id: Number(id), size: Number(size), mtime: Number(mtime) }]));
  }

  hashOf(id: number): string {
    return String(this.all('SELECT hash FROM files WHERE id = ?', [id])[0]?.['hash'] ?? '');
  }

  /** Bytes of the database. */
  get bytes(): number {
    const pages = Number(this.all('PRAGMA page_count')[0]?.['page_count'] ?? 0);
    return pages * Number(this.all('PRAGMA page_size')[0]?.['page_size'] ?? 0);
  }

  counts(): { readonly files: number; readonly chunks: number } {
    const of = (table: string): number => Number(this.all(`SELECT count(*) AS n FROM ${table}`)[0]!['n']);
    return { files: of('files'), chunks: of('chunks') };
  }

  /** Does several changes together: all or none. */
  transaction<T>(change: () => T): T {
    this.patiently(() => this.database!.exec('BEGIN IMMEDIATE'));
    try {
      const result = change();
      this.database!.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.database!.inTransaction) this.database!.exec('ROLLBACK');
      throw error;
    }
  }

  /** Reads several things together: the lock is taken once, and all are of one moment. */
  reading<T>(use: () => T): T {
    if (this.database!.inTransaction) return use();
    this.patiently(() => this.database!.exec('BEGIN'));
    try {
      return use();
    } finally {
      if (this.database!.inTransaction) this.database!.exec('COMMIT');
    }
  }

  /** Puts a file in place of what was known of it; its id. Inside a transaction. */
  put(entry: FileEntry, previous: number | undefined): number {
    if (previous !== undefined) this.remove(previous);
    const { path, size, mtime, hash, symbols, references, chunks } = entry;
    const blob = new Uint8Array(references.buffer, references.byteOffset, references.byteLength);
    const packed = JSON.stringify(symbols.map((each) => [each.name, each.kind, each.container, each.start, each.end, each.shown]));
    const sql = 'INSERT INTO files (path, size, mtime, hash, symbols, refs) VALUES (?, ?, ?, ?, ?, ?)';
    const id = this.insert(sql, [path, size, mtime, hash, packed, blob]);
    for (const { start, end, name, tokens } of chunks) {
      const chunk = this.insert('INSERT INTO chunks (file, first, last, name) VALUES (?, ?, ?, ?)', [id, start, end, name]);
      this.run('INSERT INTO words (rowid, name, path, doc, body) VALUES (?, ?, ?, ?, ?)', [chunk, ...tokens]);
    }
    return id;
  }

  /** Forgets a file. Inside a transaction. */
  remove(id: number): void {
    for (const { id: chunk } of this.all('SELECT id FROM chunks WHERE file = ?', [id])) {
      this.run('DELETE FROM words WHERE rowid = ?', [chunk!]);
      this.run('DELETE FROM vectors WHERE chunk = ?', [chunk!]);
    }
    this.run('DELETE FROM chunks WHERE file = ?', [id]);
    this.run('DELETE FROM files WHERE id = ?', [id]);
  }

  /** Notes that a file was written without being changed. Inside a transaction. */
  touch(id: number, size: number, mtime: number): void {
    this.run('UPDATE files SET size = ?, mtime = ? WHERE id = ?', [size, mtime, id]);
  }

  /** How many chunks have a term. */
  frequencyOf(term: string): number {
    return Number(this.all('SELECT doc FROM terms WHERE term = ?', [term])[0]?.['doc'] ?? 0);
  }

  /** Chunks that match, best first. @param match an expression of FTS5 made of quoted terms */
  match(match: string, weights: readonly [name: number, path: number, doc: number, body: number], limit: number): readonly FoundChunk[] {
    const rows = this.all(
      `SELECT found.id, files.path, chunks.first, chunks.last, chunks.name, files.rank, found.bm25 FROM
         (SELECT rowid AS id, bm25(words, ${weights.join(', ')}) AS bm25 FROM words WHERE words MATCH ? ORDER BY bm25 LIMIT ?) AS found
       JOIN chunks ON chunks.id = found.id JOIN files ON files.id = chunks.file ORDER BY found.bm25, found.id`,
      [match, limit],
    );
    return rows.map(toFound);
  }

  chunk(id: number): FoundChunk | undefined {
    const sql = `SELECT chunks.id, files.path, first, last, name, rank, 0 AS bm25 FROM chunks JOIN files ON files.id = chunks.file WHERE chunks.id = ?`;
    return this.all(sql, [id]).map(toFound)[0];
  }

  /** Those of some chunks that match, as ids. @param frequency how many chunks match in all, about */
  matching(match: string, ids: readonly number[], frequency: number): ReadonlySet<number> {
    const rowid = frequency < SEEK_FROM ? '+rowid' : 'rowid'; // the sign has SQLite go through all that match, without a seek for each id
    const sql = `SELECT rowid AS id FROM words WHERE words MATCH ? AND ${rowid} IN (SELECT value FROM json_each(?))`;
    return new Set(this.all(sql, [match, JSON.stringify(ids)]).map(({ id }) => Number(id)));
  }

  /** The files below a directory with what they define, those that others refer to most first. */
  filesBelow(directory: string, limit: number): readonly { readonly path: string; readonly symbols: readonly CodeSymbol[] }[] {
    const where = directory === '' ? '' : 'WHERE path >= ? AND path < ?';
    const range = directory === '' ? [] : [`${directory}/`, `${directory}0`];
    const rows = this.all(`SELECT path, symbols FROM files ${where} ORDER BY rank DESC, path LIMIT ?`, [...range, limit]);
    return rows.map(({ path, symbols }) => ({ path: String(path), symbols: unpack(String(symbols)) }));
  }

  /** All files a page at a time, with what they define and refer to. */
  *pages(size = 500): Generator<readonly { readonly id: number; readonly names: readonly string[]; readonly references: Uint32Array }[]> {
    for (let after = 0; ;) {
      const rows = this.all('SELECT id, symbols, refs FROM files WHERE id > ? ORDER BY id LIMIT ?', [after, size]);
      if (rows.length === 0) return;
      after = Number(rows.at(-1)!['id']);
      yield rows.map(({ id, symbols, refs }) => ({
        id: Number(id),
        names: unpack(String(symbols)).map(({ name }) => name),
        references: new Uint32Array(new Uint8Array(refs as Uint8Array).buffer),
      }));
    }
  }

  /** Inside a transaction. */
  setRank(id: number, rank: number): void {
    this.run('UPDATE files SET rank = ? WHERE id = ?', [rank, id]);
  }

  /** Chunks that have no vector yet. */
  withoutVector(limit: number): readonly FoundChunk[] {
    const sql = `SELECT chunks.id, files.path, first, last, name, rank, 0 AS bm25 FROM chunks JOIN files ON files.id = chunks.file
      WHERE chunks.id NOT IN (SELECT chunk FROM vectors) ORDER BY rank DESC, chunks.id LIMIT ?`;
    return this.all(sql, [limit]).map(toFound);
  }

  /** Inside a transaction. */
  setVector(chunk: number, vector: Int8Array): void {
    this.run('INSERT OR REPLACE INTO vectors VALUES (?, ?)', [chunk, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)]);
  }

  clearVectors(): void {
    this.run('DELETE FROM vectors', []);
  }

  vectorCount(): number {
    return Number(this.all('SELECT count(*) AS n FROM vectors')[0]!['n']);
  }

  *vectors(size = 1_000): Generator<{ readonly chunk: number; readonly vector: Int8Array }> {
    for (let after = 0; ;) {
      const rows = this.all('SELECT chunk, vector FROM vectors WHERE chunk > ? ORDER BY chunk LIMIT ?', [after, size]);
      if (rows.length === 0) return;
      after = Number(rows.at(-1)!['chunk']);
      for (const { chunk, vector } of rows) {
        const bytes = vector as Uint8Array;
        yield { chunk: Number(chunk), vector: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
      }
    }
  }

  private statement(sql: string): Sqlite.Statement {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.database!.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  /** A statement that failed can't be used again: the library takes its old failure for a new one. */
  private execute<T>(sql: string, use: (statement: Sqlite.Statement) => T): T {
    try {
      return use(this.statement(sql));
    } catch (error) {
      const failed = this.statements.get(sql);
      this.statements.delete(sql);
      try {
        failed?.finalize();
      } catch {
        // that failure once more
      }
      throw error;
    }
  }

  private insert(sql: string, values: readonly (number | string | Uint8Array)[]): number {
    return Number(this.execute(sql, (statement) => statement.run([...values])).lastInsertRowid);
  }

  private run(sql: string, values: readonly (number | string | Uint8Array)[]): void {
    this.patiently(() => this.execute(sql, (statement) => statement.run([...values])));
  }

  private all(sql: string, values: readonly (number | string | Uint8Array)[] = []): readonly Row[] {
    return this.patiently(() => this.execute(sql, (statement) => statement.all([...values]) as readonly Row[]));
  }

  private patiently<T>(attempt: () => T): T {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (!removeStaleLock(this.file) && performance.now() > end) throw error;
        Atomics.wait(pause, 0, 0, PAUSE_MS);
      }
    }
  }
}

const toFound = ({ id, path, first, last, name, rank, bm25 }: Row): FoundChunk => ({
  id: Number(id),
  path: String(path),
  start: Number(first),
  end: Number(last),
  name: String(name),
  rank: Number(rank),
  bm25: Number(bm25),
});

const unpack = (packed: string): readonly CodeSymbol[] =>
  (JSON.parse(packed) as readonly [string, string, string, number, number, string][]).map(([name, kind, container, start, end, shown]) => ({
    ...{ name, kind, container, start, end, shown },
  }));
