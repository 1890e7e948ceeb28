-- Everything in a ledger, job after job, for checking it in one go: each statement yields its rows in the same order of
-- jobs. Rows that belong to no job are left out here; they are counted.

-- name: audit_jobs
SELECT j.* FROM cassette_jobs j ORDER BY j.job_id;

-- name: audit_messages
SELECT j.job_id, m.* FROM cassette_jobs j LEFT JOIN cassette_messages m ON m.message_id = j.message_id ORDER BY j.job_id;

-- name: audit_plans
SELECT j.job_id AS of_job, p.* FROM cassette_jobs j LEFT JOIN cassette_plans p ON p.job_id = j.job_id ORDER BY j.job_id;

-- name: audit_steps
SELECT d.* FROM cassette_step_definitions d
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = d.job_id) ORDER BY d.job_id, d.ordinal;

-- name: audit_dependencies
SELECT d.* FROM cassette_step_dependencies d
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = d.job_id) ORDER BY d.job_id, d.ordinal, d.needs_ordinal;

-- name: audit_states
SELECT s.job_id, s.ordinal, s.run_id, s.message_seq, s.op, s.status, s.fence, s.attempts, s.failures, s.waiting_for,
       s.not_before, s.worker_id, s.lease_expires_at, s.lease_ms, s.rank, s.starts_at, s.limit_key, s.hold, s.wake_at,
       s.questions, s.approved_until, s.approval_sha256
FROM cassette_step_states s
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = s.job_id) ORDER BY s.job_id, s.ordinal;

-- name: audit_events
SELECT e.* FROM cassette_step_events e
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = e.job_id) ORDER BY e.job_id, e.ordinal, e.seq;

-- name: audit_receipts
SELECT r.* FROM cassette_receipts r
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = r.job_id) ORDER BY r.job_id, r.chain_seq;

-- name: audit_reports
SELECT r.job_id, r.ordinal, r.fence, r.worker_id, r.outcome, r.retry_after_ms, r.created_at FROM cassette_receipts r
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = r.job_id) ORDER BY r.job_id, r.ordinal, r.fence;

-- name: audit_leaves
SELECT l.* FROM cassette_seal_leaves l
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = l.job_id) ORDER BY l.job_id, l.run_id, l.leaf_index;

-- name: audit_actions
SELECT a.* FROM cassette_actions a
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = a.job_id) ORDER BY a.job_id, a.seq;

-- name: audit_dossiers
SELECT o.* FROM cassette_dossiers o
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = o.job_id) ORDER BY o.job_id;

-- name: audit_notes
SELECT n.* FROM cassette_notes n
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = n.job_id) ORDER BY n.job_id, n.note_seq;

-- name: audit_kept_apart
SELECT k.job_id, k.sha256 FROM cassette_kept_apart k
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = k.job_id) ORDER BY k.job_id, k.sha256;

-- name: audit_moves
SELECT e.* FROM cassette_step_events e
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = e.job_id)
  AND EXISTS (SELECT 1 FROM cassette_seal_leaves l WHERE l.job_id = e.job_id) ORDER BY e.job_id, e.seq;

-- Leaves as they were sealed, with the run that their job belongs to now.
-- name: audit_sealed
SELECT l.run_id, l.leaf_index, l.job_id, l.leaf_sha256, j.run_id AS run_of_job FROM cassette_seal_leaves l
LEFT JOIN cassette_jobs j ON j.job_id = l.job_id WHERE l.run_id = :run_id ORDER BY l.leaf_index;
