-- Statements that both databases understand. Parameters are :name; lines marked "if given" are left out otherwise.

-- name: message_by_key
SELECT m.seq, m.message_id, m.payload_sha256, j.job_id, p.plan_hash
FROM cassette_messages m
LEFT JOIN cassette_jobs j ON j.message_id = m.message_id
LEFT JOIN cassette_plans p ON p.job_id = j.job_id
WHERE m.run_id = :run_id AND m.idempotency_key = :idempotency_key;

-- name: step_ids
SELECT step_id FROM cassette_step_definitions WHERE job_id = :job_id ORDER BY ordinal;

-- name: job_exists
SELECT job_id FROM cassette_jobs WHERE job_id = :job_id;

-- name: run_ids
SELECT DISTINCT run_id FROM cassette_jobs ORDER BY run_id;

-- name: job_ids
SELECT job_id FROM cassette_jobs
WHERE TRUE
  AND run_id = :run_id -- if given
ORDER BY message_seq;

-- name: job_status
SELECT j.run_id, p.request_id, j.job_id, j.message_id, p.planner_id, p.plan_hash, j.intent, p.parent_job_id,
       j.created_at, j.step_count AS steps,
       (SELECT count(*) FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'PENDING') AS pending,
       (SELECT count(*) FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'LEASED') AS leased,
       (SELECT count(*) FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'COMMITTED') AS committed,
       (SELECT count(*) FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'FAILED') AS failed,
       (SELECT count(*) FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'DEAD') AS dead,
       (SELECT count(*) FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'SKIPPED') AS skipped,
       (SELECT count(*) FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'CANCELLED') AS cancelled,
       coalesce((SELECT a.priority FROM cassette_actions a
                 WHERE a.job_id = j.job_id AND a.kind = 'SCHEDULE' AND a.priority IS NOT NULL
                 ORDER BY a.seq DESC LIMIT 1), 0) AS priority,
       coalesce((SELECT a.starts_at FROM cassette_actions a
                 WHERE a.job_id = j.job_id AND a.kind = 'SCHEDULE' AND a.starts_at IS NOT NULL
                 ORDER BY a.seq DESC LIMIT 1), 0) AS starts_at,
       (SELECT count(*) FROM cassette_receipts r WHERE r.job_id = j.job_id) AS receipts,
       (SELECT count(DISTINCT e.worker_id) FROM cassette_step_events e WHERE e.job_id = j.job_id) AS workers,
       (SELECT count(*) FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'PENDING' AND s.questions > 0)
         AS held
FROM cassette_jobs j JOIN cassette_plans p ON p.job_id = j.job_id
WHERE TRUE
  AND p.run_id = :run_id -- if given
  AND p.job_id = :job_id -- if given
ORDER BY j.message_seq;

-- A page of jobs, newest first, that costs the same however many there are.
-- name: job_page
SELECT j.job_id FROM cassette_jobs j
WHERE j.message_seq < coalesce((SELECT b.message_seq FROM cassette_jobs b WHERE b.job_id = :before), :newest)
ORDER BY j.message_seq DESC LIMIT :most;

-- name: run_jobs
SELECT j.job_id FROM cassette_plans p JOIN cassette_jobs j ON j.job_id = p.job_id
WHERE p.run_id = :run_id ORDER BY j.message_seq DESC LIMIT CAST(:most AS integer);

-- name: first_job
SELECT j.job_id FROM cassette_plans p JOIN cassette_jobs j ON j.job_id = p.job_id
WHERE p.run_id = :run_id ORDER BY j.message_seq LIMIT 1;

-- Numbers that grow with whatever is written: two that differ tell those who watch that something has happened.
-- name: mark_of_ledger
SELECT (SELECT max(seq) FROM cassette_messages) AS posts, (SELECT max(seq) FROM cassette_step_events) AS events,
       (SELECT max(seq) FROM cassette_notes) AS notes, (SELECT max(seq) FROM cassette_actions) AS actions,
       (SELECT count(*) FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at < CAST(:now_ms AS bigint)) AS late;

-- name: mark_of_run
SELECT count(*) AS posts, max(j.message_seq) AS latest,
       max((SELECT max(e.seq) FROM cassette_step_events e WHERE e.job_id = j.job_id)) AS events,
       max((SELECT max(n.seq) FROM cassette_notes n WHERE n.job_id = j.job_id)) AS notes,
       max((SELECT max(a.seq) FROM cassette_actions a WHERE a.job_id = j.job_id)) AS actions,
       sum((SELECT count(*) FROM cassette_step_states s
            WHERE s.job_id = j.job_id AND s.status = 'LEASED' AND s.lease_expires_at < CAST(:now_ms AS bigint))) AS late
