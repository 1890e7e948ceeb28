"""Seals that were kept outside the ledger, held against it.

The owner of a database can switch triggers off, rewrite history and compute every hash anew; what he cannot do is
make it begin with a root that somebody else wrote down before. So a kept seal is compared with the leaves that stand
in the ledger now: the first `tree_size` of them must still have its root, however many came later.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.cassette.proof.dsse import Verifier, unsigned_payload, verified_payload
from planvow.cassette.proof.seal import PAYLOAD_TYPE, STATEMENT
from planvow.errors import InputError


@dataclass(frozen=True, kw_only=True)
class KeptSeal:
    """What an envelope that was kept elsewhere says of a run."""

    run_id: str
    tree_size: int
    merkle_root: str


def read_kept_seal(wrapped: Any, *, accepted: Sequence[Verifier] = ()) -> KeptSeal:
    """Return what a kept envelope says; with keys, one of them must have signed it, else SignatureError."""
    if not isinstance(wrapped, Mapping):
        raise InputError("this is not a seal", hint="`cassette seal -o FILE` writes one")
    payload = (
        verified_payload(wrapped, PAYLOAD_TYPE, *accepted) if accepted else unsigned_payload(wrapped, PAYLOAD_TYPE)
    )
    try:
        said = json.loads(payload)
        if said["seal"] != STATEMENT:
            raise InputError(f"a seal of another version: {said['seal']!r:.60}, expected {STATEMENT!r}")
        kept = KeptSeal(**{name: said[name] for name in ("run_id", "tree_size", "merkle_root")})
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"the seal says nothing of a run: {type(error).__name__} {error}") from None
    if not (isinstance(kept.run_id, str) and type(kept.tree_size) is int and isinstance(kept.merkle_root, str)):
        raise InputError("the seal says nothing of a run: a field is of another type")
    return kept
