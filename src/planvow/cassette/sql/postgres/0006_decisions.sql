-- The log covers what people decide too: notes (observations, approvals, denials, erasures) and operators' actions each have
-- an entry. And a step costs less: one look tells what is due, approvals included, and the first step in the queue is
-- taken at once where its own limits allow it.

ALTER TABLE cassette_log_state
  ADD COLUMN notes_to bigint NOT NULL DEFAULT 0,
  ADD COLUMN notes_seen bigint NOT NULL DEFAULT 0,
  ADD COLUMN actions_to bigint NOT NULL DEFAULT 0,
  ADD COLUMN actions_seen bigint NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION cassette_log_state_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT coalesce(NEW.only_row = OLD.only_row AND NEW.tree_size >= OLD.tree_size AND NEW.posts_to >= OLD.posts_to
                  AND NEW.events_to >= OLD.events_to AND NEW.notes_to >= OLD.notes_to
                  AND NEW.actions_to >= OLD.actions_to
                  AND NEW.tree_size = (SELECT coalesce(max(l.log_index) + 1, 0) FROM cassette_log l), false) THEN
    RAISE EXCEPTION 'cassette: the log only grows' USING ERRCODE = 'CA000';
  END IF;
  RETURN NEW;
END $$;

-- Like posts, decisions have their transaction's number before their own.
CREATE TRIGGER announced BEFORE INSERT ON cassette_notes
  FOR EACH STATEMENT EXECUTE FUNCTION cassette_message_announced();
CREATE TRIGGER announced BEFORE INSERT ON cassette_actions
  FOR EACH STATEMENT EXECUTE FUNCTION cassette_message_announced();

-- What has no place yet, with its leaf: posts before the moves of their steps, `most` rows of each kind. The texts that are
-- hashed are those of planvow.cassette.ledger.log_entries; ids, statuses, workers and hashes hold nothing that JSON would
-- escape.
CREATE FUNCTION cassette_without_place(state cassette_log_state, most integer)
RETURNS TABLE (kind text, seq bigint, leaf text) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT 'post'::text, p.seq, cassette_sha256('["log-post/1",' || p.seq || ',"' || j.job_id || '","'
      || j.head_sha256 || '"]')
    FROM cassette_messages p JOIN cassette_jobs j ON j.message_seq = p.seq
    WHERE p.seq > state.posts_to AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'post' AND l.seq = p.seq)
    ORDER BY p.seq LIMIT most;
  RETURN QUERY SELECT 'event'::text, e.seq, encode(sha256(convert_to('["log-event/1","' || e.job_id || '",' || e.seq || ','
      || e.ordinal || ',"' || e.from_status || '","' || e.to_status || '",' || e.fence || ','
      || coalesce('"' || e.worker_id || '"', 'null') || ',' || e.at || ','
      || coalesce('"' || (SELECT r.sha256 FROM cassette_receipts r
                          WHERE e.from_status = 'LEASED' AND r.job_id = e.job_id
                            AND r.ordinal = e.ordinal AND r.fence = e.fence) || '"', 'null') || ']', 'UTF8')), 'hex')
    FROM cassette_step_events e
    WHERE e.seq > state.events_to AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'event' AND l.seq = e.seq)
    ORDER BY e.seq LIMIT most;
  RETURN QUERY SELECT 'note'::text, n.seq, cassette_sha256('["log-note/1",' || n.seq || ',"' || n.job_id || '","'
      || n.sha256 || '"]')
    FROM cassette_notes n
    WHERE n.seq > state.notes_to AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'note' AND l.seq = n.seq)
    ORDER BY n.seq LIMIT most;
  RETURN QUERY SELECT 'action'::text, a.seq, cassette_sha256('["log-action/1",' || concat_ws(',', a.seq,
      cassette_quoted(a.kind), cassette_quoted(a.job_id), coalesce(a.ordinal::text, 'null'),
      coalesce(a.fence::text, 'null'), cassette_quoted(a.worker_id), coalesce(a.priority::text, 'null'),
      coalesce(a.starts_at::text, 'null'), cassette_quoted(a.step_keys), cassette_quoted(a.details_json),
      cassette_quoted(a.made_by), cassette_quoted(a.why), cassette_quoted(a.login), a.at) || ']')
    FROM cassette_actions a
    WHERE a.seq > state.actions_to
      AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'action' AND l.seq = a.seq)
    ORDER BY a.seq LIMIT most;
  RETURN QUERY SELECT 'archive'::text, a.archive_id, cassette_sha256('["log-archive/1",' || concat_ws(',', a.archive_id,
      cassette_quoted(a.run_id), cassette_quoted(a.bundle_sha256), a.jobs, cassette_quoted(a.jobs_sha256), a.entries,
      cassette_quoted(a.places_sha256), a.created_at) || ']')
    FROM cassette_archives a
    WHERE NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'archive' AND l.seq = a.archive_id)
    ORDER BY a.archive_id LIMIT most;