FROM cassette_plans p JOIN cassette_jobs j ON j.job_id = p.job_id WHERE p.run_id = :run_id;

-- name: events_of_run
SELECT e.seq, e.job_id, e.ordinal, e.to_status, e.worker_id, e.at
FROM cassette_plans p JOIN cassette_step_events e ON e.job_id = p.job_id
WHERE p.run_id = :run_id AND e.seq > :after ORDER BY e.seq LIMIT :most;

-- name: figures
SELECT (SELECT count(*) FROM cassette_step_states
        WHERE status = 'PENDING' AND waiting_for = 0 AND questions = 0 AND hold IS NULL) AS ready,
       (SELECT count(*) FROM cassette_step_states WHERE status = 'LEASED') AS leased,
       (SELECT count(*) FROM cassette_step_states WHERE status = 'PENDING' AND questions > 0) AS held,
       (SELECT sum(failures) FROM cassette_step_states WHERE status IN ('PENDING', 'LEASED')) AS retries,
       (SELECT count(*) FROM cassette_plans WHERE parent_job_id IS NOT NULL) AS repairs,
       (SELECT min(j.created_at) FROM cassette_step_states s JOIN cassette_jobs j ON j.job_id = s.job_id
        WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.questions = 0 AND s.hold IS NULL) AS oldest;

-- name: receipts_of_worker
SELECT * FROM cassette_receipts
WHERE substr(worker_id, 1, :length) = :prefix AND created_at >= :since ORDER BY job_id, chain_seq;

-- A job that is not finished has a step that is ready, leased or held for an approval: the others wait for those.
-- name: open_steps
SELECT 1 AS open FROM cassette_step_states
WHERE status = 'PENDING' AND waiting_for = 0
  AND run_id = :run_id -- if given
  AND job_id = :job_id -- if given
UNION ALL
SELECT 1 AS open FROM cassette_step_states
WHERE status = 'LEASED'
  AND run_id = :run_id -- if given
  AND job_id = :job_id -- if given
UNION ALL
SELECT 1 AS open FROM cassette_step_states
WHERE status = 'PENDING' AND questions > 0
  AND run_id = :run_id -- if given
  AND job_id = :job_id -- if given
LIMIT 1;

-- Steps that wait to be tried again are as good as ready; those with another hold come later.
-- name: open_operations
SELECT op, CASE WHEN hold IS NULL OR hold_since IS NOT NULL THEN 1 ELSE 2 END AS ready FROM cassette_step_states
WHERE status = 'PENDING' AND waiting_for = 0
  AND run_id = :run_id -- if given
  AND job_id = :job_id -- if given
UNION
SELECT near.op, 0 AS ready
FROM cassette_step_states leased
JOIN cassette_step_states near ON near.job_id = leased.job_id
WHERE leased.status = 'LEASED' AND near.status IN ('PENDING', 'LEASED')
  AND leased.run_id = :run_id -- if given
  AND leased.job_id = :job_id -- if given
;

-- name: steps_of_job
SELECT d.job_id, d.ordinal, d.step_id, d.op, s.status, s.fence, s.attempts, s.failures, s.worker_id, s.lease_expires_at,
       s.waiting_for, s.limit_key, s.hold, s.wake_at, s.questions
FROM cassette_step_definitions d
JOIN cassette_step_states s ON s.job_id = d.job_id AND s.ordinal = d.ordinal
WHERE d.job_id = :job_id ORDER BY d.ordinal;

-- name: plan_records
SELECT m.run_id, p.request_id, m.message_id, p.job_id, m.payload_json, p.plan_json, p.plan_hash, p.planner_id,
       p.planner_version, p.index_hash, p.budgets_json, p.parent_job_id, p.created_at
FROM cassette_plans p
JOIN cassette_jobs j ON j.job_id = p.job_id
JOIN cassette_messages m ON m.message_id = j.message_id
WHERE TRUE
  AND p.run_id = :run_id -- if given
  AND p.request_id = :request_id -- if given
  AND p.job_id = :job_id -- if given
ORDER BY j.message_seq;

