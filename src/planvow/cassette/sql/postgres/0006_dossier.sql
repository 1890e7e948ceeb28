-- Why a plan is as it is, what was observed, and who allowed it: the same tables, rules and hashes as on SQLite.

CREATE TABLE cassette_documents (
  sha256 text PRIMARY KEY,
  content text NOT NULL
);

-- A dossier is laid down before its job, in the same transaction: the deferred key refuses it without.
CREATE TABLE cassette_dossiers (
  job_id text PRIMARY KEY REFERENCES cassette_jobs (job_id) DEFERRABLE INITIALLY DEFERRED,
  manifest_sha256 text NOT NULL REFERENCES cassette_documents (sha256)
);

CREATE TABLE cassette_private (
  job_id text NOT NULL REFERENCES cassette_jobs (job_id) DEFERRABLE INITIALLY DEFERRED,
  sha256 text NOT NULL,
  salt text NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (job_id, sha256)
);

CREATE VIEW cassette_kept_apart AS SELECT job_id, sha256 FROM cassette_private;

CREATE TABLE cassette_notes (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id text NOT NULL REFERENCES cassette_jobs (job_id),
  note_seq bigint NOT NULL CHECK (note_seq >= 1),
  kind text NOT NULL CHECK (kind IN ('observation', 'requirement', 'approval', 'denial', 'lapse', 'erasure')),
  ordinal integer NOT NULL CHECK (ordinal >= 0),
  document_sha256 text NOT NULL REFERENCES cassette_documents (sha256),
  expires_at bigint,
  login text,
  after_receipt bigint NOT NULL,
  after_sha256 text NOT NULL,
  after_event bigint NOT NULL,
  prev_sha256 text NOT NULL,
  sha256 text NOT NULL,
  created_at bigint NOT NULL,
  UNIQUE (job_id, note_seq)
);

CREATE INDEX cassette_notes_by_step ON cassette_notes (job_id, ordinal, note_seq)
  WHERE kind IN ('requirement', 'approval', 'denial', 'lapse');

CREATE VIEW cassette_decisions AS
  SELECT n.job_id, n.ordinal, n.kind, n.note_seq, n.sha256, n.expires_at
  FROM cassette_notes n
  WHERE n.kind IN ('requirement', 'approval', 'denial', 'lapse') AND NOT EXISTS (
    SELECT 1 FROM cassette_notes later
    WHERE later.job_id = n.job_id AND later.ordinal = n.ordinal AND later.note_seq > n.note_seq
      AND later.kind IN ('requirement', 'approval', 'denial', 'lapse'));

ALTER TABLE cassette_step_states
  ADD COLUMN questions integer NOT NULL DEFAULT 0,
  ADD COLUMN approved_until bigint,
  ADD COLUMN approval_sha256 text;

CREATE INDEX cassette_held ON cassette_step_states (message_seq, ordinal) WHERE status = 'PENDING' AND questions > 0;
CREATE INDEX cassette_lapsing ON cassette_step_states (approved_until)
  WHERE status = 'PENDING' AND approved_until IS NOT NULL;

-- What stands beside a job leaves with it when it is archived. Documents stay: others may share them. What is private is
-- in no bundle.
CREATE FUNCTION cassette_beside_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT 1 FROM cassette_archived_jobs a WHERE a.job_id = to_jsonb(OLD) ->> 'job_id') THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'cassette: % is append-only', TG_TABLE_NAME USING ERRCODE = 'CA000';
END $$;

CREATE FUNCTION cassette_job_takes_along() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM cassette_private p WHERE p.job_id = OLD.job_id;
  DELETE FROM cassette_notes n WHERE n.job_id = OLD.job_id;
  DELETE FROM cassette_dossiers d WHERE d.job_id = OLD.job_id;
  RETURN OLD;
