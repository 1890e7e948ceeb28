-- The same rules in fewer statements. PostgreSQL reads the condition of a trigger anew in each statement, begins the executor
-- for each query of a function, and for each expression with a query in it, even where the query is not reached. A step
-- went through four conditions before each of its two moves, three after, and some fifteen queries.

-- Who may end a lease, which decisions stand and which moves there are was asked by four triggers; one function asks it all.
DROP TRIGGER decided ON cassette_step_states;
DROP TRIGGER held ON cassette_step_states;
DROP TRIGGER moves ON cassette_step_states;
DROP TRIGGER waits ON cassette_step_states;
DROP TRIGGER moved ON cassette_step_states;
DROP TRIGGER wake_for_ready ON cassette_step_states;
DROP TRIGGER wake_for_ended ON cassette_step_states;
DROP FUNCTION cassette_step_state_decided();
DROP FUNCTION cassette_step_state_held();
DROP FUNCTION cassette_step_state_waits();
DROP FUNCTION cassette_lease_has_run_out(bigint);
DROP FUNCTION cassette_limit_for(text, text);

-- Whether a decision makes this move. No other move changes what is asked or allowed about a step.
CREATE FUNCTION cassette_decision_moves(before cassette_step_states, after cassette_step_states) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT coalesce(after.job_id = before.job_id AND after.ordinal = before.ordinal AND after.run_id = before.run_id
    AND after.message_seq = before.message_seq AND after.op = before.op AND after.fence = before.fence
    AND after.attempts = before.attempts AND after.failures = before.failures AND after.not_before = before.not_before
    AND after.worker_id IS NULL AND after.lease_expires_at IS NULL AND after.lease_ms IS NULL
    AND before.status = 'PENDING', false) THEN
    RETURN false;
  ELSIF after.status = 'PENDING' THEN
    RETURN after.waiting_for >= after.questions
      AND after.waiting_for - after.questions = before.waiting_for - before.questions
      AND after.questions = cassette_open_questions(after.job_id, after.ordinal)
      AND after.approved_until IS NOT DISTINCT FROM (
        SELECT min(d.expires_at) FROM cassette_decisions d
        WHERE d.job_id = after.job_id AND d.ordinal IN (0, after.ordinal) AND d.kind = 'approval')
      AND (after.waiting_for > 0 OR NOT EXISTS (
        SELECT 1 FROM cassette_step_dependencies d
        WHERE d.job_id = after.job_id AND d.ordinal = after.ordinal AND 'COMMITTED' IS DISTINCT FROM (
          SELECT n.status FROM cassette_step_states n WHERE n.job_id = d.job_id AND n.ordinal = d.needs_ordinal)));
  END IF;
  RETURN after.status = 'FAILED' AND after.waiting_for = before.waiting_for AND after.questions = before.questions
    AND after.approved_until IS NOT DISTINCT FROM before.approved_until
    AND after.approval_sha256 IS NOT DISTINCT FROM before.approval_sha256
    AND EXISTS (SELECT 1 FROM cassette_decisions d
                WHERE d.job_id = before.job_id AND d.ordinal IN (0, before.ordinal) AND d.kind = 'denial');
END $$;

-- Whether a step may wait so: a step of its own accord waits for nothing, or for one dependency fewer.
CREATE FUNCTION cassette_wait_moves(before cassette_step_states, after cassette_step_states) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF after.hold IS DISTINCT FROM before.hold THEN
    RETURN after.waiting_for = before.waiting_for AND cassette_hold_moves(before, after);
  END IF;
  RETURN after.waiting_for = before.waiting_for - 1 AND after.waiting_for >= 0
    AND (after.waiting_for > 0 OR NOT EXISTS (
      SELECT 1 FROM cassette_step_dependencies d
      WHERE d.job_id = after.job_id AND d.ordinal = after.ordinal AND 'COMMITTED' IS DISTINCT FROM (
        SELECT n.status FROM cassette_step_states n WHERE n.job_id = d.job_id AND n.ordinal = d.needs_ordinal)));
END $$;

