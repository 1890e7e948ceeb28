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

-- name: may_migrate
SELECT pg_has_role(tableowner, 'USAGE') AS may FROM pg_tables
WHERE schemaname = current_schema() AND tablename = 'cassette_migrations';

-- name: insert_migration
INSERT INTO cassette_migrations (version, name, sha256, applied_at)
VALUES (:version, :name, :sha256, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);

-- name: migration_lock
SELECT pg_advisory_lock(hashtextextended(:name, 21));

-- name: migration_unlock
SELECT pg_advisory_unlock(hashtextextended(:name, 21));

-- name: post
SELECT * FROM cassette_post(:run_id, :source, :idempotency_key, :payload_json, :intent, :max_bytes, :request_id,
  :planner_id, :planner_version, :plan_hash, :index_hash, :budgets_json, :plan_json, :parent_job_id, :step_id, :op, :payload,
  :on_error, :retry_count, :output_key, :max_attempts, :later, :earlier);

-- name: lock_seals
SELECT cassette_lock_seals();

-- name: add_seal
SELECT cassette_add_seal(:run_id, :job_id, :leaf_sha256, :merkle_root, :envelope_json, :created_at);

-- name: claim
SELECT * FROM cassette_claim(:worker_id, :run_id, :job_id, :operations, :lease_ms, :limit, :spread, :relaxed, :ticket, :again);

-- name: heartbeat
SELECT cassette_heartbeat(:run_id, :job_id, :ordinal, :fence, :worker_id, :lease_ms) AS lease_expires_at;

-- name: complete
SELECT * FROM cassette_complete(:run_id, :job_id, :ordinal, :fence, :worker_id, :outcome, :receipt_json, :bytes_used,
  :retry_after_ms);

-- The claim takes its worker and its number from the receipt, so it comes second, and not at all after a completion that
-- was recorded otherwise before.
-- name: complete_and_claim
SELECT r.receipt_id, r.job_id, r.ordinal, r.fence, r.chain_seq, r.worker_id, r.outcome, r.receipt_json, r.bytes_used,
       r.bytes_total, r.retry_after_ms, r.prev_sha256, r.sha256, r.created_at,
       c.run_id AS next_run_id, c.job_id AS next_job_id, c.ordinal AS next_ordinal, c.fence AS next_fence,
       c.attempts AS next_attempts, c.failures AS next_failures, c.lease_expires_at AS next_lease_expires_at,
       c.step_id AS next_step_id, c.op AS next_op, c.payload_json AS next_payload_json, c.on_error AS next_on_error,
       c.retry_count AS next_retry_count, c.output_key AS next_output_key, c.approval_sha256 AS next_approval_sha256
FROM cassette_complete(:run_id, :job_id, :ordinal, :fence, :worker_id, :outcome, :receipt_json, :bytes_used,
                       :retry_after_ms) r
LEFT JOIN LATERAL cassette_claim(
  r.worker_id, :next_run_id, :next_job_id, :operations, :lease_ms,
  CASE WHEN (r.worker_id, r.outcome, r.receipt_json) = (:worker_id, :outcome, :receipt_json) THEN 1 ELSE 0 END,
  :spread, false, :ticket, :again) c ON true;

-- name: documents_known
SELECT sha256 FROM cassette_documents WHERE sha256 IN (SELECT json_array_elements_text(:hashes::json));

-- The full state that a job's state is, or differs from.
-- name: state_of_job
WITH own AS (
  SELECT s.sha256, s.content FROM cassette_dossiers o
  JOIN cassette_documents m ON m.sha256 = o.manifest_sha256
  JOIN cassette_documents s ON s.sha256 = m.content::json -> 'documents' ->> 'state'
  WHERE o.job_id = :job_id)
SELECT coalesce(b.sha256, own.sha256) AS sha256, coalesce(b.content, own.content) AS content
FROM own LEFT JOIN cassette_documents b ON b.sha256 = own.content::json ->> 'base';

-- name: lay
SELECT cassette_lay(:run_id, :idempotency_key, :documents, :manifest_sha256, :apart);

-- name: keep_apart
SELECT cassette_keep_apart(:job_id, :worker_id, :salt, :content) AS sha256;

-- name: private_of
SELECT * FROM cassette_private_of(:job_id);

-- name: audit_private
SELECT k.job_id, p.sha256, p.salt, p.content FROM (SELECT DISTINCT job_id FROM cassette_kept_apart) k
CROSS JOIN LATERAL cassette_private_of(k.job_id) p;

