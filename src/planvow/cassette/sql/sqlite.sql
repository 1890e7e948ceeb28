-- Statements in SQLite's own way. They run inside BEGIN IMMEDIATE, so what was read still holds when it is written.
-- LIMIT takes a cast, because a bare parameter there makes SQLite prepare the statement anew at each call.

-- name: now
SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now_ms;

-- name: create_migrations
CREATE TABLE IF NOT EXISTS cassette_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;

-- name: has_migrations
SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name = 'cassette_migrations';

-- name: insert_migration
INSERT INTO cassette_migrations (version, name, sha256, applied_at)
VALUES (:version, :name, :sha256, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));

-- A lease has run out at its end, or when the clock has gone back behind its beginning by more than its length: then
-- its end is further away than two of its lengths. Only the first and the last end are looked at, both found at once.
-- name: expired
SELECT s.job_id, s.ordinal, s.fence,
       CASE WHEN EXISTS (SELECT 1 FROM cassette_step_states b INDEXED BY cassette_broken
                         CROSS JOIN cassette_step_definitions bd ON bd.job_id = b.job_id AND bd.ordinal = b.ordinal
                         WHERE b.job_id = s.job_id AND b.status IN ('FAILED', 'DEAD') AND bd.on_error <> 'continue')
              THEN 'SKIPPED'
            WHEN s.attempts >= d.max_attempts THEN 'DEAD'
            ELSE 'PENDING' END AS next_status
FROM cassette_step_states s
JOIN cassette_step_definitions d ON d.job_id = s.job_id AND d.ordinal = s.ordinal
WHERE s.status = 'LEASED'
  AND s.lease_expires_at IN ((SELECT min(lease_expires_at) FROM cassette_step_states WHERE status = 'LEASED'),
                             (SELECT max(lease_expires_at) FROM cassette_step_states WHERE status = 'LEASED'))
  AND (s.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
       OR s.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * s.lease_ms)
ORDER BY s.lease_expires_at, s.job_id, s.ordinal LIMIT 1;

-- name: put_back
UPDATE cassette_step_states SET status = :next_status, worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL
WHERE job_id = :job_id AND ordinal = :ordinal AND fence = :fence AND status = 'LEASED';

-- The operations are one text with a line for each: a name has no line ends in it.
-- name: ready_by_age
SELECT * FROM cassette_ready
WHERE (message_seq, ordinal) >= (:from_seq, :from_ordinal)
  AND (:operations IS NULL OR instr(:operations, char(10) || op || char(10)))
ORDER BY message_seq, ordinal LIMIT CAST(:limit AS INTEGER);

-- name: ready_by_run
SELECT * FROM cassette_ready
WHERE run_id = :run_id AND (message_seq, ordinal) >= (:from_seq, :from_ordinal)
  AND (:operations IS NULL OR instr(:operations, char(10) || op || char(10)))
ORDER BY message_seq, ordinal LIMIT CAST(:limit AS INTEGER);

-- name: ready_in_job
SELECT * FROM cassette_ready
WHERE message_seq = (SELECT message_seq FROM cassette_jobs WHERE job_id = :job_id AND message_seq >= :from_seq)
  AND ordinal >= CASE WHEN :from_seq = (SELECT message_seq FROM cassette_jobs WHERE job_id = :job_id)
                      THEN :from_ordinal ELSE 0 END
  AND (:run_id IS NULL OR run_id = :run_id)
  AND (:operations IS NULL OR instr(:operations, char(10) || op || char(10)))
ORDER BY message_seq, ordinal LIMIT CAST(:limit AS INTEGER);

-- name: ready_spread
SELECT * FROM cassette_ready
WHERE (:run_id IS NULL OR run_id = :run_id)
  AND (:operations IS NULL OR instr(:operations, char(10) || op || char(10)))
ORDER BY ordinal, message_seq LIMIT CAST(:limit AS INTEGER);

-- name: oldest_ready_of
SELECT message_seq, ordinal FROM cassette_step_states
WHERE status = 'PENDING' AND waiting_for = 0 AND op = :op
  AND message_seq >= coalesce((SELECT message_seq FROM cassette_jobs WHERE job_id = :job_id), 0)
ORDER BY message_seq, ordinal LIMIT 1;

-- name: lease
UPDATE cassette_step_states
SET status = 'LEASED', fence = :fence, attempts = :attempts, worker_id = :worker_id,
    lease_expires_at = :lease_expires_at, lease_ms = :lease_ms
WHERE job_id = :job_id AND ordinal = :ordinal;

-- name: heartbeat
UPDATE cassette_step_states
SET lease_ms = max(lease_ms, :lease_ms),
    lease_expires_at = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + :lease_ms
      + CASE WHEN lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * lease_ms THEN 0
             ELSE max(0, lease_expires_at - CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) - :lease_ms) END
