-- Why a plan is as it is, what was observed, and who allowed it. Documents are stored once, under the hash of their
-- text. A job's dossier names those it was posted with; it is laid down before its job, in the same transaction, and the
-- head of the job's chain covers it. What is said about a job later are notes, a chain of their own that begins at the
-- head. What is private is kept apart under a salted hash and can be erased; the chains never held it.

CREATE TABLE cassette_documents (
  sha256 TEXT NOT NULL PRIMARY KEY,
  content TEXT NOT NULL
) STRICT;

CREATE TABLE cassette_dossiers (
  job_id TEXT NOT NULL PRIMARY KEY REFERENCES cassette_jobs (job_id) DEFERRABLE INITIALLY DEFERRED,
  manifest_sha256 TEXT NOT NULL REFERENCES cassette_documents (sha256)
) STRICT, WITHOUT ROWID;

CREATE TABLE cassette_private (
  job_id TEXT NOT NULL REFERENCES cassette_jobs (job_id) DEFERRABLE INITIALLY DEFERRED,
  sha256 TEXT NOT NULL,
  salt TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (job_id, sha256)
) STRICT;

CREATE VIEW cassette_kept_apart AS SELECT job_id, sha256 FROM cassette_private;

-- ordinal 0 is the plan as a whole. A note names the ends of the job's receipts and events when it was written.
CREATE TABLE cassette_notes (
  seq INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL REFERENCES cassette_jobs (job_id),
  note_seq INTEGER NOT NULL CHECK (note_seq >= 1),
  kind TEXT NOT NULL CHECK (kind IN ('observation', 'requirement', 'approval', 'denial', 'lapse', 'erasure')),
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  document_sha256 TEXT NOT NULL REFERENCES cassette_documents (sha256),
  expires_at INTEGER,
  login TEXT,
  after_receipt INTEGER NOT NULL,
  after_sha256 TEXT NOT NULL,
  after_event INTEGER NOT NULL,
  prev_sha256 TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (job_id, note_seq)
) STRICT;

CREATE INDEX cassette_notes_by_step ON cassette_notes (job_id, ordinal, note_seq)
  WHERE kind IN ('requirement', 'approval', 'denial', 'lapse');

-- Where the question whether a plan or a step may run stands now: the last word on each.
CREATE VIEW cassette_decisions AS
  SELECT n.job_id, n.ordinal, n.kind, n.note_seq, n.sha256, n.expires_at
  FROM cassette_notes n
  WHERE n.kind IN ('requirement', 'approval', 'denial', 'lapse') AND NOT EXISTS (
    SELECT 1 FROM cassette_notes later
    WHERE later.job_id = n.job_id AND later.ordinal = n.ordinal AND later.note_seq > n.note_seq
      AND later.kind IN ('requirement', 'approval', 'denial', 'lapse'));

-- A step waits for people as it waits for other steps: every open question counts in waiting_for.
ALTER TABLE cassette_step_states ADD COLUMN questions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE cassette_step_states ADD COLUMN approved_until INTEGER;
ALTER TABLE cassette_step_states ADD COLUMN approval_sha256 TEXT;

CREATE INDEX cassette_held ON cassette_step_states (message_seq, ordinal) WHERE status = 'PENDING' AND questions > 0;
CREATE INDEX cassette_lapsing ON cassette_step_states (approved_until)
  WHERE status = 'PENDING' AND approved_until IS NOT NULL;

-- Nothing written is changed or removed, but for private content whose erasure was noted, and what an archive names.

CREATE TRIGGER cassette_documents_no_update BEFORE UPDATE ON cassette_documents
  BEGIN SELECT RAISE(ABORT, 'cassette: documents are append-only'); END;
CREATE TRIGGER cassette_documents_no_delete BEFORE DELETE ON cassette_documents
  BEGIN SELECT RAISE(ABORT, 'cassette: documents are append-only'); END;
CREATE TRIGGER cassette_documents_once BEFORE INSERT ON cassette_documents
  WHEN EXISTS (SELECT 1 FROM cassette_documents WHERE sha256 = NEW.sha256)
  BEGIN SELECT RAISE(ABORT, 'cassette: this document exists'); END;
CREATE TRIGGER cassette_dossiers_no_update BEFORE UPDATE ON cassette_dossiers
  BEGIN SELECT RAISE(ABORT, 'cassette: dossiers are append-only'); END;
