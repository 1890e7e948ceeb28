-- Rights that hold. Whoever is not the owner writes through functions only. These run as the owner, with names that mean
-- the ledger's own objects whatever the caller's session has made: temporary tables come last and functions there are
-- never found. A role may call what its part needs and read; nothing else.

-- Two functions are so small that the planner writes them into their callers, which a setting of their own would forbid.
-- They name everything with its schema instead.
CREATE OR REPLACE FUNCTION cassette_now() RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT (pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) 1000)::pg_catalog.int8 $$;

CREATE OR REPLACE FUNCTION cassette_run_out(lease_expires_at bigint, lease_ms bigint, now_ms bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS
$$ SELECT lease_expires_at OPERATOR(pg_catalog.<=) now_ms
     OR lease_expires_at OPERATOR(pg_catalog.>) (now_ms OPERATOR(pg_catalog.+) (2 OPERATOR(pg_catalog.*) lease_ms)) $$;

-- A lease belongs to the login it was claimed through, which a session cannot change. Another login may put the step back
-- when the lease has run out and nothing was reported; it can neither prolong nor end it. Leases from before this
-- migration name no login.
ALTER TABLE cassette_step_states ADD COLUMN held_by text;

CREATE FUNCTION cassette_step_state_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'LEASED' THEN
    NEW.held_by := session_user;
    RETURN NEW;
  END IF;
  IF OLD.held_by <> session_user
     AND (NEW.status = 'LEASED' OR NOT cassette_run_out(OLD.lease_expires_at, OLD.lease_ms, cassette_now())
          OR EXISTS (SELECT 1 FROM cassette_receipts r
                     WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal AND r.fence = OLD.fence)) THEN
    RAISE EXCEPTION 'step % of % was leased through the login %, not through %', OLD.ordinal, OLD.job_id, OLD.held_by,
      session_user USING ERRCODE = 'CA003';
  END IF;
  NEW.held_by := CASE WHEN NEW.status = 'LEASED' THEN OLD.held_by END;
  RETURN NEW;
END $$;
CREATE TRIGGER held BEFORE UPDATE ON cassette_step_states
  FOR EACH ROW WHEN (OLD.status = 'LEASED' OR NEW.status = 'LEASED') EXECUTE FUNCTION cassette_step_state_held();

-- A job is locked by its row from here on, because anybody may take any advisory lock, and nobody but the owner a row's.

CREATE OR REPLACE FUNCTION cassette_requeue() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  expired record;
  done integer := 0;
BEGIN
  FOR expired IN
    SELECT s.job_id, s.ordinal, s.fence FROM cassette_step_states s
    WHERE s.status = 'LEASED' AND cassette_run_out(s.lease_expires_at, s.lease_ms, cassette_now())
    ORDER BY s.lease_expires_at, s.job_id, s.ordinal LIMIT 1000
  LOOP
    PERFORM 1 FROM cassette_jobs j WHERE j.job_id = expired.job_id FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
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

CREATE OR REPLACE FUNCTION cassette_complete(run text, job text, step integer, token bigint, worker text, result text,
                                             body text, used bigint, again_after_ms bigint)
RETURNS cassette_receipts LANGUAGE plpgsql AS $$
DECLARE
  receipt cassette_receipts;
  next_status text;
BEGIN
  PERFORM 1 FROM cassette_jobs j WHERE j.job_id = job FOR NO KEY UPDATE;
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

DROP FUNCTION cassette_job_key(text);

-- Posting. Ids, hashes and the head of the chain are computed here, over the same texts as planvow.canonical and
-- planvow.cassette.ledger.chain: a planner chooses what is posted, not what it is called. PostgreSQL escapes strings in
-- JSON as RFC 8785 does.

CREATE FUNCTION cassette_sha256(content text) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT encode(sha256(convert_to(content, 'UTF8')), 'hex') $$;

CREATE FUNCTION cassette_quoted(value text) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT coalesce(to_json(value)::text, 'null') $$;

CREATE FUNCTION cassette_derived_id(prefix text, VARIADIC parts text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT prefix || '_' || left(cassette_sha256('{"tag":"' || prefix || '/1","value":['
    || (SELECT string_agg(cassette_quoted(part), ',' ORDER BY place) FROM unnest(parts) WITH ORDINALITY AS p (part, place))
    || ']}'), 32)
$$;

CREATE TYPE cassette_posted AS (message_id text, job_id text, plan_hash text, payload_sha256 text, created boolean);

-- Store a request with its plan, job and steps, or return what the same run and key brought before. Two posts of one key
-- meet at its unique index: the later one waits there.
CREATE FUNCTION cassette_post(run text, sender text, key text, payload text, purpose text, bytes_allowed bigint,
  request text, planner text, version_of_planner text, hash_of_plan text, hash_of_index text, budgets text, plan text,
  parent text, names text[], operations text[], payloads text[], policies text[], retries integer[], outputs text[],
  attempts_allowed integer[], later integer[], earlier integer[])
RETURNS cassette_posted LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := cassette_now();
  message text := cassette_derived_id('msg', run, key);
  job text := cassette_derived_id('job', message);
  payload_hash text := cassette_sha256(payload);
  plan_text_hash text := cassette_sha256(plan);
  count_of_steps integer := cardinality(names);
  number bigint;
  steps_text text;
  dependencies_text text;
  before cassette_posted;
BEGIN
  FOR attempt IN 1 .. 2 LOOP
    SELECT m.message_id, j.job_id, p.plan_hash, m.payload_sha256, false INTO before FROM cassette_messages m
      LEFT JOIN cassette_jobs j ON j.message_id = m.message_id
      LEFT JOIN cassette_plans p ON p.job_id = j.job_id
      WHERE m.run_id = run AND m.idempotency_key = key;
    IF FOUND THEN
      RETURN before;
    END IF;
    INSERT INTO cassette_messages (message_id, run_id, source, idempotency_key, payload_json, payload_sha256, created_at)
    VALUES (message, run, sender, key, payload, payload_hash, now_ms)
    ON CONFLICT DO NOTHING RETURNING seq INTO number;
    EXIT WHEN number IS NOT NULL;
  END LOOP;
  IF number IS NULL THEN
    RAISE EXCEPTION 'cassette: another post of this key is not finished' USING ERRCODE = '40001';
  END IF;
  IF parent IS NOT NULL AND NOT EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = parent) THEN
    RAISE EXCEPTION 'the parent job % is not in this ledger', parent USING ERRCODE = 'CA001';
  END IF;
  SELECT string_agg('[' || concat_ws(',', s.place, cassette_quoted(s.name), cassette_quoted(s.operation),
           cassette_quoted(cassette_sha256(s.content)), cassette_quoted(s.policy), s.again, cassette_quoted(s.output),
           s.most) || ']', ',' ORDER BY s.place) INTO steps_text
    FROM unnest(names, operations, payloads, policies, retries, outputs, attempts_allowed)
      WITH ORDINALITY AS s (name, operation, content, policy, again, output, most, place);
  SELECT string_agg('[' || d.later_one || ',' || d.earlier_one || ']', ',' ORDER BY d.place) INTO dependencies_text
    FROM unnest(later, earlier) WITH ORDINALITY AS d (later_one, earlier_one, place);
  INSERT INTO cassette_jobs (job_id, message_id, message_seq, run_id, intent, ordinal, step_count, max_bytes, head_sha256,
    created_at)
  VALUES (job, message, number, run, purpose, 1, count_of_steps, bytes_allowed, cassette_sha256('["job/1",['
    || concat_ws(',', number, cassette_quoted(message), cassette_quoted(run), cassette_quoted(sender),
                 cassette_quoted(key), cassette_quoted(payload_hash), now_ms) || '],['
    || concat_ws(',', cassette_quoted(job), cassette_quoted(message), number, cassette_quoted(run),
                 cassette_quoted(purpose), 1, count_of_steps, coalesce(bytes_allowed::text, 'null'), now_ms) || '],['
    || concat_ws(',', cassette_quoted(job), cassette_quoted(run), cassette_quoted(request), cassette_quoted(planner),
                 cassette_quoted(version_of_planner), cassette_quoted(hash_of_plan), cassette_quoted(hash_of_index),
                 cassette_quoted(budgets), cassette_quoted(plan_text_hash), cassette_quoted(parent), now_ms)
    || '],[' || coalesce(steps_text, '') || '],[' || coalesce(dependencies_text, '') || ']]'), now_ms);
  INSERT INTO cassette_plans (job_id, run_id, request_id, planner_id, planner_version, plan_hash, index_hash, budgets_json,
    plan_json, plan_sha256, parent_job_id, created_at)
  VALUES (job, run, request, planner, version_of_planner, hash_of_plan, hash_of_index, budgets, plan, plan_text_hash,
    parent, now_ms);
  INSERT INTO cassette_step_definitions (job_id, ordinal, step_id, op, payload_json, payload_sha256, on_error, retry_count,
    output_key, max_attempts)
  SELECT job, s.place, s.name, s.operation, s.content, cassette_sha256(s.content), s.policy, s.again, s.output, s.most
    FROM unnest(names, operations, payloads, policies, retries, outputs, attempts_allowed)
      WITH ORDINALITY AS s (name, operation, content, policy, again, output, most, place);
  INSERT INTO cassette_step_dependencies (job_id, ordinal, needs_ordinal)
  SELECT job, d.later_one, d.earlier_one FROM unnest(later, earlier) AS d (later_one, earlier_one);
  INSERT INTO cassette_step_states (job_id, ordinal, run_id, message_seq, op, status, fence, attempts, failures,
    waiting_for, not_before)
  SELECT job, s.place, run, number, s.operation, 'PENDING', 0, 0, 0,
         (SELECT count(*) FROM cassette_step_dependencies d WHERE d.job_id = job AND d.ordinal = s.place), now_ms
    FROM unnest(operations) WITH ORDINALITY AS s (operation, place);
  RETURN (message, job, hash_of_plan, payload_hash, true)::cassette_posted;
END $$;

-- Sealing: one sealer at a time, until its transaction ends.

CREATE FUNCTION cassette_lock_seals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE cassette_seals IN SHARE ROW EXCLUSIVE MODE;
END $$;

CREATE FUNCTION cassette_add_seal(run text, jobs text[], leaves text[], root text, envelope text, at bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  first_index bigint;
BEGIN
  PERFORM cassette_lock_seals();
  SELECT count(*) INTO first_index FROM cassette_seal_leaves l WHERE l.run_id = run;
  INSERT INTO cassette_seal_leaves (run_id, leaf_index, job_id, leaf_sha256)
  SELECT run, first_index + l.place - 1, l.job, l.leaf
    FROM unnest(jobs, leaves) WITH ORDINALITY AS l (job, leaf, place) ORDER BY l.place;
  INSERT INTO cassette_seals (run_id, tree_size, merkle_root, envelope_json, created_at)
  VALUES (run, first_index + cardinality(leaves), root, envelope, at);
END $$;

-- Who may call what. Every part also reads; the owner is whoever made the schema.
CREATE FUNCTION cassette_rights() RETURNS TABLE (part text, routine text) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('reader', 'cassette_now'), ('reader', 'cassette_rights'),
         ('planner', 'cassette_post'),
         ('worker', 'cassette_claim'), ('worker', 'cassette_heartbeat'), ('worker', 'cassette_complete'),
         ('worker', 'cassette_requeue'),
         ('sealer', 'cassette_lock_seals'), ('sealer', 'cassette_add_seal')
$$;

CREATE FUNCTION cassette_grant(role text, VARIADIC parts text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  home regnamespace := (SELECT c.relnamespace FROM pg_class c WHERE c.oid = 'cassette_jobs'::regclass);
  found record;
BEGIN
  IF NOT parts <@ ARRAY['reader', 'planner', 'worker', 'sealer'] OR cardinality(parts) = 0 THEN
    RAISE EXCEPTION 'cassette: the parts are reader, planner, worker and sealer' USING ERRCODE = 'CA000';
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %s TO %I', home, role);
  FOR found IN SELECT c.oid::regclass AS name FROM pg_class c
               WHERE c.relnamespace = home AND c.relkind IN ('r', 'v') AND starts_with(c.relname, 'cassette_') LOOP
    EXECUTE format('GRANT SELECT ON %s TO %I', found.name, role);
  END LOOP;
  FOR found IN SELECT p.oid::regprocedure AS name FROM pg_proc p JOIN cassette_rights() r ON r.routine = p.proname
               WHERE p.pronamespace = home AND (r.part = ANY (parts) OR r.part = 'reader') LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', found.name, role);
  END LOOP;
END $$;

DO $$
DECLARE
  home regnamespace := current_schema()::regnamespace;
  found record;
BEGIN
  FOR found IN SELECT p.oid::regprocedure AS name, p.proname FROM pg_proc p
               WHERE p.pronamespace = home AND starts_with(p.proname, 'cassette_') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', found.name);
    CONTINUE WHEN found.proname IN ('cassette_now', 'cassette_run_out');
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, %s, pg_temp', found.name, home);
    IF EXISTS (SELECT 1 FROM cassette_rights() r WHERE r.routine = found.proname AND r.part <> 'reader') THEN
      EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', found.name);
    END IF;
  END LOOP;
  -- Roles that could add rows themselves keep their work and lose the direct way.
  FOR found IN SELECT DISTINCT c.oid::regclass AS name, a.grantee FROM pg_class c, aclexplode(c.relacl) a
               WHERE c.relnamespace = home AND starts_with(c.relname, 'cassette_') AND a.grantee <> c.relowner
                 AND a.privilege_type <> 'SELECT' LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON %s FROM %s CASCADE', found.name,
                   CASE WHEN found.grantee = 0 THEN 'PUBLIC' ELSE found.grantee::regrole::text END);
    IF found.grantee <> 0 AND found.name::oid = 'cassette_receipts'::regclass THEN
      PERFORM cassette_grant((SELECT r.rolname FROM pg_roles r WHERE r.oid = found.grantee), 'planner', 'worker', 'sealer');
    END IF;
  END LOOP;
END $$;
