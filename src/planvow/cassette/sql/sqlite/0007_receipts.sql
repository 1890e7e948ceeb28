-- Receipts as rows one after the other. Their table was one tree by step, in which each look at a receipt that does not fit
-- beside others on a page (about a thousand bytes) read all of it, several times for each step; now looks go through the
-- indexes, and a receipt is written to the end. The rules are those from before, and that no row takes the place of another.
-- To a rule that asks before a row is written, a number not chosen yet is -1: a row with that number would shut out all others.

CREATE TABLE cassette_receipts_before AS SELECT * FROM cassette_receipts;
DROP TABLE cassette_receipts;
CREATE TABLE cassette_receipts (
  receipt_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  fence INTEGER NOT NULL CHECK (fence >= 1),
  chain_seq INTEGER NOT NULL CHECK (chain_seq >= 1),
  worker_id TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('SUCCESS', 'FAILURE', 'ABORTED')),
  receipt_json TEXT NOT NULL,
  receipt_json_sha256 TEXT NOT NULL,
  bytes_used INTEGER NOT NULL CHECK (bytes_used >= 0),
  bytes_total INTEGER NOT NULL CHECK (bytes_total >= bytes_used),
  retry_after_ms INTEGER CHECK (retry_after_ms >= 0),
  prev_sha256 TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (job_id, ordinal, fence),
  UNIQUE (job_id, chain_seq),
  CHECK (rowid >= 1)
) STRICT;
INSERT INTO cassette_receipts SELECT * FROM cassette_receipts_before;
DROP TABLE cassette_receipts_before;

CREATE UNIQUE INDEX cassette_one_success ON cassette_receipts (job_id, ordinal) WHERE outcome = 'SUCCESS';

CREATE TRIGGER cassette_receipts_no_update BEFORE UPDATE ON cassette_receipts
  BEGIN SELECT RAISE(ABORT, 'cassette: receipts are append-only'); END;
CREATE TRIGGER cassette_receipts_no_delete BEFORE DELETE ON cassette_receipts
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: receipts are append-only'); END;
CREATE TRIGGER cassette_receipts_linked BEFORE INSERT ON cassette_receipts
BEGIN
  SELECT RAISE(ABORT, 'cassette: this receipt exists')
  WHERE EXISTS (SELECT 1 FROM cassette_receipts
                WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal
                  AND (fence = NEW.fence OR (outcome = 'SUCCESS' AND NEW.outcome = 'SUCCESS')))
     OR EXISTS (SELECT 1 FROM cassette_receipts WHERE rowid = NEW.rowid);
  SELECT RAISE(ABORT, 'cassette: a receipt needs the current lease')
  WHERE NOT EXISTS (SELECT 1 FROM cassette_step_states s
                    WHERE s.job_id = NEW.job_id AND s.ordinal = NEW.ordinal AND s.status = 'LEASED'
                      AND s.fence = NEW.fence AND s.worker_id = NEW.worker_id);
  SELECT RAISE(ABORT, 'cassette: a receipt continues the chain of its job')
  WHERE NEW.chain_seq IS NOT (SELECT coalesce(max(chain_seq), 0) + 1 FROM cassette_receipts WHERE job_id = NEW.job_id)
     OR NEW.prev_sha256 IS NOT coalesce(
          (SELECT sha256 FROM cassette_receipts WHERE job_id = NEW.job_id AND chain_seq = NEW.chain_seq - 1),
          (SELECT head_sha256 FROM cassette_jobs WHERE job_id = NEW.job_id))
     OR NEW.bytes_total IS NOT NEW.bytes_used + coalesce(
          (SELECT bytes_total FROM cassette_receipts WHERE job_id = NEW.job_id AND chain_seq = NEW.chain_seq - 1), 0);
  SELECT RAISE(ABORT, 'cassette: the job has used up its bytes')
  WHERE NEW.bytes_used > 0
    AND NEW.bytes_total > (SELECT max_bytes FROM cassette_jobs WHERE job_id = NEW.job_id);
END;

CREATE TRIGGER cassette_messages_numbered AFTER INSERT ON cassette_messages WHEN NEW.seq < 1
  BEGIN SELECT RAISE(ABORT, 'cassette: numbers begin at 1'); END;
CREATE TRIGGER cassette_actions_numbered AFTER INSERT ON cassette_actions WHEN NEW.seq < 1
  BEGIN SELECT RAISE(ABORT, 'cassette: numbers begin at 1'); END;
CREATE TRIGGER cassette_notes_numbered AFTER INSERT ON cassette_notes WHEN NEW.seq < 1
  BEGIN SELECT RAISE(ABORT, 'cassette: numbers begin at 1'); END;
