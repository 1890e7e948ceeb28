-- What operators decide about jobs: cancelling, priorities, start times, limits, putting back what a dead worker held. Each
-- decision is a row that stays. Workers are listed. A claim can be asked for again.

-- Decisions by people, never changed: who, why, when. A SCHEDULE may also come with a post; step_keys has a line for each
-- step that it gives a key: its number, "=", the key.
CREATE TABLE cassette_actions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind <> ''),
  job_id TEXT REFERENCES cassette_jobs (job_id),
  ordinal INTEGER,
  fence INTEGER,
  worker_id TEXT,
  priority INTEGER,
  starts_at INTEGER,
  step_keys TEXT,
  details_json TEXT NOT NULL,
  made_by TEXT NOT NULL CHECK (made_by <> ''),
  why TEXT NOT NULL,
  login TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX cassette_actions_by_job ON cassette_actions (job_id, kind, seq) WHERE job_id IS NOT NULL;

CREATE TRIGGER cassette_actions_no_update BEFORE UPDATE ON cassette_actions
  BEGIN SELECT RAISE(ABORT, 'cassette: actions are append-only'); END;
CREATE TRIGGER cassette_actions_no_delete BEFORE DELETE ON cassette_actions
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: actions are append-only'); END;
CREATE TRIGGER cassette_actions_once BEFORE INSERT ON cassette_actions
  WHEN EXISTS (SELECT 1 FROM cassette_actions WHERE seq = NEW.seq)
  BEGIN SELECT RAISE(ABORT, 'cassette: this action exists'); END;

