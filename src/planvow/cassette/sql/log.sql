-- What is read of the log, on both databases.

-- name: log_first
SELECT leaf_sha256 FROM cassette_log WHERE log_index = 0;

-- name: log_end
SELECT tree_size, peaks, posts_to, events_to, notes_to, actions_to FROM cassette_log_state;

-- name: last_checkpoint
SELECT tree_size, root, created_at FROM cassette_checkpoints ORDER BY tree_size DESC LIMIT 1;

-- name: checkpoint_of_size
SELECT tree_size, root, created_at FROM cassette_checkpoints WHERE tree_size = :tree_size;

-- name: checkpoints
SELECT tree_size, root, created_at FROM cassette_checkpoints ORDER BY tree_size;

-- name: checkpoint_signatures
SELECT s.tree_size, s.key_id, s.envelope_json, c.root, c.created_at FROM cassette_checkpoint_signatures s
LEFT JOIN cassette_checkpoints c ON c.tree_size = s.tree_size ORDER BY s.tree_size, s.key_id;

-- name: log_leaves
SELECT kind, seq, leaf_sha256 FROM cassette_log WHERE log_index < :tree_size ORDER BY log_index;

-- name: log_leaves_between
SELECT kind, seq, leaf_sha256 FROM cassette_log WHERE log_index >= :first AND log_index < :last ORDER BY log_index;

-- Every entry beside the row it stands for; where that is missing, `found` is null.
-- name: log_entries
SELECT l.log_index, l.kind, l.seq, l.leaf_sha256, coalesce(j.job_id, e.job_id, n.job_id, c.kind, a.run_id) AS found,
       coalesce(j.job_id, e.job_id, n.job_id, c.job_id) AS job_id, j.head_sha256, coalesce(e.ordinal, c.ordinal) AS ordinal,
       e.from_status, e.to_status, coalesce(e.fence, c.fence) AS fence, coalesce(e.worker_id, c.worker_id) AS worker_id,
       coalesce(e.at, c.at) AS at, r.sha256 AS receipt_sha256, n.sha256 AS note_sha256, c.kind AS action_kind, c.priority,
       c.starts_at, c.step_keys, c.details_json, c.made_by, c.why, c.login, a.archive_id, a.run_id, a.bundle_sha256, a.jobs,
       a.jobs_sha256, a.entries, a.places_sha256, a.created_at
FROM cassette_log l
LEFT JOIN cassette_jobs j ON l.kind = 'post' AND j.message_seq = l.seq
LEFT JOIN cassette_step_events e ON l.kind = 'event' AND e.seq = l.seq
LEFT JOIN cassette_receipts r ON e.from_status = 'LEASED' AND r.job_id = e.job_id AND r.ordinal = e.ordinal
                             AND r.fence = e.fence
LEFT JOIN cassette_notes n ON l.kind = 'note' AND n.seq = l.seq
LEFT JOIN cassette_actions c ON l.kind = 'action' AND c.seq = l.seq
LEFT JOIN cassette_archives a ON l.kind = 'archive' AND a.archive_id = l.seq
WHERE TRUE
  AND l.log_index = :log_index -- if given
ORDER BY l.log_index;

-- name: place_of
SELECT log_index FROM cassette_log WHERE kind = :kind AND seq = :seq;

-- name: places_of_job
SELECT log_index, kind, seq FROM cassette_places WHERE job_id = :job_id ORDER BY log_index;

-- name: event_of_receipt
SELECT e.seq FROM cassette_receipts r
JOIN cassette_step_events e ON e.job_id = r.job_id AND e.ordinal = r.ordinal AND e.fence = r.fence
                           AND e.from_status = 'LEASED'
WHERE r.receipt_id = :receipt_id;

-- What has no place although the log's own marks say that everything up to there has one; and what has none yet.
-- name: log_left_out
SELECT (SELECT count(*) FROM cassette_messages m, cassette_log_state s WHERE m.seq <= s.posts_to
          AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'post' AND l.seq = m.seq)) AS posts,
       (SELECT count(*) FROM cassette_step_events e, cassette_log_state s WHERE e.seq <= s.events_to
          AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'event' AND l.seq = e.seq)) AS events,
       (SELECT count(*) FROM cassette_notes n, cassette_log_state s WHERE n.seq <= s.notes_to
          AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'note' AND l.seq = n.seq)) AS notes,
       (SELECT count(*) FROM cassette_actions c, cassette_log_state s WHERE c.seq <= s.actions_to
          AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'action' AND l.seq = c.seq)) AS actions,
       (SELECT count(*) FROM cassette_messages m, cassette_log_state s WHERE m.seq > s.posts_to
          AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'post' AND l.seq = m.seq))
       + (SELECT count(*) FROM cassette_step_events e, cassette_log_state s WHERE e.seq > s.events_to
            AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'event' AND l.seq = e.seq))
       + (SELECT count(*) FROM cassette_notes n, cassette_log_state s WHERE n.seq > s.notes_to
            AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'note' AND l.seq = n.seq))
       + (SELECT count(*) FROM cassette_actions c, cassette_log_state s WHERE c.seq > s.actions_to
            AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'action' AND l.seq = c.seq))
       + (SELECT count(*) FROM cassette_archives a
          WHERE NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'archive' AND l.seq = a.archive_id)) AS uncovered;

-- name: archives
SELECT * FROM cassette_archives ORDER BY archive_id;

-- name: archives_of_run
SELECT * FROM cassette_archives WHERE run_id = :run_id ORDER BY archive_id;

-- name: archived_jobs
SELECT job_id, message_id, archive_id FROM cassette_archived_jobs ORDER BY archive_id, job_id;

-- name: archived_jobs_still_here
SELECT a.job_id FROM cassette_archived_jobs a
WHERE EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = a.job_id)
   OR EXISTS (SELECT 1 FROM cassette_messages m WHERE m.message_id = a.message_id) ORDER BY a.job_id;

-- name: archived_places
SELECT first_index, last_index, archive_id FROM cassette_archived_places ORDER BY first_index;

-- name: archived_places_by_archive
SELECT first_index, last_index, archive_id FROM cassette_archived_places ORDER BY archive_id, first_index;

-- Runs in which nothing is open and nothing happened since a moment, and which have no child elsewhere.
-- name: runs_to_archive
SELECT j.run_id FROM cassette_jobs j
WHERE TRUE
  AND j.run_id = :run_id -- if given
GROUP BY j.run_id
HAVING max(j.created_at) < :before
   AND j.run_id NOT IN (SELECT s.run_id FROM cassette_step_states s WHERE s.status IN ('PENDING', 'LEASED'))
   AND j.run_id NOT IN (SELECT o.run_id FROM cassette_step_events e JOIN cassette_jobs o ON o.job_id = e.job_id
                        WHERE e.at >= :before)
   AND j.run_id NOT IN (SELECT o.run_id FROM cassette_plans p JOIN cassette_jobs o ON o.job_id = p.parent_job_id
                        WHERE p.run_id <> o.run_id)
ORDER BY j.run_id;