END $$;
CREATE TRIGGER takes_along BEFORE DELETE ON cassette_jobs FOR EACH ROW EXECUTE FUNCTION cassette_job_takes_along();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['cassette_documents', 'cassette_dossiers', 'cassette_notes'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION cassette_beside_append_only()', name);
    EXECUTE format('CREATE TRIGGER not_emptied BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION cassette_append_only()', name);
  END LOOP;
END $$;
CREATE TRIGGER append_only BEFORE UPDATE ON cassette_private
  FOR EACH ROW EXECUTE FUNCTION cassette_append_only();
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON cassette_private
  FOR EACH STATEMENT EXECUTE FUNCTION cassette_append_only();

-- Hashes are the database's own: of documents, and of what is kept apart.
CREATE FUNCTION cassette_document_hashed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sha256 := cassette_sha256(NEW.content);
  RETURN NEW;
END $$;
CREATE TRIGGER hashed BEFORE INSERT ON cassette_documents FOR EACH ROW EXECUTE FUNCTION cassette_document_hashed();

CREATE FUNCTION cassette_private_hashed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.salt !~ '^[0-9a-f]{32,64}$' THEN
    RAISE EXCEPTION 'cassette: a salt has 128 bits or more' USING ERRCODE = 'CA000';
  END IF;
  NEW.sha256 := cassette_sha256('["private/1","' || NEW.salt || '",' || cassette_quoted(NEW.content) || ']');
  RETURN NEW;
END $$;
CREATE TRIGGER hashed BEFORE INSERT ON cassette_private FOR EACH ROW EXECUTE FUNCTION cassette_private_hashed();

CREATE FUNCTION cassette_private_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM cassette_notes n JOIN cassette_documents d ON d.sha256 = n.document_sha256
                 WHERE n.job_id = OLD.job_id AND n.kind = 'erasure'
                   AND jsonb_exists(d.content::jsonb -> 'erased', OLD.sha256))
     AND NOT EXISTS (SELECT 1 FROM cassette_archived_jobs a WHERE a.job_id = OLD.job_id) THEN
    RAISE EXCEPTION 'cassette: an erasure is noted first' USING ERRCODE = 'CA000';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER erased BEFORE DELETE ON cassette_private FOR EACH ROW EXECUTE FUNCTION cassette_private_erased();

CREATE FUNCTION cassette_keep_document(said text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cassette_documents (sha256, content) VALUES ('', said) ON CONFLICT DO NOTHING;
  RETURN cassette_sha256(said);
END $$;

-- Documents and private content of a job to come. Both are JSON lists of texts; private ones are [salt, content].
CREATE FUNCTION cassette_lay(run text, key text, documents text, manifest text, apart text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  job text := cassette_derived_id('job', cassette_derived_id('msg', run, key));
BEGIN
  IF EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = job) THEN
    RETURN; -- posted before
  END IF;
  INSERT INTO cassette_documents (sha256, content)
    SELECT '', t.content FROM json_array_elements_text(documents::json) AS t (content) ON CONFLICT DO NOTHING;
  INSERT INTO cassette_dossiers (job_id, manifest_sha256) VALUES (job, manifest) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    INSERT INTO cassette_private (job_id, sha256, salt, content)
      SELECT job, '', p.entry ->> 0, p.entry ->> 1 FROM json_array_elements(apart::json) AS p (entry);
  END IF;
END $$;

CREATE FUNCTION cassette_dossier_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM cassette_jobs j WHERE j.job_id = NEW.job_id) THEN
    RAISE EXCEPTION 'cassette: a dossier is laid down before its job' USING ERRCODE = 'CA000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER first BEFORE INSERT ON cassette_dossiers FOR EACH ROW EXECUTE FUNCTION cassette_dossier_first();

-- The head of a chain covers the dossier that was laid down for it.
CREATE FUNCTION cassette_job_covers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  manifest text := (SELECT d.manifest_sha256 FROM cassette_dossiers d WHERE d.job_id = NEW.job_id);
BEGIN
  IF manifest IS NOT NULL THEN
    NEW.head_sha256 := cassette_sha256('["dossier/1","' || NEW.head_sha256 || '","' || manifest || '"]');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER covers BEFORE INSERT ON cassette_jobs FOR EACH ROW EXECUTE FUNCTION cassette_job_covers();