-- name: outputs_of_job
SELECT d.step_id, d.output_key, r.receipt_json
FROM cassette_receipts r
JOIN cassette_step_definitions d ON d.job_id = r.job_id AND d.ordinal = r.ordinal
WHERE r.job_id = :job_id AND r.outcome = 'SUCCESS' ORDER BY d.ordinal;

-- name: request_of_job
SELECT m.payload_json FROM cassette_jobs j JOIN cassette_messages m ON m.message_id = j.message_id
WHERE j.job_id = :job_id;

-- name: receipts_of_job
SELECT * FROM cassette_receipts WHERE job_id = :job_id ORDER BY chain_seq;

-- name: rows_message
SELECT m.* FROM cassette_messages m JOIN cassette_jobs j ON j.message_id = m.message_id WHERE j.job_id = :job_id;

-- name: rows_job
SELECT * FROM cassette_jobs WHERE job_id = :job_id;

-- name: rows_plan
SELECT * FROM cassette_plans WHERE job_id = :job_id;

-- name: rows_steps
SELECT * FROM cassette_step_definitions WHERE job_id = :job_id ORDER BY ordinal;

-- name: rows_dependencies
SELECT ordinal, needs_ordinal FROM cassette_step_dependencies WHERE job_id = :job_id ORDER BY ordinal, needs_ordinal;

-- name: rows_states
SELECT job_id, ordinal, run_id, message_seq, op, status, fence, attempts, failures, waiting_for, not_before, worker_id,
       lease_expires_at, lease_ms, rank, starts_at, limit_key, hold, wake_at, questions, approved_until, approval_sha256
FROM cassette_step_states WHERE job_id = :job_id ORDER BY ordinal;

-- name: rows_actions
SELECT * FROM cassette_actions WHERE job_id = :job_id ORDER BY seq;

-- name: all_actions
SELECT * FROM cassette_actions ORDER BY seq;

-- name: limits
SELECT l.scope, l.name, l.at_once, l.per_minute,
       CASE WHEN l.scope = 'operation'
         THEN (SELECT count(*) FROM cassette_step_states s WHERE s.status = 'LEASED' AND s.fence > 0 AND s.op = l.name)
         ELSE (SELECT count(*) FROM cassette_step_states s WHERE s.status = 'LEASED' AND s.limit_key = l.name) END AS running,
       (SELECT count(*) FROM cassette_limit_starts b
        WHERE b.scope = l.scope AND b.name = l.name AND b.at > CAST(:now_ms AS bigint) - 60000 AND b.at <= CAST(:now_ms AS bigint)) AS begun
FROM cassette_limits l ORDER BY l.scope DESC, l.name;

-- name: worker_keys
SELECT seq, worker_id, details_json, made_by, at FROM cassette_actions WHERE kind = 'KEY' AND job_id IS NULL ORDER BY seq;

-- name: workers
SELECT * FROM cassette_workers ORDER BY seen_at DESC, worker_id;

-- name: leases
SELECT s.worker_id, s.job_id, s.ordinal, s.op, s.fence, s.lease_expires_at, d.step_id
FROM cassette_step_states s JOIN cassette_step_definitions d ON d.job_id = s.job_id AND d.ordinal = s.ordinal
WHERE s.status = 'LEASED' ORDER BY s.lease_expires_at, s.job_id, s.ordinal;

-- When something becomes possible without anybody doing anything: a lease ends, a step has slept enough, a minute is over.
-- name: next_due
SELECT min(due) AS due FROM (
  SELECT min(lease_expires_at) AS due FROM cassette_step_states WHERE status = 'LEASED'
  UNION ALL
  SELECT min(wake_at) FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME'
  UNION ALL
  SELECT min(at) + 60000 FROM cassette_limit_starts WHERE at > CAST(:now_ms AS bigint) - 60000
) AS dues;

-- Short ids. These look at every row: for people, one at a time.
-- name: jobs_like
SELECT job_id FROM cassette_jobs WHERE substr(job_id, 1, CAST(:length AS integer)) = :prefix
ORDER BY message_seq LIMIT CAST(:most AS integer);

-- name: steps_like
SELECT d.job_id, d.ordinal, d.step_id FROM cassette_step_definitions d
JOIN cassette_jobs j ON j.job_id = d.job_id
WHERE substr(d.step_id, 1, CAST(:length AS integer)) = :prefix
ORDER BY j.message_seq, d.ordinal LIMIT CAST(:most AS integer);

-- name: children_of
SELECT job_id FROM cassette_plans WHERE parent_job_id = :job_id ORDER BY created_at, job_id;