-- name: may_read_private
SELECT 1 AS may WHERE has_function_privilege('cassette_private_of(text)', 'EXECUTE');

-- name: note_observation
SELECT * FROM cassette_observe(:job_id, :ordinal, :content);

-- name: note_requirement
SELECT * FROM cassette_require(:job_id, :ordinal, :content);

-- name: note_approval
SELECT * FROM cassette_approve(:job_id, :ordinal, :content, :expires_at);

-- name: note_denial
SELECT * FROM cassette_deny(:job_id, :ordinal, :content);

-- name: note_erasure
SELECT * FROM cassette_erase(:job_id, :content);

-- name: old_versions
SELECT n_dead_tup AS old FROM pg_stat_user_tables
WHERE schemaname = current_schema() AND relname = 'cassette_step_states';

-- name: requeue
SELECT cassette_requeue() AS done;

-- name: cancel
SELECT * FROM cassette_cancel(:job_id, :made_by, :why);

-- name: schedule
SELECT cassette_schedule(:job_id, :made_by, :why, :priority, :starts_at, :keys) AS open;

-- name: schedule_posted
SELECT cassette_schedule_posted(:job_id, :made_by, :priority, :starts_at, :keys) AS open;

-- name: requeue_of
SELECT * FROM cassette_requeue_of(:workers, :made_by, :why);

-- name: set_limit
SELECT cassette_set_limit(:scope, :name, :at_once, :per_minute, :made_by, :why);

-- Part of no role's rights: only the owner may call it.
-- name: register_key
SELECT cassette_act('KEY', NULL, :made_by, :why, NULL, NULL, NULL, :details, NULL, NULL, :name);

-- name: worker_seen
SELECT cassette_worker_seen(:worker_id, :machine, :boot, :pid, :waiting_ms, :ended);

-- name: has_role
SELECT rolname FROM pg_roles WHERE rolname = :name;

-- name: callable
SELECT routine FROM cassette_rights();

-- name: grant
SELECT cassette_grant(:role, VARIADIC :parts);

-- What guards the ledger, as it is now. Names of the schema are left out, so that ledgers in any schema compare.
-- name: live_schema
WITH home AS (SELECT n.oid, quote_ident(n.nspname) AS name FROM pg_namespace n WHERE n.nspname = current_schema())
SELECT 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS name,
       json_build_array(pg_get_function_result(p.oid), l.lanname, p.provolatile, p.prosecdef,
                        replace(array_to_string(p.proconfig, ';'), 'pg_catalog, ' || home.name || ', pg_temp', 'fixed'), p.prosrc)::text
         AS definition
FROM home JOIN pg_proc p ON p.pronamespace = home.oid JOIN pg_language l ON l.oid = p.prolang
WHERE starts_with(p.proname, 'cassette_')
UNION ALL
SELECT CASE WHEN t.tgisinternal THEN 'inner ' ELSE '' END || 'trigger ' || t.tgname || ' on ' || c.relname,
       t.tgenabled::text || ' ' || replace(replace(pg_get_triggerdef(t.oid), ' ON ' || home.name || '.', ' ON '),
                                     'EXECUTE FUNCTION ' || home.name || '.', 'EXECUTE FUNCTION ')
FROM home JOIN pg_class c ON c.relnamespace = home.oid JOIN pg_trigger t ON t.tgrelid = c.oid
WHERE starts_with(c.relname, 'cassette_') AND (NOT t.tgisinternal OR t.tgenabled <> 'O')
UNION ALL
SELECT 'constraint ' || k.conname || ' on ' || c.relname, k.convalidated || ' ' || pg_get_constraintdef(k.oid)
FROM home JOIN pg_class c ON c.relnamespace = home.oid JOIN pg_constraint k ON k.conrelid = c.oid
WHERE starts_with(c.relname, 'cassette_') AND k.contype IN ('c', 'f', 'p', 'u')
UNION ALL
SELECT 'index ' || c.relname, replace(pg_get_indexdef(i.indexrelid), ' ON ' || home.name || '.', ' ON ')
FROM home JOIN pg_class c ON c.relnamespace = home.oid JOIN pg_index i ON i.indexrelid = c.oid
WHERE starts_with(c.relname, 'cassette_') AND i.indisunique AND i.indisvalid
UNION ALL
SELECT 'rule ' || r.rulename || ' on ' || c.relname, pg_get_ruledef(r.oid)
FROM home JOIN pg_class c ON c.relnamespace = home.oid JOIN pg_rewrite r ON r.ev_class = c.oid
WHERE starts_with(c.relname, 'cassette_') AND c.relkind <> 'v'
ORDER BY 1;

