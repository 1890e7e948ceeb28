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
       CASE WHEN EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = s.job_id AND a.kind = 'CANCEL')
              THEN 'CANCELLED'
            WHEN EXISTS (SELECT 1 FROM cassette_step_states b INDEXED BY cassette_broken
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
UPDATE cassette_step_states
SET status = :next_status, worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL, ticket = NULL
WHERE job_id = :job_id AND ordinal = :ordinal AND fence = :fence AND status = 'LEASED';

-- name: held_by
SELECT s.job_id, s.ordinal, s.fence,
       CASE WHEN EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = s.job_id AND a.kind = 'CANCEL')
              THEN 'CANCELLED'
            WHEN EXISTS (SELECT 1 FROM cassette_step_states b INDEXED BY cassette_broken
                         CROSS JOIN cassette_step_definitions bd ON bd.job_id = b.job_id AND bd.ordinal = b.ordinal
                         WHERE b.job_id = s.job_id AND b.status IN ('FAILED', 'DEAD') AND bd.on_error <> 'continue')
              THEN 'SKIPPED'
            WHEN s.attempts >= d.max_attempts THEN 'DEAD'
            ELSE 'PENDING' END AS next_status
FROM cassette_step_states s
JOIN cassette_step_definitions d ON d.job_id = s.job_id AND d.ordinal = s.ordinal
WHERE s.status = 'LEASED' AND s.worker_id = :worker_id ORDER BY s.job_id, s.ordinal LIMIT 1;

-- What a claim has to know first: whether a lease or an approval has run out, whether a step has slept long enough, and
-- whether there are limits.
-- name: look
SELECT now_ms,
       EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at <= now_ms)
       OR coalesce((SELECT lease_expires_at > now_ms + 2 * lease_ms FROM cassette_step_states WHERE status = 'LEASED'
                    ORDER BY lease_expires_at DESC LIMIT 1), 0)
       OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND approved_until <= now_ms) AS run_out,
       EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND wake_at <= now_ms)
       OR EXISTS (SELECT 1 FROM cassette_step_states
                  WHERE status = 'PENDING' AND hold = 'TIME' AND hold_since IS NOT NULL AND hold_since > now_ms) AS due,
       EXISTS (SELECT 1 FROM cassette_limits) AS limited
FROM (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now_ms);

-- name: rouse
UPDATE cassette_step_states SET hold = NULL, wake_at = NULL, hold_since = NULL
WHERE (job_id, ordinal) IN (
  SELECT job_id, ordinal FROM (SELECT job_id, ordinal FROM cassette_step_states
                               WHERE status = 'PENDING' AND hold = 'TIME' AND wake_at <= :now_ms
                               ORDER BY wake_at LIMIT CAST(:limit AS INTEGER))
  UNION
  SELECT job_id, ordinal FROM (SELECT job_id, ordinal FROM cassette_step_states
                               WHERE status = 'PENDING' AND hold = 'TIME' AND hold_since IS NOT NULL
                                 AND hold_since > :now_ms
                               ORDER BY hold_since LIMIT CAST(:limit AS INTEGER)));

-- name: leased_before
SELECT s.run_id, s.job_id, s.ordinal, s.fence, s.attempts, s.failures, s.lease_expires_at, d.step_id, s.op,
       d.payload_json, d.on_error, d.retry_count, d.output_key, s.approval_sha256
FROM cassette_step_states s
JOIN cassette_step_definitions d ON d.job_id = s.job_id AND d.ordinal = s.ordinal
WHERE s.status = 'LEASED' AND s.worker_id = :worker_id AND s.ticket = :ticket
ORDER BY s.rank, s.message_seq, s.ordinal;

-- name: place_of_job
SELECT j.message_seq, coalesce(-(SELECT a.priority FROM cassette_actions a
                                 WHERE a.job_id = j.job_id AND a.kind = 'SCHEDULE' AND a.priority IS NOT NULL
                                 ORDER BY a.seq DESC LIMIT 1), 0) AS rank
FROM cassette_jobs j WHERE j.job_id = :job_id;

-- The operations are one text with a line for each: a name has no line ends in it.
-- name: ready_by_age
SELECT * FROM cassette_ready
WHERE (rank, message_seq, ordinal) >= (:from_rank, :from_seq, :from_ordinal)
  AND (:operations IS NULL OR instr(:operations, char(10) || op || char(10)))
