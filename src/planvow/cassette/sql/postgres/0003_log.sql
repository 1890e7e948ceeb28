-- One log over everything: each post, each move of a step (with the receipt it rests on) and each archive gets a place in
-- one RFC 6962 tree over the whole ledger. Places are given when the next checkpoint is made, so no writer waits for the
-- log. A checkpoint is the root over all places so far; kept elsewhere, it shows what was changed or taken away since.

CREATE TABLE cassette_log (
  log_index bigint PRIMARY KEY CHECK (log_index >= 0),
  kind text NOT NULL,
  seq bigint NOT NULL,
  leaf_sha256 text NOT NULL,
  UNIQUE (kind, seq)
);

CREATE TABLE cassette_checkpoints (
  tree_size bigint PRIMARY KEY CHECK (tree_size >= 1),
  root text NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE cassette_checkpoint_signatures (
  tree_size bigint NOT NULL REFERENCES cassette_checkpoints (tree_size),
  key_id text NOT NULL,
  envelope_json text NOT NULL,
  PRIMARY KEY (tree_size, key_id)
);

-- Where the log ends, for whoever adds to it next: the roots of its whole subtrees, largest first, one after the other, and
-- up to which number all posts and events there will ever be are in the log. Numbers are given before commits, so a
-- smaller one may still come: what was seen counts only when every transaction that ran then has ended (`horizon`).
CREATE TABLE cassette_log_state (
  only_row integer PRIMARY KEY CHECK (only_row = 1),
  tree_size bigint NOT NULL,
  peaks text NOT NULL,
  posts_to bigint NOT NULL,
  events_to bigint NOT NULL,
  posts_seen bigint NOT NULL,
  events_seen bigint NOT NULL,
  horizon xid8
);

INSERT INTO cassette_log_state (only_row, tree_size, peaks, posts_to, events_to, posts_seen, events_seen)
VALUES (1, 0, '', 0, 0, 0, 0);

-- Runs that were moved into bundles. Their rows are gone, their places in the log stay.
CREATE TABLE cassette_archives (
  archive_id bigint PRIMARY KEY CHECK (archive_id >= 1),
  run_id text NOT NULL,
  bundle_sha256 text NOT NULL CHECK (bundle_sha256 ~ '^[0-9a-f]{64}$'),
  jobs bigint NOT NULL,
  jobs_sha256 text NOT NULL,
  entries bigint NOT NULL,
  places_sha256 text NOT NULL,
  created_at bigint NOT NULL
);

CREATE INDEX cassette_archives_by_run ON cassette_archives (run_id);

CREATE TABLE cassette_archived_jobs (
  job_id text PRIMARY KEY,
  message_id text NOT NULL UNIQUE,
  archive_id bigint NOT NULL REFERENCES cassette_archives (archive_id)
);

CREATE INDEX cassette_archived_jobs_by_archive ON cassette_archived_jobs (archive_id, job_id);

CREATE TABLE cassette_archived_places (
  first_index bigint PRIMARY KEY,
  last_index bigint NOT NULL CHECK (last_index >= first_index),
  archive_id bigint NOT NULL REFERENCES cassette_archives (archive_id)
);

CREATE INDEX cassette_archived_places_by_archive ON cassette_archived_places (archive_id, first_index);

-- What has no place yet is found by its number; deleting a job asks for its children.
CREATE INDEX cassette_step_events_by_number ON cassette_step_events (seq);
CREATE INDEX cassette_plans_by_parent ON cassette_plans (parent_job_id) WHERE parent_job_id IS NOT NULL;

-- Whether a row belongs to what an archive names: then it may go, and no other may.
CREATE FUNCTION cassette_is_archived(place text, gone jsonb) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF place = 'cassette_messages' THEN
    RETURN EXISTS (SELECT 1 FROM cassette_archived_jobs a WHERE a.message_id = gone ->> 'message_id');
  ELSIF place = 'cassette_seals' THEN
    RETURN EXISTS (SELECT 1 FROM cassette_archives a WHERE a.run_id = gone ->> 'run_id')
      AND NOT EXISTS (SELECT 1 FROM cassette_seal_leaves l WHERE l.run_id = gone ->> 'run_id');
  ELSIF place IN ('cassette_jobs', 'cassette_plans', 'cassette_step_definitions', 'cassette_step_dependencies',
                  'cassette_step_states', 'cassette_step_events', 'cassette_receipts', 'cassette_seal_leaves') THEN
    RETURN EXISTS (SELECT 1 FROM cassette_archived_jobs a WHERE a.job_id = gone ->> 'job_id');
  END IF;
  RETURN false;
END $$;

CREATE OR REPLACE FUNCTION cassette_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF cassette_is_archived(TG_TABLE_NAME, to_jsonb(OLD)) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'cassette: % is append-only', TG_TABLE_NAME USING ERRCODE = 'CA000';
END $$;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['cassette_log', 'cassette_checkpoints', 'cassette_checkpoint_signatures',
      'cassette_archives', 'cassette_archived_jobs', 'cassette_archived_places'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION cassette_append_only()', name);
    EXECUTE format('CREATE TRIGGER not_emptied BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION cassette_append_only()', name);
  END LOOP;
END $$;

CREATE TRIGGER not_deleted BEFORE DELETE ON cassette_log_state
  FOR EACH ROW EXECUTE FUNCTION cassette_append_only();
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON cassette_log_state
  FOR EACH STATEMENT EXECUTE FUNCTION cassette_append_only();

CREATE FUNCTION cassette_log_state_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT coalesce(NEW.only_row = OLD.only_row AND NEW.tree_size >= OLD.tree_size AND NEW.posts_to >= OLD.posts_to
                  AND NEW.events_to >= OLD.events_to
                  AND NEW.tree_size = (SELECT coalesce(max(l.log_index) + 1, 0) FROM cassette_log l), false) THEN
    RAISE EXCEPTION 'cassette: the log only grows' USING ERRCODE = 'CA000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forward BEFORE UPDATE ON cassette_log_state
  FOR EACH ROW EXECUTE FUNCTION cassette_log_state_forward();

-- A post has its transaction's number before it gets its own: so whoever holds a smaller number of a post is known to be
-- at work. Moves have theirs from the lock on what they move.
CREATE FUNCTION cassette_message_announced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_current_xact_id();
  RETURN NULL;
END $$;
CREATE TRIGGER announced BEFORE INSERT ON cassette_messages
  FOR EACH STATEMENT EXECUTE FUNCTION cassette_message_announced();

CREATE FUNCTION cassette_message_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM cassette_archived_jobs a WHERE a.message_id = NEW.message_id) THEN
    RAISE EXCEPTION 'cassette: this request was archived' USING ERRCODE = 'CA007';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fits BEFORE INSERT ON cassette_messages FOR EACH ROW EXECUTE FUNCTION cassette_message_fits();

-- Make a checkpoint: give what has no place yet, `most` rows at once, the next ones, and put the root over all of them
-- down. What comes out is computed here alone; a caller decides only when. Without `wait` nobody waits for another who
-- is at it. The texts that are hashed are those of planvow.cassette.ledger.log_entries; ids, statuses, workers and hashes
-- hold nothing that JSON would escape.
CREATE TYPE cassette_checkpointed AS (tree_size bigint, root text, created_at bigint, added bigint, more boolean);

CREATE FUNCTION cassette_checkpoint(most integer, wait boolean) RETURNS SETOF cassette_checkpointed
LANGUAGE plpgsql AS $$
DECLARE
  state cassette_log_state;
  done cassette_checkpointed;
  all_ended boolean;
  kinds text[];
  numbers bigint[];
  leaves text[];
  some_kinds text[];
  some_numbers bigint[];
  some_leaves text[];
  tops bytea[] := '{}';
  node bytea;
  leaf text;
  size bigint;
  rest bigint;
  last_post bigint;
  last_event bigint;
  posts_passed boolean; -- whether all posts up to those seen before are among these or in the log
  events_passed boolean;
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
  SELECT array_agg('post'::text ORDER BY m.seq), array_agg(m.seq ORDER BY m.seq), array_agg(m.leaf ORDER BY m.seq)
    INTO kinds, numbers, leaves
    FROM (SELECT p.seq, encode(sha256(convert_to('["log-post/1",' || p.seq || ',' || to_json(j.job_id)::text || ','
                   || to_json(j.head_sha256)::text || ']', 'UTF8')), 'hex') AS leaf
          FROM cassette_messages p JOIN cassette_jobs j ON j.message_seq = p.seq
          WHERE p.seq > state.posts_to
            AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'post' AND l.seq = p.seq)
          ORDER BY p.seq LIMIT most) m;
  last_post := numbers[cardinality(numbers)];
  posts_passed := coalesce(cardinality(numbers), 0) < most OR last_post >= state.posts_seen;
  rest := most - coalesce(cardinality(numbers), 0);
  SELECT array_agg('event'::text ORDER BY m.seq), array_agg(m.seq ORDER BY m.seq), array_agg(m.leaf ORDER BY m.seq)
    INTO some_kinds, some_numbers, some_leaves
    FROM (SELECT e.seq, encode(sha256(convert_to('["log-event/1","' || e.job_id || '",' || e.seq || ',' || e.ordinal
                   || ',"' || e.from_status || '","' || e.to_status || '",' || e.fence || ','
                   || coalesce('"' || e.worker_id || '"', 'null') || ',' || e.at || ','
                   || coalesce('"' || (SELECT r.sha256 FROM cassette_receipts r
                                       WHERE e.from_status = 'LEASED' AND r.job_id = e.job_id
                                         AND r.ordinal = e.ordinal AND r.fence = e.fence) || '"', 'null')
                   || ']', 'UTF8')), 'hex') AS leaf
          FROM cassette_step_events e
          WHERE e.seq > state.events_to
            AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'event' AND l.seq = e.seq)
          ORDER BY e.seq LIMIT rest) m;
  last_event := some_numbers[cardinality(some_numbers)];
  events_passed := coalesce(cardinality(some_numbers), 0) < rest OR coalesce(last_event >= state.events_seen, false);
  kinds := kinds || some_kinds;
  numbers := numbers || some_numbers;
  leaves := leaves || some_leaves;
  rest := most - coalesce(cardinality(numbers), 0);
  SELECT array_agg('archive'::text ORDER BY m.archive_id), array_agg(m.archive_id ORDER BY m.archive_id),
         array_agg(m.leaf ORDER BY m.archive_id)
    INTO some_kinds, some_numbers, some_leaves
    FROM (SELECT a.archive_id, encode(sha256(convert_to('["log-archive/1",' || a.archive_id || ','
                   || to_json(a.run_id)::text || ',' || to_json(a.bundle_sha256)::text || ',' || a.jobs || ','
                   || to_json(a.jobs_sha256)::text || ',' || a.entries || ',' || to_json(a.places_sha256)::text || ','
                   || a.created_at || ']', 'UTF8')), 'hex') AS leaf
          FROM cassette_archives a
          WHERE NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'archive' AND l.seq = a.archive_id)
          ORDER BY a.archive_id LIMIT rest) m;
  kinds := kinds || some_kinds;
  numbers := numbers || some_numbers;
  leaves := leaves || some_leaves;
  IF numbers IS NULL THEN
    RETURN QUERY SELECT c.tree_size, c.root, c.created_at, 0::bigint, false FROM cassette_checkpoints c
      ORDER BY c.tree_size DESC LIMIT 1;
    RETURN;
  END IF;
  done.added := cardinality(numbers);
  done.more := done.added >= most;
  IF all_ended AND posts_passed THEN
    state.posts_to := state.posts_seen;
  END IF;
  IF all_ended AND events_passed THEN
    state.events_to := state.events_seen;
  END IF;
  -- A number of this transaction that is younger than what was read above bounds whoever was at work then.
  IF (all_ended OR state.horizon IS NULL) AND pg_current_xact_id_if_assigned() IS NULL THEN
    state.horizon := pg_current_xact_id();
    state.posts_seen := greatest(last_post, state.posts_seen);
    state.events_seen := greatest(last_event, state.events_seen);
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
  SET tree_size = size, posts_to = state.posts_to, events_to = state.events_to, posts_seen = state.posts_seen,
      events_seen = state.events_seen, horizon = state.horizon,
      peaks = (SELECT string_agg(encode(p.peak, 'hex'), '' ORDER BY p.place)
               FROM unnest(tops) WITH ORDINALITY AS p (peak, place));
  RETURN NEXT done;
