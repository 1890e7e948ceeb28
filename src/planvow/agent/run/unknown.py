"""What nobody knows: leases of a step that ended without a word about what became of the call.

A lease without a receipt may have ended before its tool was called, while it ran, or between its side effect and the
receipt. A receipt that says `unknown` stands for a call that was left behind. Both stay open until somebody settles
them or the step is done.
"""

from __future__ import annotations

from collections.abc import Iterable

from planvow.agent.record.lost import SETTLED, UNKNOWN, open_fences
from planvow.cassette.ledger.model import Claim, Receipt

__all__ = ["SETTLED", "UNKNOWN", "open_fences", "open_leases"]


def open_leases(claim: Claim, receipts: Iterable[Receipt]) -> tuple[int, ...]:
    """Return the earlier leases of a claimed step of which nobody knows what they did."""
    return open_fences(claim.ordinal, claim.fence - 1, receipts)