ORDER BY rank, message_seq, ordinal LIMIT CAST(:limit AS INTEGER);

-- name: ready_by_run
SELECT * FROM cassette_ready
WHERE run_id = :run_id AND (rank, message_seq, ordinal) >= (:from_rank, :from_seq, :from_ordinal)
  AND (:operations IS NULL OR instr(:operations, char(10) || op || char(10)))
ORDER BY rank, message_seq, ordinal LIMIT CAST(:limit AS INTEGER);

-- name: ready_in_job
SELECT * FROM cassette_ready
WHERE rank = coalesce(-(SELECT priority FROM cassette_actions
                        WHERE job_id = :job_id AND kind = 'SCHEDULE' AND priority IS NOT NULL
                        ORDER BY seq DESC LIMIT 1), 0)
  AND message_seq = (SELECT message_seq FROM cassette_jobs WHERE job_id = :job_id)
  AND ordinal >= :from_ordinal
  AND (:run_id IS NULL OR run_id = :run_id)
  AND (:operations IS NULL OR instr(:operations, char(10) || op || char(10)))
ORDER BY rank, message_seq, ordinal LIMIT CAST(:limit AS INTEGER);

-- name: ready_spread
SELECT * FROM cassette_ready
WHERE (:run_id IS NULL OR run_id = :run_id)
  AND (:operations IS NULL OR instr(:operations, char(10) || op || char(10)))
ORDER BY rank, ordinal, message_seq LIMIT CAST(:limit AS INTEGER);

-- name: first_unkeyed
SELECT * FROM cassette_ready
WHERE op = :op AND limit_key IS NULL AND (:run_id IS NULL OR run_id = :run_id)
  AND (rank, message_seq) >= (:least_rank, :least_seq) AND (rank, message_seq) <= (:most_rank, :most_seq)
ORDER BY rank, message_seq, ordinal LIMIT 1;

-- name: first_keyed
SELECT * FROM cassette_ready
WHERE op = :op AND limit_key IS NOT NULL AND (:run_id IS NULL OR run_id = :run_id)
  AND (rank, message_seq) >= (:least_rank, :least_seq) AND (rank, message_seq) <= (:most_rank, :most_seq)
ORDER BY rank, message_seq, ordinal LIMIT 1;

-- name: first_of_key
SELECT * FROM cassette_ready
WHERE op = :op AND limit_key = :key AND (:run_id IS NULL OR run_id = :run_id)
  AND (rank, message_seq) >= (:least_rank, :least_seq) AND (rank, message_seq) <= (:most_rank, :most_seq)
ORDER BY rank, message_seq, ordinal LIMIT 1;

-- name: next_key
SELECT limit_key FROM cassette_step_states
WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL AND op = :op AND limit_key > :key
ORDER BY limit_key LIMIT 1;

-- name: next_operation
SELECT op FROM cassette_step_states
WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL AND op > :op ORDER BY op LIMIT 1;

-- name: limit
SELECT at_once, per_minute FROM cassette_limits WHERE scope = :scope AND name = :name;

-- name: running_of_operation
SELECT 1 AS running FROM cassette_step_states WHERE status = 'LEASED' AND fence > 0 AND op = :name
LIMIT CAST(:limit AS INTEGER);

-- name: running_of_key
SELECT 1 AS running FROM cassette_step_states WHERE status = 'LEASED' AND limit_key = :name
LIMIT CAST(:limit AS INTEGER);

-- name: start_before
SELECT at, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now_ms FROM cassette_limit_starts
WHERE scope = :scope AND name = :name
  AND number = (SELECT max(number) FROM cassette_limit_starts WHERE scope = :scope AND name = :name) - :back;

-- name: insert_start
INSERT INTO cassette_limit_starts (scope, name, number, at)
SELECT :scope, :name, coalesce(max(number), 0) + 1, :at FROM cassette_limit_starts
WHERE scope = :scope AND name = :name;

-- name: forget_starts
DELETE FROM cassette_limit_starts
WHERE scope = :scope AND name = :name AND at <= :oldest
  AND number <= (SELECT max(number) FROM cassette_limit_starts WHERE scope = :scope AND name = :name) - :kept;