-- Workers as they last said that they live. Nothing rests on it: it is for people.
CREATE TABLE cassette_workers (
  worker_id TEXT NOT NULL PRIMARY KEY,
  machine TEXT NOT NULL,
  boot TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  stopped_at INTEGER,
  waiting_until INTEGER,
  login TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX cassette_workers_by_age ON cassette_workers (seen_at);

-- How many steps of an operation, or with a key, may run at once and may begin within any minute. The key "*" stands for
-- each key that has no limit of its own. Starts are numbered, so that one look tells when the minute began.
CREATE TABLE cassette_limits (
  scope TEXT NOT NULL CHECK (scope IN ('operation', 'key')),
  name TEXT NOT NULL CHECK (name <> ''),
  at_once INTEGER CHECK (at_once >= 1),
  per_minute INTEGER CHECK (per_minute >= 1),
  PRIMARY KEY (scope, name),
  CHECK (at_once IS NOT NULL OR per_minute IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TABLE cassette_limit_starts (
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope, name, number)
) STRICT, WITHOUT ROWID;

-- A step can be CANCELLED now, and SQLite cannot change a CHECK: the table is made anew, its triggers with it. rank is the
-- priority turned round: the least comes first. A step with a hold is not claimable: TIME lifts at wake_at, or when the
-- clock has gone back behind hold_since; other words are for other reasons, each with its own way to lift it.
CREATE TABLE cassette_step_states_before AS SELECT * FROM cassette_step_states;
DROP TABLE cassette_step_states;
CREATE TABLE cassette_step_states (
  job_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  message_seq INTEGER NOT NULL,
  op TEXT NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('PENDING', 'LEASED', 'COMMITTED', 'FAILED', 'DEAD', 'SKIPPED', 'CANCELLED')),
  fence INTEGER NOT NULL CHECK (fence >= 0),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  failures INTEGER NOT NULL CHECK (failures >= 0),
  waiting_for INTEGER NOT NULL CHECK (waiting_for >= 0),
  not_before INTEGER NOT NULL,
  worker_id TEXT,
  lease_expires_at INTEGER,
  lease_ms INTEGER CHECK (lease_ms >= 0),
  rank INTEGER NOT NULL DEFAULT 0,
  starts_at INTEGER NOT NULL DEFAULT 0,
  limit_key TEXT,
  hold TEXT,
  wake_at INTEGER,
  hold_since INTEGER,
  ticket INTEGER,
  PRIMARY KEY (job_id, ordinal),
  FOREIGN KEY (job_id, ordinal) REFERENCES cassette_step_definitions (job_id, ordinal),
  CHECK ((status = 'LEASED') = (worker_id IS NOT NULL)),
  CHECK ((status = 'LEASED') = (lease_expires_at IS NOT NULL)),
  CHECK ((status = 'LEASED') = (lease_ms IS NOT NULL)),
  CHECK (ticket IS NULL OR status = 'LEASED'),
  CHECK (hold IS NOT 'TIME' OR wake_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO cassette_step_states (job_id, ordinal, run_id, message_seq, op, status, fence, attempts, failures,
  waiting_for, not_before, worker_id, lease_expires_at, lease_ms)
SELECT job_id, ordinal, run_id, message_seq, op, status, fence, attempts, failures,
  waiting_for, not_before, worker_id, lease_expires_at, lease_ms FROM cassette_step_states_before;
DROP TABLE cassette_step_states_before;
UPDATE cassette_step_states
SET hold = 'TIME', wake_at = not_before,
    hold_since = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
WHERE status = 'PENDING' AND failures > 0
  AND not_before > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER);

CREATE INDEX cassette_ready_by_age ON cassette_step_states (rank, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL;
CREATE INDEX cassette_ready_by_run ON cassette_step_states (run_id, rank, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL;
CREATE INDEX cassette_ready_spread ON cassette_step_states (rank, ordinal, message_seq)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL;
CREATE INDEX cassette_ready_by_op ON cassette_step_states (op, limit_key, rank, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL;
CREATE INDEX cassette_ready_keyed ON cassette_step_states (op, rank, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL AND limit_key IS NOT NULL;
CREATE INDEX cassette_sleeping ON cassette_step_states (wake_at) WHERE status = 'PENDING' AND hold = 'TIME';
CREATE INDEX cassette_asleep_since ON cassette_step_states (hold_since)
  WHERE status = 'PENDING' AND hold = 'TIME' AND hold_since IS NOT NULL;
CREATE INDEX cassette_leases ON cassette_step_states (lease_expires_at) WHERE status = 'LEASED';
CREATE INDEX cassette_running_by_op ON cassette_step_states (op) WHERE status = 'LEASED';
CREATE INDEX cassette_running_by_key ON cassette_step_states (limit_key)
  WHERE status = 'LEASED' AND limit_key IS NOT NULL;
CREATE INDEX cassette_broken ON cassette_step_states (job_id) WHERE status IN ('FAILED', 'DEAD');

-- Steps as the next claim of them will show them.
DROP VIEW cassette_ready;
CREATE VIEW cassette_ready AS
  SELECT s.run_id, s.rank, s.message_seq, s.job_id, s.ordinal, s.fence + 1 AS fence, s.attempts + 1 AS attempts,
         s.failures, s.limit_key, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now_ms,
         d.step_id, s.op, d.payload_json, d.on_error, d.retry_count, d.output_key
  FROM cassette_step_states s
  CROSS JOIN cassette_step_definitions d ON d.job_id = s.job_id AND d.ordinal = s.ordinal
  WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL;

CREATE TRIGGER cassette_step_states_no_delete BEFORE DELETE ON cassette_step_states
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: step states are never deleted'); END;

CREATE TRIGGER cassette_step_states_born BEFORE INSERT ON cassette_step_states
  WHEN EXISTS (SELECT 1 FROM cassette_step_states WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
    OR NEW.status IS NOT 'PENDING' OR NEW.fence IS NOT 0 OR NEW.attempts IS NOT 0 OR NEW.failures IS NOT 0
    OR NEW.rank IS NOT 0 OR NEW.starts_at IS NOT 0 OR NEW.limit_key IS NOT NULL OR NEW.hold IS NOT NULL
    OR NEW.waiting_for IS NOT (SELECT count(*) FROM cassette_step_dependencies
                               WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
    OR NEW.op IS NOT (SELECT op FROM cassette_step_definitions WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
    OR NOT EXISTS (SELECT 1 FROM cassette_jobs
                   WHERE job_id = NEW.job_id AND run_id = NEW.run_id AND message_seq = NEW.message_seq)
  BEGIN SELECT RAISE(ABORT, 'cassette: a step is born once, PENDING, with token 0'); END;

-- Another place in the queue is what was last decided for the job, and nothing else of the step changes with it.
CREATE TRIGGER cassette_step_states_placed BEFORE UPDATE ON cassette_step_states
WHEN (NEW.rank IS NOT OLD.rank OR NEW.starts_at IS NOT OLD.starts_at OR NEW.limit_key IS NOT OLD.limit_key)
 AND NOT coalesce(
  NEW.status = OLD.status AND NEW.status IN ('PENDING', 'LEASED') AND NEW.fence = OLD.fence
  AND NEW.waiting_for = OLD.waiting_for AND NEW.worker_id IS OLD.worker_id
  AND NEW.lease_expires_at IS OLD.lease_expires_at AND NEW.lease_ms IS OLD.lease_ms
  AND (NEW.hold IS NULL OR NEW.status = 'PENDING')
  AND CASE WHEN NEW.starts_at = OLD.starts_at OR OLD.hold <> 'TIME' THEN NEW.hold IS OLD.hold
           ELSE NEW.hold IS NULL OR (NEW.hold = 'TIME' AND NEW.wake_at = NEW.starts_at) END
  AND EXISTS (SELECT 1 FROM cassette_actions a
              WHERE a.seq = (SELECT max(b.seq) FROM cassette_actions b
                             WHERE b.job_id = NEW.job_id AND b.kind = 'SCHEDULE')
                AND NEW.rank = coalesce(-a.priority, OLD.rank) AND NEW.starts_at = coalesce(a.starts_at, OLD.starts_at)
                AND (NEW.limit_key IS OLD.limit_key
                     OR (OLD.limit_key IS NULL AND a.step_keys IS NOT NULL))), 0) -- verify looks which
BEGIN SELECT RAISE(ABORT, 'cassette: a step stands in the queue where its job was put'); END;

-- How a hold is lifted. A migration that brings a new word makes this trigger anew.
CREATE TRIGGER cassette_step_states_holds BEFORE UPDATE ON cassette_step_states
WHEN OLD.status = 'PENDING' AND NEW.status = 'PENDING' AND NEW.hold IS NOT OLD.hold
 AND NEW.rank IS OLD.rank AND NEW.starts_at IS OLD.starts_at AND NEW.limit_key IS OLD.limit_key
 AND NOT coalesce(
  OLD.hold = 'TIME' AND NEW.hold IS NULL
  AND (OLD.wake_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
       OR OLD.hold_since > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)), 0)
BEGIN SELECT RAISE(ABORT, 'cassette: this hold is not lifted yet'); END;

-- The moves of a step, all of them. Anything else is refused, NULLs included. A lease has run out at its end, and also
-- when its end is further away than any clock that only went forward could have put it; an operator may put it back.
CREATE TRIGGER cassette_step_states_moves BEFORE UPDATE ON cassette_step_states
WHEN NOT coalesce(
  NEW.job_id = OLD.job_id AND NEW.ordinal = OLD.ordinal AND NEW.run_id = OLD.run_id
  AND NEW.message_seq = OLD.message_seq AND NEW.op = OLD.op
  AND CASE OLD.status || '>' || NEW.status
    WHEN 'PENDING>LEASED' THEN
      NEW.fence = OLD.fence + 1 AND NEW.attempts = OLD.attempts + 1 AND NEW.failures = OLD.failures
      AND OLD.waiting_for = 0 AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
      AND OLD.hold IS NULL AND NEW.hold IS NULL
    WHEN 'PENDING>PENDING' THEN -- one dependency fewer, or another place or hold
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.not_before = OLD.not_before
      AND (CASE WHEN NEW.waiting_for = OLD.waiting_for
             THEN NEW.hold IS NOT OLD.hold OR NEW.rank IS NOT OLD.rank OR NEW.starts_at IS NOT OLD.starts_at
                  OR NEW.limit_key IS NOT OLD.limit_key
             ELSE NEW.waiting_for = OLD.waiting_for - 1 AND NEW.hold IS OLD.hold AND (NEW.waiting_for > 0 OR NOT EXISTS (
               SELECT 1 FROM cassette_step_dependencies d
               JOIN cassette_step_states n ON n.job_id = d.job_id AND n.ordinal = d.needs_ordinal
               WHERE d.job_id = NEW.job_id AND d.ordinal = NEW.ordinal AND n.status <> 'COMMITTED')) END)
    WHEN 'LEASED>LEASED' THEN -- heartbeat
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before AND NEW.worker_id = OLD.worker_id
      AND NEW.ticket IS OLD.ticket AND NEW.hold IS NULL
      AND (NEW.lease_expires_at >= OLD.lease_expires_at
           OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms)
    WHEN 'LEASED>COMMITTED' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures AND NEW.waiting_for = 0
      AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                  AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id AND r.outcome = 'SUCCESS')
    WHEN 'LEASED>FAILED' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures + 1
      AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                  AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id AND r.outcome = 'FAILURE')
    WHEN 'LEASED>PENDING' THEN -- handed back, to be tried again, or expired with attempts left
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.waiting_for = 0
      AND NOT EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'CANCEL')
      AND (
        EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id
                AND ((r.outcome = 'ABORTED' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before
                      AND NEW.hold IS NULL)
                     OR (r.outcome = 'FAILURE' AND NEW.failures = OLD.failures + 1
                         AND NEW.not_before = r.created_at + r.retry_after_ms
                         AND CASE WHEN r.retry_after_ms = 0 THEN NEW.hold IS NULL
                             ELSE NEW.hold IS 'TIME' AND NEW.wake_at = NEW.not_before
                                  AND NEW.hold_since = r.created_at END)))
        OR (NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before AND NEW.hold IS NULL
            AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
                 OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms
                 OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'REQUEUE'
                            AND a.ordinal = OLD.ordinal AND a.fence = OLD.fence))
            AND OLD.attempts < (SELECT max_attempts FROM cassette_step_definitions d
                                WHERE d.job_id = OLD.job_id AND d.ordinal = OLD.ordinal)))
    WHEN 'LEASED>DEAD' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures AND NEW.waiting_for = 0
      AND NEW.not_before = OLD.not_before
      AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
           OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms
           OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'REQUEUE'
                      AND a.ordinal = OLD.ordinal AND a.fence = OLD.fence))
      AND OLD.attempts >= (SELECT max_attempts FROM cassette_step_definitions d
                           WHERE d.job_id = OLD.job_id AND d.ordinal = OLD.ordinal)
    WHEN 'LEASED>SKIPPED' THEN -- the job was aborted while this step was out
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_step_states b INDEXED BY cassette_broken
                  CROSS JOIN cassette_step_definitions d ON d.job_id = b.job_id AND d.ordinal = b.ordinal
                  WHERE b.job_id = OLD.job_id AND b.status IN ('FAILED', 'DEAD') AND d.on_error <> 'continue')
      AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
           OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms
           OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'REQUEUE'
                      AND a.ordinal = OLD.ordinal AND a.fence = OLD.fence)
           OR EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                      AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id AND r.outcome = 'ABORTED'))
    WHEN 'LEASED>CANCELLED' THEN -- the job was cancelled while this step was out
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'CANCEL')
      AND (NEW.failures = OLD.failures
           AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
                OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms
                OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'REQUEUE'
                           AND a.ordinal = OLD.ordinal AND a.fence = OLD.fence))
           OR EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                      AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id
                      AND ((r.outcome = 'ABORTED' AND NEW.failures = OLD.failures)
                           OR (r.outcome = 'FAILURE' AND r.retry_after_ms IS NOT NULL
                               AND NEW.failures = OLD.failures + 1))))
    WHEN 'PENDING>SKIPPED' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = OLD.waiting_for AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_step_states b WHERE b.job_id = OLD.job_id AND b.status IN ('FAILED', 'DEAD'))
    WHEN 'PENDING>CANCELLED' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = OLD.waiting_for AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'CANCEL')
    ELSE 0 END, 0)