-- Private content that a worker brings: it must hold a lease of the job, and the same transaction names the hash.
CREATE FUNCTION cassette_keep_apart(job text, worker text, grains text, said text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  hash text := cassette_sha256('["private/1","' || grains || '",' || cassette_quoted(said) || ']');
BEGIN
  IF EXISTS (SELECT 1 FROM cassette_private p WHERE p.job_id = job AND p.sha256 = hash) THEN
    RETURN hash; -- sent before
  END IF;
  IF NOT EXISTS (SELECT 1 FROM cassette_step_states s
                 WHERE s.job_id = job AND s.status = 'LEASED' AND s.worker_id = worker
                   AND (s.held_by IS NULL OR s.held_by = session_user)) THEN
    RAISE EXCEPTION 'the worker % holds no step of job %', worker, job USING ERRCODE = 'CA002';
  END IF;
  INSERT INTO cassette_private (job_id, sha256, salt, content) VALUES (job, hash, grains, said);
  RETURN hash;
END $$;

CREATE FUNCTION cassette_private_of(job text) RETURNS TABLE (sha256 text, salt text, content text)
LANGUAGE sql STABLE AS
$$ SELECT p.sha256, p.salt, p.content FROM cassette_private p WHERE p.job_id = job ORDER BY p.sha256 $$;

-- Notes. The trigger fills in what the database knows: the place in the chain, the ends of receipts and events, the login
-- and the time. The hash is over the same text as in planvow.cassette.ledger.chain.
CREATE FUNCTION cassette_note_linked() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head text := (SELECT j.head_sha256 FROM cassette_jobs j WHERE j.job_id = NEW.job_id);
  last record;
BEGIN
  IF NEW.ordinal > 0 AND NOT EXISTS (SELECT 1 FROM cassette_step_states s
                                     WHERE s.job_id = NEW.job_id AND s.ordinal = NEW.ordinal) THEN
    RAISE EXCEPTION 'job % has no step %', NEW.job_id, NEW.ordinal USING ERRCODE = 'CA001';
  END IF;
  SELECT n.note_seq, n.sha256 INTO last FROM cassette_notes n
    WHERE n.job_id = NEW.job_id ORDER BY n.note_seq DESC LIMIT 1;
  NEW.note_seq := coalesce(last.note_seq, 0) + 1;
  NEW.prev_sha256 := coalesce(last.sha256, head);
  SELECT r.chain_seq, r.sha256 INTO last FROM (SELECT 1) one LEFT JOIN LATERAL (
    SELECT c.chain_seq, c.sha256 FROM cassette_receipts c
    WHERE c.job_id = NEW.job_id ORDER BY c.chain_seq DESC LIMIT 1) r ON true;
  NEW.after_receipt := coalesce(last.chain_seq, 0);
  NEW.after_sha256 := coalesce(last.sha256, head);
  NEW.after_event := coalesce((SELECT max(e.seq) FROM cassette_step_events e WHERE e.job_id = NEW.job_id), 0);
  NEW.login := session_user;
  NEW.created_at := cassette_now();
  NEW.sha256 := cassette_sha256('["note/1",' || concat_ws(',', NEW.seq, cassette_quoted(NEW.prev_sha256),
    cassette_quoted(NEW.job_id), NEW.note_seq, cassette_quoted(NEW.kind), NEW.ordinal,
    cassette_quoted(NEW.document_sha256), coalesce(NEW.expires_at::text, 'null'), cassette_quoted(NEW.login),
    NEW.after_receipt, cassette_quoted(NEW.after_sha256), NEW.after_event, NEW.created_at) || ']');
  RETURN NEW;
END $$;

-- A decision is bound to this job, plan and step, and to the word before it. A question is asked once, of steps nobody
-- holds; an answer needs a question; an approval lapses at its end.
CREATE FUNCTION cassette_note_decides() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  said jsonb := (SELECT d.content::jsonb FROM cassette_documents d WHERE d.sha256 = NEW.document_sha256);
  before record;
  allowed boolean;
BEGIN
  SELECT (SELECT c.kind FROM cassette_decisions c WHERE c.job_id = NEW.job_id AND c.ordinal = NEW.ordinal) AS kind,
         (SELECT c.sha256 FROM cassette_decisions c WHERE c.job_id = NEW.job_id AND c.ordinal = NEW.ordinal) AS sha256,
         (SELECT c.expires_at FROM cassette_decisions c WHERE c.job_id = NEW.job_id AND c.ordinal = NEW.ordinal)
           AS expires_at INTO before;
  IF said ->> 'decision' IS DISTINCT FROM NEW.kind OR said ->> 'job_id' IS DISTINCT FROM NEW.job_id
     OR said ->> 'plan_hash' IS DISTINCT FROM (SELECT p.plan_hash FROM cassette_plans p WHERE p.job_id = NEW.job_id)
     OR said ->> 'step_id' IS DISTINCT FROM (SELECT s.step_id FROM cassette_step_definitions s
                                             WHERE s.job_id = NEW.job_id AND s.ordinal = NEW.ordinal)
     OR (said ->> 'expires_at')::bigint IS DISTINCT FROM NEW.expires_at
     OR said ->> 'answers' IS DISTINCT FROM before.sha256 THEN
    RAISE EXCEPTION 'the decision is about another plan or step' USING ERRCODE = 'CA011';
  END IF;
  allowed := CASE NEW.kind
    WHEN 'requirement' THEN before.kind IS NULL
    WHEN 'lapse' THEN before.kind = 'approval' AND before.expires_at <= cassette_now()
    WHEN 'approval' THEN before.kind IN ('requirement', 'lapse')
      AND (NEW.expires_at IS NULL OR NEW.expires_at > cassette_now())
    ELSE before.kind <> 'denial' END;
  PERFORM 1 FROM cassette_step_states s -- whoever claims at the same time comes before or after
    WHERE s.job_id = NEW.job_id AND s.status = 'PENDING' AND NEW.ordinal IN (0, s.ordinal) FOR UPDATE;
  IF NOT FOUND OR NOT coalesce(allowed, false)
     OR (NEW.kind = 'requirement' AND NEW.ordinal = 0
         AND EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = NEW.job_id AND s.fence > 0)) THEN
    RAISE EXCEPTION 'there is nothing to decide here' USING ERRCODE = 'CA011';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER decides BEFORE INSERT ON cassette_notes
  FOR EACH ROW WHEN (NEW.kind IN ('requirement', 'approval', 'denial', 'lapse'))
  EXECUTE FUNCTION cassette_note_decides();