CREATE TRIGGER cassette_dossiers_no_delete BEFORE DELETE ON cassette_dossiers
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: dossiers are append-only'); END;
CREATE TRIGGER cassette_dossiers_first BEFORE INSERT ON cassette_dossiers
  WHEN EXISTS (SELECT 1 FROM cassette_dossiers WHERE job_id = NEW.job_id)
    OR EXISTS (SELECT 1 FROM cassette_jobs WHERE job_id = NEW.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: a dossier is laid down once, before its job'); END;
CREATE TRIGGER cassette_private_no_update BEFORE UPDATE ON cassette_private
  BEGIN SELECT RAISE(ABORT, 'cassette: what is kept apart is not changed'); END;
CREATE TRIGGER cassette_private_once BEFORE INSERT ON cassette_private
  WHEN EXISTS (SELECT 1 FROM cassette_private WHERE job_id = NEW.job_id AND sha256 = NEW.sha256)
  BEGIN SELECT RAISE(ABORT, 'cassette: this is kept already'); END;
CREATE TRIGGER cassette_private_erased BEFORE DELETE ON cassette_private
  WHEN NOT EXISTS (SELECT 1 FROM cassette_notes n JOIN cassette_documents d ON d.sha256 = n.document_sha256
                   WHERE n.job_id = OLD.job_id AND n.kind = 'erasure'
                     AND instr(d.content, '"' || OLD.sha256 || '"'))
   AND NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: an erasure is noted first'); END;
CREATE TRIGGER cassette_notes_no_update BEFORE UPDATE ON cassette_notes
  BEGIN SELECT RAISE(ABORT, 'cassette: notes are append-only'); END;
CREATE TRIGGER cassette_notes_no_delete BEFORE DELETE ON cassette_notes
  WHEN NOT EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
  BEGIN SELECT RAISE(ABORT, 'cassette: notes are append-only'); END;

-- What stands beside a job leaves with it when it is archived. Documents stay: others may share them. What is private is
-- in no bundle.
CREATE TRIGGER cassette_jobs_take_along BEFORE DELETE ON cassette_jobs
  WHEN EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = OLD.job_id)
BEGIN
  DELETE FROM cassette_private WHERE job_id = OLD.job_id;
  DELETE FROM cassette_notes WHERE job_id = OLD.job_id;
  DELETE FROM cassette_dossiers WHERE job_id = OLD.job_id;
END;

-- A note continues the chain of its job's notes, at this time, and knows how far the job has come.
CREATE TRIGGER cassette_notes_linked BEFORE INSERT ON cassette_notes
BEGIN
  SELECT RAISE(ABORT, 'cassette: a note continues the chain of its job')
  WHERE NEW.note_seq IS NOT (SELECT coalesce(max(note_seq), 0) + 1 FROM cassette_notes WHERE job_id = NEW.job_id)
     OR NEW.prev_sha256 IS NOT coalesce(
          (SELECT sha256 FROM cassette_notes WHERE job_id = NEW.job_id AND note_seq = NEW.note_seq - 1),
          (SELECT head_sha256 FROM cassette_jobs WHERE job_id = NEW.job_id))
     OR EXISTS (SELECT 1 FROM cassette_notes WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'cassette: a note names the ends of receipts and events, and the time')
  WHERE NEW.after_receipt IS NOT (SELECT coalesce(max(chain_seq), 0) FROM cassette_receipts WHERE job_id = NEW.job_id)
     OR NEW.after_sha256 IS NOT coalesce(
          (SELECT sha256 FROM cassette_receipts WHERE job_id = NEW.job_id AND chain_seq = NEW.after_receipt),
          (SELECT head_sha256 FROM cassette_jobs WHERE job_id = NEW.job_id))
     OR NEW.after_event IS NOT (SELECT coalesce(max(seq), 0) FROM cassette_step_events WHERE job_id = NEW.job_id)
     OR abs(NEW.created_at - CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) > 60000;
  SELECT RAISE(ABORT, 'cassette: the note is about another step')
  WHERE NEW.ordinal > 0
    AND NOT EXISTS (SELECT 1 FROM cassette_step_states WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal);
END;

