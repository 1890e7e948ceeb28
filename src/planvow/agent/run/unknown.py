"""What nobody knows: leases of a step that ended without a word about what became of the call.

A lease without a receipt may have ended before its tool was called, while it ran, or between its side effect and the
receipt. A receipt that says `unknown` stands for a call that was left behind. Both stay open until somebody settles
them or the step is done.
"""

from __future__ import annotations

from collections.abc import Iterable

from planvow.cassette.ledger.model import Claim, Outcome, Receipt

SETTLED, UNKNOWN = "settled", "unknown"


def open_leases(claim: Claim, receipts: Iterable[Receipt]) -> tuple[int, ...]:
    """Return the earlier leases of a claimed step of which nobody knows what they did."""
    return open_fences(claim.ordinal, claim.fence - 1, receipts)


def open_fences(ordinal: int, last: int, receipts: Iterable[Receipt]) -> tuple[int, ...]:
    """Return those of the leases 1 to `last` of a step of which nobody knows what they did."""
    own = {receipt.fence: receipt for receipt in receipts if receipt.ordinal == ordinal}
    settled = max((fence for fence, receipt in own.items() if SETTLED in receipt.body), default=0)
    return tuple(
        fence
        for fence in range(settled + 1, last + 1)
        if fence not in own or (own[fence].outcome is Outcome.ABORTED and own[fence].body.get(UNKNOWN))
    )