-- Everything that somebody other than the ledger's owner may do with it, or owns of it.
-- name: live_rights
WITH home AS (SELECT n.oid, n.nspname, n.nspacl, n.nspowner,
                     (SELECT c.relowner FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'cassette_migrations')
                       AS owner
              FROM pg_namespace n WHERE n.nspname = current_schema()),
granted AS (
  SELECT c.relname AS object, 'table' AS kind, a.grantee, a.privilege_type FROM home
    JOIN pg_class c ON c.relnamespace = home.oid, aclexplode(c.relacl) a WHERE starts_with(c.relname, 'cassette_')
  UNION ALL
  SELECT c.relname || '.' || t.attname, 'table', a.grantee, a.privilege_type FROM home
    JOIN pg_class c ON c.relnamespace = home.oid JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
    WHERE starts_with(c.relname, 'cassette_')
  UNION ALL
  SELECT p.proname, 'function', a.grantee, a.privilege_type FROM home
    JOIN pg_proc p ON p.pronamespace = home.oid, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    WHERE starts_with(p.proname, 'cassette_')
  UNION ALL
  SELECT home.nspname, 'schema', a.grantee, a.privilege_type FROM home, aclexplode(home.nspacl) a
    WHERE a.grantee <> home.nspowner
  UNION ALL
  SELECT c.relname, 'table', c.relowner, 'OWN' FROM home JOIN pg_class c ON c.relnamespace = home.oid
    WHERE starts_with(c.relname, 'cassette_')
  UNION ALL
  SELECT p.proname, 'function', p.proowner, 'OWN' FROM home JOIN pg_proc p ON p.pronamespace = home.oid
    WHERE starts_with(p.proname, 'cassette_')
)
SELECT CASE WHEN g.grantee = 0 THEN 'everybody' ELSE pg_get_userbyid(g.grantee)::text END AS role,
       g.privilege_type AS privilege, g.kind, g.object
FROM granted g, home WHERE g.grantee <> home.owner ORDER BY 1, 2, 3, 4;

-- A page of runs, newest first, by their latest jobs. What is asked of the state is necessary and not enough: whoever reads
-- the runs looks again. The document of what was asked is named in the manifest, which is JSON.
-- name: run_page
SELECT j.run_id, j.job_id FROM cassette_jobs j JOIN cassette_plans p ON p.job_id = j.job_id
WHERE j.message_seq < coalesce((SELECT b.message_seq FROM cassette_jobs b WHERE b.job_id = :before), :newest)
  AND NOT EXISTS (SELECT 1 FROM cassette_plans q JOIN cassette_jobs n ON n.job_id = q.job_id
                  WHERE q.run_id = j.run_id AND n.message_seq > j.message_seq)
  AND p.planner_id = :planner -- if given
  AND j.created_at >= CAST(:since AS bigint) -- if given
  AND (lower(j.run_id) LIKE :find ESCAPE '!' OR p.plan_hash LIKE :find ESCAPE '!' OR EXISTS (SELECT 1 FROM cassette_jobs a JOIN cassette_messages m ON m.message_id = a.message_id LEFT JOIN cassette_dossiers o ON o.job_id = a.job_id LEFT JOIN cassette_documents f ON f.sha256 = o.manifest_sha256 LEFT JOIN cassette_documents d ON d.sha256 = (f.content::json -> 'documents' ->> 'asked') WHERE a.job_id IN (SELECT c.job_id FROM cassette_plans c WHERE c.run_id = j.run_id) AND (a.job_id LIKE :find ESCAPE '!' OR lower(m.payload_json) LIKE :find ESCAPE '!' OR lower(d.content) LIKE :find ESCAPE '!'))) -- if given
  AND (CAST(:state AS text) <> 'held' OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'PENDING' AND s.questions > 0)) -- if given
  AND (CAST(:state AS text) NOT IN ('running', 'stuck') OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status IN ('LEASED', 'PENDING'))) -- if given
  AND (CAST(:state AS text) <> 'waiting' OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'PENDING')) -- if given
  AND (CAST(:state AS text) <> 'failed' OR j.step_count = 0 OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status IN ('FAILED', 'DEAD'))) -- if given
  AND (CAST(:state AS text) <> 'cancelled' OR j.step_count = 0 OR EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status = 'CANCELLED')) -- if given
  AND (CAST(:state AS text) <> 'done' OR NOT EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = j.job_id AND s.status IN ('LEASED', 'PENDING'))) -- if given
ORDER BY j.message_seq DESC LIMIT CAST(:most AS integer);
