-- Every CREATE is IF NOT EXISTS: an index of an older version loses its index tables and keeps symbols and expansions.
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- section_ids: the ids of the file's sections, 64 characters each. An index over sections would cost more than the table.
CREATE TABLE IF NOT EXISTS files (
  file_path TEXT PRIMARY KEY,
  file_hash TEXT NOT NULL,
  stamp TEXT NOT NULL,
  reader TEXT NOT NULL,
  section_ids TEXT NOT NULL
) WITHOUT ROWID;

-- What stands on the same lines has one id under several names: a file that is one heading, classes on one line.
CREATE TABLE IF NOT EXISTS sections (
  section_id TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (section_id, record)
) WITHOUT ROWID;

-- No foreign key to sections: rebuilding the index must never touch a symbol.
CREATE TABLE IF NOT EXISTS symbols (symbol_id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS expansions (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  symbol_id TEXT NOT NULL,
  slice TEXT NOT NULL,
  section_hash TEXT NOT NULL,
  record TEXT NOT NULL,
  UNIQUE (run_id, symbol_id, slice, section_hash)
);
CREATE TRIGGER IF NOT EXISTS expansions_are_not_edited BEFORE UPDATE ON expansions
BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER IF NOT EXISTS expansions_are_not_removed BEFORE DELETE ON expansions
BEGIN SELECT RAISE(ABORT, 'append-only'); END;

PRAGMA user_version = 3;
