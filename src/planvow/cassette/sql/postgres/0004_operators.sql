-- What operators decide about jobs: cancelling, priorities, start times, limits, putting back what a dead worker held. Each
-- decision is a row that stays. Workers are listed, and those that wait are woken. A claim can be asked for again.

-- Decisions by people, never changed: who, why, when, and through which login. A SCHEDULE may also come with a post;
-- step_keys has a line for each step that it gives a key: its number, "=", the key.
CREATE TABLE cassette_actions (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind <> ''),
  job_id text REFERENCES cassette_jobs (job_id),
  ordinal integer,
  fence bigint,
  worker_id text,
  priority integer,
  starts_at bigint,
  step_keys text,
  details_json text NOT NULL,
  made_by text NOT NULL CHECK (made_by <> ''),
  why text NOT NULL,
  login text NOT NULL,
  at bigint NOT NULL
);

CREATE INDEX cassette_actions_by_job ON cassette_actions (job_id, kind, seq) WHERE job_id IS NOT NULL;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON cassette_actions
  FOR EACH ROW EXECUTE FUNCTION cassette_append_only();
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON cassette_actions
  FOR EACH STATEMENT EXECUTE FUNCTION cassette_append_only();

-- Workers as they last said that they live. Nothing rests on it: it is for people, and tells who waits to be woken.
CREATE TABLE cassette_workers (
  worker_id text PRIMARY KEY,
  machine text NOT NULL,
  boot text NOT NULL,
  pid integer NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  stopped_at bigint,
  waiting_until bigint,
  login text NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX cassette_workers_waiting ON cassette_workers (waiting_until) WHERE waiting_until IS NOT NULL;
CREATE INDEX cassette_workers_by_age ON cassette_workers (seen_at);

-- How many steps of an operation, or with a key, may run at once and may begin within any minute. The key "*" stands for
-- each key that has no limit of its own. Starts are numbered, so that one look tells when the minute began.
CREATE TABLE cassette_limits (
  scope text NOT NULL CHECK (scope IN ('operation', 'key')),
  name text NOT NULL CHECK (name <> ''),
  at_once integer CHECK (at_once >= 1),
  per_minute integer CHECK (per_minute >= 1),
  PRIMARY KEY (scope, name),
  CHECK (at_once IS NOT NULL OR per_minute IS NOT NULL)
);

CREATE TABLE cassette_limit_starts (
  scope text NOT NULL,
  name text NOT NULL,
  number bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (scope, name, number)
);

-- rank is the priority turned round: the least comes first. A step with a hold is not claimable: TIME lifts at wake_at, or
-- when the clock has gone back behind hold_since; other words are for other reasons, each with its own way to lift it.
ALTER TABLE cassette_step_states
  ADD COLUMN rank integer NOT NULL DEFAULT 0,
  ADD COLUMN starts_at bigint NOT NULL DEFAULT 0,
  ADD COLUMN limit_key text,
  ADD COLUMN hold text,
  ADD COLUMN wake_at bigint,
  ADD COLUMN hold_since bigint,
  ADD COLUMN ticket bigint;

ALTER TABLE cassette_step_states DISABLE TRIGGER USER;
UPDATE cassette_step_states SET hold = 'TIME', wake_at = not_before, hold_since = cassette_now()
WHERE status = 'PENDING' AND failures > 0 AND not_before > cassette_now();
ALTER TABLE cassette_step_states ENABLE TRIGGER USER;

DROP INDEX cassette_ready_by_age, cassette_ready_by_run, cassette_ready_spread, cassette_ready_by_op;
CREATE INDEX cassette_ready_by_age ON cassette_step_states (rank, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL;
CREATE INDEX cassette_ready_by_run ON cassette_step_states (run_id, rank, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL;
CREATE INDEX cassette_ready_spread ON cassette_step_states (rank, ordinal, message_seq)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL;
CREATE INDEX cassette_ready_by_op ON cassette_step_states (op, limit_key, rank, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL;
CREATE INDEX cassette_ready_keyed ON cassette_step_states (op, rank, message_seq, ordinal)
  WHERE status = 'PENDING' AND waiting_for = 0 AND hold IS NULL AND limit_key IS NOT NULL;
CREATE INDEX cassette_sleeping ON cassette_step_states (wake_at) WHERE status = 'PENDING' AND hold = 'TIME';
CREATE INDEX cassette_asleep_since ON cassette_step_states (hold_since)
  WHERE status = 'PENDING' AND hold = 'TIME' AND hold_since IS NOT NULL;
CREATE INDEX cassette_running_by_op ON cassette_step_states (op) WHERE status = 'LEASED';
CREATE INDEX cassette_running_by_key ON cassette_step_states (limit_key)
  WHERE status = 'LEASED' AND limit_key IS NOT NULL;

CREATE OR REPLACE FUNCTION cassette_step_state_born() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'PENDING' OR NEW.fence <> 0 OR NEW.attempts <> 0 OR NEW.failures <> 0
     OR NEW.worker_id IS NOT NULL OR NEW.lease_expires_at IS NOT NULL OR NEW.ticket IS NOT NULL
     OR NEW.rank <> 0 OR NEW.starts_at <> 0 OR NEW.limit_key IS NOT NULL OR NEW.hold IS NOT NULL
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

CREATE FUNCTION cassette_job_cancelled(job text) RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = job AND a.kind = 'CANCEL') $$;

-- Whether somebody who may has put this lease back.
CREATE FUNCTION cassette_put_back(job text, step integer, token bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM cassette_actions a
                 WHERE a.job_id = job AND a.kind = 'REQUEUE' AND a.ordinal = step AND a.fence = token)
$$;

-- Where a step that ends without a receipt of success or failure goes.
CREATE FUNCTION cassette_given_back(job text, attempts integer, allowed integer) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN cassette_job_cancelled(job) THEN 'CANCELLED' WHEN cassette_job_aborted(job) THEN 'SKIPPED'
              WHEN attempts >= allowed THEN 'DEAD' ELSE 'PENDING' END
$$;

-- Whether the hold of a step that waits may change so. Migrations that bring a new word replace this function.
CREATE FUNCTION cassette_hold_moves(before cassette_step_states, after cassette_step_states) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RETURN before.hold = 'TIME' AND after.hold IS NULL
    AND (before.wake_at <= cassette_now() OR before.hold_since > cassette_now());
END $$;

-- Whether a step's place in the queue is the one that was last decided for its job.
CREATE FUNCTION cassette_as_scheduled(before cassette_step_states, after cassette_step_states) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  decided record;
BEGIN
  SELECT a.priority, a.starts_at, a.step_keys INTO decided FROM cassette_actions a
    WHERE a.job_id = after.job_id AND a.kind = 'SCHEDULE' ORDER BY a.seq DESC LIMIT 1;
  RETURN FOUND AND after.rank = coalesce(-decided.priority, before.rank)
    AND after.starts_at = coalesce(decided.starts_at, before.starts_at)
    AND (after.limit_key IS NOT DISTINCT FROM before.limit_key
         OR (before.limit_key IS NULL AND decided.step_keys IS NOT NULL)) -- verify looks which
    AND CASE WHEN after.starts_at = before.starts_at OR before.hold <> 'TIME' THEN after.hold IS NOT DISTINCT FROM before.hold
             ELSE after.hold IS NULL OR (after.hold = 'TIME' AND after.wake_at = after.starts_at) END;
END $$;

-- The moves of a step, all of them. Anything else is refused, NULLs included.
CREATE OR REPLACE FUNCTION cassette_step_state_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed boolean := false;
  allowed_attempts integer;
  proof text;
  failed_at bigint;
  again_at bigint;
BEGIN
  IF NEW.job_id = OLD.job_id AND NEW.ordinal = OLD.ordinal AND NEW.run_id = OLD.run_id
     AND NEW.message_seq = OLD.message_seq AND NEW.op = OLD.op
     AND (NEW.status = 'LEASED') = (NEW.worker_id IS NOT NULL)
     AND (NEW.status = 'LEASED') = (NEW.lease_expires_at IS NOT NULL)
     AND (NEW.status = 'LEASED') = (NEW.lease_ms IS NOT NULL)
     AND (NEW.ticket IS NULL OR NEW.status = 'LEASED') THEN
    IF NEW.rank <> OLD.rank OR NEW.starts_at <> OLD.starts_at OR NEW.limit_key IS DISTINCT FROM OLD.limit_key THEN
      -- another place in the queue
      allowed := NEW.status = OLD.status AND NEW.status IN ('PENDING', 'LEASED') AND NEW.fence = OLD.fence
        AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures AND NEW.waiting_for = OLD.waiting_for
        AND NEW.not_before = OLD.not_before AND NEW.worker_id IS NOT DISTINCT FROM OLD.worker_id
        AND NEW.lease_expires_at IS NOT DISTINCT FROM OLD.lease_expires_at
        AND NEW.lease_ms IS NOT DISTINCT FROM OLD.lease_ms AND NEW.ticket IS NOT DISTINCT FROM OLD.ticket
        AND (NEW.hold IS NULL OR NEW.status = 'PENDING') AND cassette_as_scheduled(OLD, NEW);
    ELSIF OLD.status = 'PENDING' AND NEW.status = 'LEASED' THEN
      allowed := NEW.worker_id !~ '[^A-Za-z0-9_.:@/+-]' AND length(NEW.worker_id) BETWEEN 1 AND 128
        AND NEW.fence = OLD.fence + 1 AND NEW.attempts = OLD.attempts + 1 AND NEW.failures = OLD.failures
        AND OLD.waiting_for = 0 AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
        AND OLD.hold IS NULL AND NEW.hold IS NULL;
    ELSIF NEW.fence <> OLD.fence OR NEW.attempts <> OLD.attempts THEN
      allowed := false;
    ELSIF OLD.status = 'PENDING' AND NEW.status = 'PENDING' AND NEW.hold IS DISTINCT FROM OLD.hold THEN
      allowed := NEW.failures = OLD.failures AND NEW.waiting_for = OLD.waiting_for AND NEW.not_before = OLD.not_before
        AND cassette_hold_moves(OLD, NEW);
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
    ELSIF OLD.status = 'PENDING' AND NEW.status = 'CANCELLED' THEN
      allowed := NEW.failures = OLD.failures AND NEW.waiting_for = OLD.waiting_for AND NEW.not_before = OLD.not_before
        AND cassette_job_cancelled(OLD.job_id);
    ELSIF OLD.status = 'LEASED' AND NEW.status = 'LEASED' THEN -- heartbeat
      allowed := NEW.failures = OLD.failures AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
        AND NEW.worker_id = OLD.worker_id AND NEW.ticket IS NOT DISTINCT FROM OLD.ticket AND NEW.hold IS NULL
        AND (NEW.lease_expires_at >= OLD.lease_expires_at
             OR cassette_run_out(OLD.lease_expires_at, OLD.lease_ms, cassette_now()));
    ELSIF OLD.status = 'LEASED' AND NEW.waiting_for = 0 THEN
      SELECT r.outcome, r.created_at, r.created_at + r.retry_after_ms INTO proof, failed_at, again_at
        FROM cassette_receipts r
        WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal AND r.fence = OLD.fence
          AND r.worker_id = OLD.worker_id;
      IF NEW.status = 'COMMITTED' THEN
        allowed := proof = 'SUCCESS' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before;
      ELSIF NEW.status = 'FAILED' THEN
        allowed := proof = 'FAILURE' AND NEW.failures = OLD.failures + 1 AND NEW.not_before = OLD.not_before;
      ELSIF NEW.status = 'PENDING' AND proof IS NOT NULL THEN -- handed back, or to be tried again
        allowed := NOT cassette_job_cancelled(OLD.job_id)
          AND ((proof = 'ABORTED' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before AND NEW.hold IS NULL)
               OR (proof = 'FAILURE' AND NEW.failures = OLD.failures + 1 AND NEW.not_before = again_at
                   AND (again_at = failed_at) = (NEW.hold IS NULL)
                   AND (NEW.hold IS NULL
                        OR (NEW.hold = 'TIME' AND NEW.wake_at = again_at AND NEW.hold_since = failed_at))));
      ELSIF NEW.status = 'SKIPPED' AND proof IS NOT NULL THEN
        allowed := proof = 'ABORTED' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before
          AND cassette_job_aborted(OLD.job_id);
      ELSIF NEW.status = 'CANCELLED' AND proof IS NOT NULL THEN
        allowed := NEW.not_before = OLD.not_before AND cassette_job_cancelled(OLD.job_id)
          AND ((proof = 'ABORTED' AND NEW.failures = OLD.failures)
               OR (proof = 'FAILURE' AND again_at IS NOT NULL AND NEW.failures = OLD.failures + 1));
      ELSIF NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before AND NEW.hold IS NULL
            AND (cassette_run_out(OLD.lease_expires_at, OLD.lease_ms, cassette_now())
                 OR cassette_put_back(OLD.job_id, OLD.ordinal, OLD.fence)) THEN
        SELECT d.max_attempts INTO allowed_attempts FROM cassette_step_definitions d
          WHERE d.job_id = OLD.job_id AND d.ordinal = OLD.ordinal;
        allowed := NEW.status = cassette_given_back(OLD.job_id, OLD.attempts, allowed_attempts);
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

-- A lease belongs to the login it was claimed through. Others may move it in the queue, and put it back when it has run
-- out or an operator has decided so.
CREATE OR REPLACE FUNCTION cassette_step_state_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'LEASED' THEN
    NEW.held_by := session_user;
    RETURN NEW;
  END IF;
  IF OLD.held_by <> session_user
     AND NOT (NEW.status = 'LEASED' AND NEW.lease_expires_at = OLD.lease_expires_at AND NEW.lease_ms = OLD.lease_ms)
     AND (NEW.status = 'LEASED'
          OR NOT (cassette_run_out(OLD.lease_expires_at, OLD.lease_ms, cassette_now())
                  OR cassette_put_back(OLD.job_id, OLD.ordinal, OLD.fence))
          OR EXISTS (SELECT 1 FROM cassette_receipts r
                     WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal AND r.fence = OLD.fence)) THEN
    RAISE EXCEPTION 'step % of % was leased through the login %, not through %', OLD.ordinal, OLD.job_id, OLD.held_by,
      session_user USING ERRCODE = 'CA003';
  END IF;
  NEW.held_by := CASE WHEN NEW.status = 'LEASED' THEN OLD.held_by END;
  RETURN NEW;
END $$;

-- Waking those that wait. A notice at each commit would make commits queue for one another, so it is given only where
-- somebody has said that it waits; who waits looks again a moment later, for what was on its way just then.
CREATE FUNCTION cassette_wake() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM cassette_workers w WHERE w.waiting_until > cassette_now()) THEN
    PERFORM pg_notify('planvow_' || left(TG_TABLE_SCHEMA, 50), '');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER wake_for_new AFTER INSERT ON cassette_step_states FOR EACH STATEMENT EXECUTE FUNCTION cassette_wake();
CREATE TRIGGER wake_for_ready AFTER UPDATE ON cassette_step_states
  FOR EACH ROW WHEN (NEW.status = 'PENDING' AND NEW.waiting_for = 0 AND NEW.hold IS NULL)
  EXECUTE FUNCTION cassette_wake();
-- A place under a limit has become free, or the last step of a job has ended.
CREATE TRIGGER wake_for_ended AFTER UPDATE ON cassette_step_states
  FOR EACH ROW WHEN (OLD.status = 'LEASED' AND NEW.status NOT IN ('LEASED', 'PENDING'))
  EXECUTE FUNCTION cassette_wake();

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
    SET status = cassette_given_back(s.job_id, s.attempts, d.max_attempts), worker_id = NULL, lease_expires_at = NULL,
        lease_ms = NULL, ticket = NULL
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
  waits boolean;
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
    WHEN result = 'FAILURE' AND again_after_ms IS NULL THEN 'FAILED'
    WHEN cassette_job_cancelled(job) THEN 'CANCELLED'
    WHEN NOT cassette_job_aborted(job) THEN 'PENDING'
    WHEN result = 'ABORTED' THEN 'SKIPPED'
    ELSE 'FAILED' END;
  waits := result = 'FAILURE' AND next_status = 'PENDING';
  UPDATE cassette_step_states s
  SET status = next_status, worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL, ticket = NULL,
      failures = s.failures + CASE WHEN result = 'FAILURE' THEN 1 ELSE 0 END,
      not_before = CASE WHEN waits THEN receipt.created_at + again_after_ms ELSE s.not_before END,
      hold = CASE WHEN waits AND again_after_ms > 0 THEN 'TIME' END,
      wake_at = CASE WHEN waits AND again_after_ms > 0 THEN receipt.created_at + again_after_ms END,
      hold_since = CASE WHEN waits AND again_after_ms > 0 THEN receipt.created_at END
  WHERE s.job_id = job AND s.ordinal = step AND s.fence = token AND s.worker_id = worker AND s.status = 'LEASED'
    AND s.run_id = run;
  IF NOT FOUND THEN -- the receipt goes with the transaction
    PERFORM cassette_check_held(run, job, step, token, worker);
    RAISE EXCEPTION 'cassette: a receipt needs the current lease' USING ERRCODE = 'CA000';
  END IF;
  RETURN receipt;
END $$;

-- Whether anything is due: a lease that has run out, a step that has slept long enough. It remembers for this session when
-- it last found nothing, as before.
DROP FUNCTION cassette_waited(text, integer, bigint, bigint, bigint);
CREATE OR REPLACE FUNCTION cassette_lease_has_run_out(now_ms bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  looked bigint := nullif(current_setting('planvow.looked', true), '')::bigint;
  found boolean;
BEGIN
  IF looked <= now_ms THEN
    found := EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at <= now_ms
                       AND lease_expires_at > looked - 60000)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND wake_at <= now_ms
                   AND wake_at > looked - 60000);
  ELSE -- never looked, or the clock has gone back
    found := EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at <= now_ms)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND wake_at <= now_ms)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND hold_since IS NOT NULL
                   AND hold_since > now_ms)
      OR coalesce((SELECT cassette_run_out(s.lease_expires_at, s.lease_ms, now_ms) FROM cassette_step_states s
                   WHERE s.status = 'LEASED' ORDER BY s.lease_expires_at DESC LIMIT 1), false);
  END IF;
  PERFORM set_config('planvow.looked', CASE WHEN found THEN '' ELSE now_ms::text END, false);
  RETURN found;