-- name: lease
UPDATE cassette_step_states
SET status = 'LEASED', fence = :fence, attempts = :attempts, worker_id = :worker_id,
    lease_expires_at = :lease_expires_at, lease_ms = :lease_ms, ticket = :ticket
WHERE job_id = :job_id AND ordinal = :ordinal
RETURNING approval_sha256;

-- name: heartbeat
UPDATE cassette_step_states
SET lease_ms = max(lease_ms, :lease_ms),
    lease_expires_at = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + :lease_ms
      + CASE WHEN lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * lease_ms THEN 0
             ELSE max(0, lease_expires_at - CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) - :lease_ms) END
WHERE job_id = :job_id AND ordinal = :ordinal AND fence = :fence AND worker_id = :worker_id AND status = 'LEASED'
RETURNING lease_expires_at;

-- name: standing
SELECT s.run_id, s.status, s.fence, s.worker_id, s.failures,
       CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now_ms,
       EXISTS (SELECT 1 FROM cassette_step_states b INDEXED BY cassette_broken
               CROSS JOIN cassette_step_definitions bd ON bd.job_id = b.job_id AND bd.ordinal = b.ordinal
               WHERE b.job_id = s.job_id AND b.status IN ('FAILED', 'DEAD') AND bd.on_error <> 'continue') AS aborted,
       EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = s.job_id AND a.kind = 'CANCEL') AS cancelled,
       EXISTS (SELECT 1 FROM cassette_receipts r
               WHERE r.job_id = s.job_id AND r.ordinal = s.ordinal AND r.fence = :fence) AS recorded,
       coalesce(c.chain_seq, 0) AS chain_seq, coalesce(c.sha256, j.head_sha256) AS chain_sha256,
       coalesce(c.bytes_total, 0) AS bytes_total
FROM cassette_step_states s JOIN cassette_jobs j ON j.job_id = s.job_id
LEFT JOIN cassette_receipts c ON c.job_id = s.job_id
  AND c.chain_seq = (SELECT max(chain_seq) FROM cassette_receipts WHERE job_id = :job_id)
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
SET status = :next_status, worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL, ticket = NULL,
    failures = :failures, not_before = coalesce(:not_before, not_before), wake_at = :wake_at,
    hold = CASE WHEN :wake_at IS NOT NULL THEN 'TIME' END, hold_since = CASE WHEN :wake_at IS NOT NULL THEN :now_ms END
WHERE job_id = :job_id AND ordinal = :ordinal AND fence = :fence AND worker_id = :worker_id AND status = 'LEASED';

-- What operators do.

-- name: insert_action
INSERT INTO cassette_actions (kind, job_id, ordinal, fence, worker_id, priority, starts_at, step_keys, details_json,
  made_by, why, login, at)
VALUES (:kind, :job_id, :ordinal, :fence, :worker_id, :priority, :starts_at, :step_keys, :details_json, :made_by, :why,
        :login, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));

-- name: open_in_job
SELECT count(*) AS open, coalesce(sum(status = 'PENDING'), 0) AS pending, coalesce(sum(status = 'LEASED'), 0) AS leased
FROM cassette_step_states WHERE job_id = :job_id AND status IN ('PENDING', 'LEASED');

-- name: cancel_steps
UPDATE cassette_step_states SET status = 'CANCELLED' WHERE job_id = :job_id AND status = 'PENDING';

-- name: place_steps
UPDATE cassette_step_states
SET rank = coalesce(-:priority, rank), starts_at = coalesce(:starts_at, starts_at),
    hold = CASE WHEN status = 'LEASED' OR hold <> 'TIME' OR coalesce(:starts_at, starts_at) = starts_at THEN hold
                WHEN :starts_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) THEN 'TIME' END,
    wake_at = CASE WHEN status = 'LEASED' OR hold <> 'TIME' OR coalesce(:starts_at, starts_at) = starts_at THEN wake_at
                   WHEN :starts_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) THEN :starts_at END,
    hold_since = CASE WHEN coalesce(:starts_at, starts_at) = starts_at THEN hold_since END
WHERE job_id = :job_id AND status IN ('PENDING', 'LEASED')
  AND (rank <> -:priority OR starts_at <> :starts_at);

-- name: set_key
UPDATE cassette_step_states SET limit_key = :key WHERE job_id = :job_id AND ordinal = :ordinal;

