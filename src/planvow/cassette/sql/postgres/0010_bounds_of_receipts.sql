-- A receipt counts what somebody may live to see: a tebibyte for a step, another attempt within a hundred years. One of
-- 9e18 bytes made the sum of its job overflow in everybody's completions, so that no step of it ended any more, and numbers
-- beyond 2^53 kept a run from being exported and archived.

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
  IF NOT coalesce(NEW.outcome IN ('SUCCESS', 'FAILURE', 'ABORTED') AND NEW.bytes_used BETWEEN 0 AND 1099511627776
                  AND (NEW.retry_after_ms IS NULL OR NEW.retry_after_ms BETWEEN 0 AND 3155760000000), false) THEN
    RAISE EXCEPTION 'cassette: this is not an outcome, or it counts below zero or beyond all bounds' USING ERRCODE = 'CA000';
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

SELECT cassette_renew_rights();
