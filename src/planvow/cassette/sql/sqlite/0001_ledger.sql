-- The ledger on SQLite. Rows are written once; cassette_step_states alone changes, and only along the moves
-- listed in its trigger. Times are integer milliseconds since 1970 (UTC). Hashed JSON is TEXT, kept as it was hashed.

CREATE TABLE cassette_messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL UNIQUE,
  run_id TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('USER', 'PLANNER', 'SYSTEM', 'WORKER')),
  idempotency_key TEXT NOT NULL CHECK (idempotency_key <> ''),
  payload_json TEXT NOT NULL,
  payload_sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (run_id, idempotency_key)
) STRICT;

-- head_sha256 covers the message, the plan, the job and all steps: it is where the chain of receipts begins.
CREATE TABLE cassette_jobs (
  job_id TEXT NOT NULL PRIMARY KEY,
  message_id TEXT NOT NULL UNIQUE REFERENCES cassette_messages (message_id),
  message_seq INTEGER NOT NULL UNIQUE REFERENCES cassette_messages (seq),
  run_id TEXT NOT NULL,
  intent TEXT NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 1),
  step_count INTEGER NOT NULL CHECK (step_count >= 0),
  max_bytes INTEGER CHECK (max_bytes >= 0),
  head_sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE cassette_plans (
  job_id TEXT NOT NULL PRIMARY KEY REFERENCES cassette_jobs (job_id),
  run_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  planner_id TEXT NOT NULL,
  planner_version TEXT NOT NULL,
  plan_hash TEXT NOT NULL,
  index_hash TEXT,
  budgets_json TEXT NOT NULL,
  plan_json TEXT NOT NULL,
  plan_sha256 TEXT NOT NULL,
  parent_job_id TEXT REFERENCES cassette_jobs (job_id),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX cassette_plans_by_request ON cassette_plans (run_id, request_id);

CREATE TABLE cassette_step_definitions (
  job_id TEXT NOT NULL REFERENCES cassette_jobs (job_id),
  ordinal INTEGER NOT NULL CHECK (ordinal >= 1),
  step_id TEXT NOT NULL,
  op TEXT NOT NULL,
  payload_json TEXT NOT NULL,
  payload_sha256 TEXT NOT NULL,
  on_error TEXT NOT NULL CHECK (on_error IN ('abort', 'continue', 'retry')),
  retry_count INTEGER NOT NULL CHECK (retry_count >= 0),
  output_key TEXT,
  max_attempts INTEGER NOT NULL CHECK (max_attempts >= 1),
  PRIMARY KEY (job_id, ordinal),
  UNIQUE (job_id, step_id)
) STRICT, WITHOUT ROWID;

-- needs_ordinal < ordinal: a plan cannot wait for itself, whoever wrote the row.
CREATE TABLE cassette_step_dependencies (
  job_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  needs_ordinal INTEGER NOT NULL CHECK (needs_ordinal < ordinal),
  PRIMARY KEY (job_id, ordinal, needs_ordinal),
  FOREIGN KEY (job_id, ordinal) REFERENCES cassette_step_definitions (job_id, ordinal),
  FOREIGN KEY (job_id, needs_ordinal) REFERENCES cassette_step_definitions (job_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX cassette_step_dependencies_needed ON cassette_step_dependencies (job_id, needs_ordinal);

CREATE TABLE cassette_step_states (
  job_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  message_seq INTEGER NOT NULL,
  op TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'LEASED', 'COMMITTED', 'FAILED', 'DEAD', 'SKIPPED')),
  fence INTEGER NOT NULL CHECK (fence >= 0),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  failures INTEGER NOT NULL CHECK (failures >= 0),
  waiting_for INTEGER NOT NULL CHECK (waiting_for >= 0),
  not_before INTEGER NOT NULL,
  worker_id TEXT,
  lease_expires_at INTEGER,
  lease_ms INTEGER CHECK (lease_ms >= 0),
  PRIMARY KEY (job_id, ordinal),
  FOREIGN KEY (job_id, ordinal) REFERENCES cassette_step_definitions (job_id, ordinal),
  CHECK ((status = 'LEASED') = (worker_id IS NOT NULL)),
  CHECK ((status = 'LEASED') = (lease_expires_at IS NOT NULL)),
  CHECK ((status = 'LEASED') = (lease_ms IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX cassette_ready_by_age ON cassette_step_states (message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0;
CREATE INDEX cassette_ready_by_run ON cassette_step_states (run_id, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0;
CREATE INDEX cassette_ready_spread ON cassette_step_states (ordinal, message_seq)
  WHERE status = 'PENDING' AND waiting_for = 0;
CREATE INDEX cassette_ready_by_op ON cassette_step_states (op, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0;
CREATE INDEX cassette_leases ON cassette_step_states (lease_expires_at) WHERE status = 'LEASED';
CREATE INDEX cassette_broken ON cassette_step_states (job_id) WHERE status IN ('FAILED', 'DEAD');

-- Events and receipts name no foreign key: their triggers demand the step's state, and more.
CREATE TABLE cassette_step_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  fence INTEGER NOT NULL,
  worker_id TEXT,
  at INTEGER NOT NULL,
  CHECK (from_status <> to_status)
) STRICT;

CREATE INDEX cassette_step_events_by_step ON cassette_step_events (job_id, ordinal, seq);

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
  UNIQUE (job_id, chain_seq)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX cassette_one_success ON cassette_receipts (job_id, ordinal) WHERE outcome = 'SUCCESS';

CREATE TABLE cassette_seals (
  run_id TEXT NOT NULL,
  tree_size INTEGER NOT NULL CHECK (tree_size >= 1),
  merkle_root TEXT NOT NULL,
  envelope_json TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (run_id, tree_size)
) STRICT, WITHOUT ROWID;

-- The leaves of a run's tree in the order they were sealed: for each finished job its head, its receipts, its tail.
CREATE TABLE cassette_seal_leaves (
  run_id TEXT NOT NULL,
  leaf_index INTEGER NOT NULL CHECK (leaf_index >= 0),
  job_id TEXT NOT NULL REFERENCES cassette_jobs (job_id),
  leaf_sha256 TEXT NOT NULL,
  PRIMARY KEY (run_id, leaf_index)
) STRICT, WITHOUT ROWID;

CREATE INDEX cassette_seal_leaves_by_job ON cassette_seal_leaves (job_id);

CREATE VIEW cassette_meta AS
  SELECT 'schema_version' AS key, CAST(max(version) AS TEXT) AS value FROM cassette_migrations;

CREATE VIEW cassette_steps AS
  SELECT d.step_id, d.job_id, d.ordinal, d.op, s.status, s.worker_id AS lease_owner, s.lease_expires_at,
         s.fence AS fencing_token, d.payload_json, j.created_at
  FROM cassette_step_definitions d
  JOIN cassette_step_states s ON s.job_id = d.job_id AND s.ordinal = d.ordinal
  JOIN cassette_jobs j ON j.job_id = d.job_id;

-- Steps as the next claim of them will show them. Only a step that failed waits for a time, and not for one that was set
-- by a clock which has gone back since.
CREATE VIEW cassette_ready AS
  SELECT s.run_id, s.message_seq, s.job_id, s.ordinal, s.fence + 1 AS fence, s.attempts + 1 AS attempts, s.failures,
         CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now_ms,
         d.step_id, s.op, d.payload_json, d.on_error, d.retry_count, d.output_key
  FROM cassette_step_states s
  CROSS JOIN cassette_step_definitions d ON d.job_id = s.job_id AND d.ordinal = s.ordinal
  WHERE s.status = 'PENDING' AND s.waiting_for = 0
    AND (s.failures = 0 OR s.not_before <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
         OR EXISTS (SELECT 1 FROM cassette_receipts r
                    WHERE r.job_id = s.job_id AND r.ordinal = s.ordinal AND r.fence = s.fence
                      AND r.created_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)));

CREATE VIEW cassette_job_budgets AS
  SELECT j.job_id, j.max_bytes, coalesce(max(r.bytes_total), 0) AS bytes_consumed
  FROM cassette_jobs j LEFT JOIN cassette_receipts r ON r.job_id = j.job_id GROUP BY j.job_id, j.max_bytes;

-- Nothing written is changed or removed.

CREATE TRIGGER cassette_messages_no_update BEFORE UPDATE ON cassette_messages
  BEGIN SELECT RAISE(ABORT, 'cassette: messages are append-only'); END;
CREATE TRIGGER cassette_messages_no_delete BEFORE DELETE ON cassette_messages
  BEGIN SELECT RAISE(ABORT, 'cassette: messages are append-only'); END;
CREATE TRIGGER cassette_jobs_no_update BEFORE UPDATE ON cassette_jobs
  BEGIN SELECT RAISE(ABORT, 'cassette: jobs are append-only'); END;
CREATE TRIGGER cassette_jobs_no_delete BEFORE DELETE ON cassette_jobs
  BEGIN SELECT RAISE(ABORT, 'cassette: jobs are append-only'); END;
CREATE TRIGGER cassette_plans_no_update BEFORE UPDATE ON cassette_plans
  BEGIN SELECT RAISE(ABORT, 'cassette: plans are append-only'); END;
CREATE TRIGGER cassette_plans_no_delete BEFORE DELETE ON cassette_plans
  BEGIN SELECT RAISE(ABORT, 'cassette: plans are append-only'); END;
CREATE TRIGGER cassette_step_definitions_no_update BEFORE UPDATE ON cassette_step_definitions
  BEGIN SELECT RAISE(ABORT, 'cassette: step definitions are append-only'); END;
CREATE TRIGGER cassette_step_definitions_no_delete BEFORE DELETE ON cassette_step_definitions
  BEGIN SELECT RAISE(ABORT, 'cassette: step definitions are append-only'); END;
CREATE TRIGGER cassette_step_dependencies_no_update BEFORE UPDATE ON cassette_step_dependencies
  BEGIN SELECT RAISE(ABORT, 'cassette: dependencies are append-only'); END;
CREATE TRIGGER cassette_step_dependencies_no_delete BEFORE DELETE ON cassette_step_dependencies
  BEGIN SELECT RAISE(ABORT, 'cassette: dependencies are append-only'); END;
CREATE TRIGGER cassette_step_states_no_delete BEFORE DELETE ON cassette_step_states
  BEGIN SELECT RAISE(ABORT, 'cassette: step states are never deleted'); END;
CREATE TRIGGER cassette_step_events_no_update BEFORE UPDATE ON cassette_step_events
  BEGIN SELECT RAISE(ABORT, 'cassette: events are append-only'); END;
CREATE TRIGGER cassette_step_events_no_delete BEFORE DELETE ON cassette_step_events
  BEGIN SELECT RAISE(ABORT, 'cassette: events are append-only'); END;
CREATE TRIGGER cassette_receipts_no_update BEFORE UPDATE ON cassette_receipts
  BEGIN SELECT RAISE(ABORT, 'cassette: receipts are append-only'); END;
CREATE TRIGGER cassette_receipts_no_delete BEFORE DELETE ON cassette_receipts
  BEGIN SELECT RAISE(ABORT, 'cassette: receipts are append-only'); END;
CREATE TRIGGER cassette_seals_no_update BEFORE UPDATE ON cassette_seals
  BEGIN SELECT RAISE(ABORT, 'cassette: seals are append-only'); END;
CREATE TRIGGER cassette_seals_no_delete BEFORE DELETE ON cassette_seals
  BEGIN SELECT RAISE(ABORT, 'cassette: seals are append-only'); END;
CREATE TRIGGER cassette_seal_leaves_no_update BEFORE UPDATE ON cassette_seal_leaves
  BEGIN SELECT RAISE(ABORT, 'cassette: seal leaves are append-only'); END;
CREATE TRIGGER cassette_seal_leaves_no_delete BEFORE DELETE ON cassette_seal_leaves
  BEGIN SELECT RAISE(ABORT, 'cassette: seal leaves are append-only'); END;
CREATE TRIGGER cassette_migrations_no_update BEFORE UPDATE ON cassette_migrations
  BEGIN SELECT RAISE(ABORT, 'cassette: migrations are append-only'); END;
CREATE TRIGGER cassette_migrations_no_delete BEFORE DELETE ON cassette_migrations
  BEGIN SELECT RAISE(ABORT, 'cassette: migrations are append-only'); END;

-- INSERT OR REPLACE removes the old row without firing delete triggers on a default connection, so a row whose key
-- exists is refused before it is written. Every unique key of every table is named here.

CREATE TRIGGER cassette_messages_once BEFORE INSERT ON cassette_messages
  WHEN EXISTS (SELECT 1 FROM cassette_messages WHERE message_id = NEW.message_id)
    OR EXISTS (SELECT 1 FROM cassette_messages WHERE run_id = NEW.run_id AND idempotency_key = NEW.idempotency_key)
    OR EXISTS (SELECT 1 FROM cassette_messages WHERE seq = NEW.seq)
  BEGIN SELECT RAISE(ABORT, 'cassette: this message exists'); END;
CREATE TRIGGER cassette_jobs_once BEFORE INSERT ON cassette_jobs
  WHEN EXISTS (SELECT 1 FROM cassette_jobs WHERE job_id = NEW.job_id)
    OR EXISTS (SELECT 1 FROM cassette_jobs WHERE message_id = NEW.message_id)
    OR EXISTS (SELECT 1 FROM cassette_jobs WHERE message_seq = NEW.message_seq)
  BEGIN SELECT RAISE(ABORT, 'cassette: this job exists'); END;
CREATE TRIGGER cassette_plans_once BEFORE INSERT ON cassette_plans
  WHEN EXISTS (SELECT 1 FROM cassette_plans WHERE job_id = NEW.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: this plan exists'); END;
CREATE TRIGGER cassette_step_definitions_once BEFORE INSERT ON cassette_step_definitions
  WHEN EXISTS (SELECT 1 FROM cassette_step_definitions WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
    OR EXISTS (SELECT 1 FROM cassette_step_definitions WHERE job_id = NEW.job_id AND step_id = NEW.step_id)
    OR NOT EXISTS (SELECT 1 FROM cassette_jobs WHERE job_id = NEW.job_id AND step_count >= NEW.ordinal)
  BEGIN SELECT RAISE(ABORT, 'cassette: this step exists, or its job has fewer steps'); END;
CREATE TRIGGER cassette_step_dependencies_once BEFORE INSERT ON cassette_step_dependencies
  WHEN EXISTS (SELECT 1 FROM cassette_step_dependencies
               WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal AND needs_ordinal = NEW.needs_ordinal)
    OR EXISTS (SELECT 1 FROM cassette_step_states WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
  BEGIN SELECT RAISE(ABORT, 'cassette: this dependency exists, or its step is already open'); END;
CREATE TRIGGER cassette_step_states_born BEFORE INSERT ON cassette_step_states
  WHEN EXISTS (SELECT 1 FROM cassette_step_states WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
    OR NEW.status IS NOT 'PENDING' OR NEW.fence IS NOT 0 OR NEW.attempts IS NOT 0 OR NEW.failures IS NOT 0
    OR NEW.waiting_for IS NOT (SELECT count(*) FROM cassette_step_dependencies
                               WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
    OR NEW.op IS NOT (SELECT op FROM cassette_step_definitions WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
    OR NOT EXISTS (SELECT 1 FROM cassette_jobs
                   WHERE job_id = NEW.job_id AND run_id = NEW.run_id AND message_seq = NEW.message_seq)
  BEGIN SELECT RAISE(ABORT, 'cassette: a step is born once, PENDING, with token 0'); END;
CREATE TRIGGER cassette_seals_once BEFORE INSERT ON cassette_seals
  WHEN EXISTS (SELECT 1 FROM cassette_seals WHERE run_id = NEW.run_id AND tree_size >= NEW.tree_size)
    OR NEW.tree_size IS NOT (SELECT count(*) FROM cassette_seal_leaves WHERE run_id = NEW.run_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: a seal covers all leaves and more than the last one'); END;
CREATE TRIGGER cassette_seal_leaves_once BEFORE INSERT ON cassette_seal_leaves
  WHEN NEW.leaf_index IS NOT (SELECT coalesce(max(leaf_index) + 1, 0) FROM cassette_seal_leaves
                              WHERE run_id = NEW.run_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: leaves are added one after the other'); END;
CREATE TRIGGER cassette_migrations_once BEFORE INSERT ON cassette_migrations
  WHEN EXISTS (SELECT 1 FROM cassette_migrations WHERE version = NEW.version)
  BEGIN SELECT RAISE(ABORT, 'cassette: this migration is recorded'); END;

-- An event is written by the trigger below, after the move it records; nothing else can satisfy this condition.
CREATE TRIGGER cassette_step_events_true BEFORE INSERT ON cassette_step_events
  WHEN NOT EXISTS (SELECT 1 FROM cassette_step_states s
                   WHERE s.job_id = NEW.job_id AND s.ordinal = NEW.ordinal
                     AND s.status = NEW.to_status AND s.fence = NEW.fence)
    OR NEW.from_status IS NOT coalesce((SELECT e.to_status FROM cassette_step_events e
                                        WHERE e.job_id = NEW.job_id AND e.ordinal = NEW.ordinal
                                        ORDER BY e.seq DESC LIMIT 1), 'PENDING')
    OR EXISTS (SELECT 1 FROM cassette_step_events WHERE seq = NEW.seq)
  BEGIN SELECT RAISE(ABORT, 'cassette: events record moves that happened'); END;

-- A receipt needs the lease it speaks of, continues the chain of its job and stays inside the job's bytes.
CREATE TRIGGER cassette_receipts_linked BEFORE INSERT ON cassette_receipts
BEGIN
  SELECT RAISE(ABORT, 'cassette: this receipt exists')
  WHERE EXISTS (SELECT 1 FROM cassette_receipts
                WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal
                  AND (fence = NEW.fence OR (outcome = 'SUCCESS' AND NEW.outcome = 'SUCCESS')));
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

-- The moves of a step, all of them. Anything else is refused, NULLs included. A lease has run out at its end, and also
-- when its end is further away than any clock that only went forward could have put it.
CREATE TRIGGER cassette_step_states_moves BEFORE UPDATE ON cassette_step_states
WHEN NOT coalesce(
  NEW.job_id = OLD.job_id AND NEW.ordinal = OLD.ordinal AND NEW.run_id = OLD.run_id
  AND NEW.message_seq = OLD.message_seq AND NEW.op = OLD.op
  AND CASE OLD.status || '>' || NEW.status
    WHEN 'PENDING>LEASED' THEN
      NEW.fence = OLD.fence + 1 AND NEW.attempts = OLD.attempts + 1 AND NEW.failures = OLD.failures
      AND OLD.waiting_for = 0 AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
    WHEN 'PENDING>PENDING' THEN -- one dependency fewer
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = OLD.waiting_for - 1 AND NEW.not_before = OLD.not_before
      AND (NEW.waiting_for > 0 OR NOT EXISTS (
        SELECT 1 FROM cassette_step_dependencies d
        JOIN cassette_step_states n ON n.job_id = d.job_id AND n.ordinal = d.needs_ordinal
        WHERE d.job_id = NEW.job_id AND d.ordinal = NEW.ordinal AND n.status <> 'COMMITTED'))
    WHEN 'LEASED>LEASED' THEN -- heartbeat
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before AND NEW.worker_id = OLD.worker_id
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
      AND (
        EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id
                AND ((r.outcome = 'ABORTED' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before)
                     OR (r.outcome = 'FAILURE' AND NEW.failures = OLD.failures + 1
                         AND NEW.not_before = r.created_at + r.retry_after_ms)))
        OR (NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before
            AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
                 OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms)
            AND OLD.attempts < (SELECT max_attempts FROM cassette_step_definitions d
                                WHERE d.job_id = OLD.job_id AND d.ordinal = OLD.ordinal)))
    WHEN 'LEASED>DEAD' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures AND NEW.waiting_for = 0
      AND NEW.not_before = OLD.not_before
      AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
           OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms)
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
           OR EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                      AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id AND r.outcome = 'ABORTED'))
    WHEN 'PENDING>SKIPPED' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = OLD.waiting_for AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_step_states b WHERE b.job_id = OLD.job_id AND b.status IN ('FAILED', 'DEAD'))
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
