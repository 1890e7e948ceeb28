"""Seals that were kept outside the ledger, held against it.

The owner of a database can switch triggers off, rewrite history and compute every hash anew; what he cannot do is
make it begin with a root that somebody else wrote down before. So a kept seal is compared with the leaves that stand
in the ledger now: the first `tree_size` of them must still have its root, however many came later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planvow.cassette.proof.seal import PAYLOAD_TYPE, STATEMENT
from planvow.cassette.signing.dsse import Verifier
from planvow.cassette.signing.statements import Form, read_kept


@dataclass(frozen=True, kw_only=True)
class KeptSeal:
    """What an envelope that was kept elsewhere says of a run."""

    run_id: str
    tree_size: int
    merkle_root: str


_FORM = Form(
    name="seal",
    version=STATEMENT,
    payload_type=PAYLOAD_TYPE,
    fields={"run_id": str, "tree_size": int, "merkle_root": str},
    of="run",
    written_by="cassette seal -o FILE",
)


def read_kept_seal(wrapped: Any, *, accepted: Sequence[Verifier] = ()) -> KeptSeal:
    """Return what a kept envelope says; with keys, one of them must have signed it, else SignatureError."""
    return KeptSeal(**read_kept(_FORM, wrapped, accepted))