-- Whether a lease may end so. It needs the receipt that says so, or must have run out or have been put back. A job whose
-- step is completed as it should is asked for nothing but that receipt.
CREATE FUNCTION cassette_lease_ends(before cassette_step_states, after cassette_step_states, proof text, failed_at bigint,
                                    again_at bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF after.status = 'FAILED' THEN
    RETURN proof = 'FAILURE' AND after.failures = before.failures + 1 AND after.not_before = before.not_before;
  ELSIF after.status = 'PENDING' AND proof IS NOT NULL THEN -- handed back, or to be tried again
    RETURN NOT cassette_job_cancelled(before.job_id)
      AND ((proof = 'ABORTED' AND after.failures = before.failures AND after.not_before = before.not_before
            AND after.hold IS NULL)
           OR (proof = 'FAILURE' AND after.failures = before.failures + 1 AND after.not_before = again_at
               AND (again_at = failed_at) = (after.hold IS NULL)
               AND (after.hold IS NULL
                    OR (after.hold = 'TIME' AND after.wake_at = again_at AND after.hold_since = failed_at))));
  ELSIF after.status = 'SKIPPED' AND proof IS NOT NULL THEN
    RETURN proof = 'ABORTED' AND after.failures = before.failures AND after.not_before = before.not_before
      AND cassette_job_aborted(before.job_id);
  ELSIF after.status = 'CANCELLED' AND proof IS NOT NULL THEN
    RETURN after.not_before = before.not_before AND cassette_job_cancelled(before.job_id)
      AND ((proof = 'ABORTED' AND after.failures = before.failures)
           OR (proof = 'FAILURE' AND again_at IS NOT NULL AND after.failures = before.failures + 1));
  END IF;
  RETURN after.failures = before.failures AND after.not_before = before.not_before AND after.hold IS NULL
    AND (cassette_run_out(before.lease_expires_at, before.lease_ms, cassette_now())
         OR cassette_put_back(before.job_id, before.ordinal, before.fence))
    AND after.status = cassette_given_back(before.job_id, before.attempts, (
      SELECT d.max_attempts FROM cassette_step_definitions d
      WHERE d.job_id = before.job_id AND d.ordinal = before.ordinal));
END $$;

-- The moves of a step, all of them. Anything else is refused, NULLs included. A lease belongs to the login it was claimed
-- through. Others may move it in the queue, and put it back when it has run out or an operator has decided so. What every
-- step goes through comes first.
CREATE OR REPLACE FUNCTION cassette_step_state_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed boolean := false;
  proof text;
  failed_at bigint;
  again_at bigint;
BEGIN
  IF OLD.status = 'LEASED' THEN
    IF OLD.held_by <> session_user
       AND NOT (NEW.status = 'LEASED' AND NEW.lease_expires_at = OLD.lease_expires_at AND NEW.lease_ms = OLD.lease_ms) THEN
      IF NEW.status = 'LEASED'
         OR NOT (cassette_run_out(OLD.lease_expires_at, OLD.lease_ms, cassette_now())
                 OR cassette_put_back(OLD.job_id, OLD.ordinal, OLD.fence))
         OR EXISTS (SELECT 1 FROM cassette_receipts r
                    WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal AND r.fence = OLD.fence) THEN
        RAISE EXCEPTION 'step % of % was leased through the login %, not through %', OLD.ordinal, OLD.job_id, OLD.held_by,
          session_user USING ERRCODE = 'CA003';
      END IF;
    END IF;
    NEW.held_by := CASE WHEN NEW.status = 'LEASED' THEN OLD.held_by END;
  ELSIF NEW.status = 'LEASED' THEN
    NEW.held_by := session_user;
  END IF;
  IF NEW.questions <> OLD.questions OR NEW.approved_until IS DISTINCT FROM OLD.approved_until
     OR NEW.approval_sha256 IS DISTINCT FROM OLD.approval_sha256
     OR (OLD.status = 'PENDING' AND NEW.status = 'FAILED') THEN
    IF NOT coalesce(cassette_decision_moves(OLD, NEW), false) THEN
      RAISE EXCEPTION 'cassette: no decision makes this move' USING ERRCODE = 'CA000';
    END IF;
    allowed := true;
  ELSIF NEW.job_id = OLD.job_id AND NEW.ordinal = OLD.ordinal AND NEW.run_id = OLD.run_id
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
      ELSE
        allowed := cassette_lease_ends(OLD, NEW, proof, failed_at, again_at);
      END IF;
    ELSIF OLD.status = 'PENDING' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before THEN
      IF NEW.status = 'PENDING' THEN
        allowed := cassette_wait_moves(OLD, NEW);
      ELSIF NEW.status = 'SKIPPED' THEN
        allowed := NEW.waiting_for = OLD.waiting_for
          AND EXISTS (SELECT 1 FROM cassette_step_states b
                      WHERE b.job_id = OLD.job_id AND b.status IN ('FAILED', 'DEAD'));
      ELSIF NEW.status = 'CANCELLED' THEN
        allowed := NEW.waiting_for = OLD.waiting_for AND cassette_job_cancelled(OLD.job_id);
      END IF;
    END IF;
  END IF;
  IF NOT coalesce(allowed, false) THEN
    RAISE EXCEPTION 'cassette: % to % is not a move a step can make', OLD.status, NEW.status USING ERRCODE = 'CA000';
  END IF;
  IF (NEW.status = 'PENDING' AND NEW.waiting_for < NEW.questions)
     OR (NEW.status = 'LEASED' AND OLD.status = 'PENDING'
         AND (OLD.questions > 0 OR OLD.approved_until <= cassette_now())) THEN
    RAISE EXCEPTION 'cassette: step % of % waits for a decision', NEW.ordinal, NEW.job_id USING ERRCODE = 'CA000';
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

-- What follows from a move: dependants come nearer, or are given up; and whoever waits is woken when a step has become
-- ready, a place under a limit has become free, or the last step of a job has ended.
CREATE OR REPLACE FUNCTION cassette_step_state_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  behind integer[];
  awaited boolean := false;
BEGIN
  IF NEW.status = 'COMMITTED' THEN
    SELECT array_agg(d.ordinal), EXISTS (SELECT 1 FROM cassette_workers w WHERE w.waiting_until > cassette_now())
      INTO behind, awaited FROM cassette_step_dependencies d
      WHERE d.job_id = NEW.job_id AND d.needs_ordinal = NEW.ordinal;
    IF behind IS NOT NULL THEN
      UPDATE cassette_step_states SET waiting_for = waiting_for - 1
      WHERE job_id = NEW.job_id AND ordinal = ANY (behind) AND status = 'PENDING';
    END IF;
  ELSE
    IF NEW.status IN ('FAILED', 'DEAD') THEN
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
    IF (NEW.status = 'PENDING' AND NEW.waiting_for = 0 AND NEW.hold IS NULL)
       OR (OLD.status = 'LEASED' AND NEW.status <> 'PENDING') THEN
      awaited := EXISTS (SELECT 1 FROM cassette_workers w WHERE w.waiting_until > cassette_now());
    END IF;
  END IF;
  IF awaited THEN
    PERFORM pg_notify('planvow_' || left(TG_TABLE_SCHEMA, 50), '');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER moved AFTER UPDATE ON cassette_step_states
  FOR EACH ROW WHEN (NEW.status <> 'LEASED') EXECUTE FUNCTION cassette_step_state_moved();

-- A receipt needs the lease it speaks of, continues the chain of its job and stays inside the job's bytes, as before. One
-- that stands already is not written again: nothing changes, and whoever completes looks it up.
CREATE OR REPLACE FUNCTION cassette_receipt_linked() RETURNS trigger LANGUAGE plpgsql AS $$
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
    IF EXISTS (SELECT 1 FROM cassette_receipts r
               WHERE r.job_id = NEW.job_id AND r.ordinal = NEW.ordinal AND r.fence = NEW.fence) THEN
      RETURN NULL;
    END IF;
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
  IF NEW.bytes_used > 0 THEN
    IF NEW.bytes_total > (SELECT j.max_bytes FROM cassette_jobs j WHERE j.job_id = NEW.job_id) THEN
      RAISE EXCEPTION 'cassette: the job has used up its bytes' USING ERRCODE = 'CA006';
    END IF;
  END IF;
  NEW.receipt_json_sha256 := encode(sha256(convert_to(NEW.receipt_json, 'UTF8')), 'hex');
  NEW.sha256 := encode(sha256(convert_to(concat(
    '["receipt/1","', NEW.prev_sha256, '","', NEW.job_id, '",', NEW.ordinal, ',', NEW.fence, ',',
    NEW.chain_seq, ',"', NEW.worker_id, '","', NEW.outcome, '","', NEW.receipt_json_sha256, '",',
    NEW.bytes_used, ',', NEW.bytes_total, ',', coalesce(NEW.retry_after_ms::text, 'null'), ',',
    NEW.created_at, ']'), 'UTF8')), 'hex');
  NEW.receipt_id := 'rcpt_' || left(NEW.sha256, 32);
  RETURN NEW;
END $$;

-- The job's row is locked by the statement that writes the receipt: triggers see what was committed while it waited.
CREATE OR REPLACE FUNCTION cassette_complete(run text, job text, step integer, token bigint, worker text, result text,
                                             body text, used bigint, again_after_ms bigint)
RETURNS cassette_receipts LANGUAGE plpgsql AS $$
DECLARE
  receipt cassette_receipts;
  next_status text;
  waits boolean;
BEGIN
  INSERT INTO cassette_receipts (receipt_id, job_id, ordinal, fence, chain_seq, worker_id, outcome, receipt_json,
    receipt_json_sha256, bytes_used, bytes_total, retry_after_ms, prev_sha256, sha256, created_at)
  SELECT '', j.job_id, step, token, 1, worker, result, body, '', used, used, again_after_ms, '', '', 0
  FROM cassette_jobs j WHERE j.job_id = job FOR NO KEY UPDATE
  RETURNING * INTO receipt; -- the trigger fills in the chain
  IF NOT FOUND THEN
    SELECT * INTO receipt FROM cassette_receipts r WHERE r.job_id = job AND r.ordinal = step AND r.fence = token;
    IF NOT FOUND THEN
      PERFORM cassette_check_held(run, job, step, token, worker);
      RAISE EXCEPTION 'cassette: a receipt needs the current lease' USING ERRCODE = 'CA000';
    END IF;
    RETURN receipt; -- sent before; the caller compares
  END IF;
  IF result = 'SUCCESS' THEN
    UPDATE cassette_step_states s
    SET status = 'COMMITTED', worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL, ticket = NULL,
        hold = NULL, wake_at = NULL, hold_since = NULL
    WHERE s.job_id = job AND s.ordinal = step AND s.fence = token AND s.worker_id = worker AND s.status = 'LEASED'
      AND s.run_id = run;
  ELSE
    next_status := CASE
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
  END IF;
  IF NOT FOUND THEN -- the receipt goes with the transaction
    PERFORM cassette_check_held(run, job, step, token, worker);
    RAISE EXCEPTION 'cassette: a receipt needs the current lease' USING ERRCODE = 'CA000';
  END IF;
  RETURN receipt;
END $$;

-- Limits, as before, without asking for one twice.
CREATE OR REPLACE FUNCTION cassette_limit_reached(in_scope text, what text, now_ms bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  most record;
  running integer;
  begun bigint;
BEGIN
  SELECT l.at_once, l.per_minute INTO most FROM cassette_limits l WHERE l.scope = in_scope AND l.name = what;
  IF NOT FOUND AND in_scope = 'key' THEN
    SELECT l.at_once, l.per_minute INTO most FROM cassette_limits l WHERE l.scope = 'key' AND l.name = '*';
  END IF;
  IF most.at_once IS NOT NULL THEN
    IF in_scope = 'operation' THEN
      SELECT count(*) INTO running FROM (
        SELECT 1 FROM cassette_step_states s WHERE s.status = 'LEASED' AND s.fence > 0 AND s.op = what LIMIT most.at_once) r;
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

-- Lock the rows of the limits on a step; false when a claim that holds some already would have to wait. A step without a
-- key is under no limit of keys.
CREATE OR REPLACE FUNCTION cassette_lock_limits(operation text, key text, waiting boolean) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  wanted text := key;
BEGIN
  IF NOT cassette_lock_limit('operation', operation, waiting) THEN
    RETURN false;
  ELSIF key IS NULL THEN
    RETURN true;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM cassette_limits l WHERE l.scope = 'key' AND l.name = key) THEN
    wanted := '*';
  END IF;
  RETURN cassette_lock_limit('key', wanted, waiting);
END $$;

CREATE FUNCTION cassette_lock_limit(in_scope text, what text, waiting boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF waiting THEN
    PERFORM 1 FROM cassette_limits l WHERE l.scope = in_scope AND l.name = what FOR UPDATE;
    RETURN true;
  END IF;
  PERFORM 1 FROM cassette_limits l WHERE l.scope = in_scope AND l.name = what FOR UPDATE SKIP LOCKED;
  RETURN FOUND OR NOT EXISTS (SELECT 1 FROM cassette_limits l WHERE l.scope = in_scope AND l.name = what);
END $$;

CREATE OR REPLACE FUNCTION cassette_count_start(in_scope text, what text, now_ms bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  most integer;
  last bigint;
BEGIN
  SELECT l.per_minute INTO most FROM cassette_limits l WHERE l.scope = in_scope AND l.name = what;
  IF NOT FOUND AND in_scope = 'key' THEN
    SELECT l.per_minute INTO most FROM cassette_limits l WHERE l.scope = 'key' AND l.name = '*';
  END IF;
  IF most IS NOT NULL THEN
    SELECT coalesce(max(b.number), 0) INTO last FROM cassette_limit_starts b WHERE b.scope = in_scope AND b.name = what;
    INSERT INTO cassette_limit_starts (scope, name, number, at) VALUES (in_scope, what, last + 1, now_ms);
    DELETE FROM cassette_limit_starts b
    WHERE b.scope = in_scope AND b.name = what AND b.number <= last + 1 - most AND b.at <= now_ms - 60000;
  END IF;
END $$;

-- Whether anything is due, for a session that has never looked, or whose clock has gone back.
CREATE FUNCTION cassette_anything_due(now_ms bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at <= now_ms)
    OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND approved_until <= now_ms)
    OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND wake_at <= now_ms)
    OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND hold_since IS NOT NULL
                 AND hold_since > now_ms)
    OR coalesce((SELECT cassette_run_out(s.lease_expires_at, s.lease_ms, now_ms) FROM cassette_step_states s
                 WHERE s.status = 'LEASED' ORDER BY s.lease_expires_at DESC LIMIT 1), false);