-- A decision is bound to this job, plan and step, and to the word before it. A question is asked once, of steps nobody
-- holds; an answer needs a question; an approval lapses at its end. Documents are canonical JSON, in which a quote inside
-- a text is never bare, so a key with its value is found as it is written.
CREATE TRIGGER cassette_notes_decide BEFORE INSERT ON cassette_notes
WHEN NEW.kind IN ('requirement', 'approval', 'denial', 'lapse')
BEGIN
  SELECT RAISE(ABORT, 'cassette: the decision is about another plan or step')
  WHERE NOT EXISTS (
    SELECT 1 FROM cassette_documents d JOIN cassette_plans p ON p.job_id = NEW.job_id
    WHERE d.sha256 = NEW.document_sha256 AND instr(d.content, '"decision":"' || NEW.kind || '"')
      AND instr(d.content, '"job_id":"' || NEW.job_id || '"')
      AND instr(d.content, '"plan_hash":"' || replace(replace(p.plan_hash, '\', '\\'), '"', '\"') || '"')
      AND instr(d.content, '"step_id":' || coalesce(
            (SELECT '"' || replace(replace(step_id, '\', '\\'), '"', '\"') || '"' FROM cassette_step_definitions
             WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal), 'null'))
      AND instr(d.content, '"answers":' || coalesce(
            (SELECT '"' || sha256 || '"' FROM cassette_decisions
             WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal), 'null'))
      AND CASE WHEN NEW.expires_at IS NULL THEN NOT instr(d.content, '"expires_at":')
               ELSE instr(d.content, '"expires_at":' || NEW.expires_at || ',') END);
  SELECT RAISE(ABORT, 'cassette: there is nothing to decide here')
  WHERE NOT CASE NEW.kind
    WHEN 'requirement' THEN NOT EXISTS (SELECT 1 FROM cassette_decisions
                                        WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal)
    WHEN 'lapse' THEN EXISTS (SELECT 1 FROM cassette_decisions
                              WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal AND kind = 'approval'
                                AND expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
    WHEN 'approval' THEN EXISTS (SELECT 1 FROM cassette_decisions
                                 WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal
                                   AND kind IN ('requirement', 'lapse'))
      AND (NEW.expires_at IS NULL
           OR NEW.expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
    ELSE EXISTS (SELECT 1 FROM cassette_decisions
                 WHERE job_id = NEW.job_id AND ordinal = NEW.ordinal AND kind <> 'denial') END
     OR NOT EXISTS (SELECT 1 FROM cassette_step_states
                    WHERE job_id = NEW.job_id AND status = 'PENDING' AND NEW.ordinal IN (0, ordinal))
     OR (NEW.kind = 'requirement' AND NEW.ordinal = 0
         AND EXISTS (SELECT 1 FROM cassette_step_states WHERE job_id = NEW.job_id AND fence > 0));
END;

CREATE TRIGGER cassette_notes_decided AFTER INSERT ON cassette_notes
WHEN NEW.kind IN ('requirement', 'approval', 'lapse')
BEGIN
  UPDATE cassette_step_states
  SET questions = (SELECT count(*) FROM cassette_decisions d WHERE d.job_id = NEW.job_id
                 AND d.ordinal IN (0, cassette_step_states.ordinal) AND d.kind IN ('requirement', 'lapse')),
      waiting_for = waiting_for - questions + (
        SELECT count(*) FROM cassette_decisions d WHERE d.job_id = NEW.job_id
          AND d.ordinal IN (0, cassette_step_states.ordinal) AND d.kind IN ('requirement', 'lapse')),
      approved_until = (SELECT min(d.expires_at) FROM cassette_decisions d WHERE d.job_id = NEW.job_id
                          AND d.ordinal IN (0, cassette_step_states.ordinal) AND d.kind = 'approval'),
      approval_sha256 = (SELECT d.sha256 FROM cassette_decisions d WHERE d.job_id = NEW.job_id
                           AND d.ordinal IN (0, cassette_step_states.ordinal) AND d.kind = 'approval'
                         ORDER BY d.note_seq DESC LIMIT 1)
  WHERE job_id = NEW.job_id AND status = 'PENDING' AND NEW.ordinal IN (0, ordinal);
END;

-- What was denied has failed before it began. A denied plan takes its remaining steps with it.
CREATE TRIGGER cassette_notes_denied AFTER INSERT ON cassette_notes WHEN NEW.kind = 'denial'
BEGIN
  UPDATE cassette_step_states SET status = 'FAILED'
  WHERE job_id = NEW.job_id AND ordinal = CASE NEW.ordinal
    WHEN 0 THEN (SELECT min(ordinal) FROM cassette_step_states WHERE job_id = NEW.job_id AND status = 'PENDING')
    ELSE NEW.ordinal END;
  UPDATE cassette_step_states SET status = 'SKIPPED'
  WHERE job_id = NEW.job_id AND status = 'PENDING' AND NEW.ordinal = 0;
END;

-- As before, and what approvals add.
DROP TRIGGER cassette_step_states_moves;
-- The moves of a step, all of them. Anything else is refused, NULLs included. A lease has run out at its end, and also
-- when its end is further away than any clock that only went forward could have put it; an operator may put it back.
CREATE TRIGGER cassette_step_states_moves BEFORE UPDATE ON cassette_step_states
WHEN NOT coalesce(
  NEW.job_id = OLD.job_id AND NEW.ordinal = OLD.ordinal AND NEW.run_id = OLD.run_id
  AND NEW.message_seq = OLD.message_seq AND NEW.op = OLD.op
  AND ((OLD.status = 'PENDING' AND NEW.status = 'PENDING')
       OR (NEW.questions = OLD.questions AND NEW.approved_until IS OLD.approved_until
           AND NEW.approval_sha256 IS OLD.approval_sha256))
  AND CASE OLD.status || '>' || NEW.status
    WHEN 'PENDING>LEASED' THEN
      NEW.fence = OLD.fence + 1 AND NEW.attempts = OLD.attempts + 1 AND NEW.failures = OLD.failures
      AND OLD.waiting_for = 0 AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
      AND OLD.hold IS NULL AND NEW.hold IS NULL AND OLD.questions = 0
      AND (OLD.approved_until IS NULL
           OR OLD.approved_until > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
    WHEN 'PENDING>PENDING' THEN -- one dependency fewer, another place or hold, or the questions that the notes ask
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.not_before = OLD.not_before AND NEW.waiting_for >= NEW.questions
      AND (CASE WHEN NEW.questions IS NOT OLD.questions OR NEW.approved_until IS NOT OLD.approved_until
                     OR NEW.approval_sha256 IS NOT OLD.approval_sha256
             THEN NEW.waiting_for - NEW.questions = OLD.waiting_for - OLD.questions
                  AND NEW.hold IS OLD.hold AND NEW.rank IS OLD.rank AND NEW.starts_at IS OLD.starts_at
                  AND NEW.limit_key IS OLD.limit_key
                  AND NEW.questions = (SELECT count(*) FROM cassette_decisions d WHERE d.job_id = NEW.job_id
                                         AND d.ordinal IN (0, NEW.ordinal) AND d.kind IN ('requirement', 'lapse'))
                  AND NEW.approved_until IS (SELECT min(d.expires_at) FROM cassette_decisions d
                                             WHERE d.job_id = NEW.job_id AND d.ordinal IN (0, NEW.ordinal)
                                               AND d.kind = 'approval')
                  AND (NEW.waiting_for > 0 OR NOT EXISTS (
                    SELECT 1 FROM cassette_step_dependencies d
                    JOIN cassette_step_states n ON n.job_id = d.job_id AND n.ordinal = d.needs_ordinal
                    WHERE d.job_id = NEW.job_id AND d.ordinal = NEW.ordinal AND n.status <> 'COMMITTED'))
             WHEN NEW.waiting_for = OLD.waiting_for
             THEN NEW.hold IS NOT OLD.hold OR NEW.rank IS NOT OLD.rank OR NEW.starts_at IS NOT OLD.starts_at
                  OR NEW.limit_key IS NOT OLD.limit_key
             ELSE NEW.waiting_for = OLD.waiting_for - 1 AND NEW.hold IS OLD.hold AND (NEW.waiting_for > 0 OR NOT EXISTS (
               SELECT 1 FROM cassette_step_dependencies d
               JOIN cassette_step_states n ON n.job_id = d.job_id AND n.ordinal = d.needs_ordinal
               WHERE d.job_id = NEW.job_id AND d.ordinal = NEW.ordinal AND n.status <> 'COMMITTED')) END)
    WHEN 'LEASED>LEASED' THEN -- heartbeat
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before AND NEW.worker_id = OLD.worker_id
      AND NEW.ticket IS OLD.ticket AND NEW.hold IS NULL
      AND (NEW.lease_expires_at >= OLD.lease_expires_at
           OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms)
    WHEN 'LEASED>COMMITTED' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures AND NEW.waiting_for = 0
      AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                  AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id AND r.outcome = 'SUCCESS')
    WHEN 'LEASED>FAILED' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures + 1
      AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                  AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id AND r.outcome = 'FAILURE')
    WHEN 'LEASED>PENDING' THEN -- handed back, to be tried again, or expired with attempts left
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.waiting_for = 0
      AND NOT EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'CANCEL')
      AND (
        EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id
                AND ((r.outcome = 'ABORTED' AND NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before
                      AND NEW.hold IS NULL)
                     OR (r.outcome = 'FAILURE' AND NEW.failures = OLD.failures + 1
                         AND NEW.not_before = r.created_at + r.retry_after_ms
                         AND CASE WHEN r.retry_after_ms = 0 THEN NEW.hold IS NULL
                             ELSE NEW.hold IS 'TIME' AND NEW.wake_at = NEW.not_before
                                  AND NEW.hold_since = r.created_at END)))
        OR (NEW.failures = OLD.failures AND NEW.not_before = OLD.not_before AND NEW.hold IS NULL
            AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
                 OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms
                 OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'REQUEUE'
                            AND a.ordinal = OLD.ordinal AND a.fence = OLD.fence))
            AND OLD.attempts < (SELECT max_attempts FROM cassette_step_definitions d
                                WHERE d.job_id = OLD.job_id AND d.ordinal = OLD.ordinal)))
    WHEN 'LEASED>DEAD' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures AND NEW.waiting_for = 0
      AND NEW.not_before = OLD.not_before
      AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
           OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms
           OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'REQUEUE'
                      AND a.ordinal = OLD.ordinal AND a.fence = OLD.fence))
      AND OLD.attempts >= (SELECT max_attempts FROM cassette_step_definitions d
                           WHERE d.job_id = OLD.job_id AND d.ordinal = OLD.ordinal)
    WHEN 'LEASED>SKIPPED' THEN -- the job was aborted while this step was out
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_step_states b INDEXED BY cassette_broken
                  CROSS JOIN cassette_step_definitions d ON d.job_id = b.job_id AND d.ordinal = b.ordinal
                  WHERE b.job_id = OLD.job_id AND b.status IN ('FAILED', 'DEAD') AND d.on_error <> 'continue')
      AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
           OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms
           OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'REQUEUE'
                      AND a.ordinal = OLD.ordinal AND a.fence = OLD.fence)
           OR EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                      AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id AND r.outcome = 'ABORTED'))
    WHEN 'LEASED>CANCELLED' THEN -- the job was cancelled while this step was out
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.waiting_for = 0 AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'CANCEL')
      AND (NEW.failures = OLD.failures
           AND (OLD.lease_expires_at <= CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
                OR OLD.lease_expires_at > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 2 * OLD.lease_ms
                OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'REQUEUE'
                           AND a.ordinal = OLD.ordinal AND a.fence = OLD.fence))
           OR EXISTS (SELECT 1 FROM cassette_receipts r WHERE r.job_id = OLD.job_id AND r.ordinal = OLD.ordinal
                      AND r.fence = OLD.fence AND r.worker_id = OLD.worker_id
                      AND ((r.outcome = 'ABORTED' AND NEW.failures = OLD.failures)
                           OR (r.outcome = 'FAILURE' AND r.retry_after_ms IS NOT NULL
                               AND NEW.failures = OLD.failures + 1))))
    WHEN 'PENDING>FAILED' THEN -- denied
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = OLD.waiting_for AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_decisions d WHERE d.job_id = OLD.job_id AND d.ordinal IN (0, OLD.ordinal)
                    AND d.kind = 'denial')
    WHEN 'PENDING>SKIPPED' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = OLD.waiting_for AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_step_states b WHERE b.job_id = OLD.job_id AND b.status IN ('FAILED', 'DEAD'))
    WHEN 'PENDING>CANCELLED' THEN
      NEW.fence = OLD.fence AND NEW.attempts = OLD.attempts AND NEW.failures = OLD.failures
      AND NEW.waiting_for = OLD.waiting_for AND NEW.not_before = OLD.not_before
      AND EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = OLD.job_id AND a.kind = 'CANCEL')
    ELSE 0 END, 0)
BEGIN SELECT RAISE(ABORT, 'cassette: this is not a move a step can make'); END;
