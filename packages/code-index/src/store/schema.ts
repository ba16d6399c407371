/** Another one is thrown away and built anew. Raised whenever tables, tokens or chunks change their meaning. */
export const SCHEMA_VERSION = 1;

/** Text is not kept, only what finds it: hits are read from the files. */
export const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime INTEGER NOT NULL, hash TEXT NOT NULL,
  symbols TEXT NOT NULL, refs BLOB NOT NULL, rank REAL NOT NULL DEFAULT 0
);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, name TEXT NOT NULL
);
CREATE INDEX chunks_of_file ON chunks (file);
CREATE TABLE vectors (chunk INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (name, path, doc, body, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE terms USING fts5vocab (words, 'row')`;
