"""Who changed what in the ledger, and from where: a note in the job's own chain for every such call from outside."""

from __future__ import annotations

from typing import Any

from planvow.cassette.dossier.observe import observations_of, observe
from planvow.service.declare.document import document
from planvow.service.declare.setting import Setting

CALLED = "called"


@document
class CalledLine:
    """A call that changed a job, or would have: posted again it changes nothing, and some are refused."""

    job_id: str
    operation: str
    by: str
    """The token, the user whom a proxy names, or what the client calls itself."""
    origin: str
    """From where: an address, or the protocol."""
    at: int
    """Milliseconds since 1970."""
    refused: str = ""
    """The code with which it was refused; empty where it was done."""
    reason: str = ""
    """Why it was refused."""
    times: int = 1
    """How many such calls this line stands for: refusals are noted once a minute."""


def note_call(ledger: Any, job_id: str, operation: str, setting: Setting) -> None:
    """Note who asked, where a call comes from outside; inside the transaction that does what was asked."""
    if setting.origin:
        said = {"operation": operation, "by": setting.client or "somebody", "origin": setting.origin}
        observe(ledger, job_id, None, {CALLED: said})


def calls_of(ledger: Any, job_id: str) -> list[CalledLine]:
    """Return who asked what of a job, in order."""
    found = [(seen.document[CALLED], seen.at) for seen in observations_of(ledger, job_id) if _is_call(seen.document)]
    words = ("operation", "by", "origin", "refused", "reason")
    return [
        CalledLine(
            job_id=job_id,
            at=at,
            times=said["times"] if isinstance(said.get("times"), int) else 1,
            **{name: str(said.get(name, "")) for name in words},
        )
        for said, at in found
    ]


def _is_call(seen: Any) -> bool:
    return isinstance(seen, dict) and isinstance(seen.get(CALLED), dict)
