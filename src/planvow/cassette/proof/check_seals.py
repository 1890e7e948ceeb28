"""Whether the seals of one run hold: numbers, roots and envelopes, over leaves that are read once.

That the leaves of a job are what the job is now is checked with the job (`check_job`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from planvow.canonical import canonical_bytes, canonical_json
from planvow.cassette.errors import SignatureError
from planvow.cassette.proof.dsse import Verifier, unsigned_payload, verified_payload
from planvow.cassette.proof.kept_seal import KeptSeal
from planvow.cassette.proof.seal import PAYLOAD_TYPE, seal_statement
from planvow.errors import NotCanonicalError
from planvow.hash_tree import EMPTY_ROOT, GrowingTree
from planvow.verdict import Fault

Row = Mapping[str, Any]


def check_seals(
    run_id: str,
    leaves: Iterable[Row],
    seals: Sequence[Row],
    accepted: Sequence[Verifier] = (),
    kept: Sequence[KeptSeal] = (),
) -> Iterator[Fault]:
    """Yield everything that is wrong with the seals of one run, those kept elsewhere included.

    A leaf says in `run_of_job` which run its job belongs to.
    """
    place = f"seals of run {run_id}"
    wanted = {row["tree_size"] for row in seals} | {seal.tree_size for seal in kept}
    roots: dict[int, str | None] = {0: EMPTY_ROOT}
    tree = GrowingTree()
    sound = True
    size = 0
    gap = False
    strange: str | None = None
    for leaf in leaves:
        gap |= leaf["leaf_index"] != size
        if leaf["run_of_job"] != run_id and strange != leaf["job_id"]:
            strange = leaf["job_id"]
            yield Fault(place=place, message=f"has leaves for {strange}, which is not a job of this run, or twice")
        try:
            tree.add(bytes.fromhex(leaf["leaf_sha256"]))
        except ValueError:
            sound = False
        size += 1
        if size in wanted:
            roots[size] = tree.root if sound else None
    if gap:
        yield Fault(place=place, message="the leaves are not numbered without gaps")
    if (seals[-1]["tree_size"] if seals else 0) != size:
        yield Fault(place=place, message="the last seal does not cover all leaves")
    for seal in seals:
        yield from _check_seal(run_id, roots.get(seal["tree_size"]), seal, accepted)
    for known in kept:
        yield from _check_kept(known, size, roots.get(known.tree_size))


def _check_kept(kept: KeptSeal, size: int, root: str | None) -> Iterator[Fault]:
    place = f"kept seal of run {kept.run_id}"
    if size < kept.tree_size:
        yield Fault(place=place, message=f"it covers {kept.tree_size} leaves, only {size} are here")
    elif root != kept.merkle_root:
        yield Fault(place=place, message="what is here now is not what was sealed then")


def _check_seal(run_id: str, root: str | None, seal: Row, accepted: Sequence[Verifier]) -> Iterator[Fault]:
    size = seal["tree_size"]
    place = f"seal {size} of run {run_id}"
    if seal["run_id"] != run_id or root != seal["merkle_root"]:
        yield Fault(place=place, message="the leaves do not have this root")
    try:
        said = stored_payload(seal["envelope_json"], PAYLOAD_TYPE, accepted)
        if said != canonical_bytes(seal_statement(run_id, size, seal["merkle_root"], seal["created_at"])):
            yield Fault(place=place, message="the envelope says something else than the row")
    except (SignatureError, NotCanonicalError, ValueError, KeyError, TypeError) as error:
        yield Fault(place=place, message=str(error))


def stored_payload(envelope_json: str, payload_type: str, accepted: Sequence[Verifier]) -> bytes:
    """Return what a stored envelope says; with keys, one of them must have signed it, and no other."""
    wrapped = json.loads(envelope_json)
    if not isinstance(wrapped, dict) or canonical_json(wrapped) != envelope_json:
        raise SignatureError("the envelope is not canonical JSON")
    if not accepted:
        return unsigned_payload(wrapped, payload_type)
    said = verified_payload(wrapped, payload_type, *accepted)
    if not {entry["keyid"] for entry in wrapped["signatures"]} <= {key.key_id for key in accepted}:
        raise SignatureError("the envelope names a key that is not accepted")
    return said