END $$;

-- Claiming, as before. One look says whether there are limits, whether a lease has run out, a step has slept long enough or
-- an approval has ended, and, for a worker of some operations, what is first in the queue. A session remembers, to the
-- second, when it last found nothing due, and passes over what was due more than a minute before that. Where neither a run,
-- a job nor a limit is asked for, picking and leasing are one statement.
CREATE OR REPLACE FUNCTION cassette_claim(worker text, run text, job text, operations text[], lease_ms bigint, how_many integer,
                               spread boolean, relaxed boolean, ticket bigint DEFAULT NULL, again boolean DEFAULT false)
RETURNS SETOF cassette_claimed LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := cassette_now();
  looked bigint := nullif(current_setting('planvow.looked', true), '')::bigint;
  due boolean;
  taken cassette_claimed;
  only_rank integer;
  only_seq bigint;
  from_rank integer;
  from_seq bigint;
  from_ordinal integer;
  oldest text;
  limited boolean;
  picked_job text;
  picked integer;
  given integer := 0;
  lapsed boolean := false;
  plain boolean;
  unused text; -- assigning costs less than PERFORM
BEGIN
  IF relaxed THEN
    unused := set_config('synchronous_commit', 'off', true);
  END IF;
  SELECT EXISTS (SELECT 1 FROM cassette_limits),
      EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at <= now_ms
                AND lease_expires_at > looked - 60000)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND wake_at <= now_ms
                   AND wake_at > looked - 60000)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND approved_until <= now_ms
                   AND approved_until > looked - 60000),
      f.op, f.rank, f.message_seq, f.ordinal
    INTO limited, due, oldest, from_rank, from_seq, from_ordinal
    FROM (VALUES (1)) AS once
    LEFT JOIN LATERAL (SELECT s.op, s.rank, s.message_seq, s.ordinal FROM cassette_step_states s
                       WHERE operations IS NOT NULL AND job IS NULL
                         AND s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL
                       ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1) f ON true;
  IF looked IS NULL OR looked > now_ms THEN
    looked := NULL;
    due := cassette_anything_due(now_ms);
  END IF;
  IF due THEN
    unused := set_config('planvow.looked', '', false);
    PERFORM cassette_requeue();
    PERFORM cassette_lapse();
    PERFORM cassette_rouse(now_ms);
    SELECT s.op, s.rank, s.message_seq, s.ordinal INTO oldest, from_rank, from_seq, from_ordinal
      FROM cassette_step_states s WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL
      ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1;
  ELSIF looked IS NULL OR looked < now_ms - 1000 THEN
    unused := set_config('planvow.looked', now_ms::text, false);
  END IF;
  IF again AND how_many > 0 THEN
    RETURN QUERY SELECT s.run_id, s.job_id, s.ordinal, s.fence, s.attempts, s.failures, s.lease_expires_at, d.step_id,
        d.op, d.payload_json, d.on_error, d.retry_count, d.output_key, s.approval_sha256
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
    SELECT s.op, s.rank, s.message_seq, s.ordinal INTO oldest, from_rank, from_seq, from_ordinal
    FROM cassette_step_states s
    WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL
      AND (s.rank, s.message_seq) >= (only_rank, only_seq)
    ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1;
  END IF;
  IF operations IS NULL AND job IS NULL THEN -- whatever comes first
    from_rank := -2147483648;
    from_seq := 0;
    from_ordinal := 0;
  END IF;
  plain := NOT limited AND run IS NULL AND job IS NULL AND NOT spread;
  IF oldest <> ALL (operations) AND NOT limited THEN
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
  WHILE given < how_many AND (limited OR from_seq IS NOT NULL) LOOP
    IF plain THEN
      WITH first AS MATERIALIZED (
        SELECT s.job_id, s.ordinal FROM cassette_step_states s
        WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL
          AND (s.rank, s.message_seq, s.ordinal) >= (from_rank, from_seq, from_ordinal)
          AND (operations IS NULL OR s.op = ANY (operations))
        ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1 FOR UPDATE SKIP LOCKED)
      UPDATE cassette_step_states s
      SET status = 'LEASED', fence = s.fence + 1, attempts = s.attempts + 1, worker_id = worker,
          lease_expires_at = now_ms + cassette_claim.lease_ms, lease_ms = cassette_claim.lease_ms,
          ticket = cassette_claim.ticket
      FROM first, cassette_step_definitions d
      WHERE s.job_id = first.job_id AND s.ordinal = first.ordinal AND d.job_id = first.job_id AND d.ordinal = first.ordinal
        AND (s.approved_until IS NULL OR s.approved_until > cassette_now())
      RETURNING s.run_id, s.job_id, s.ordinal, s.fence, s.attempts, s.failures, s.lease_expires_at, d.step_id, d.op,
                d.payload_json, d.on_error, d.retry_count, d.output_key, s.approval_sha256 INTO taken;
      IF FOUND THEN
        given := given + 1;
        RETURN NEXT taken;
        CONTINUE;
      END IF; -- nothing is left, or an approval has ended: what follows tells
    END IF;
    IF limited THEN
      SELECT p.job_id, p.ordinal INTO picked_job, picked
      FROM cassette_pick_limited(operations, run, only_rank, only_seq, spread AND job IS NULL, given = 0, now_ms) p;
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
      AND (s.approved_until IS NULL OR s.approved_until > cassette_now())
    RETURNING s.run_id, s.job_id, s.ordinal, s.fence, s.attempts, s.failures, s.lease_expires_at, d.step_id, d.op,
              d.payload_json, d.on_error, d.retry_count, d.output_key, s.approval_sha256 INTO taken;
    IF NOT FOUND THEN -- its approval ended while another worker had it
      EXIT WHEN lapsed;
      lapsed := true;
      PERFORM cassette_lapse();
      CONTINUE;
    END IF;
    given := given + 1;
    RETURN NEXT taken;
  END LOOP;
  IF given = 0 THEN
    unused := set_config('planvow.looked', '', false);
  END IF;
END $$;

-- Without statistics the planner thinks a sort of all that waits as good as an index in the right order.
ALTER FUNCTION cassette_claim(text, text, text, text[], bigint, integer, boolean, boolean, bigint, boolean)
  SET enable_sort = off;

SELECT cassette_renew_rights();