CREATE TRIGGER linked BEFORE INSERT ON cassette_notes FOR EACH ROW EXECUTE FUNCTION cassette_note_linked();

CREATE FUNCTION cassette_open_questions(job text, step integer) RETURNS integer LANGUAGE sql STABLE AS
$$ SELECT count(*)::integer FROM cassette_decisions d
   WHERE d.job_id = job AND d.ordinal IN (0, step) AND d.kind IN ('requirement', 'lapse') $$;

CREATE FUNCTION cassette_settle_questions(job text, step integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE cassette_step_states s
  SET questions = cassette_open_questions(job, s.ordinal),
      waiting_for = s.waiting_for - s.questions + cassette_open_questions(job, s.ordinal),
      approved_until = (SELECT min(d.expires_at) FROM cassette_decisions d
                        WHERE d.job_id = job AND d.ordinal IN (0, s.ordinal) AND d.kind = 'approval'),
      approval_sha256 = (SELECT d.sha256 FROM cassette_decisions d
                         WHERE d.job_id = job AND d.ordinal IN (0, s.ordinal) AND d.kind = 'approval'
                         ORDER BY d.note_seq DESC LIMIT 1)
  WHERE s.job_id = job AND s.status = 'PENDING' AND step IN (0, s.ordinal);
END $$;

-- What follows from a decision. What was denied has failed before it began; a denied plan takes its other steps with it.
CREATE FUNCTION cassette_note_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind <> 'denial' THEN
    PERFORM cassette_settle_questions(NEW.job_id, NEW.ordinal);
    RETURN NULL;
  END IF;
  UPDATE cassette_step_states s SET status = 'FAILED'
  WHERE s.job_id = NEW.job_id AND s.ordinal = CASE NEW.ordinal
    WHEN 0 THEN (SELECT min(o.ordinal) FROM cassette_step_states o WHERE o.job_id = NEW.job_id AND o.status = 'PENDING')
    ELSE NEW.ordinal END;
  UPDATE cassette_step_states s SET status = 'SKIPPED'
  WHERE s.job_id = NEW.job_id AND s.status = 'PENDING' AND NEW.ordinal = 0;
  RETURN NULL;
END $$;
CREATE TRIGGER decided AFTER INSERT ON cassette_notes
  FOR EACH ROW WHEN (NEW.kind IN ('requirement', 'approval', 'denial', 'lapse'))
  EXECUTE FUNCTION cassette_note_decided();

-- The moves that decisions make; all others are judged as before, and none may pass by an open question.
CREATE FUNCTION cassette_step_state_decided() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  same boolean := NEW.job_id = OLD.job_id AND NEW.ordinal = OLD.ordinal AND NEW.run_id = OLD.run_id
    AND NEW.message_seq = OLD.message_seq AND NEW.op = OLD.op AND NEW.fence = OLD.fence
    AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before
    AND NEW.worker_id IS NULL AND NEW.lease_expires_at IS NULL AND NEW.lease_ms IS NULL AND OLD.status = 'PENDING';
  allowed boolean := false;
BEGIN
  IF NEW.status = 'PENDING' THEN
    allowed := same AND NEW.waiting_for >= NEW.questions AND NEW.waiting_for - NEW.questions = OLD.waiting_for - OLD.questions
      AND NEW.questions = cassette_open_questions(NEW.job_id, NEW.ordinal)
      AND NEW.approved_until IS NOT DISTINCT FROM (
        SELECT min(d.expires_at) FROM cassette_decisions d
        WHERE d.job_id = NEW.job_id AND d.ordinal IN (0, NEW.ordinal) AND d.kind = 'approval')
      AND (NEW.waiting_for > 0 OR NOT EXISTS (
        SELECT 1 FROM cassette_step_dependencies d
        WHERE d.job_id = NEW.job_id AND d.ordinal = NEW.ordinal AND 'COMMITTED' IS DISTINCT FROM (
          SELECT n.status FROM cassette_step_states n WHERE n.job_id = d.job_id AND n.ordinal = d.needs_ordinal)));
  ELSIF NEW.status = 'FAILED' THEN
    allowed := same AND NEW.waiting_for = OLD.waiting_for AND NEW.questions = OLD.questions
      AND NEW.approved_until IS NOT DISTINCT FROM OLD.approved_until
      AND NEW.approval_sha256 IS NOT DISTINCT FROM OLD.approval_sha256
      AND EXISTS (SELECT 1 FROM cassette_decisions d
                  WHERE d.job_id = OLD.job_id AND d.ordinal IN (0, OLD.ordinal) AND d.kind = 'denial');
  END IF;
  IF NOT coalesce(allowed, false) THEN
    RAISE EXCEPTION 'cassette: no decision makes this move' USING ERRCODE = 'CA000';
  END IF;
  IF NEW.status <> OLD.status THEN
    INSERT INTO cassette_step_events (job_id, ordinal, from_status, to_status, fence, worker_id, at)
    VALUES (NEW.job_id, NEW.ordinal, OLD.status, NEW.status, NEW.fence, NULL, cassette_now());
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER decided BEFORE UPDATE ON cassette_step_states FOR EACH ROW
  WHEN (NEW.questions <> OLD.questions OR NEW.approved_until IS DISTINCT FROM OLD.approved_until
        OR NEW.approval_sha256 IS DISTINCT FROM OLD.approval_sha256
        OR (OLD.status = 'PENDING' AND NEW.status = 'FAILED'))
  EXECUTE FUNCTION cassette_step_state_decided();

DROP TRIGGER moves ON cassette_step_states;
CREATE TRIGGER moves BEFORE UPDATE ON cassette_step_states FOR EACH ROW
  WHEN (NOT (NEW.questions <> OLD.questions OR NEW.approved_until IS DISTINCT FROM OLD.approved_until
             OR NEW.approval_sha256 IS DISTINCT FROM OLD.approval_sha256
             OR (OLD.status = 'PENDING' AND NEW.status = 'FAILED')))
  EXECUTE FUNCTION cassette_step_state_moves();

CREATE FUNCTION cassette_step_state_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'PENDING' OR OLD.questions > 0 OR OLD.approved_until <= cassette_now() THEN
    RAISE EXCEPTION 'cassette: step % of % waits for a decision', NEW.ordinal, NEW.job_id USING ERRCODE = 'CA000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER waits BEFORE UPDATE ON cassette_step_states FOR EACH ROW
  WHEN ((NEW.status = 'PENDING' AND NEW.waiting_for < NEW.questions)
        OR (NEW.status = 'LEASED' AND OLD.status = 'PENDING' AND (OLD.questions > 0 OR OLD.approved_until IS NOT NULL)))
  EXECUTE FUNCTION cassette_step_state_waits();

CREATE FUNCTION cassette_note(job text, about text, step integer, content text, until bigint) RETURNS cassette_notes
LANGUAGE plpgsql AS $$
DECLARE
  made cassette_notes;
BEGIN
  PERFORM 1 FROM cassette_jobs j WHERE j.job_id = job FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no job %', job USING ERRCODE = 'CA001';
  END IF;
  INSERT INTO cassette_notes (job_id, note_seq, kind, ordinal, document_sha256, expires_at, after_receipt, after_sha256,
    after_event, prev_sha256, sha256, created_at)
  VALUES (job, 1, about, step, cassette_keep_document(content), until, 0, '', 0, '', '', 0) RETURNING * INTO made;
  IF about IN ('requirement', 'approval', 'denial', 'lapse') THEN
    PERFORM pg_notify('cassette_approvals', made.seq::text);
  END IF;
  RETURN made;
END $$;

CREATE FUNCTION cassette_observe(job text, step integer, content text) RETURNS cassette_notes LANGUAGE sql AS
$$ SELECT * FROM cassette_note(job, 'observation', step, content, NULL) $$;

CREATE FUNCTION cassette_require(job text, step integer, content text) RETURNS cassette_notes LANGUAGE sql AS
$$ SELECT * FROM cassette_note(job, 'requirement', step, content, NULL) $$;

CREATE FUNCTION cassette_approve(job text, step integer, content text, until bigint) RETURNS cassette_notes
LANGUAGE sql AS
$$ SELECT * FROM cassette_note(job, 'approval', step, content, until) $$;

CREATE FUNCTION cassette_deny(job text, step integer, content text) RETURNS cassette_notes LANGUAGE sql AS
$$ SELECT * FROM cassette_note(job, 'denial', step, content, NULL) $$;

CREATE FUNCTION cassette_erase(job text, said text) RETURNS cassette_notes LANGUAGE plpgsql AS $$
DECLARE
  made cassette_notes := cassette_note(job, 'erasure', 0, said, NULL);
BEGIN
  DELETE FROM cassette_private p WHERE p.job_id = job AND jsonb_exists(said::jsonb -> 'erased', p.sha256);
  RETURN made;
END $$;

-- Approvals that have run out are questions again. Jobs somebody else is at work on are left to the next call.
CREATE FUNCTION cassette_lapse() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  late record;
  answer record;
  done integer := 0;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM cassette_step_states s
                 WHERE s.status = 'PENDING' AND s.approved_until <= cassette_now()) THEN
    RETURN 0;
  END IF;
  FOR late IN
    SELECT s.job_id, s.ordinal FROM cassette_step_states s
    WHERE s.status = 'PENDING' AND s.approved_until <= cassette_now()
    ORDER BY s.approved_until, s.job_id, s.ordinal LIMIT 1000
  LOOP
    PERFORM 1 FROM cassette_jobs j WHERE j.job_id = late.job_id FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    FOR answer IN
      SELECT d.ordinal, d.sha256, d.expires_at FROM cassette_decisions d
      WHERE d.job_id = late.job_id AND d.ordinal IN (0, late.ordinal) AND d.kind = 'approval'
        AND d.expires_at <= cassette_now() ORDER BY d.ordinal
    LOOP
      PERFORM cassette_note(late.job_id, 'lapse', answer.ordinal, '{"answers":' || cassette_quoted(answer.sha256)
        || ',"decision":"lapse","job_id":' || cassette_quoted(late.job_id) || ',"plan_hash":'
        || cassette_quoted((SELECT p.plan_hash FROM cassette_plans p WHERE p.job_id = late.job_id)) || ',"step_id":'
        || cassette_quoted((SELECT s.step_id FROM cassette_step_definitions s
                            WHERE s.job_id = late.job_id AND s.ordinal = answer.ordinal)) || '}', NULL);
      done := done + 1;
    END LOOP;
    IF EXISTS (SELECT 1 FROM cassette_step_states s WHERE s.job_id = late.job_id AND s.ordinal = late.ordinal
                 AND s.status = 'PENDING' AND s.approved_until <= cassette_now()) THEN
      PERFORM cassette_settle_questions(late.job_id, late.ordinal); -- it was out when its approval lapsed
    END IF;
  END LOOP;
  RETURN done;
