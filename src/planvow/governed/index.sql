CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE files (file_path TEXT PRIMARY KEY, file_hash TEXT NOT NULL, stamp TEXT NOT NULL) WITHOUT ROWID;

-- A file that is nothing but one heading has one id under two names, hence the pair as key.
CREATE TABLE sections (
  section_id TEXT NOT NULL,
  record TEXT NOT NULL,
  file_path TEXT NOT NULL,
  PRIMARY KEY (section_id, record)
) WITHOUT ROWID;
CREATE INDEX sections_by_file ON sections (file_path);

-- No foreign key to sections: rebuilding the index must never touch a symbol.
CREATE TABLE symbols (symbol_id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE expansions (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  symbol_id TEXT NOT NULL,
  slice TEXT NOT NULL,
  section_hash TEXT NOT NULL,
  record TEXT NOT NULL,
  UNIQUE (run_id, symbol_id, slice, section_hash)
);
CREATE TRIGGER expansions_are_not_edited BEFORE UPDATE ON expansions BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER expansions_are_not_removed BEFORE DELETE ON expansions BEGIN SELECT RAISE(ABORT, 'append-only'); END;

PRAGMA user_version = 1;