-- name: cancelled
SELECT 1 AS cancelled FROM cassette_actions WHERE job_id = :job_id AND kind = 'CANCEL' LIMIT 1;

-- name: rows_events
SELECT * FROM cassette_step_events WHERE job_id = :job_id ORDER BY seq;

-- name: rows_seals
SELECT * FROM cassette_seals WHERE run_id = :run_id ORDER BY tree_size;

-- name: rows_leaves
SELECT * FROM cassette_seal_leaves WHERE run_id = :run_id ORDER BY leaf_index;

-- name: runs_sealed
SELECT run_id FROM cassette_seals UNION SELECT run_id FROM cassette_seal_leaves ORDER BY run_id;

-- name: rows_migrations
SELECT version, name, sha256 FROM cassette_migrations ORDER BY version;

-- name: rows_dossier
SELECT * FROM cassette_dossiers WHERE job_id = :job_id;

-- name: rows_notes
SELECT * FROM cassette_notes WHERE job_id = :job_id ORDER BY note_seq;

-- name: rows_kept_apart
SELECT sha256 FROM cassette_kept_apart WHERE job_id = :job_id ORDER BY sha256;

-- name: document
SELECT content FROM cassette_documents WHERE sha256 = :sha256;

-- name: document_known
SELECT sha256 FROM cassette_documents WHERE sha256 = :sha256;

-- name: last_word
SELECT kind, sha256 FROM cassette_decisions WHERE job_id = :job_id AND ordinal = :ordinal;

-- name: manifest_of_job
SELECT d.content FROM cassette_dossiers o JOIN cassette_documents d ON d.sha256 = o.manifest_sha256
WHERE o.job_id = :job_id;

-- Questions to people and their answers: of one job, and of the whole ledger since a place in the order of notes.
-- name: decisions_of_job
SELECT n.seq, n.job_id, n.ordinal, n.kind, n.sha256, n.login, n.created_at, d.content
FROM cassette_notes n JOIN cassette_documents d ON d.sha256 = n.document_sha256
WHERE n.kind IN ('requirement', 'approval', 'denial', 'lapse') AND n.job_id = :job_id
ORDER BY n.note_seq;

-- name: decisions_after
SELECT n.seq, n.job_id, n.ordinal, n.kind, n.sha256, n.login, n.created_at, d.content
FROM cassette_notes n JOIN cassette_documents d ON d.sha256 = n.document_sha256
WHERE n.kind IN ('requirement', 'approval', 'denial', 'lapse') AND n.seq > :after
ORDER BY n.seq;

-- Plans and steps that wait for a person, oldest first.
-- name: open_questions
SELECT DISTINCT t.run_id, t.message_seq, d.job_id, d.ordinal, s.step_id, s.op, p.plan_hash, d.kind, d.sha256,
       n.created_at, o.content
FROM cassette_step_states t
JOIN cassette_decisions d ON d.job_id = t.job_id AND d.ordinal IN (0, t.ordinal) AND d.kind IN ('requirement', 'lapse')
JOIN cassette_notes n ON n.job_id = d.job_id AND n.note_seq = d.note_seq
JOIN cassette_documents o ON o.sha256 = n.document_sha256
JOIN cassette_plans p ON p.job_id = d.job_id
LEFT JOIN cassette_step_definitions s ON s.job_id = d.job_id AND s.ordinal = d.ordinal
WHERE t.status = 'PENDING' AND t.questions > 0
  AND t.run_id = :run_id -- if given
  AND t.job_id = :job_id -- if given
ORDER BY t.message_seq, d.ordinal;

-- name: row_counts
SELECT (SELECT count(*) FROM cassette_messages) AS messages,
       (SELECT count(*) FROM cassette_jobs) AS jobs,
       (SELECT count(*) FROM cassette_plans) AS plans,
       (SELECT count(*) FROM cassette_step_definitions) AS steps,
       (SELECT count(*) FROM cassette_step_states) AS states,
       (SELECT count(*) FROM cassette_receipts) AS receipts,
       (SELECT count(*) FROM cassette_step_events) AS events,
       (SELECT count(*) FROM cassette_actions WHERE job_id IS NOT NULL) AS actions,
       (SELECT count(*) FROM cassette_seal_leaves) AS leaves,
       (SELECT count(*) FROM cassette_dossiers) AS dossiers,
       (SELECT count(*) FROM cassette_notes) AS notes;