END $$;

-- A hundred at a time: whoever comes next goes on.
CREATE FUNCTION cassette_rouse(now_ms bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due record;
BEGIN
  FOR due IN
    SELECT s.job_id, s.ordinal FROM cassette_step_states s
    WHERE s.status = 'PENDING' AND s.hold = 'TIME' AND s.wake_at <= now_ms
    ORDER BY s.wake_at LIMIT 100 FOR UPDATE SKIP LOCKED
  LOOP
    UPDATE cassette_step_states s SET hold = NULL, wake_at = NULL, hold_since = NULL
    WHERE s.job_id = due.job_id AND s.ordinal = due.ordinal;
  END LOOP;
  FOR due IN
    SELECT s.job_id, s.ordinal FROM cassette_step_states s
    WHERE s.status = 'PENDING' AND s.hold = 'TIME' AND s.hold_since IS NOT NULL AND s.hold_since > now_ms
    ORDER BY s.hold_since LIMIT 100 FOR UPDATE SKIP LOCKED
  LOOP
    UPDATE cassette_step_states s SET hold = NULL, wake_at = NULL, hold_since = NULL
    WHERE s.job_id = due.job_id AND s.ordinal = due.ordinal;
  END LOOP;
END $$;

-- Limits. Running steps are counted, not kept account of: a count cannot drift. Whoever leases a step under a limit holds
-- the limit's row until its transaction ends, so that two never count at once; completions do not touch it.

CREATE FUNCTION cassette_limit_for(in_scope text, what text) RETURNS cassette_limits LANGUAGE plpgsql AS $$
DECLARE
  found cassette_limits;
BEGIN
  SELECT * INTO found FROM cassette_limits l WHERE l.scope = in_scope AND l.name = what;
  IF found.scope IS NULL AND in_scope = 'key' THEN
    SELECT * INTO found FROM cassette_limits l WHERE l.scope = 'key' AND l.name = '*';
  END IF;
  RETURN found;
END $$;

CREATE FUNCTION cassette_limit_reached(in_scope text, what text, now_ms bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  most cassette_limits := cassette_limit_for(in_scope, what);
  running integer;
  begun bigint;
BEGIN
  IF most.at_once IS NOT NULL THEN
    IF in_scope = 'operation' THEN
      SELECT count(*) INTO running FROM (
        SELECT 1 FROM cassette_step_states s WHERE s.status = 'LEASED' AND s.op = what LIMIT most.at_once) r;
    ELSE
      SELECT count(*) INTO running FROM (
        SELECT 1 FROM cassette_step_states s WHERE s.status = 'LEASED' AND s.limit_key = what LIMIT most.at_once) r;
    END IF;
    IF running >= most.at_once THEN
      RETURN true;
    END IF;
  END IF;
  IF most.per_minute IS NULL THEN
    RETURN false;
  END IF;
  SELECT b.at INTO begun FROM cassette_limit_starts b
    WHERE b.scope = in_scope AND b.name = what AND b.number = 1 - most.per_minute + (
      SELECT b.number FROM cassette_limit_starts b WHERE b.scope = in_scope AND b.name = what
      ORDER BY b.number DESC LIMIT 1);
  RETURN coalesce(begun > now_ms - 60000 AND begun <= now_ms, false);
END $$;

-- Lock the rows of the limits on a step; false when a claim that holds some already would have to wait.
CREATE FUNCTION cassette_lock_limits(operation text, key text, waiting boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  wanted cassette_limits;
BEGIN
  FOREACH wanted IN ARRAY ARRAY[cassette_limit_for('operation', operation), cassette_limit_for('key', key)] LOOP
    CONTINUE WHEN wanted.scope IS NULL;
    IF waiting THEN
      PERFORM 1 FROM cassette_limits l WHERE l.scope = wanted.scope AND l.name = wanted.name FOR UPDATE;
    ELSE
      PERFORM 1 FROM cassette_limits l WHERE l.scope = wanted.scope AND l.name = wanted.name FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        RETURN false;
      END IF;
    END IF;
  END LOOP;
  RETURN true;
END $$;

CREATE FUNCTION cassette_count_start(in_scope text, what text, now_ms bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  most cassette_limits := cassette_limit_for(in_scope, what);
  last bigint;
BEGIN
  IF most.per_minute IS NOT NULL THEN
    SELECT coalesce(max(b.number), 0) INTO last FROM cassette_limit_starts b WHERE b.scope = in_scope AND b.name = what;
    INSERT INTO cassette_limit_starts (scope, name, number, at) VALUES (in_scope, what, last + 1, now_ms);
    DELETE FROM cassette_limit_starts b
    WHERE b.scope = in_scope AND b.name = what AND b.number <= last + 1 - most.per_minute AND b.at <= now_ms - 60000;
  END IF;
END $$;

-- The first ready step of an operation with one key, or with none. The planner does not know by itself that rows without
-- a key stand in the index in the order of their rank.
CREATE TYPE cassette_place AS (rank integer, message_seq bigint, ordinal integer, op text, limit_key text);

CREATE FUNCTION cassette_first_of(operation text, key text, run text, only_rank integer, only_seq bigint)
RETURNS SETOF cassette_place LANGUAGE plpgsql AS $$
BEGIN
  IF key IS NULL THEN
    RETURN QUERY SELECT s.rank, s.message_seq, s.ordinal, s.op, s.limit_key FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.op = operation AND s.limit_key IS NULL
        AND (run IS NULL OR s.run_id = run)
        AND (s.rank, s.message_seq) >= (coalesce(only_rank, -2147483648), coalesce(only_seq, 0))
        AND (s.rank, s.message_seq) <= (coalesce(only_rank, 2147483647), coalesce(only_seq, 9223372036854775807))
      ORDER BY s.limit_key, s.rank, s.message_seq, s.ordinal LIMIT 1;
  ELSE
    RETURN QUERY SELECT s.rank, s.message_seq, s.ordinal, s.op, s.limit_key FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.op = operation AND s.limit_key = key
        AND (run IS NULL OR s.run_id = run)
        AND (s.rank, s.message_seq) >= (coalesce(only_rank, -2147483648), coalesce(only_seq, 0))
        AND (s.rank, s.message_seq) <= (coalesce(only_rank, 2147483647), coalesce(only_seq, 9223372036854775807))
      ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1;
  END IF;
END $$;

-- The first ready step of an operation that no limit stops: the first without a key, and of those with one either the
-- first of all, or, when its key is used up, the first of each other key, found by one look for each.
CREATE FUNCTION cassette_first_free(operation text, passed text[], run text, only_rank integer, only_seq bigint,
                                    now_ms bigint)
RETURNS SETOF cassette_place LANGUAGE plpgsql AS $$
DECLARE
  first cassette_place;
  key text := '';
BEGIN
  IF NOT operation || E'\n' = ANY (passed) THEN
    RETURN QUERY SELECT * FROM cassette_first_of(operation, NULL, run, only_rank, only_seq);
  END IF;
  SELECT s.rank, s.message_seq, s.ordinal, s.op, s.limit_key INTO first FROM cassette_step_states s
    WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.op = operation AND s.limit_key IS NOT NULL
      AND (run IS NULL OR s.run_id = run)
      AND (s.rank, s.message_seq) >= (coalesce(only_rank, -2147483648), coalesce(only_seq, 0))
      AND (s.rank, s.message_seq) <= (coalesce(only_rank, 2147483647), coalesce(only_seq, 9223372036854775807))
    ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF NOT operation || E'\n' || first.limit_key = ANY (passed)
     AND NOT cassette_limit_reached('key', first.limit_key, now_ms) THEN
    RETURN NEXT first;
    RETURN;
  END IF;
  LOOP
    SELECT s.limit_key INTO key FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.op = operation AND s.limit_key > key
      ORDER BY s.limit_key LIMIT 1;
    EXIT WHEN NOT FOUND;
    IF NOT operation || E'\n' || key = ANY (passed) AND NOT cassette_limit_reached('key', key, now_ms) THEN
      RETURN QUERY SELECT * FROM cassette_first_of(operation, key, run, only_rank, only_seq);
    END IF;
  END LOOP;
END $$;

-- Lock and return the first ready step that no limit stops. Whatever stands in front of it, and however much, one look for
-- each operation finds it. What others are just taking is passed over.
CREATE FUNCTION cassette_pick_limited(operations text[], run text, only_rank integer, only_seq bigint, spread boolean,
                                      waiting boolean, now_ms bigint)
RETURNS TABLE (job_id text, ordinal integer) LANGUAGE plpgsql AS $$
DECLARE
  open_operations text[] := operations;
  next_operation text := '';
  passed text[] := '{}'; -- groups of an operation and a key in which nothing can be had
  place cassette_place;
BEGIN
  IF operations IS NULL THEN
    open_operations := '{}';
    LOOP
      SELECT s.op INTO next_operation FROM cassette_step_states s
        WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.op > next_operation
        ORDER BY s.op LIMIT 1;
      EXIT WHEN NOT FOUND;
      open_operations := open_operations || next_operation;
    END LOOP;
  END IF;
  LOOP
    SELECT coalesce(array_agg(o.op), '{}') INTO open_operations FROM unnest(open_operations) AS o (op)
      WHERE NOT cassette_limit_reached('operation', o.op, now_ms);
    SELECT f.* INTO place FROM unnest(open_operations) AS o (op)
      CROSS JOIN LATERAL cassette_first_free(o.op, passed, run, only_rank, only_seq, now_ms) f
      ORDER BY f.rank, CASE WHEN spread THEN f.ordinal END, f.message_seq, f.ordinal LIMIT 1;
    EXIT WHEN NOT FOUND;
    IF NOT cassette_lock_limits(place.op, place.limit_key, waiting) THEN
      passed := passed || (place.op || E'\n' || coalesce(place.limit_key, ''));
      CONTINUE;
    END IF;
    CONTINUE WHEN cassette_limit_reached('operation', place.op, now_ms)
      OR (place.limit_key IS NOT NULL AND cassette_limit_reached('key', place.limit_key, now_ms));
    IF place.limit_key IS NULL THEN
      SELECT s.job_id, s.ordinal INTO job_id, ordinal FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.op = place.op AND s.limit_key IS NULL
        AND (run IS NULL OR s.run_id = run) AND (s.rank, s.message_seq) >= (place.rank, place.message_seq)
        AND (s.rank, s.message_seq) <= (coalesce(only_rank, 2147483647), coalesce(only_seq, 9223372036854775807))
      ORDER BY s.limit_key, s.rank, s.message_seq, s.ordinal LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSE
      SELECT s.job_id, s.ordinal INTO job_id, ordinal FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.op = place.op
        AND s.limit_key = place.limit_key
        AND (run IS NULL OR s.run_id = run) AND (s.rank, s.message_seq) >= (place.rank, place.message_seq)
        AND (s.rank, s.message_seq) <= (coalesce(only_rank, 2147483647), coalesce(only_seq, 9223372036854775807))
      ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1 FOR UPDATE SKIP LOCKED;
    END IF;
    IF FOUND THEN
      PERFORM cassette_count_start('operation', place.op, now_ms);
      IF place.limit_key IS NOT NULL THEN
        PERFORM cassette_count_start('key', place.limit_key, now_ms);
      END IF;
      RETURN NEXT;
      RETURN;
    END IF;
    passed := passed || (place.op || E'\n' || coalesce(place.limit_key, ''));
  END LOOP;
END $$;

-- Claiming, as before, with the least rank first. A claim that is asked for again, with the ticket of the first time,
-- gives back what the worker was given then. Where there are limits, steps are picked as above.
DROP FUNCTION cassette_claim(text, text, text, text[], bigint, integer, boolean, boolean);
CREATE FUNCTION cassette_claim(worker text, run text, job text, operations text[], lease_ms bigint, how_many integer,
                               spread boolean, relaxed boolean, ticket bigint DEFAULT NULL, again boolean DEFAULT false)
RETURNS SETOF cassette_claimed LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := cassette_now();
  taken cassette_claimed;
  only_rank integer;
  only_seq bigint;
  from_rank integer := -2147483648;
  from_seq bigint := 0;
  from_ordinal integer := 0;
  oldest text;
  limited boolean;
  picked_job text;
  picked integer;
  unused text; -- assigning costs less than PERFORM
BEGIN
  IF relaxed THEN
    unused := set_config('synchronous_commit', 'off', true);
  END IF;
  IF cassette_lease_has_run_out(now_ms) THEN
    PERFORM cassette_requeue();
    PERFORM cassette_rouse(now_ms);
  END IF;
  IF again AND how_many > 0 THEN
    RETURN QUERY SELECT s.run_id, s.job_id, s.ordinal, s.fence, s.attempts, s.failures, s.lease_expires_at, d.step_id,
        d.op, d.payload_json, d.on_error, d.retry_count, d.output_key
      FROM cassette_step_states s
      JOIN cassette_step_definitions d ON d.job_id = s.job_id AND d.ordinal = s.ordinal
      WHERE s.status = 'LEASED' AND s.worker_id = worker AND s.ticket = cassette_claim.ticket
        AND s.held_by = session_user
      ORDER BY s.rank, s.message_seq, s.ordinal;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  IF job IS NOT NULL THEN
    SELECT j.message_seq, coalesce(-(SELECT a.priority FROM cassette_actions a
                                     WHERE a.job_id = job AND a.kind = 'SCHEDULE' AND a.priority IS NOT NULL
                                     ORDER BY a.seq DESC LIMIT 1), 0)
      INTO only_seq, only_rank FROM cassette_jobs j WHERE j.job_id = job;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    from_rank := only_rank;
    from_seq := only_seq;
  END IF;
  -- Without statistics the planner thinks a sort of all that waits as good as an index in the right order. Plans are
  -- made once for a session, here.
  limited := EXISTS (SELECT 1 FROM cassette_limits);
  IF limited THEN
    unused := set_config('enable_sort', 'off', true);
  END IF;
  IF operations IS NOT NULL AND NOT limited THEN
    SELECT s.op, s.rank, s.message_seq, s.ordinal INTO oldest, from_rank, from_seq, from_ordinal
    FROM cassette_step_states s
    WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL
      AND (s.rank, s.message_seq) >= (from_rank, from_seq)
    ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1;
    IF oldest <> ALL (operations) THEN
      unused := set_config('enable_sort', 'off', true);
      SELECT f.rank, f.message_seq, f.ordinal INTO from_rank, from_seq, from_ordinal
      FROM unnest(operations) AS own (op)
      CROSS JOIN LATERAL (
        SELECT * FROM cassette_first_of(own.op, NULL, NULL, only_rank, only_seq)
        UNION ALL
        (SELECT s.rank, s.message_seq, s.ordinal, s.op, s.limit_key FROM cassette_step_states s
         WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.op = own.op
           AND s.limit_key IS NOT NULL AND (s.rank, s.message_seq) >= (from_rank, from_seq)
         ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1)) f
      ORDER BY f.rank, f.message_seq, f.ordinal LIMIT 1;
    END IF;
  END IF;
  FOR number IN 1 .. how_many LOOP
    IF limited THEN
      SELECT p.job_id, p.ordinal INTO picked_job, picked
      FROM cassette_pick_limited(operations, run, only_rank, only_seq, spread AND job IS NULL, number = 1, now_ms) p;
    ELSIF job IS NOT NULL THEN
      SELECT s.job_id, s.ordinal INTO picked_job, picked FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND (run IS NULL OR s.run_id = run)
        AND s.rank = only_rank AND s.message_seq = only_seq
        AND (s.rank, s.message_seq, s.ordinal) >= (from_rank, from_seq, from_ordinal)
        AND (operations IS NULL OR s.op = ANY (operations))
      ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSIF spread THEN
      SELECT s.job_id, s.ordinal INTO picked_job, picked FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND (run IS NULL OR s.run_id = run)
        AND (operations IS NULL OR s.op = ANY (operations))
      ORDER BY s.rank, s.ordinal, s.message_seq LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSIF run IS NOT NULL THEN
      SELECT s.job_id, s.ordinal INTO picked_job, picked FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.run_id = run
        AND (s.rank, s.message_seq, s.ordinal) >= (from_rank, from_seq, from_ordinal)
        AND (operations IS NULL OR s.op = ANY (operations))
      ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSE
      SELECT s.job_id, s.ordinal INTO picked_job, picked FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL
        AND (s.rank, s.message_seq, s.ordinal) >= (from_rank, from_seq, from_ordinal)
        AND (operations IS NULL OR s.op = ANY (operations))
      ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1 FOR UPDATE SKIP LOCKED;
    END IF;
    EXIT WHEN NOT FOUND OR picked IS NULL;
    UPDATE cassette_step_states s
    SET status = 'LEASED', fence = s.fence + 1, attempts = s.attempts + 1, worker_id = worker,
        lease_expires_at = now_ms + cassette_claim.lease_ms, lease_ms = cassette_claim.lease_ms,
        ticket = cassette_claim.ticket
    FROM cassette_step_definitions d
    WHERE s.job_id = picked_job AND s.ordinal = picked AND d.job_id = picked_job AND d.ordinal = picked
    RETURNING s.run_id, s.job_id, s.ordinal, s.fence, s.attempts, s.failures, s.lease_expires_at, d.step_id, d.op,
              d.payload_json, d.on_error, d.retry_count, d.output_key INTO taken;
    RETURN NEXT taken;
  END LOOP;
  IF taken.job_id IS NULL THEN
    unused := set_config('planvow.looked', '', false);
  END IF;
END $$;

-- Workers say that they are there, that they wait, and that they have ended. Nobody speaks for a worker of another login.
-- Rows of those that were not seen for a week go, a few at a time.
CREATE FUNCTION cassette_worker_seen(worker text, machine text, boot text, pid integer, waiting_ms bigint, ended boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := cassette_now();
BEGIN
  INSERT INTO cassette_workers AS w (worker_id, machine, boot, pid, started_at, seen_at, stopped_at, waiting_until, login)
  VALUES (worker, machine, boot, pid, now_ms, now_ms, CASE WHEN ended THEN now_ms END, now_ms + waiting_ms, session_user)
  ON CONFLICT (worker_id) DO UPDATE
    SET seen_at = now_ms, stopped_at = excluded.stopped_at, waiting_until = excluded.waiting_until
    WHERE w.login = session_user;
  DELETE FROM cassette_workers w WHERE w.worker_id IN (
    SELECT o.worker_id FROM cassette_workers o WHERE o.seen_at < now_ms - 604800000 ORDER BY o.seen_at LIMIT 10);
END $$;

-- What operators do.

CREATE FUNCTION cassette_act(kind text, job text, made_by text, why text, priority integer DEFAULT NULL,
                             starts_at bigint DEFAULT NULL, keys text DEFAULT NULL, details text DEFAULT '{}',
                             step integer DEFAULT NULL, token bigint DEFAULT NULL, worker text DEFAULT NULL)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO cassette_actions (kind, job_id, ordinal, fence, worker_id, priority, starts_at, step_keys, details_json,
                                made_by, why, login, at)
  VALUES (kind, job, step, token, worker, priority, starts_at, keys, details, made_by, why, session_user, cassette_now())
$$;

-- Cancel a job: what waits is never claimed, what runs ends when its worker reports or its lease does. How many of each.
CREATE FUNCTION cassette_cancel(job text, made_by text, why text) RETURNS TABLE (cancelled integer, running integer)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM cassette_jobs j WHERE j.job_id = job FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no job %', job USING ERRCODE = 'CA001';
  ELSIF NOT EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = job AND s.status IN ('PENDING', 'LEASED')) THEN
    RAISE EXCEPTION 'job % has ended already', job USING ERRCODE = 'CA008';
  END IF;
  IF NOT cassette_job_cancelled(job) THEN
    PERFORM cassette_act('CANCEL', job, made_by, why);
  END IF;
  UPDATE cassette_step_states s SET status = 'CANCELLED' WHERE s.job_id = job AND s.status = 'PENDING';
  GET DIAGNOSTICS cancelled = ROW_COUNT;
  SELECT count(*) INTO running FROM cassette_step_states s WHERE s.job_id = job AND s.status = 'LEASED';
  RETURN NEXT;
END $$;

-- Decide a job's place in the queue: its priority, when it may start, and what keys its steps have (JSON, by ordinal).
-- NULL leaves things as they are. How many steps are still open.
CREATE FUNCTION cassette_schedule(job text, made_by text, why text, priority integer, starts_at bigint, keys text)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := cassette_now();
  chosen json := keys::json;
  changed integer;
BEGIN
  PERFORM 1 FROM cassette_jobs j WHERE j.job_id = job FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no job %', job USING ERRCODE = 'CA001';
  ELSIF NOT EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = job AND s.status IN ('PENDING', 'LEASED')) THEN
    RAISE EXCEPTION 'job % has ended already', job USING ERRCODE = 'CA008';
  END IF;
  PERFORM cassette_act('SCHEDULE', job, made_by, why, priority, starts_at, (
    SELECT E'\n' || string_agg(k.key || '=' || k.value, E'\n' ORDER BY k.key::integer) || E'\n'
    FROM json_each_text(chosen) k));
  UPDATE cassette_step_states s
  SET rank = coalesce(-cassette_schedule.priority, s.rank), starts_at = coalesce(cassette_schedule.starts_at, s.starts_at),
      hold = CASE WHEN s.status = 'LEASED' OR s.hold <> 'TIME' OR coalesce(cassette_schedule.starts_at, s.starts_at) = s.starts_at
                    THEN s.hold
                  WHEN cassette_schedule.starts_at > now_ms THEN 'TIME' END,
      wake_at = CASE WHEN s.status = 'LEASED' OR s.hold <> 'TIME'
                       OR coalesce(cassette_schedule.starts_at, s.starts_at) = s.starts_at THEN s.wake_at
                     WHEN cassette_schedule.starts_at > now_ms THEN cassette_schedule.starts_at END,
      hold_since = CASE WHEN coalesce(cassette_schedule.starts_at, s.starts_at) = s.starts_at THEN s.hold_since END
  WHERE s.job_id = job AND s.status IN ('PENDING', 'LEASED')
    AND (s.rank <> -cassette_schedule.priority OR s.starts_at <> cassette_schedule.starts_at);
  UPDATE cassette_step_states s SET limit_key = k.value FROM json_each_text(chosen) k
  WHERE s.job_id = job AND s.ordinal = k.key::integer AND s.status IN ('PENDING', 'LEASED');
  SELECT count(*) INTO changed FROM cassette_step_states s WHERE s.job_id = job AND s.status IN ('PENDING', 'LEASED');
  RETURN changed;
END $$;

-- The same for whoever posts, about the job that it posts in this very transaction.
CREATE FUNCTION cassette_schedule_posted(job text, made_by text, priority integer, starts_at bigint, keys text)
RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = job AND j.xmin = pg_current_xact_id()::xid) THEN
    RAISE EXCEPTION 'cassette: a job is scheduled with its post, or by an operator' USING ERRCODE = 'CA000';
  END IF;
  RETURN cassette_schedule(job, made_by, 'posted so', priority, starts_at, keys);
END $$;

-- Put back at once what these workers hold: for an operator who knows that they are dead.
CREATE FUNCTION cassette_requeue_of(workers text[], made_by text, why text)
RETURNS TABLE (worker_id text, job_id text, ordinal integer, became text) LANGUAGE plpgsql AS $$
DECLARE
  held record;
BEGIN
  FOR held IN
    SELECT s.job_id, s.ordinal, s.fence, s.worker_id FROM cassette_step_states s
    WHERE s.status = 'LEASED' AND s.worker_id = ANY (workers) ORDER BY s.job_id, s.ordinal
  LOOP
    PERFORM 1 FROM cassette_jobs j WHERE j.job_id = held.job_id FOR NO KEY UPDATE;
    CONTINUE WHEN NOT EXISTS (SELECT 1 FROM cassette_step_states s
                              WHERE s.job_id = held.job_id AND s.ordinal = held.ordinal AND s.fence = held.fence
                                AND s.status = 'LEASED');
    PERFORM cassette_act('REQUEUE', held.job_id, made_by, why, step => held.ordinal, token => held.fence,
                         worker => held.worker_id);
    UPDATE cassette_step_states s
    SET status = cassette_given_back(s.job_id, s.attempts, d.max_attempts), worker_id = NULL, lease_expires_at = NULL,
        lease_ms = NULL, ticket = NULL
    FROM cassette_step_definitions d
    WHERE s.job_id = held.job_id AND s.ordinal = held.ordinal AND d.job_id = s.job_id AND d.ordinal = s.ordinal
    RETURNING held.worker_id, s.job_id, s.ordinal, s.status INTO worker_id, job_id, ordinal, became;
    RETURN NEXT;
  END LOOP;
END $$;

-- Set a limit, or with no number at all take it away.
CREATE FUNCTION cassette_set_limit(in_scope text, what text, most_at_once integer, most_per_minute integer, made_by text,
                                   why text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE cassette_limits IN SHARE ROW EXCLUSIVE MODE;
  PERFORM cassette_act('LIMIT', NULL, made_by, why, details => '{"at_once":' || coalesce(most_at_once::text, 'null')
    || ',"name":' || cassette_quoted(what) || ',"per_minute":' || coalesce(most_per_minute::text, 'null')
    || ',"scope":' || cassette_quoted(in_scope) || '}');
  IF most_at_once IS NULL AND most_per_minute IS NULL THEN
    DELETE FROM cassette_limits l WHERE l.scope = in_scope AND l.name = what;
  ELSE
    INSERT INTO cassette_limits (scope, name, at_once, per_minute)
    VALUES (in_scope, what, most_at_once, most_per_minute)
    ON CONFLICT (scope, name) DO UPDATE SET at_once = excluded.at_once, per_minute = excluded.per_minute;
  END IF;
END $$;

-- What was decided about a job leaves the ledger with it.
CREATE OR REPLACE FUNCTION cassette_is_archived(place text, gone jsonb) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF place = 'cassette_messages' THEN
    RETURN EXISTS (SELECT 1 FROM cassette_archived_jobs a WHERE a.message_id = gone ->> 'message_id');
  ELSIF place = 'cassette_seals' THEN
    RETURN EXISTS (SELECT 1 FROM cassette_archives a WHERE a.run_id = gone ->> 'run_id')
      AND NOT EXISTS (SELECT 1 FROM cassette_seal_leaves l WHERE l.run_id = gone ->> 'run_id');
  ELSIF place IN ('cassette_jobs', 'cassette_plans', 'cassette_step_definitions', 'cassette_step_dependencies',
                  'cassette_step_states', 'cassette_step_events', 'cassette_receipts', 'cassette_seal_leaves',
                  'cassette_actions') THEN
    RETURN EXISTS (SELECT 1 FROM cassette_archived_jobs a WHERE a.job_id = gone ->> 'job_id');
  END IF;
  RETURN false;
END $$;

CREATE OR REPLACE FUNCTION cassette_archive(run text, names text[], bundle text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  number bigint;
  firsts bigint[];
  lasts bigint[];
BEGIN
  LOCK TABLE cassette_checkpoints IN SHARE ROW EXCLUSIVE MODE;
  IF cardinality(names) = 0
     OR (SELECT array_agg(j.job_id ORDER BY j.job_id COLLATE "C") FROM cassette_jobs j WHERE j.run_id = run)
        IS DISTINCT FROM (SELECT array_agg(n.name ORDER BY n.name COLLATE "C") FROM unnest(names) AS n (name)) THEN
    RAISE EXCEPTION 'run % has other jobs than those in the bundle', run USING ERRCODE = 'CA000';
  END IF;
  IF EXISTS (SELECT 1 FROM cassette_step_states s
             WHERE s.job_id = ANY (names) AND s.status IN ('PENDING', 'LEASED')) THEN
    RAISE EXCEPTION 'run % is not finished', run USING ERRCODE = 'CA000';
  END IF;
  IF EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = ANY (names)
             AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'post' AND l.seq = j.message_seq))
     OR EXISTS (SELECT 1 FROM cassette_step_events e WHERE e.job_id = ANY (names)
                AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'event' AND l.seq = e.seq)) THEN
    RAISE EXCEPTION 'run % is not wholly in the log', run USING ERRCODE = 'CA000';
  END IF;
  IF EXISTS (SELECT 1 FROM cassette_plans p WHERE p.parent_job_id = ANY (names) AND p.job_id <> ALL (names)) THEN
    RAISE EXCEPTION 'a job of run % has a child in another run', run USING ERRCODE = 'CA000';
  END IF;
  SELECT coalesce(max(a.archive_id), 0) + 1 INTO number FROM cassette_archives a;
  SELECT array_agg(i.first_index ORDER BY i.first_index), array_agg(i.last_index ORDER BY i.first_index)
    INTO firsts, lasts
    FROM (SELECT min(e.log_index) AS first_index, max(e.log_index) AS last_index
          FROM (SELECT l.log_index, l.log_index - row_number() OVER (ORDER BY l.log_index) AS island
                FROM (SELECT p.log_index FROM cassette_jobs j
                      JOIN cassette_log p ON p.kind = 'post' AND p.seq = j.message_seq WHERE j.job_id = ANY (names)
                      UNION ALL
                      SELECT p.log_index FROM cassette_step_events v
                      JOIN cassette_log p ON p.kind = 'event' AND p.seq = v.seq WHERE v.job_id = ANY (names)) l) e
          GROUP BY e.island) i;
  INSERT INTO cassette_archives (archive_id, run_id, bundle_sha256, jobs, jobs_sha256, entries, places_sha256, created_at)
  SELECT number, run, bundle, cardinality(names), cassette_sha256('["archived-jobs/1",' || (
           SELECT string_agg('[' || to_json(j.job_id)::text || ',' || to_json(j.message_id)::text || ']', ','
                             ORDER BY j.job_id COLLATE "C") FROM cassette_jobs j WHERE j.job_id = ANY (names)) || ']'),
         sum(p.last_index - p.first_index + 1),
         cassette_sha256('["archived-places/1",' || string_agg('[' || p.first_index || ',' || p.last_index || ']', ','
                                                             ORDER BY p.first_index) || ']'), cassette_now()
  FROM unnest(firsts, lasts) AS p (first_index, last_index);
  INSERT INTO cassette_archived_jobs (job_id, message_id, archive_id)
  SELECT j.job_id, j.message_id, number FROM cassette_jobs j WHERE j.job_id = ANY (names);
  INSERT INTO cassette_archived_places (first_index, last_index, archive_id)
  SELECT p.first_index, p.last_index, number FROM unnest(firsts, lasts) AS p (first_index, last_index);
  DELETE FROM cassette_seal_leaves l WHERE l.run_id = run;
  DELETE FROM cassette_seals s WHERE s.run_id = run;
  DELETE FROM cassette_actions a WHERE a.job_id = ANY (names);
  DELETE FROM cassette_receipts r WHERE r.job_id = ANY (names);
  DELETE FROM cassette_step_events e WHERE e.job_id = ANY (names);
  DELETE FROM cassette_step_states s WHERE s.job_id = ANY (names);
  DELETE FROM cassette_step_dependencies d WHERE d.job_id = ANY (names);
  DELETE FROM cassette_step_definitions d WHERE d.job_id = ANY (names);
  DELETE FROM cassette_plans p WHERE p.job_id = ANY (names);
  DELETE FROM cassette_jobs j WHERE j.job_id = ANY (names);
  DELETE FROM cassette_messages m USING cassette_archived_jobs a
    WHERE m.message_id = a.message_id AND a.job_id = ANY (names);
  RETURN number;
END $$;

-- Who may call what.
CREATE OR REPLACE FUNCTION cassette_rights() RETURNS TABLE (part text, routine text) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('reader', 'cassette_now'), ('reader', 'cassette_rights'),
         ('planner', 'cassette_post'), ('planner', 'cassette_schedule_posted'),
         ('worker', 'cassette_claim'), ('worker', 'cassette_heartbeat'), ('worker', 'cassette_complete'),
         ('worker', 'cassette_requeue'), ('worker', 'cassette_checkpoint'), ('worker', 'cassette_worker_seen'),
         ('sealer', 'cassette_lock_seals'), ('sealer', 'cassette_add_seal'), ('sealer', 'cassette_checkpoint'),
         ('sealer', 'cassette_sign_checkpoint'),
         ('operator', 'cassette_cancel'), ('operator', 'cassette_schedule'), ('operator', 'cassette_requeue'),
         ('operator', 'cassette_requeue_of'), ('operator', 'cassette_set_limit')
$$;

CREATE OR REPLACE FUNCTION cassette_grant(role text, VARIADIC parts text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  home regnamespace := (SELECT c.relnamespace FROM pg_class c WHERE c.oid = 'cassette_jobs'::regclass);
  found record;
BEGIN
  IF NOT parts <@ (SELECT array_agg(r.part) FROM cassette_rights() r) OR cardinality(parts) = 0 THEN
    RAISE EXCEPTION 'cassette: the parts are %', (SELECT string_agg(DISTINCT r.part, ', ') FROM cassette_rights() r)
      USING ERRCODE = 'CA000';
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %s TO %I', home, role);
  FOR found IN SELECT c.oid::regclass AS name FROM pg_class c
               WHERE c.relnamespace = home AND c.relkind IN ('r', 'v') AND starts_with(c.relname, 'cassette_') LOOP
    EXECUTE format('GRANT SELECT ON %s TO %I', found.name, role);
  END LOOP;
  FOR found IN SELECT DISTINCT p.oid::regprocedure AS name FROM pg_proc p JOIN cassette_rights() r ON r.routine = p.proname
               WHERE p.pronamespace = home AND (r.part = ANY (parts) OR r.part = 'reader') LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', found.name, role);
  END LOOP;
END $$;

-- For the end of a migration: functions that were made anew are closed like all others, and roles keep their parts, with
-- what these parts have since then. A part is known by a function that no other has.
CREATE OR REPLACE FUNCTION cassette_renew_rights() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  home regnamespace := (SELECT c.relnamespace FROM pg_class c WHERE c.oid = 'cassette_jobs'::regclass);
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
  FOR found IN
    SELECT g.rolname, array_agg(DISTINCT k.part) AS parts
    FROM (VALUES ('cassette_now', 'reader'), ('cassette_post', 'planner'), ('cassette_heartbeat', 'worker'),
                 ('cassette_lock_seals', 'sealer'), ('cassette_cancel', 'operator')) AS k (routine, part)
    JOIN pg_proc p ON p.pronamespace = home AND p.proname = k.routine
    CROSS JOIN LATERAL aclexplode(p.proacl) a
    JOIN pg_roles g ON g.oid = a.grantee
    WHERE a.grantee <> p.proowner
    GROUP BY g.rolname
  LOOP
    PERFORM cassette_grant(found.rolname, VARIADIC found.parts);
  END LOOP;
END $$;

SELECT cassette_renew_rights();