END $$;

-- Make a checkpoint, as before.
CREATE OR REPLACE FUNCTION cassette_checkpoint(most integer, wait boolean) RETURNS SETOF cassette_checkpointed
LANGUAGE plpgsql AS $$
DECLARE
  state cassette_log_state;
  done cassette_checkpointed;
  all_ended boolean;
  kinds text[];
  numbers bigint[];
  leaves text[];
  tops bytea[] := '{}';
  node bytea;
  leaf text;
  size bigint;
  rest bigint;
  last record; -- of each kind the last number among these
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'cassette: a checkpoint is made in a read committed transaction' USING ERRCODE = 'CA000';
  END IF;
  BEGIN
    IF wait THEN
      LOCK TABLE cassette_checkpoints IN SHARE ROW EXCLUSIVE MODE;
    ELSE
      LOCK TABLE cassette_checkpoints IN SHARE ROW EXCLUSIVE MODE NOWAIT;
    END IF;
  EXCEPTION WHEN lock_not_available THEN
    RETURN;
  END;
  SELECT * INTO STRICT state FROM cassette_log_state;
  all_ended := coalesce(state.horizon <= pg_snapshot_xmin(pg_current_snapshot()), false); -- looked at before the rows
  SELECT array_agg(f.kind ORDER BY f.place), array_agg(f.seq ORDER BY f.place), array_agg(f.leaf ORDER BY f.place)
    INTO kinds, numbers, leaves
    FROM (SELECT * FROM cassette_without_place(state, most) WITH ORDINALITY AS w (kind, seq, leaf, place) LIMIT most) f;
  IF numbers IS NULL THEN
    RETURN QUERY SELECT c.tree_size, c.root, c.created_at, 0::bigint, false FROM cassette_checkpoints c
      ORDER BY c.tree_size DESC LIMIT 1;
    RETURN;
  END IF;
  done.added := cardinality(numbers);
  done.more := done.added >= most;
  SELECT coalesce(max(n.number) FILTER (WHERE n.kind = 'post'), 0) AS post,
         coalesce(max(n.number) FILTER (WHERE n.kind = 'event'), 0) AS event,
         coalesce(max(n.number) FILTER (WHERE n.kind = 'note'), 0) AS note,
         coalesce(max(n.number) FILTER (WHERE n.kind = 'action'), 0) AS action
    INTO last FROM unnest(kinds, numbers) AS n (kind, number);
  IF all_ended THEN -- all up to those seen before are among these or in the log
    state.posts_to := CASE WHEN done.more AND last.post < state.posts_seen THEN state.posts_to ELSE state.posts_seen END;
    state.events_to := CASE WHEN done.more AND last.event < state.events_seen THEN state.events_to
                            ELSE state.events_seen END;
    state.notes_to := CASE WHEN done.more AND last.note < state.notes_seen THEN state.notes_to ELSE state.notes_seen END;
    state.actions_to := CASE WHEN done.more AND last.action < state.actions_seen THEN state.actions_to
                             ELSE state.actions_seen END;
  END IF;
  -- A number of this transaction that is younger than what was read above bounds whoever was at work then.
  IF (all_ended OR state.horizon IS NULL) AND pg_current_xact_id_if_assigned() IS NULL THEN
    state.horizon := pg_current_xact_id();
    state.posts_seen := greatest(last.post, state.posts_seen);
    state.events_seen := greatest(last.event, state.events_seen);
    state.notes_seen := greatest(last.note, state.notes_seen);
    state.actions_seen := greatest(last.action, state.actions_seen);
  END IF;
  FOR place IN 1 .. length(state.peaks) / 64 LOOP
    tops := tops || decode(substr(state.peaks, place * 64 - 63, 64), 'hex');
  END LOOP;
  INSERT INTO cassette_log (log_index, kind, seq, leaf_sha256)
  SELECT state.tree_size + n.place - 1, n.kind, n.number, n.leaf
    FROM unnest(kinds, numbers, leaves) WITH ORDINALITY AS n (kind, number, leaf, place) ORDER BY n.place;
  size := state.tree_size;
  FOR leaf IN SELECT n.kind || ' ' || n.number || ' ' || n.leaf
              FROM unnest(kinds, numbers, leaves) WITH ORDINALITY AS n (kind, number, leaf, place) ORDER BY n.place LOOP
    node := sha256('\x00'::bytea || convert_to(leaf, 'UTF8'));
    rest := size;
    WHILE rest % 2 = 1 LOOP -- a whole subtree of this size stands to the left
      node := sha256('\x01'::bytea || tops[cardinality(tops)] || node);
      tops := tops[1:cardinality(tops) - 1];
      rest := rest / 2;
    END LOOP;
    tops := tops || node;
    size := size + 1;
  END LOOP;
  node := tops[cardinality(tops)];
  FOR place IN REVERSE cardinality(tops) - 1 .. 1 LOOP
    node := sha256('\x01'::bytea || tops[place] || node);
  END LOOP;
  done.tree_size := size;
  done.root := encode(node, 'hex');
  done.created_at := cassette_now();
  INSERT INTO cassette_checkpoints (tree_size, root, created_at) VALUES (done.tree_size, done.root, done.created_at);
  UPDATE cassette_log_state s
  SET tree_size = size, posts_to = state.posts_to, events_to = state.events_to, notes_to = state.notes_to,
      actions_to = state.actions_to, posts_seen = state.posts_seen, events_seen = state.events_seen,
      notes_seen = state.notes_seen, actions_seen = state.actions_seen, horizon = state.horizon,
      peaks = (SELECT string_agg(encode(p.peak, 'hex'), '' ORDER BY p.place)
               FROM unnest(tops) WITH ORDINALITY AS p (peak, place));
  RETURN NEXT done;