END $$;

CREATE FUNCTION cassette_sign_checkpoint(size bigint, key text, envelope text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cassette_checkpoint_signatures (tree_size, key_id, envelope_json) VALUES (size, key, envelope)
  ON CONFLICT DO NOTHING;
END $$;

-- Move finished jobs of a run out of the ledger, into the bundle with this hash, which the caller has written and checked
-- before. The owner alone may call it. Jobs that are not finished, not wholly in the log, or parents of jobs that stay,
-- stop it, and so does a list that is not the whole run.
CREATE FUNCTION cassette_archive(run text, names text[], bundle text) RETURNS bigint LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE FUNCTION cassette_rights() RETURNS TABLE (part text, routine text) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('reader', 'cassette_now'), ('reader', 'cassette_rights'),
         ('planner', 'cassette_post'),
         ('worker', 'cassette_claim'), ('worker', 'cassette_heartbeat'), ('worker', 'cassette_complete'),
         ('worker', 'cassette_requeue'), ('worker', 'cassette_checkpoint'),
         ('sealer', 'cassette_lock_seals'), ('sealer', 'cassette_add_seal'), ('sealer', 'cassette_checkpoint'),
         ('sealer', 'cassette_sign_checkpoint')
$$;

-- After a migration: every function is closed to the public and has its fixed path, those of a part run as the owner, and
-- whoever had a part before has all of it as it is now. For this migration and for those to come.
CREATE FUNCTION cassette_renew_rights() RETURNS void LANGUAGE plpgsql AS $$
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
  FOR found IN SELECT DISTINCT o.rolname, r.part
               FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) a JOIN pg_roles o ON o.oid = a.grantee
               JOIN (VALUES ('reader', 'cassette_now'), ('planner', 'cassette_post'), ('worker', 'cassette_claim'),
                            ('sealer', 'cassette_add_seal')) AS r (part, routine) ON r.routine = p.proname
               WHERE p.pronamespace = home AND a.grantee <> p.proowner AND a.privilege_type = 'EXECUTE' LOOP
    PERFORM cassette_grant(found.rolname, found.part);
  END LOOP;
END $$;

SELECT cassette_renew_rights();
