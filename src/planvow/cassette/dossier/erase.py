"""Erasing what is private. The chains stay whole: they never held it."""

from __future__ import annotations

from collections.abc import Iterable

from planvow.canonical import canonical_json
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.ledger.model import check_name
from planvow.cassette.ledger.notes import WHOLE_PLAN, NoteKind
from planvow.cassette.ledger.store import Store


def erase(store: Store, job_id: str, *, by: str, reason: str, only: Iterable[str] | None = None) -> tuple[str, ...]:
    """Erase what is kept apart for a job, all or those hashes; note who did it and why. Return the hashes."""
    check_name("by", by)
    check_name("the reason", reason)
    with store.transaction():
        store.check_known(job_id=job_id)
        kept = [row["sha256"] for row in store.rows("rows_kept_apart", job_id=job_id)]
        wanted = kept if only is None else sorted(set(only))
        unknown = sorted(set(wanted) - set(kept))
        if unknown:
            raise UnknownStepError(f"nothing private of job {job_id} has the hash {unknown[0]!r}")
        if wanted:
            said = {"by": by, "reason": reason, "erased": wanted}
            store.add_note(job_id, NoteKind.ERASURE, WHOLE_PLAN, canonical_json(said))
    return tuple(wanted)
