-- Statements in PostgreSQL's own way.

-- name: now
SELECT cassette_now() AS now_ms;

-- name: create_migrations
CREATE TABLE IF NOT EXISTS cassette_migrations (
  version integer PRIMARY KEY,
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at bigint NOT NULL
);

-- name: has_migrations
SELECT count(*) AS found FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'cassette_migrations';

-- name: insert_migration
INSERT INTO cassette_migrations (version, name, sha256, applied_at)
VALUES (:version, :name, :sha256, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);

-- name: migration_lock
SELECT pg_advisory_lock(hashtextextended(:name, 21));

-- name: migration_unlock
SELECT pg_advisory_unlock(hashtextextended(:name, 21));

-- name: lock
SELECT pg_advisory_xact_lock(hashtextextended(:name, 22));

-- name: cassette_step_definitions
INSERT INTO cassette_step_definitions (job_id, ordinal, step_id, op, payload_json, payload_sha256, on_error, retry_count,
  output_key, max_attempts)
SELECT * FROM unnest(:job_id::text[], :ordinal::int[], :step_id::text[], :op::text[], :payload_json::text[],
  :payload_sha256::text[], :on_error::text[], :retry_count::int[], :output_key::text[], :max_attempts::int[]);

-- name: cassette_step_dependencies
INSERT INTO cassette_step_dependencies (job_id, ordinal, needs_ordinal)
SELECT * FROM unnest(:job_id::text[], :ordinal::int[], :needs_ordinal::int[]);

-- name: cassette_seal_leaves
INSERT INTO cassette_seal_leaves (run_id, leaf_index, job_id, leaf_sha256)
SELECT * FROM unnest(:run_id::text[], :leaf_index::bigint[], :job_id::text[], :leaf_sha256::text[])
  AS leaf (run_id, leaf_index, job_id, leaf_sha256) ORDER BY leaf_index;

-- name: claim
SELECT * FROM cassette_claim(:worker_id, :run_id, :job_id, :operations, :lease_ms, :limit, :spread, :relaxed);

-- name: heartbeat
SELECT cassette_heartbeat(:run_id, :job_id, :ordinal, :fence, :worker_id, :lease_ms) AS lease_expires_at;

-- name: complete
SELECT * FROM cassette_complete(:run_id, :job_id, :ordinal, :fence, :worker_id, :outcome, :receipt_json, :bytes_used,
  :retry_after_ms);

-- The claim takes its worker and its number from the receipt, so it comes second, and not at all after a completion that
-- was recorded otherwise before.
-- name: complete_and_claim
SELECT r.*, c.run_id AS next_run_id, c.job_id AS next_job_id, c.ordinal AS next_ordinal, c.fence AS next_fence,
       c.attempts AS next_attempts, c.failures AS next_failures, c.lease_expires_at AS next_lease_expires_at,
       c.step_id AS next_step_id, c.op AS next_op, c.payload_json AS next_payload_json, c.on_error AS next_on_error,
       c.retry_count AS next_retry_count, c.output_key AS next_output_key
FROM cassette_complete(:run_id, :job_id, :ordinal, :fence, :worker_id, :outcome, :receipt_json, :bytes_used,
                       :retry_after_ms) r
LEFT JOIN LATERAL cassette_claim(
  r.worker_id, :next_run_id, :next_job_id, :operations, :lease_ms,
  CASE WHEN (r.worker_id, r.outcome, r.receipt_json) = (:worker_id, :outcome, :receipt_json) THEN 1 ELSE 0 END,
  :spread, false) c ON true;

-- name: old_versions
SELECT n_dead_tup AS old FROM pg_stat_user_tables
WHERE schemaname = current_schema() AND relname = 'cassette_step_states';

-- name: requeue
SELECT cassette_requeue() AS done;

-- name: has_role
SELECT rolname FROM pg_roles WHERE rolname = :name;

-- name: grants
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role};
GRANT INSERT ON cassette_messages, cassette_jobs, cassette_plans, cassette_step_definitions, cassette_step_dependencies,
  cassette_step_states, cassette_step_events, cassette_receipts, cassette_seals, cassette_seal_leaves TO {role};
GRANT UPDATE ON cassette_step_states TO {role};