END $$;

-- Where the rows of jobs stand in the log.
CREATE VIEW cassette_places AS
  SELECT j.job_id, l.log_index, l.kind, l.seq FROM cassette_jobs j
    JOIN cassette_log l ON l.kind = 'post' AND l.seq = j.message_seq
  UNION ALL
  SELECT e.job_id, l.log_index, l.kind, l.seq FROM cassette_step_events e
    JOIN cassette_log l ON l.kind = 'event' AND l.seq = e.seq
  UNION ALL
  SELECT n.job_id, l.log_index, l.kind, l.seq FROM cassette_notes n
    JOIN cassette_log l ON l.kind = 'note' AND l.seq = n.seq
  UNION ALL
  SELECT a.job_id, l.log_index, l.kind, l.seq FROM cassette_actions a
    JOIN cassette_log l ON l.kind = 'action' AND l.seq = a.seq WHERE a.job_id IS NOT NULL;

-- As before; notes and actions have to be in the log too.
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
                AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'event' AND l.seq = e.seq))
     OR EXISTS (SELECT 1 FROM cassette_notes n WHERE n.job_id = ANY (names)
                AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'note' AND l.seq = n.seq))
     OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = ANY (names)
                AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'action' AND l.seq = a.seq)) THEN
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
                FROM cassette_places l WHERE l.job_id = ANY (names)) e
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

-- Whether anything is due: a lease that has run out, a step that has slept long enough, an approval that has ended. It
-- remembers for this session when it last found nothing, as before.
CREATE OR REPLACE FUNCTION cassette_lease_has_run_out(now_ms bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  looked bigint := nullif(current_setting('planvow.looked', true), '')::bigint;
  found boolean;
BEGIN
  IF looked <= now_ms THEN
    found := EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at <= now_ms
                       AND lease_expires_at > looked - 60000)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND wake_at <= now_ms
                   AND wake_at > looked - 60000)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND approved_until <= now_ms
                   AND approved_until > looked - 60000);
  ELSE -- never looked, or the clock has gone back
    found := EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'LEASED' AND lease_expires_at <= now_ms)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND approved_until <= now_ms)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND wake_at <= now_ms)
      OR EXISTS (SELECT 1 FROM cassette_step_states WHERE status = 'PENDING' AND hold = 'TIME' AND hold_since IS NOT NULL
                   AND hold_since > now_ms)
      OR coalesce((SELECT cassette_run_out(s.lease_expires_at, s.lease_ms, now_ms) FROM cassette_step_states s
                   WHERE s.status = 'LEASED' ORDER BY s.lease_expires_at DESC LIMIT 1), false);
  END IF;
  PERFORM set_config('planvow.looked', CASE WHEN found THEN '' ELSE now_ms::text END, false);
  RETURN found;
END $$;

-- As before; but most of the time the first step in the queue is free to go, and then nothing else is looked at.
CREATE OR REPLACE FUNCTION cassette_pick_limited(operations text[], run text, only_rank integer, only_seq bigint, spread boolean,
                                      waiting boolean, now_ms bigint)
RETURNS TABLE (job_id text, ordinal integer) LANGUAGE plpgsql AS $$
DECLARE
  open_operations text[] := operations;
  next_operation text := '';
  passed text[] := '{}'; -- groups of an operation and a key in which nothing can be had
  place cassette_place;
  at_once boolean := false; -- whether the first of all is worth a try