-- name: insert_limit
INSERT INTO cassette_limits (scope, name, at_once, per_minute) VALUES (:scope, :name, :at_once, :per_minute);

-- name: delete_limit
DELETE FROM cassette_limits WHERE scope = :scope AND name = :name;

-- name: worker_seen
INSERT INTO cassette_workers (worker_id, machine, boot, pid, started_at, seen_at, stopped_at, waiting_until, login)
SELECT :worker_id, :machine, :boot, :pid, now_ms, now_ms, CASE WHEN :ended THEN now_ms END, NULL, :login
FROM (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now_ms) WHERE TRUE
ON CONFLICT (worker_id) DO UPDATE SET seen_at = excluded.seen_at, stopped_at = excluded.stopped_at;

-- name: forget_workers
DELETE FROM cassette_workers WHERE worker_id IN (
  SELECT worker_id FROM cassette_workers
  WHERE seen_at < CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) - 604800000 ORDER BY seen_at LIMIT 10);

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

-- Documents, dossiers, notes, and what is kept apart.

-- name: documents_known
SELECT sha256 FROM cassette_documents WHERE sha256 IN (SELECT value FROM json_each(:hashes));

-- The full state that a job's state is, or differs from.
-- name: state_of_job
WITH own AS (
  SELECT s.sha256, s.content FROM cassette_dossiers o
  JOIN cassette_documents m ON m.sha256 = o.manifest_sha256
  JOIN cassette_documents s ON s.sha256 = json_extract(m.content, '$.documents.state')
  WHERE o.job_id = :job_id)
SELECT coalesce(b.sha256, own.sha256) AS sha256, coalesce(b.content, own.content) AS content
FROM own LEFT JOIN cassette_documents b ON b.sha256 = json_extract(own.content, '$.base');

-- name: insert_document
INSERT INTO cassette_documents (sha256, content)
SELECT :sha256, :content WHERE NOT EXISTS (SELECT 1 FROM cassette_documents WHERE sha256 = :sha256);

-- name: insert_dossier
INSERT INTO cassette_dossiers (job_id, manifest_sha256) VALUES (:job_id, :manifest_sha256);

-- name: insert_private
INSERT INTO cassette_private (job_id, sha256, salt, content)
SELECT :job_id, :sha256, :salt, :content
WHERE NOT EXISTS (SELECT 1 FROM cassette_private WHERE job_id = :job_id AND sha256 = :sha256);

-- name: private_of
SELECT sha256, salt, content FROM cassette_private WHERE job_id = :job_id ORDER BY sha256;

-- name: audit_private
SELECT job_id, sha256, salt, content FROM cassette_private;

-- name: may_read_private
SELECT 1 AS may;

-- name: erase_private
DELETE FROM cassette_private
WHERE job_id = :job_id AND sha256 IN (SELECT value FROM json_each(:content, '$.erased'));

-- name: note_standing
SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now_ms, j.head_sha256,
       (SELECT coalesce(max(seq), 0) + 1 FROM cassette_notes) AS next_seq, n.note_seq, n.sha256 AS note_sha256, r.chain_seq, r.sha256 AS receipt_sha256,
       (SELECT max(e.seq) FROM cassette_step_events e WHERE e.job_id = j.job_id) AS event_seq
FROM cassette_jobs j
LEFT JOIN cassette_notes n ON n.job_id = j.job_id
  AND n.note_seq = (SELECT max(note_seq) FROM cassette_notes WHERE job_id = j.job_id)
LEFT JOIN cassette_receipts r ON r.job_id = j.job_id
  AND r.chain_seq = (SELECT max(chain_seq) FROM cassette_receipts WHERE job_id = j.job_id)
WHERE j.job_id = :job_id;

-- name: insert_note
INSERT INTO cassette_notes (seq, job_id, note_seq, kind, ordinal, document_sha256, expires_at, login, after_receipt,
  after_sha256, after_event, prev_sha256, sha256, created_at)
VALUES (:seq, :job_id, :note_seq, :kind, :ordinal, :document_sha256, :expires_at, :login, :after_receipt, :after_sha256,
        :after_event, :prev_sha256, :sha256, :created_at)
RETURNING *;

