-- The ledger on PostgreSQL: the same tables, moves and hashes as on SQLite. Claiming and completing are functions, so that each
-- is one round trip. Functions take advisory locks on jobs, never on rows, so the worker's role needs no right to change jobs.

CREATE TABLE cassette_messages (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id text NOT NULL UNIQUE,
  run_id text NOT NULL,
  source text NOT NULL CHECK (source IN ('USER', 'PLANNER', 'SYSTEM', 'WORKER')),
  idempotency_key text NOT NULL CHECK (idempotency_key <> ''),
  payload_json text NOT NULL,
  payload_sha256 text NOT NULL,
  created_at bigint NOT NULL,
  UNIQUE (run_id, idempotency_key)
);

CREATE TABLE cassette_jobs (
  job_id text PRIMARY KEY,
  message_id text NOT NULL UNIQUE REFERENCES cassette_messages (message_id),
  message_seq bigint NOT NULL UNIQUE REFERENCES cassette_messages (seq),
  run_id text NOT NULL,
  intent text NOT NULL,
  ordinal integer NOT NULL CHECK (ordinal >= 1),
  step_count integer NOT NULL CHECK (step_count >= 0),
  max_bytes bigint CHECK (max_bytes >= 0),
  head_sha256 text NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE cassette_plans (
  job_id text PRIMARY KEY REFERENCES cassette_jobs (job_id),
  run_id text NOT NULL,
  request_id text NOT NULL,
  planner_id text NOT NULL,
  planner_version text NOT NULL,
  plan_hash text NOT NULL,
  index_hash text,
  budgets_json text NOT NULL,
  plan_json text NOT NULL,
  plan_sha256 text NOT NULL,
  parent_job_id text REFERENCES cassette_jobs (job_id),
  created_at bigint NOT NULL
);

CREATE INDEX cassette_plans_by_request ON cassette_plans (run_id, request_id);

CREATE TABLE cassette_step_definitions (
  job_id text NOT NULL REFERENCES cassette_jobs (job_id),
  ordinal integer NOT NULL CHECK (ordinal >= 1),
  step_id text NOT NULL,
  op text NOT NULL,
  payload_json text NOT NULL,
  payload_sha256 text NOT NULL,
  on_error text NOT NULL CHECK (on_error IN ('abort', 'continue', 'retry')),
  retry_count integer NOT NULL CHECK (retry_count >= 0),
  output_key text,
  max_attempts integer NOT NULL CHECK (max_attempts >= 1),
  PRIMARY KEY (job_id, ordinal),
  UNIQUE (job_id, step_id)
);

CREATE TABLE cassette_step_dependencies (
  job_id text NOT NULL,
  ordinal integer NOT NULL,
  needs_ordinal integer NOT NULL CHECK (needs_ordinal < ordinal),
  PRIMARY KEY (job_id, ordinal, needs_ordinal),
  FOREIGN KEY (job_id, ordinal) REFERENCES cassette_step_definitions (job_id, ordinal),
  FOREIGN KEY (job_id, needs_ordinal) REFERENCES cassette_step_definitions (job_id, ordinal)
);

CREATE INDEX cassette_step_dependencies_needed ON cassette_step_dependencies (job_id, needs_ordinal, ordinal);

-- The only table whose rows change: room on each page for the new version, and vacuum that comes early. What may stand
-- in a row is decided by the triggers `born` and `moves`, here and for events and receipts: PostgreSQL reads CHECKs anew
-- in each statement, which took an eighth of its time for a step.
CREATE TABLE cassette_step_states (
  job_id text NOT NULL,
  ordinal integer NOT NULL,
  run_id text NOT NULL,
  message_seq bigint NOT NULL,
  op text NOT NULL,
  status text NOT NULL,
  fence bigint NOT NULL,
  attempts integer NOT NULL,
  failures integer NOT NULL,
  waiting_for integer NOT NULL,
  not_before bigint NOT NULL,
  worker_id text,
  lease_expires_at bigint,
  lease_ms bigint CHECK (lease_ms >= 0),
  PRIMARY KEY (job_id, ordinal),
  FOREIGN KEY (job_id, ordinal) REFERENCES cassette_step_definitions (job_id, ordinal)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

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
  seq bigint GENERATED ALWAYS AS IDENTITY,
  job_id text NOT NULL,
  ordinal integer NOT NULL,
  from_status text NOT NULL,
  to_status text NOT NULL,
  fence bigint NOT NULL,
  worker_id text,
  at bigint NOT NULL,
  PRIMARY KEY (job_id, seq)
);

CREATE TABLE cassette_receipts (
  receipt_id text NOT NULL,
  job_id text NOT NULL,
  ordinal integer NOT NULL,
  fence bigint NOT NULL,
  chain_seq bigint NOT NULL,
  worker_id text NOT NULL,
  outcome text NOT NULL,
  receipt_json text NOT NULL,
  receipt_json_sha256 text NOT NULL,
  bytes_used bigint NOT NULL,
  bytes_total bigint NOT NULL,
  retry_after_ms bigint,
  prev_sha256 text NOT NULL,
  sha256 text NOT NULL,
  created_at bigint NOT NULL,
  UNIQUE (job_id, chain_seq)
);

-- Added after the other key on purpose: while the table has no statistics, the planner thinks both as good for finding
-- the receipt of a lease and takes the younger. The other one would read every receipt of the job.
ALTER TABLE cassette_receipts ADD PRIMARY KEY (job_id, ordinal, fence);

CREATE UNIQUE INDEX cassette_one_success ON cassette_receipts (job_id, ordinal) WHERE outcome = 'SUCCESS';

CREATE TABLE cassette_seals (
  run_id text NOT NULL,
  tree_size bigint NOT NULL CHECK (tree_size >= 1),
  merkle_root text NOT NULL,
  envelope_json text,
  created_at bigint NOT NULL,
  PRIMARY KEY (run_id, tree_size)
);

CREATE TABLE cassette_seal_leaves (
  run_id text NOT NULL,
  leaf_index bigint NOT NULL CHECK (leaf_index >= 0),
  job_id text NOT NULL REFERENCES cassette_jobs (job_id),
  leaf_sha256 text NOT NULL,
  PRIMARY KEY (run_id, leaf_index)
);

CREATE INDEX cassette_seal_leaves_by_job ON cassette_seal_leaves (job_id);

CREATE VIEW cassette_meta AS
  SELECT 'schema_version'::text AS key, max(version)::text AS value FROM cassette_migrations;

CREATE VIEW cassette_steps AS
  SELECT d.step_id, d.job_id, d.ordinal, d.op, s.status, s.worker_id AS lease_owner, s.lease_expires_at,
         s.fence AS fencing_token, d.payload_json, j.created_at
  FROM cassette_step_definitions d
  JOIN cassette_step_states s ON s.job_id = d.job_id AND s.ordinal = d.ordinal
  JOIN cassette_jobs j ON j.job_id = d.job_id;

CREATE VIEW cassette_job_budgets AS
  SELECT j.job_id, j.max_bytes, coalesce(max(r.bytes_total), 0) AS bytes_consumed
  FROM cassette_jobs j LEFT JOIN cassette_receipts r ON r.job_id = j.job_id GROUP BY j.job_id, j.max_bytes;

-- Time: always the database's.
CREATE FUNCTION cassette_now() RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint $$;

-- A lease has run out at its end, or when the clock has gone back behind its beginning by more than its length: then its
-- end is further away than two of its lengths.
CREATE FUNCTION cassette_run_out(lease_expires_at bigint, lease_ms bigint, now_ms bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS
$$ SELECT lease_expires_at <= now_ms OR lease_expires_at > now_ms + 2 * lease_ms $$;

-- One lock per job, until the end of the transaction: whoever extends a job's chain or ends its leases holds it.
CREATE FUNCTION cassette_job_key(job text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT hashtextextended(job, 20) $$;

-- Nothing written is changed or removed.

CREATE FUNCTION cassette_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'cassette: % is append-only', TG_TABLE_NAME USING ERRCODE = 'CA000';
END $$;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['cassette_messages', 'cassette_jobs', 'cassette_plans', 'cassette_step_definitions',
      'cassette_step_dependencies', 'cassette_step_events', 'cassette_receipts', 'cassette_seals',
      'cassette_seal_leaves', 'cassette_migrations'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION cassette_append_only()', name);
    EXECUTE format('CREATE TRIGGER not_emptied BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION cassette_append_only()', name);
  END LOOP;
END $$;

CREATE TRIGGER not_deleted BEFORE DELETE ON cassette_step_states
  FOR EACH ROW EXECUTE FUNCTION cassette_append_only();
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON cassette_step_states
  FOR EACH STATEMENT EXECUTE FUNCTION cassette_append_only();

-- Rows are born as they must be.

CREATE FUNCTION cassette_step_definition_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM cassette_jobs WHERE job_id = NEW.job_id AND step_count >= NEW.ordinal) THEN
    RAISE EXCEPTION 'cassette: the job has fewer steps' USING ERRCODE = 'CA000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fits BEFORE INSERT ON cassette_step_definitions
  FOR EACH ROW EXECUTE FUNCTION cassette_step_definition_fits();

CREATE FUNCTION cassette_step_dependency_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM cassette_step_states WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal) THEN
    RAISE EXCEPTION 'cassette: the step is already open' USING ERRCODE = 'CA000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fits BEFORE INSERT ON cassette_step_dependencies
  FOR EACH ROW EXECUTE FUNCTION cassette_step_dependency_fits();

CREATE FUNCTION cassette_step_state_born() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'PENDING' OR NEW.fence <> 0 OR NEW.attempts <> 0 OR NEW.failures <> 0
     OR NEW.worker_id IS NOT NULL OR NEW.lease_expires_at IS NOT NULL
     OR NEW.waiting_for <> (SELECT count(*) FROM cassette_step_dependencies
                            WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
     OR NEW.op IS DISTINCT FROM (SELECT op FROM cassette_step_definitions
                                 WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
     OR NOT EXISTS (SELECT 1 FROM cassette_jobs
                    WHERE job_id = NEW.job_id AND run_id = NEW.run_id AND message_seq = NEW.message_seq) THEN
    RAISE EXCEPTION 'cassette: a step is born PENDING, with token 0' USING ERRCODE = 'CA000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER born BEFORE INSERT ON cassette_step_states
  FOR EACH ROW EXECUTE FUNCTION cassette_step_state_born();

CREATE FUNCTION cassette_seal_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM cassette_seals WHERE run_id = NEW.run_id AND tree_size >= NEW.tree_size)
     OR NEW.tree_size <> (SELECT count(*) FROM cassette_seal_leaves WHERE run_id = NEW.run_id) THEN
    RAISE EXCEPTION 'cassette: a seal covers all leaves and more than the last one' USING ERRCODE = 'CA000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fits BEFORE INSERT ON cassette_seals FOR EACH ROW EXECUTE FUNCTION cassette_seal_fits();

CREATE FUNCTION cassette_seal_leaf_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.leaf_index <> (SELECT coalesce(max(leaf_index) + 1, 0) FROM cassette_seal_leaves
                        WHERE run_id = NEW.run_id) THEN
    RAISE EXCEPTION 'cassette: leaves are added one after the other' USING ERRCODE = 'CA000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fits BEFORE INSERT ON cassette_seal_leaves FOR EACH ROW EXECUTE FUNCTION cassette_seal_leaf_fits();

-- An event is written by the trigger on states, after the move it records, and by nothing else.
CREATE TRIGGER by_trigger_only BEFORE INSERT ON cassette_step_events
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION cassette_append_only();

-- Why a claim does not hold its step, as an error with its own code.
CREATE FUNCTION cassette_check_held(run text, job text, step integer, token bigint, worker text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  s record;
BEGIN
  SELECT t.run_id, t.status, t.fence, t.worker_id INTO s FROM cassette_step_states t
    WHERE t.job_id = job AND t.ordinal = step;
  IF NOT FOUND OR s.run_id <> run THEN
    RAISE EXCEPTION 'run % has no step % in job %', run, step, job USING ERRCODE = 'CA001';
  ELSIF s.fence <> token THEN
    RAISE EXCEPTION 'step % of % has token %, this claim has %', step, job, s.fence, token USING ERRCODE = 'CA004';
  ELSIF s.status <> 'LEASED' THEN
    RAISE EXCEPTION 'step % of % is %, not leased', step, job, s.status USING ERRCODE = 'CA002';
  ELSIF s.worker_id <> worker THEN
    RAISE EXCEPTION 'step % of % is leased to %, not to %', step, job, s.worker_id, worker USING ERRCODE = 'CA003';
  END IF;
END $$;

-- A receipt needs the lease it speaks of (the worker's name was found fit for the hashed text when it got the lease),
-- continues the chain of its job and stays inside the job's bytes. The database computes the hash itself, over the same
-- text as planvow.cassette.ledger.chain.
CREATE FUNCTION cassette_receipt_linked() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last record;
BEGIN
  SELECT r.chain_seq, r.sha256, r.bytes_total INTO last
  FROM cassette_step_states s
  LEFT JOIN LATERAL (SELECT c.chain_seq, c.sha256, c.bytes_total FROM cassette_receipts c
                     WHERE c.job_id = s.job_id ORDER BY c.chain_seq DESC LIMIT 1) r ON true
  WHERE s.job_id = NEW.job_id AND s.ordinal = NEW.ordinal AND s.status = 'LEASED'
    AND s.fence = NEW.fence AND s.worker_id = NEW.worker_id;
  IF NOT FOUND THEN
    PERFORM cassette_check_held(NULL, NEW.job_id, NEW.ordinal, NEW.fence, NEW.worker_id); -- says why
    RAISE EXCEPTION 'cassette: a receipt needs the current lease' USING ERRCODE = 'CA000';
  END IF;
  IF last.chain_seq IS NULL THEN
    SELECT 0::bigint AS chain_seq, j.head_sha256 AS sha256, 0::bigint AS bytes_total INTO last
      FROM cassette_jobs j WHERE j.job_id = NEW.job_id;
  END IF;
  IF NOT coalesce(NEW.outcome IN ('SUCCESS', 'FAILURE', 'ABORTED') AND NEW.bytes_used >= 0
                  AND (NEW.retry_after_ms IS NULL OR NEW.retry_after_ms >= 0), false) THEN
    RAISE EXCEPTION 'cassette: this is not an outcome, or it counts below zero' USING ERRCODE = 'CA000';
  END IF;
  NEW.chain_seq := last.chain_seq + 1;
  NEW.prev_sha256 := last.sha256;
  NEW.bytes_total := last.bytes_total + NEW.bytes_used;
  NEW.created_at := cassette_now();
  IF NEW.bytes_used > 0
     AND NEW.bytes_total > (SELECT j.max_bytes FROM cassette_jobs j WHERE j.job_id = NEW.job_id) THEN
    RAISE EXCEPTION 'cassette: the job has used up its bytes' USING ERRCODE = 'CA006';
  END IF;
  NEW.receipt_json_sha256 := encode(sha256(convert_to(NEW.receipt_json, 'UTF8')), 'hex');
  NEW.sha256 := encode(sha256(convert_to(
    '["receipt/1","' || NEW.prev_sha256 || '","' || NEW.job_id || '",' || NEW.ordinal || ',' || NEW.fence || ','
    || NEW.chain_seq || ',"' || NEW.worker_id || '","' || NEW.outcome || '","' || NEW.receipt_json_sha256 || '",'
    || NEW.bytes_used || ',' || NEW.bytes_total || ',' || coalesce(NEW.retry_after_ms::text, 'null') || ','
    || NEW.created_at || ']', 'UTF8')), 'hex');
  NEW.receipt_id := 'rcpt_' || left(NEW.sha256, 32);
  RETURN NEW;
END $$;
CREATE TRIGGER linked BEFORE INSERT ON cassette_receipts FOR EACH ROW EXECUTE FUNCTION cassette_receipt_linked();

-- In triggers and functions rows are looked up by key, never joined: without statistics a join may read the whole job.
CREATE FUNCTION cassette_job_aborted(job text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM cassette_step_states b
                 WHERE b.job_id = job AND b.status IN ('FAILED', 'DEAD') AND 'continue' IS DISTINCT FROM (
                   SELECT d.on_error FROM cassette_step_definitions d
                   WHERE d.job_id = b.job_id AND d.ordinal = b.ordinal))
$$;

-- The moves of a step, all of them. Anything else is refused, NULLs included.
CREATE FUNCTION cassette_step_state_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed boolean := false;
  allowed_attempts integer;
  proof text;
  again_at bigint;
BEGIN
  IF NEW.job_id = OLD.job_id AND NEW.ordinal = OLD.ordinal AND NEW.run_id = OLD.run_id
     AND NEW.message_seq = OLD.message_seq AND NEW.op = OLD.op
     AND (NEW.status = 'LEASED') = (NEW.worker_id IS NOT NULL)
     AND (NEW.status = 'LEASED') = (NEW.lease_expires_at IS NOT NULL)
     AND (NEW.status = 'LEASED') = (NEW.lease_ms IS NOT NULL) THEN
    IF OLD.status = 'PENDING' AND NEW.status = 'LEASED' THEN
      allowed := NEW.worker_id !~ '[^A-Za-z0-9_.:@/+-]' AND length(NEW.worker_id) BETWEEN 1 AND 128
        AND NEW.fence = OLD.fence + 1 AND NEW.attempts = OLD.attempts + 1 AND NEW.failures = OLD.failures
        AND OLD.waiting_for = 0 AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before;
    ELSIF NEW.fence <> OLD.fence OR NEW.attempts <> OLD.attempts THEN
      allowed := false;
    ELSIF OLD.status = 'PENDING' AND NEW.status = 'PENDING' THEN -- one dependency fewer
      allowed := NEW.failures = OLD.failures AND NEW.waiting_for = OLD.waiting_for - 1 AND NEW.waiting_for >= 0
        AND NEW.not_before = OLD.not_before
        AND (NEW.waiting_for > 0 OR NOT EXISTS (
          SELECT 1 FROM cassette_step_dependencies d
          WHERE d.job_id = NEW.job_id AND d.ordinal = NEW.ordinal AND 'COMMITTED' IS DISTINCT FROM (
            SELECT n.status FROM cassette_step_states n WHERE n.job_id = d.job_id AND n.ordinal = d.needs_ordinal)));
    ELSIF OLD.status = 'PENDING' AND NEW.status = 'SKIPPED' THEN
      allowed := NEW.failures = OLD.failures AND NEW.waiting_for = OLD.waiting_for AND NEW.not_before = OLD.not_before
        AND EXISTS (SELECT 1 FROM cassette_step_states b
                    WHERE b.job_id = OLD.job_id AND b.status IN ('FAILED', 'DEAD'));
    ELSIF OLD.status = 'LEASED' AND NEW.status = 'LEASED' THEN -- heartbeat
      allowed := NEW.failures = OLD.failures AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
        AND NEW.worker_id = OLD.worker_id
        AND (NEW.lease_expires_at >= OLD.lease_expires_at
             OR cassette_run_out(OLD.lease_expires_at, OLD.lease_ms, cassette_now()));
    ELSIF OLD.status = 'LEASED' AND NEW.waiting_for = 0 THEN
      SELECT r.outcome, r.created_at + r.retry_after_ms INTO proof, again_at FROM cassette_receipts r
        WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal AND r.fence = OLD.fence
          AND r.worker_id = OLD.worker_id;
      IF NEW.status = 'COMMITTED' THEN
        allowed := proof = 'SUCCESS' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before;
      ELSIF NEW.status = 'FAILED' THEN
        allowed := proof = 'FAILURE' AND NEW.failures = OLD.failures + 1 AND NEW.not_before = OLD.not_before;
      ELSIF NEW.status = 'PENDING' AND proof IS NOT NULL THEN -- handed back, or to be tried again
        allowed := (proof = 'ABORTED' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before)
          OR (proof = 'FAILURE' AND NEW.failures = OLD.failures + 1 AND NEW.not_before = again_at);
      ELSIF NEW.status = 'SKIPPED' AND proof IS NOT NULL THEN
        allowed := proof = 'ABORTED' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before
          AND cassette_job_aborted(OLD.job_id);
      ELSIF NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before
            AND cassette_run_out(OLD.lease_expires_at, OLD.lease_ms, cassette_now()) THEN
        SELECT d.max_attempts INTO allowed_attempts FROM cassette_step_definitions d
          WHERE d.job_id = OLD.job_id AND d.ordinal = OLD.ordinal;
        allowed := (NEW.status = 'PENDING' AND OLD.attempts < allowed_attempts)
          OR (NEW.status = 'DEAD' AND OLD.attempts >= allowed_attempts)
          OR (NEW.status = 'SKIPPED' AND cassette_job_aborted(OLD.job_id));
      END IF;
    END IF;
  END IF;
  IF NOT coalesce(allowed, false) THEN
    RAISE EXCEPTION 'cassette: % to % is not a move a step can make', OLD.status, NEW.status USING ERRCODE = 'CA000';
  END IF;
  IF NEW.status <> OLD.status THEN
    INSERT INTO cassette_step_events (job_id, ordinal, from_status, to_status, fence, worker_id, at)
    VALUES (NEW.job_id, NEW.ordinal, OLD.status, NEW.status, NEW.fence, coalesce(NEW.worker_id, OLD.worker_id),
            cassette_now());
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER moves BEFORE UPDATE ON cassette_step_states
  FOR EACH ROW EXECUTE FUNCTION cassette_step_state_moves();

-- What follows from a move: dependants come nearer, or are given up.
CREATE FUNCTION cassette_step_state_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  behind integer[];
BEGIN
  IF NEW.status = 'COMMITTED' THEN
    SELECT array_agg(d.ordinal) INTO behind FROM cassette_step_dependencies d
      WHERE d.job_id = NEW.job_id AND d.needs_ordinal = NEW.ordinal;
    IF behind IS NOT NULL THEN
      UPDATE cassette_step_states SET waiting_for = waiting_for - 1
      WHERE job_id = NEW.job_id AND ordinal = ANY (behind) AND status = 'PENDING';
    END IF;
  ELSIF NEW.status IN ('FAILED', 'DEAD') THEN
    -- Seed 004, on_error: "continue" gives up what depends on the step, anything else the whole job.
    IF (SELECT on_error FROM cassette_step_definitions WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
       <> 'continue' THEN
      UPDATE cassette_step_states SET status = 'SKIPPED' WHERE job_id = NEW.job_id AND status = 'PENDING';
    ELSE
      WITH RECURSIVE after_it (ordinal) AS (
        SELECT d.ordinal FROM cassette_step_dependencies d
        WHERE d.job_id = NEW.job_id AND d.needs_ordinal = NEW.ordinal
        UNION
        SELECT d.ordinal FROM cassette_step_dependencies d
        JOIN after_it a ON d.job_id = NEW.job_id AND d.needs_ordinal = a.ordinal)
      SELECT array_agg(ordinal) INTO behind FROM after_it;
      UPDATE cassette_step_states SET status = 'SKIPPED'
      WHERE job_id = NEW.job_id AND ordinal = ANY (behind) AND status = 'PENDING';
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER moved AFTER UPDATE ON cassette_step_states
  FOR EACH ROW WHEN (NEW.status IN ('COMMITTED', 'FAILED', 'DEAD')) EXECUTE FUNCTION cassette_step_state_moved();

-- Whether a step that failed has waited long enough; a wait set by a clock that has gone back since is over.
CREATE FUNCTION cassette_waited(job text, step integer, token bigint, not_before bigint, now_ms bigint) RETURNS boolean
LANGUAGE sql STABLE AS
$$ SELECT not_before <= now_ms OR EXISTS (
     SELECT 1 FROM cassette_receipts r
     WHERE r.job_id = job AND r.ordinal = step AND r.fence = token AND r.created_at > now_ms) $$;

-- Put back, bury or give up steps whose lease has run out. Jobs somebody else is completing are left to the next call.
CREATE FUNCTION cassette_requeue() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  expired record;
  done integer := 0;
BEGIN
  FOR expired IN
    SELECT s.job_id, s.ordinal, s.fence FROM cassette_step_states s
    WHERE s.status = 'LEASED' AND cassette_run_out(s.lease_expires_at, s.lease_ms, cassette_now())
    ORDER BY s.lease_expires_at, s.job_id, s.ordinal LIMIT 1000
  LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(cassette_job_key(expired.job_id));
    UPDATE cassette_step_states s
    SET status = CASE WHEN cassette_job_aborted(s.job_id) THEN 'SKIPPED'
                      WHEN s.attempts >= d.max_attempts THEN 'DEAD' ELSE 'PENDING' END,
        worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL
    FROM cassette_step_definitions d
    WHERE s.job_id = expired.job_id AND s.ordinal = expired.ordinal AND s.fence = expired.fence
      AND s.status = 'LEASED' AND cassette_run_out(s.lease_expires_at, s.lease_ms, cassette_now())
      AND d.job_id = s.job_id AND d.ordinal = s.ordinal;
    IF FOUND THEN done := done + 1; END IF;
  END LOOP;
  RETURN done;
END $$;

-- Whether a lease has run out, remembering for this session when it last found none: then only ends since that time, and
-- a minute before it for claims that were committed late, need a look. While somebody keeps an old snapshot open, the
-- indexes hold every lease there was since, and looking at them all would take longer and longer. A clock that has gone
-- back, a lease that has run out and a claim that found nothing to do (below) make the next look a thorough one.
CREATE FUNCTION cassette_lease_has_run_out(now_ms bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  looked bigint := nullif(current_setting('planvow.looked', true), '')::bigint;
  found boolean;
BEGIN
  IF looked <= now_ms THEN
    found := EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at <= now_ms
                       AND lease_expires_at > looked - 60000);
  ELSE -- never looked, or the clock has gone back
    found := EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at <= now_ms)
      OR coalesce((SELECT cassette_run_out(s.lease_expires_at, s.lease_ms, now_ms) FROM cassette_step_states s
                   WHERE s.status = 'LEASED' ORDER BY s.lease_expires_at DESC LIMIT 1), false);
  END IF;
  PERFORM set_config('planvow.looked', CASE WHEN found THEN '' ELSE now_ms::text END, false);
  RETURN found;
END $$;

CREATE TYPE cassette_claimed AS (
  run_id text, job_id text, ordinal integer, fence bigint, attempts integer, failures integer, lease_expires_at bigint,
  step_id text, op text, payload_json text, on_error text, retry_count integer, output_key text
);

-- Steps are picked one by one: a LIMIT at the top of its own statement cannot be planned so that more rows get locked.
-- A relaxed claim does not wait for the disk. If the server dies before it got there, the step is simply pending again
-- and the worker's completion is refused; the next completion takes all earlier claims to the disk with it.
--
-- Where the oldest ready step is of an operation the worker has not got, the search begins at the oldest that it has:
-- one look into an index for each of its operations, however many foreign steps stand before. In a run of its own, and
-- with `spread`, foreign steps may still be passed over one by one.
CREATE FUNCTION cassette_claim(worker text, run text, job text, operations text[], lease_ms bigint, how_many integer,
                               spread boolean, relaxed boolean)
RETURNS SETOF cassette_claimed LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := cassette_now();
  taken cassette_claimed;
  from_seq bigint := 0;
  from_ordinal integer := 0;
  to_seq bigint := 9223372036854775807;
  oldest text;
  picked_job text;
  picked integer;
  unused text; -- assigning costs less than PERFORM
BEGIN
  IF relaxed THEN
    unused := set_config('synchronous_commit', 'off', true);
  END IF;
  IF cassette_lease_has_run_out(now_ms) THEN
    PERFORM cassette_requeue();
  END IF;
  IF job IS NOT NULL THEN
    SELECT j.message_seq, j.message_seq INTO from_seq, to_seq FROM cassette_jobs j WHERE j.job_id = job;
  END IF;
  IF operations IS NOT NULL THEN
    SELECT s.op, s.message_seq, s.ordinal INTO oldest, from_seq, from_ordinal FROM cassette_step_states s
    WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.message_seq >= from_seq
    ORDER BY s.message_seq, s.ordinal LIMIT 1;
    IF oldest <> ALL (operations) THEN
      SELECT f.message_seq, f.ordinal INTO from_seq, from_ordinal
      FROM unnest(operations) AS own (op)
      CROSS JOIN LATERAL (SELECT s.message_seq, s.ordinal FROM cassette_step_states s
                          WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.op = own.op
                            AND s.message_seq >= from_seq
                          ORDER BY s.message_seq, s.ordinal LIMIT 1) f
      ORDER BY f.message_seq, f.ordinal LIMIT 1;
    END IF;
  END IF;
  FOR number IN 1 .. how_many LOOP
    IF spread AND job IS NULL THEN
      SELECT s.job_id, s.ordinal INTO picked_job, picked FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND (run IS NULL OR s.run_id = run)
        AND (operations IS NULL OR s.op = ANY (operations))
        AND (s.failures = 0 OR cassette_waited(s.job_id, s.ordinal, s.fence, s.not_before, now_ms))
      ORDER BY s.ordinal, s.message_seq LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSIF run IS NOT NULL AND job IS NULL THEN
      SELECT s.job_id, s.ordinal INTO picked_job, picked FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.run_id = run
        AND (s.message_seq, s.ordinal) >= (from_seq, from_ordinal)
        AND (operations IS NULL OR s.op = ANY (operations))
        AND (s.failures = 0 OR cassette_waited(s.job_id, s.ordinal, s.fence, s.not_before, now_ms))
      ORDER BY s.message_seq, s.ordinal LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSE
      SELECT s.job_id, s.ordinal INTO picked_job, picked FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND (run IS NULL OR s.run_id = run)
        AND (s.message_seq, s.ordinal) >= (from_seq, from_ordinal) AND s.message_seq <= to_seq
        AND (operations IS NULL OR s.op = ANY (operations))
        AND (s.failures = 0 OR cassette_waited(s.job_id, s.ordinal, s.fence, s.not_before, now_ms))
      ORDER BY s.message_seq, s.ordinal LIMIT 1 FOR UPDATE SKIP LOCKED;
    END IF;
    EXIT WHEN NOT FOUND;
    UPDATE cassette_step_states s
    SET status = 'LEASED', fence = s.fence + 1, attempts = s.attempts + 1, worker_id = worker,
        lease_expires_at = now_ms + cassette_claim.lease_ms, lease_ms = cassette_claim.lease_ms
    FROM cassette_step_definitions d
    WHERE s.job_id = picked_job AND s.ordinal = picked AND d.job_id = picked_job AND d.ordinal = picked
    RETURNING s.run_id, s.job_id, s.ordinal, s.fence, s.attempts, s.failures, s.lease_expires_at, d.step_id, d.op,
              d.payload_json, d.on_error, d.retry_count, d.output_key INTO taken;
    RETURN NEXT taken;
  END LOOP;
  IF picked IS NULL THEN
    unused := set_config('planvow.looked', '', false);
  END IF;
END $$;

CREATE FUNCTION cassette_heartbeat(run text, job text, step integer, token bigint, worker text, lease_ms bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := cassette_now();
  until bigint;
BEGIN
  UPDATE cassette_step_states s
  SET lease_ms = greatest(s.lease_ms, cassette_heartbeat.lease_ms),
      lease_expires_at = CASE WHEN cassette_run_out(s.lease_expires_at, s.lease_ms, now_ms)
                              THEN now_ms + cassette_heartbeat.lease_ms
                              ELSE greatest(s.lease_expires_at, now_ms + cassette_heartbeat.lease_ms) END
  WHERE s.job_id = job AND s.ordinal = step AND s.fence = token AND s.worker_id = worker AND s.status = 'LEASED'
  RETURNING s.lease_expires_at INTO until;
  IF NOT FOUND THEN
    PERFORM cassette_check_held(run, job, step, token, worker);
  END IF;
  RETURN until;
END $$;

CREATE FUNCTION cassette_complete(run text, job text, step integer, token bigint, worker text, result text, body text,
                                  used bigint, again_after_ms bigint)
RETURNS cassette_receipts LANGUAGE plpgsql AS $$
DECLARE
  receipt cassette_receipts;
  next_status text;
  unused text := pg_advisory_xact_lock(cassette_job_key(job))::text; -- assigning costs less than PERFORM
BEGIN
  SELECT * INTO receipt FROM cassette_receipts r WHERE r.job_id = job AND r.ordinal = step AND r.fence = token;
  IF FOUND THEN
    RETURN receipt; -- sent before; the caller compares
  END IF;
  INSERT INTO cassette_receipts (receipt_id, job_id, ordinal, fence, chain_seq, worker_id, outcome, receipt_json,
    receipt_json_sha256, bytes_used, bytes_total, retry_after_ms, prev_sha256, sha256, created_at)
  VALUES ('', job, step, token, 1, worker, result, body, '', used, used, again_after_ms, '', '', 0)
  RETURNING * INTO receipt; -- the trigger fills in the chain
  next_status := CASE
    WHEN result = 'SUCCESS' THEN 'COMMITTED'
    WHEN result = 'ABORTED' AND cassette_job_aborted(job) THEN 'SKIPPED'
    WHEN result = 'ABORTED' THEN 'PENDING'
    WHEN again_after_ms IS NOT NULL AND NOT cassette_job_aborted(job) THEN 'PENDING'
    ELSE 'FAILED' END;
  UPDATE cassette_step_states s
  SET status = next_status, worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL,
      failures = s.failures + CASE WHEN result = 'FAILURE' THEN 1 ELSE 0 END,
      not_before = CASE WHEN result = 'FAILURE' AND next_status = 'PENDING'
                        THEN receipt.created_at + again_after_ms ELSE s.not_before END
  WHERE s.job_id = job AND s.ordinal = step AND s.fence = token AND s.worker_id = worker AND s.status = 'LEASED'
    AND s.run_id = run;
  IF NOT FOUND THEN -- the receipt goes with the transaction
    PERFORM cassette_check_held(run, job, step, token, worker);
    RAISE EXCEPTION 'cassette: a receipt needs the current lease' USING ERRCODE = 'CA000';
  END IF;
  RETURN receipt;
END $$;