BEGIN
  IF only_seq IS NULL AND run IS NULL AND NOT spread THEN
    SELECT s.rank, s.message_seq, s.ordinal, s.op, s.limit_key INTO place FROM cassette_step_states s
      WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL
      ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1;
    at_once := FOUND AND (operations IS NULL OR place.op = ANY (operations))
      AND NOT cassette_limit_reached('operation', place.op, now_ms)
      AND (place.limit_key IS NULL OR NOT cassette_limit_reached('key', place.limit_key, now_ms));
  END IF;
  LOOP
    IF NOT at_once THEN
      IF open_operations IS NULL THEN
        open_operations := '{}';
        LOOP
          SELECT s.op INTO next_operation FROM cassette_step_states s
            WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL AND s.op > next_operation
            ORDER BY s.op LIMIT 1;
          EXIT WHEN NOT FOUND;
          open_operations := open_operations || next_operation;
        END LOOP;
      END IF;
      SELECT coalesce(array_agg(o.op), '{}') INTO open_operations FROM unnest(open_operations) AS o (op)
        WHERE NOT cassette_limit_reached('operation', o.op, now_ms);
      SELECT f.* INTO place FROM unnest(open_operations) AS o (op)
        CROSS JOIN LATERAL cassette_first_free(o.op, passed, run, only_rank, only_seq, now_ms) f
        ORDER BY f.rank, CASE WHEN spread THEN f.ordinal END, f.message_seq, f.ordinal LIMIT 1;
      EXIT WHEN NOT FOUND;
    END IF;
    at_once := false;
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

-- Claiming, as before. What the step's approval is comes with it.
ALTER TYPE cassette_claimed ADD ATTRIBUTE approval_sha256 text;

CREATE OR REPLACE FUNCTION cassette_claim(worker text, run text, job text, operations text[], lease_ms bigint, how_many integer,
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
  given integer := 0;
  lapsed boolean := false;
  unused text; -- assigning costs less than PERFORM
BEGIN
  -- Without statistics the planner thinks a sort of all that waits as good as an index in the right order. Plans are made
  -- once for a session, here.
  unused := set_config('enable_sort', 'off', true);
  IF relaxed THEN
    unused := set_config('synchronous_commit', 'off', true);
  END IF;
  IF cassette_lease_has_run_out(now_ms) THEN
    PERFORM cassette_requeue();
    PERFORM cassette_lapse();
    PERFORM cassette_rouse(now_ms);
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
    from_rank := only_rank;
    from_seq := only_seq;
  END IF;
  limited := EXISTS (SELECT 1 FROM cassette_limits);
  IF operations IS NOT NULL AND NOT limited THEN
    SELECT s.op, s.rank, s.message_seq, s.ordinal INTO oldest, from_rank, from_seq, from_ordinal
    FROM cassette_step_states s
    WHERE s.status = 'PENDING' AND s.waiting_for = 0 AND s.hold IS NULL
      AND (s.rank, s.message_seq) >= (from_rank, from_seq)
    ORDER BY s.rank, s.message_seq, s.ordinal LIMIT 1;
    IF oldest <> ALL (operations) THEN
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
  WHILE given < how_many LOOP
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

-- Two more functions that are so small that the planner writes them into their callers.
CREATE OR REPLACE FUNCTION cassette_sha256(content text) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(content, 'UTF8')), 'hex') $$;
ALTER FUNCTION cassette_sha256(text) RESET search_path;

CREATE OR REPLACE FUNCTION cassette_quoted(value text) RETURNS text LANGUAGE sql STABLE AS
$$ SELECT coalesce(pg_catalog.to_json(value)::pg_catalog.text, 'null') $$;
ALTER FUNCTION cassette_quoted(text) RESET search_path;

CREATE OR REPLACE FUNCTION cassette_renew_rights() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  home regnamespace := (SELECT c.relnamespace FROM pg_class c WHERE c.oid = 'cassette_jobs'::regclass);
  found record;
BEGIN
  FOR found IN SELECT p.oid::regprocedure AS name, p.proname FROM pg_proc p
               WHERE p.pronamespace = home AND starts_with(p.proname, 'cassette_') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', found.name);
    CONTINUE WHEN found.proname IN ('cassette_now', 'cassette_run_out', 'cassette_sha256', 'cassette_quoted');
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, %s, pg_temp', found.name, home);
    IF EXISTS (SELECT 1 FROM cassette_rights() r WHERE r.routine = found.proname AND r.part <> 'reader') THEN
      EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', found.name);
    END IF;
  END LOOP;
  FOR found IN
    SELECT g.rolname, array_agg(DISTINCT k.part) AS parts
    FROM (VALUES ('cassette_now', 'reader'), ('cassette_post', 'planner'), ('cassette_heartbeat', 'worker'),
                 ('cassette_lock_seals', 'sealer'), ('cassette_cancel', 'operator'),
                 ('cassette_approve', 'approver'), ('cassette_erase', 'eraser')) AS k (routine, part)
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
