-- The log on PostgreSQL: functions do the work.

-- name: checkpoint
SELECT * FROM cassette_checkpoint(:most, :wait);

-- name: sign_checkpoint
SELECT cassette_sign_checkpoint(:tree_size, :key_id, :envelope_json);

-- name: archive
SELECT cassette_archive(:run_id, :job_ids, :bundle_sha256) AS archive_id;
