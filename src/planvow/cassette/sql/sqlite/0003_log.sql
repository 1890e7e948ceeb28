-- One log over everything: each post, each move of a step (with the receipt it rests on) and each archive gets a place in
-- one RFC 6962 tree over the whole ledger. Places are given when the next checkpoint is made, so no writer waits for the
-- log. A checkpoint is the root over all places so far; kept elsewhere, it shows what was changed or taken away since.

CREATE TABLE cassette_log (
  log_index INTEGER NOT NULL PRIMARY KEY CHECK (log_index >= 0),
  kind TEXT NOT NULL,
  seq INTEGER NOT NULL,
  leaf_sha256 TEXT NOT NULL,
  UNIQUE (kind, seq)
) STRICT;

CREATE TABLE cassette_checkpoints (
  tree_size INTEGER NOT NULL PRIMARY KEY CHECK (tree_size >= 1),
  root TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE cassette_checkpoint_signatures (
  tree_size INTEGER NOT NULL REFERENCES cassette_checkpoints (tree_size),
  key_id TEXT NOT NULL,
  envelope_json TEXT NOT NULL,
  PRIMARY KEY (tree_size, key_id)
) STRICT, WITHOUT ROWID;

-- Where the log ends, for whoever adds to it next: the roots of its whole subtrees, largest first, one after the other, and
-- up to which number all posts and events are in the log.
CREATE TABLE cassette_log_state (
  only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
  tree_size INTEGER NOT NULL,
  peaks TEXT NOT NULL,
  posts_to INTEGER NOT NULL,
  events_to INTEGER NOT NULL
) STRICT;

INSERT INTO cassette_log_state (only_row, tree_size, peaks, posts_to, events_to) VALUES (1, 0, '', 0, 0);

-- Runs that were moved into bundles. Their rows are gone, their places in the log stay.
CREATE TABLE cassette_archives (
  archive_id INTEGER NOT NULL PRIMARY KEY CHECK (archive_id >= 1),
  run_id TEXT NOT NULL,
  bundle_sha256 TEXT NOT NULL,
  jobs INTEGER NOT NULL,
  jobs_sha256 TEXT NOT NULL,
  entries INTEGER NOT NULL,
  places_sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX cassette_archives_by_run ON cassette_archives (run_id);

CREATE TABLE cassette_archived_jobs (
  job_id TEXT NOT NULL PRIMARY KEY,
  message_id TEXT NOT NULL UNIQUE,
  archive_id INTEGER NOT NULL REFERENCES cassette_archives (archive_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX cassette_archived_jobs_by_archive ON cassette_archived_jobs (archive_id, job_id);

CREATE TABLE cassette_archived_places (
  first_index INTEGER NOT NULL PRIMARY KEY,
  last_index INTEGER NOT NULL CHECK (last_index >= first_index),
  archive_id INTEGER NOT NULL REFERENCES cassette_archives (archive_id)
) STRICT;

CREATE INDEX cassette_archived_places_by_archive ON cassette_archived_places (archive_id, first_index);

-- Deleting a job asks for its children.
CREATE INDEX cassette_plans_by_parent ON cassette_plans (parent_job_id);

CREATE TRIGGER cassette_log_no_update BEFORE UPDATE ON cassette_log
  BEGIN SELECT RAISE(ABORT, 'cassette: the log is append-only'); END;
CREATE TRIGGER cassette_log_no_delete BEFORE DELETE ON cassette_log
  BEGIN SELECT RAISE(ABORT, 'cassette: the log is append-only'); END;
CREATE TRIGGER cassette_checkpoints_no_update BEFORE UPDATE ON cassette_checkpoints
  BEGIN SELECT RAISE(ABORT, 'cassette: checkpoints are append-only'); END;
CREATE TRIGGER cassette_checkpoints_no_delete BEFORE DELETE ON cassette_checkpoints
  BEGIN SELECT RAISE(ABORT, 'cassette: checkpoints are append-only'); END;
CREATE TRIGGER cassette_checkpoint_signatures_no_update BEFORE UPDATE ON cassette_checkpoint_signatures
  BEGIN SELECT RAISE(ABORT, 'cassette: signatures are append-only'); END;
CREATE TRIGGER cassette_checkpoint_signatures_no_delete BEFORE DELETE ON cassette_checkpoint_signatures
  BEGIN SELECT RAISE(ABORT, 'cassette: signatures are append-only'); END;
CREATE TRIGGER cassette_archives_no_update BEFORE UPDATE ON cassette_archives
  BEGIN SELECT RAISE(ABORT, 'cassette: archives are append-only'); END;
CREATE TRIGGER cassette_archives_no_delete BEFORE DELETE ON cassette_archives
  BEGIN SELECT RAISE(ABORT, 'cassette: archives are append-only'); END;
CREATE TRIGGER cassette_archived_jobs_no_update BEFORE UPDATE ON cassette_archived_jobs
  BEGIN SELECT RAISE(ABORT, 'cassette: archives are append-only'); END;
CREATE TRIGGER cassette_archived_jobs_no_delete BEFORE DELETE ON cassette_archived_jobs
  BEGIN SELECT RAISE(ABORT, 'cassette: archives are append-only'); END;
CREATE TRIGGER cassette_archived_places_no_update BEFORE UPDATE ON cassette_archived_places
  BEGIN SELECT RAISE(ABORT, 'cassette: archives are append-only'); END;
CREATE TRIGGER cassette_archived_places_no_delete BEFORE DELETE ON cassette_archived_places
  BEGIN SELECT RAISE(ABORT, 'cassette: archives are append-only'); END;

-- An entry takes the next place and names a row that exists and has no place yet.
CREATE TRIGGER cassette_log_next BEFORE INSERT ON cassette_log
  WHEN NEW.log_index IS NOT (SELECT coalesce(max(log_index) + 1, 0) FROM cassette_log)
    OR EXISTS (SELECT 1 FROM cassette_log WHERE kind = NEW.kind AND seq = NEW.seq)
    OR NOT CASE NEW.kind
      WHEN 'post' THEN EXISTS (SELECT 1 FROM cassette_messages WHERE seq = NEW.seq)
      WHEN 'event' THEN EXISTS (SELECT 1 FROM cassette_step_events WHERE seq = NEW.seq)
      WHEN 'archive' THEN EXISTS (SELECT 1 FROM cassette_archives WHERE archive_id = NEW.seq)
      ELSE 0 END
  BEGIN SELECT RAISE(ABORT, 'cassette: an entry takes the next place of the log and names a row without one'); END;
CREATE TRIGGER cassette_checkpoints_next BEFORE INSERT ON cassette_checkpoints
  WHEN NEW.tree_size IS NOT (SELECT max(log_index) + 1 FROM cassette_log)
    OR EXISTS (SELECT 1 FROM cassette_checkpoints WHERE tree_size >= NEW.tree_size)
  BEGIN SELECT RAISE(ABORT, 'cassette: a checkpoint covers the whole log and more than the last one'); END;
CREATE TRIGGER cassette_checkpoint_signatures_once BEFORE INSERT ON cassette_checkpoint_signatures
  WHEN EXISTS (SELECT 1 FROM cassette_checkpoint_signatures WHERE tree_size = NEW.tree_size AND key_id = NEW.key_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: this key has signed this checkpoint'); END;
CREATE TRIGGER cassette_log_state_forward BEFORE UPDATE ON cassette_log_state
  WHEN NOT coalesce(
    NEW.only_row = OLD.only_row AND NEW.tree_size >= OLD.tree_size AND NEW.posts_to >= OLD.posts_to
    AND NEW.events_to >= OLD.events_to
    AND NEW.tree_size = (SELECT coalesce(max(log_index) + 1, 0) FROM cassette_log), 0)
  BEGIN SELECT RAISE(ABORT, 'cassette: the log only grows'); END;
CREATE TRIGGER cassette_log_state_no_delete BEFORE DELETE ON cassette_log_state
  BEGIN SELECT RAISE(ABORT, 'cassette: the log only grows'); END;
CREATE TRIGGER cassette_log_state_once BEFORE INSERT ON cassette_log_state
  BEGIN SELECT RAISE(ABORT, 'cassette: the log has one end'); END;

-- An archive names the hash of its bundle. Only jobs that are finished, wholly in the log and nobody's parent outside it go.
CREATE TRIGGER cassette_archives_next BEFORE INSERT ON cassette_archives
  WHEN NEW.archive_id IS NOT (SELECT coalesce(max(archive_id) + 1, 1) FROM cassette_archives)
    OR length(NEW.bundle_sha256) <> 64 OR NEW.bundle_sha256 GLOB '*[^0-9a-f]*'
  BEGIN SELECT RAISE(ABORT, 'cassette: an archive takes the next number and has the hash of a bundle'); END;
CREATE TRIGGER cassette_archived_jobs_finished BEFORE INSERT ON cassette_archived_jobs
  WHEN EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = NEW.job_id OR message_id = NEW.message_id)
    OR NOT EXISTS (SELECT 1 FROM cassette_jobs j
                   JOIN cassette_archives a ON a.archive_id = NEW.archive_id AND a.run_id = j.run_id
                   JOIN cassette_log l ON l.kind = 'post' AND l.seq = j.message_seq
                   WHERE j.job_id = NEW.job_id AND j.message_id = NEW.message_id)
    OR EXISTS (SELECT 1 FROM cassette_step_states WHERE job_id = NEW.job_id AND status IN ('PENDING', 'LEASED'))
    OR EXISTS (SELECT 1 FROM cassette_step_events e WHERE e.job_id = NEW.job_id
               AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'event' AND l.seq = e.seq))
  BEGIN SELECT RAISE(ABORT, 'cassette: only a finished job of the run that is wholly in the log is archived'); END;
CREATE TRIGGER cassette_archived_places_once BEFORE INSERT ON cassette_archived_places
  WHEN EXISTS (SELECT 1 FROM cassette_archived_places
               WHERE first_index <= NEW.last_index AND last_index >= NEW.first_index)
    OR NOT EXISTS (SELECT 1 FROM cassette_log WHERE log_index = NEW.last_index)
  BEGIN SELECT RAISE(ABORT, 'cassette: a place of the log is archived once'); END;
CREATE TRIGGER cassette_messages_not_archived BEFORE INSERT ON cassette_messages
  WHEN EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE message_id = NEW.message_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: this request was archived'); END;

-- What was written is still never removed, but for what an archive names.
DROP TRIGGER cassette_messages_no_delete;
DROP TRIGGER cassette_jobs_no_delete;
DROP TRIGGER cassette_plans_no_delete;
DROP TRIGGER cassette_step_definitions_no_delete;
DROP TRIGGER cassette_step_dependencies_no_delete;
DROP TRIGGER cassette_step_states_no_delete;
DROP TRIGGER cassette_step_events_no_delete;
DROP TRIGGER cassette_receipts_no_delete;
DROP TRIGGER cassette_seals_no_delete;
DROP TRIGGER cassette_seal_leaves_no_delete;
CREATE TRIGGER cassette_messages_no_delete BEFORE DELETE ON cassette_messages
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE message_id = OLD.message_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: messages are append-only'); END;
CREATE TRIGGER cassette_jobs_no_delete BEFORE DELETE ON cassette_jobs
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: jobs are append-only'); END;
CREATE TRIGGER cassette_plans_no_delete BEFORE DELETE ON cassette_plans
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: plans are append-only'); END;
CREATE TRIGGER cassette_step_definitions_no_delete BEFORE DELETE ON cassette_step_definitions
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: step definitions are append-only'); END;
CREATE TRIGGER cassette_step_dependencies_no_delete BEFORE DELETE ON cassette_step_dependencies
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: dependencies are append-only'); END;
CREATE TRIGGER cassette_step_states_no_delete BEFORE DELETE ON cassette_step_states
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: step states are never deleted'); END;
CREATE TRIGGER cassette_step_events_no_delete BEFORE DELETE ON cassette_step_events
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: events are append-only'); END;
CREATE TRIGGER cassette_receipts_no_delete BEFORE DELETE ON cassette_receipts
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: receipts are append-only'); END;
CREATE TRIGGER cassette_seal_leaves_no_delete BEFORE DELETE ON cassette_seal_leaves
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: seal leaves are append-only'); END;
CREATE TRIGGER cassette_seals_no_delete BEFORE DELETE ON cassette_seals
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archives WHERE run_id = OLD.run_id)
    OR EXISTS (SELECT 1 FROM cassette_seal_leaves WHERE run_id = OLD.run_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: seals are append-only'); END;