BEGIN SELECT RAISE(ABORT, 'cassette: this is not a move a step can make'); END;

CREATE TRIGGER cassette_step_states_recorded AFTER UPDATE ON cassette_step_states WHEN OLD.status <> NEW.status
BEGIN
  INSERT INTO cassette_step_events (job_id, ordinal, from_status, to_status, fence, worker_id, at)
  VALUES (NEW.job_id, NEW.ordinal, OLD.status, NEW.status, NEW.fence, coalesce(NEW.worker_id, OLD.worker_id),
          CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));
END;

CREATE TRIGGER cassette_step_states_released AFTER UPDATE ON cassette_step_states
WHEN OLD.status <> NEW.status AND NEW.status = 'COMMITTED'
BEGIN
  UPDATE cassette_step_states SET waiting_for = waiting_for - 1
  WHERE job_id = NEW.job_id AND status = 'PENDING' AND ordinal IN (
    SELECT ordinal FROM cassette_step_dependencies WHERE job_id = NEW.job_id AND needs_ordinal = NEW.ordinal);
END;

-- Seed 004, on_error: after a failed step "continue" gives up what depends on it, anything else the whole job.
CREATE TRIGGER cassette_step_states_given_up AFTER UPDATE ON cassette_step_states
WHEN OLD.status <> NEW.status AND NEW.status IN ('FAILED', 'DEAD')
BEGIN
  UPDATE cassette_step_states SET status = 'SKIPPED'
  WHERE job_id = NEW.job_id AND status = 'PENDING'
    AND ((SELECT on_error FROM cassette_step_definitions WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
           <> 'continue'
         OR ordinal IN (
           WITH RECURSIVE behind (ordinal) AS (
             SELECT d.ordinal FROM cassette_step_dependencies d
             WHERE d.job_id = NEW.job_id AND d.needs_ordinal = NEW.ordinal
             UNION
             SELECT d.ordinal FROM cassette_step_dependencies d
             JOIN behind b ON d.job_id = NEW.job_id AND d.needs_ordinal = b.ordinal)
           SELECT ordinal FROM behind));
END;
