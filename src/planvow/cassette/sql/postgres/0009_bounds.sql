-- Nothing is decided from an old snapshot. In a transaction that goes on reading what was there when it began, a worker
-- handed a step back to a job that had been cancelled meanwhile, so that others ran it: moves, posts, notes and actions
-- are made where every statement sees what was committed before it.

CREATE OR REPLACE FUNCTION cassette_message_announced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'cassette: this is written in a read committed transaction' USING ERRCODE = 'CA000';
  END IF;
  PERFORM pg_current_xact_id();
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION cassette_step_state_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed boolean := false;
  proof text;
  failed_at bigint;
  again_at bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'cassette: a step moves in a read committed transaction' USING ERRCODE = 'CA000';
  END IF;
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

-- A lease has an end that somebody may live to see. One of 5e18 ms made the question whether it had run out overflow, in
-- everybody's claims; rows from before may have it, so the question is put in a way that does not.
ALTER TABLE cassette_step_states
  ADD CONSTRAINT lease_is_bounded CHECK (lease_ms BETWEEN 0 AND 604800000) NOT VALID; -- a week
CREATE OR REPLACE FUNCTION cassette_run_out(lease_expires_at bigint, lease_ms bigint, now_ms bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT lease_expires_at OPERATOR(pg_catalog.<=) now_ms
    OR ((lease_expires_at OPERATOR(pg_catalog.-) now_ms OPERATOR(pg_catalog.-) 1) OPERATOR(pg_catalog./) 2)
       OPERATOR(pg_catalog.>=) lease_ms
$$;

-- Who a worker says it is, others read: names of a length and of letters that they can show, and no wait without end.
CREATE OR REPLACE FUNCTION cassette_worker_seen(worker text, machine text, boot text, pid integer, waiting_ms bigint,
                                                ended boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := cassette_now();
BEGIN
  IF worker !~ '^[A-Za-z0-9_.:@/+-]{1,128}$' OR length(machine) > 255 OR length(boot) > 255 THEN
    RAISE EXCEPTION 'cassette: this is no name of a worker or a machine' USING ERRCODE = 'CA000';
  END IF;
  INSERT INTO cassette_workers AS w (worker_id, machine, boot, pid, started_at, seen_at, stopped_at, waiting_until, login)
  VALUES (worker, machine, boot, pid, now_ms, now_ms, CASE WHEN ended THEN now_ms END,
          now_ms + CASE WHEN waiting_ms > 604800000 THEN 604800000 ELSE waiting_ms END, session_user)
  ON CONFLICT (worker_id) DO UPDATE
    SET seen_at = now_ms, stopped_at = excluded.stopped_at, waiting_until = excluded.waiting_until
    WHERE w.login = session_user;
  DELETE FROM cassette_workers w WHERE w.worker_id IN (
    SELECT o.worker_id FROM cassette_workers o WHERE o.seen_at < now_ms - 604800000 ORDER BY o.seen_at LIMIT 10);
END $$;

SELECT cassette_renew_rights();
