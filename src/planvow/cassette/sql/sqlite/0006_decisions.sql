-- The log covers what people decide too: notes (observations, approvals, denials, erasures) and operators' actions each have
-- an entry.

ALTER TABLE cassette_log_state ADD COLUMN notes_to INTEGER NOT NULL DEFAULT 0;
ALTER TABLE cassette_log_state ADD COLUMN actions_to INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER cassette_log_state_forward;
CREATE TRIGGER cassette_log_state_forward BEFORE UPDATE ON cassette_log_state
  WHEN NOT coalesce(
    NEW.only_row = OLD.only_row AND NEW.tree_size >= OLD.tree_size AND NEW.posts_to >= OLD.posts_to
    AND NEW.events_to >= OLD.events_to AND NEW.notes_to >= OLD.notes_to AND NEW.actions_to >= OLD.actions_to
    AND NEW.tree_size = (SELECT coalesce(max(log_index) + 1, 0) FROM cassette_log), 0)
  BEGIN SELECT RAISE(ABORT, 'cassette: the log only grows'); END;

DROP TRIGGER cassette_log_next;
CREATE TRIGGER cassette_log_next BEFORE INSERT ON cassette_log
  WHEN NEW.log_index IS NOT (SELECT coalesce(max(log_index) + 1, 0) FROM cassette_log)
    OR EXISTS (SELECT 1 FROM cassette_log WHERE kind = NEW.kind AND seq = NEW.seq)
    OR NOT CASE NEW.kind
      WHEN 'post' THEN EXISTS (SELECT 1 FROM cassette_messages WHERE seq = NEW.seq)
      WHEN 'event' THEN EXISTS (SELECT 1 FROM cassette_step_events WHERE seq = NEW.seq)
      WHEN 'note' THEN EXISTS (SELECT 1 FROM cassette_notes WHERE seq = NEW.seq)
      WHEN 'action' THEN EXISTS (SELECT 1 FROM cassette_actions WHERE seq = NEW.seq)
      WHEN 'archive' THEN EXISTS (SELECT 1 FROM cassette_archives WHERE archive_id = NEW.seq)
      ELSE 0 END
  BEGIN SELECT RAISE(ABORT, 'cassette: an entry takes the next place of the log and names a row without one'); END;

DROP TRIGGER cassette_archived_jobs_finished;
CREATE TRIGGER cassette_archived_jobs_finished BEFORE INSERT ON cassette_archived_jobs
  WHEN EXISTS (SELECT 1 FROM cassette_archived_jobs WHERE job_id = NEW.job_id OR message_id = NEW.message_id)
    OR NOT EXISTS (SELECT 1 FROM cassette_jobs j
                   JOIN cassette_archives a ON a.archive_id = NEW.archive_id AND a.run_id = j.run_id
                   JOIN cassette_log l ON l.kind = 'post' AND l.seq = j.message_seq
                   WHERE j.job_id = NEW.job_id AND j.message_id = NEW.message_id)
    OR EXISTS (SELECT 1 FROM cassette_step_states WHERE job_id = NEW.job_id AND status IN ('PENDING', 'LEASED'))
    OR EXISTS (SELECT 1 FROM cassette_step_events e WHERE e.job_id = NEW.job_id
               AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'event' AND l.seq = e.seq))
    OR EXISTS (SELECT 1 FROM cassette_notes n WHERE n.job_id = NEW.job_id
               AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'note' AND l.seq = n.seq))
    OR EXISTS (SELECT 1 FROM cassette_actions a WHERE a.job_id = NEW.job_id
               AND NOT EXISTS (SELECT 1 FROM cassette_log l WHERE l.kind = 'action' AND l.seq = a.seq))
  BEGIN SELECT RAISE(ABORT, 'cassette: only a finished job of the run that is wholly in the log is archived'); END;

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
