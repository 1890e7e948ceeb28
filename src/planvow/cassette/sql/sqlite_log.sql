-- The log on SQLite, inside one write transaction. Numbers are given in the order of commits, so what has no place yet
-- stands behind the last that has one.

-- name: posts_without_place
SELECT j.message_seq AS seq, j.job_id, j.head_sha256 FROM cassette_jobs j
WHERE j.message_seq > :after ORDER BY j.message_seq LIMIT CAST(:most AS INTEGER);

-- name: events_without_place
SELECT e.job_id, e.seq, e.ordinal, e.from_status, e.to_status, e.fence, e.worker_id, e.at, r.sha256 AS receipt_sha256
FROM cassette_step_events e
LEFT JOIN cassette_receipts r ON e.from_status = 'LEASED' AND r.job_id = e.job_id AND r.ordinal = e.ordinal
                             AND r.fence = e.fence
WHERE e.seq > :after ORDER BY e.seq LIMIT CAST(:most AS INTEGER);

-- name: notes_without_place
SELECT n.seq, n.job_id, n.sha256 AS note_sha256 FROM cassette_notes n
WHERE n.seq > :after ORDER BY n.seq LIMIT CAST(:most AS INTEGER);

-- name: actions_without_place
SELECT c.kind AS action_kind, c.* FROM cassette_actions c
WHERE c.seq > :after ORDER BY c.seq LIMIT CAST(:most AS INTEGER);

-- name: archives_without_place
SELECT a.* FROM cassette_archives a
WHERE NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'archive' AND l.seq = a.archive_id)
ORDER BY a.archive_id LIMIT CAST(:most AS INTEGER);

-- name: insert_entry
INSERT INTO cassette_log (log_index, kind, seq, leaf_sha256) VALUES (:log_index, :kind, :seq, :leaf_sha256);

-- name: insert_checkpoint
INSERT INTO cassette_checkpoints (tree_size, root, created_at) VALUES (:tree_size, :root, :created_at);

-- name: move_log_end
UPDATE cassette_log_state SET tree_size = :tree_size, peaks = :peaks, posts_to = :posts_to, events_to = :events_to,
  notes_to = :notes_to, actions_to = :actions_to;

-- name: sign_checkpoint
INSERT INTO cassette_checkpoint_signatures (tree_size, key_id, envelope_json)
SELECT :tree_size, :key_id, :envelope_json
WHERE NOT EXISTS (SELECT 1 FROM cassette_checkpoint_signatures WHERE tree_size = :tree_size AND key_id = :key_id);

-- name: next_archive
SELECT coalesce(max(archive_id), 0) + 1 AS archive_id FROM cassette_archives;

-- name: jobs_to_archive
SELECT job_id, message_id FROM cassette_jobs WHERE run_id = :run_id ORDER BY job_id;

-- name: children_elsewhere
SELECT p.job_id FROM cassette_jobs j JOIN cassette_plans p ON p.parent_job_id = j.job_id
WHERE j.run_id = :run_id AND p.run_id <> :run_id LIMIT 1;

-- name: insert_archive
INSERT INTO cassette_archives (archive_id, run_id, bundle_sha256, jobs, jobs_sha256, entries, places_sha256, created_at)
VALUES (:archive_id, :run_id, :bundle_sha256, :jobs, :jobs_sha256, :entries, :places_sha256, :created_at);

-- name: insert_archived_job
INSERT INTO cassette_archived_jobs (job_id, message_id, archive_id) VALUES (:job_id, :message_id, :archive_id);

-- name: insert_archived_place
INSERT INTO cassette_archived_places (first_index, last_index, archive_id) VALUES (:first_index, :last_index, :archive_id);

-- name: drop_seal_leaves
DELETE FROM cassette_seal_leaves WHERE run_id = :run_id;

-- name: drop_seals
DELETE FROM cassette_seals WHERE run_id = :run_id;

-- name: drop_actions
DELETE FROM cassette_actions WHERE job_id = :job_id;

-- name: drop_receipts
DELETE FROM cassette_receipts WHERE job_id = :job_id;

-- name: drop_events
DELETE FROM cassette_step_events WHERE job_id = :job_id;

-- name: drop_states
DELETE FROM cassette_step_states WHERE job_id = :job_id;

-- name: drop_dependencies
DELETE FROM cassette_step_dependencies WHERE job_id = :job_id;

-- name: drop_steps
DELETE FROM cassette_step_definitions WHERE job_id = :job_id;

-- name: drop_plan
DELETE FROM cassette_plans WHERE job_id = :job_id;

-- name: drop_job
DELETE FROM cassette_jobs WHERE job_id = :job_id;

-- name: drop_message
DELETE FROM cassette_messages WHERE message_id = :message_id;