END $$;

-- Who may call what, as before and what is new. What is kept apart is read by planners and workers only.
CREATE OR REPLACE FUNCTION cassette_rights() RETURNS TABLE (part text, routine text) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('reader', 'cassette_now'), ('reader', 'cassette_rights'),
         ('planner', 'cassette_post'), ('planner', 'cassette_schedule_posted'), ('planner', 'cassette_lay'),
         ('planner', 'cassette_require'), ('planner', 'cassette_private_of'),
         ('worker', 'cassette_claim'), ('worker', 'cassette_heartbeat'), ('worker', 'cassette_complete'),
         ('worker', 'cassette_requeue'), ('worker', 'cassette_worker_seen'), ('worker', 'cassette_checkpoint'),
         ('worker', 'cassette_lapse'), ('worker', 'cassette_observe'), ('worker', 'cassette_require'),
         ('worker', 'cassette_keep_apart'), ('worker', 'cassette_private_of'),
         ('approver', 'cassette_approve'), ('approver', 'cassette_deny'),
         ('eraser', 'cassette_erase'),
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
               WHERE c.relnamespace = home AND c.relkind IN ('r', 'v') AND starts_with(c.relname, 'cassette_')
                 AND c.relname <> 'cassette_private' LOOP
    EXECUTE format('GRANT SELECT ON %s TO %I', found.name, role);
  END LOOP;
  FOR found IN SELECT DISTINCT p.oid::regprocedure AS name FROM pg_proc p
               JOIN cassette_rights() r ON r.routine = p.proname
               WHERE p.pronamespace = home AND (r.part = ANY (parts) OR r.part = 'reader') LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', found.name, role);
  END LOOP;
END $$;

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