WHERE job_id = :job_id AND ordinal = :ordinal AND fence = :fence AND worker_id = :worker_id AND status = 'LEASED'
RETURNING lease_expires_at;

-- name: standing
SELECT s.run_id, s.status, s.fence, s.worker_id, s.failures, j.head_sha256,
       CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now_ms,
       EXISTS (SELECT 1 FROM cassette_step_states b INDEXED BY cassette_broken
               CROSS JOIN cassette_step_definitions bd ON bd.job_id = b.job_id AND bd.ordinal = b.ordinal
               WHERE b.job_id = s.job_id AND b.status IN ('FAILED', 'DEAD') AND bd.on_error <> 'continue') AS aborted
FROM cassette_step_states s JOIN cassette_jobs j ON j.job_id = s.job_id
WHERE s.job_id = :job_id AND s.ordinal = :ordinal;

-- name: receipt_of_lease
SELECT * FROM cassette_receipts WHERE job_id = :job_id AND ordinal = :ordinal AND fence = :fence;

-- name: chain_end
SELECT chain_seq, sha256, bytes_total FROM cassette_receipts WHERE job_id = :job_id ORDER BY chain_seq DESC LIMIT 1;

-- name: insert_receipt
INSERT INTO cassette_receipts
  (receipt_id, job_id, ordinal, fence, chain_seq, worker_id, outcome, receipt_json, receipt_json_sha256, bytes_used,
   bytes_total, retry_after_ms, prev_sha256, sha256, created_at)
VALUES (:receipt_id, :job_id, :ordinal, :fence, :chain_seq, :worker_id, :outcome, :receipt_json, :receipt_json_sha256,
        :bytes_used, :bytes_total, :retry_after_ms, :prev_sha256, :sha256, :created_at);

-- name: settle
UPDATE cassette_step_states
SET status = :next_status, worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL, failures = :failures,
    not_before = coalesce(:not_before, not_before)
WHERE job_id = :job_id AND ordinal = :ordinal AND fence = :fence AND worker_id = :worker_id AND status = 'LEASED';

-- Posting and sealing, inside one transaction in which nobody else writes.

-- name: insert_message
INSERT INTO cassette_messages
  (message_id, run_id, source, idempotency_key, payload_json, payload_sha256, created_at)
VALUES (:message_id, :run_id, :source, :idempotency_key, :payload_json, :payload_sha256, :created_at)
RETURNING seq;

-- name: insert_job
INSERT INTO cassette_jobs
  (job_id, message_id, message_seq, run_id, intent, ordinal, step_count, max_bytes, head_sha256, created_at)
VALUES (:job_id, :message_id, :message_seq, :run_id, :intent, :ordinal, :step_count, :max_bytes, :head_sha256,
        :created_at);

-- name: insert_plan
INSERT INTO cassette_plans
  (job_id, run_id, request_id, planner_id, planner_version, plan_hash, index_hash, budgets_json, plan_json, plan_sha256,
   parent_job_id, created_at)
VALUES (:job_id, :run_id, :request_id, :planner_id, :planner_version, :plan_hash, :index_hash, :budgets_json, :plan_json,
        :plan_sha256, :parent_job_id, :created_at);

-- name: insert_step
INSERT INTO cassette_step_definitions (job_id, ordinal, step_id, op, payload_json, payload_sha256, on_error, retry_count,
  output_key, max_attempts)
VALUES (:job_id, :ordinal, :step_id, :op, :payload_json, :payload_sha256, :on_error, :retry_count, :output_key,
        :max_attempts);

-- name: insert_dependency
INSERT INTO cassette_step_dependencies (job_id, ordinal, needs_ordinal) VALUES (:job_id, :ordinal, :needs);

-- name: insert_states
INSERT INTO cassette_step_states
  (job_id, ordinal, run_id, message_seq, op, status, fence, attempts, failures, waiting_for, not_before)
SELECT s.job_id, s.ordinal, j.run_id, j.message_seq, s.op, 'PENDING', 0, 0, 0,
       (SELECT count(*) FROM cassette_step_dependencies d WHERE d.job_id = s.job_id AND d.ordinal = s.ordinal),
       j.created_at
FROM cassette_step_definitions s JOIN cassette_jobs j ON j.job_id = s.job_id
WHERE s.job_id = :job_id ORDER BY s.ordinal;

-- name: insert_leaf
INSERT INTO cassette_seal_leaves (run_id, leaf_index, job_id, leaf_sha256)
VALUES (:run_id, :leaf_index, :job_id, :leaf_sha256);

-- name: insert_seal
INSERT INTO cassette_seals (run_id, tree_size, merkle_root, envelope_json, created_at)
VALUES (:run_id, :tree_size, :merkle_root, :envelope_json, :created_at);

-- What guards the ledger, as it is now.
-- name: live_schema
SELECT type || ' ' || name AS name, sql AS definition FROM sqlite_master
WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY 1;