-- name: lapsed
SELECT s.job_id, s.ordinal, p.plan_hash FROM cassette_step_states s JOIN cassette_plans p ON p.job_id = s.job_id
WHERE s.status = 'PENDING' AND s.approved_until <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
ORDER BY s.approved_until, s.job_id, s.ordinal LIMIT 1;

-- name: lapsed_approvals
SELECT d.ordinal, d.sha256, s.step_id FROM cassette_decisions d
LEFT JOIN cassette_step_definitions s ON s.job_id = d.job_id AND s.ordinal = d.ordinal
WHERE d.job_id = :job_id AND d.ordinal IN (0, :ordinal) AND d.kind = 'approval'
  AND d.expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ORDER BY d.ordinal;

-- name: settle_questions
UPDATE cassette_step_states
SET questions = (SELECT count(*) FROM cassette_decisions d WHERE d.job_id = :job_id
               AND d.ordinal IN (0, cassette_step_states.ordinal) AND d.kind IN ('requirement', 'lapse')),
    waiting_for = waiting_for - questions + (
      SELECT count(*) FROM cassette_decisions d WHERE d.job_id = :job_id
        AND d.ordinal IN (0, cassette_step_states.ordinal) AND d.kind IN ('requirement', 'lapse')),
    approved_until = (SELECT min(d.expires_at) FROM cassette_decisions d WHERE d.job_id = :job_id
                        AND d.ordinal IN (0, cassette_step_states.ordinal) AND d.kind = 'approval')
WHERE job_id = :job_id AND ordinal = :ordinal AND status = 'PENDING'
  AND approved_until <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER);

-- What guards the ledger, as it is now.
-- SQLite's own names are looked at too, since whoever writes into the schema can give them to a trigger; all but what
-- ANALYZE leaves.
-- name: live_schema
SELECT type || ' ' || name AS name, sql AS definition FROM sqlite_master
WHERE sql IS NOT NULL AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) ORDER BY 1;

-- A page of runs, newest first, by their latest jobs. What is asked of the state is necessary and not enough: whoever reads
-- the runs looks again. The document of what was asked is named in the manifest, which is JSON.
-- name: run_page
SELECT j.run_id, j.job_id FROM cassette_jobs j JOIN cassette_plans p ON p.job_id = j.job_id
WHERE j.message_seq < coalesce((SELECT b.message_seq FROM cassette_jobs b WHERE b.job_id = :before), :newest)
  AND NOT EXISTS (SELECT 1 FROM cassette_plans q JOIN cassette_jobs n ON n.job_id = q.job_id
                  WHERE q.run_id = j.run_id AND n.message_seq > j.message_seq)
  AND p.planner_id = :planner -- if given
  AND j.created_at >= CAST(:since AS bigint) -- if given
  AND (lower(j.run_id) LIKE :find ESCAPE '!' OR p.plan_hash LIKE :find ESCAPE '!' OR EXISTS (SELECT 1 FROM cassette_jobs a JOIN cassette_messages m ON m.message_id = a.message_id LEFT JOIN cassette_dossiers o ON o.job_id = a.job_id LEFT JOIN cassette_documents f ON f.sha256 = o.manifest_sha256 LEFT JOIN cassette_documents d ON d.sha256 = json_extract(f.content, '$.documents.asked') WHERE a.job_id IN (SELECT c.job_id FROM cassette_plans c WHERE c.run_id = j.run_id) AND (a.job_id LIKE :find ESCAPE '!' OR lower(m.payload_json) LIKE :find ESCAPE '!' OR lower(d.content) LIKE :find ESCAPE '!'))) -- if given
  AND (CAST(:state AS text) <> 'held' OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'PENDING' AND s.questions > 0)) -- if given
  AND (CAST(:state AS text) NOT IN ('running', 'stuck') OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status IN ('LEASED', 'PENDING'))) -- if given
  AND (CAST(:state AS text) <> 'waiting' OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'PENDING')) -- if given
  AND (CAST(:state AS text) <> 'failed' OR j.step_count = 0 OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status IN ('FAILED', 'DEAD'))) -- if given
  AND (CAST(:state AS text) <> 'cancelled' OR j.step_count = 0 OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'CANCELLED')) -- if given
  AND (CAST(:state AS text) <> 'done' OR NOT EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status IN ('LEASED', 'PENDING'))) -- if given
ORDER BY j.message_seq DESC LIMIT CAST(:most AS integer);
