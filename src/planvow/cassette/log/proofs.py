"""Proofs for whoever has a checkpoint and not the ledger: that an entry is in it, and that a later one only added.

Both are the hashes of some subtrees, in the order of RFC 6962. Leaves are read once, in order, and forgotten: a proof
takes the memory of a few hashes and the time of reading the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planvow.canonical import to_jsonable
from planvow.cassette.errors import TamperedError, UnknownStepError
from planvow.cassette.ledger.chain import list_hash
from planvow.cassette.ledger.log_entries import Checkpoint, entry_of, leaf_line, row_of
from planvow.cassette.ledger.statements import filtered_name
from planvow.cassette.ledger.store import Store
from planvow.cassette.log.merkle import (
    Range,
    consistency_ranges,
    inclusion_ranges,
    subtree_hashes,
    verify_consistency,
    verify_inclusion,
)
from planvow.errors import InputError
from planvow.hash_tree import GrowingTree
from planvow.verdict import Fault

FORMAT = "planvow-log-proof/1"


def prove_entry(store: Store, index: int, checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the proof that the entry at a place is in a checkpoint."""
    if not 0 <= index < checkpoint.tree_size:
        raise UnknownStepError(
            f"the checkpoint covers entries 0 to {checkpoint.tree_size - 1}, {index} is not among them"
        )
    with store.snapshot():
        found = store.rows(filtered_name("log_entries", ["log_index"]), log_index=index)
        if not found or found[0]["found"] is None:
            raise UnknownStepError(f"the row of entry {index} is not here any more: its bundle has it")
        path, root = _subtrees(store, inclusion_ranges(index, checkpoint.tree_size), checkpoint.tree_size)
    _check_root(root, checkpoint)
    return {
        **_heading("inclusion", checkpoint),
        "log_index": index,
        "entry": to_jsonable(entry_of(found[0]["kind"], found[0])),
        "path": path,
    }


def prove_growth(store: Store, earlier: Checkpoint, later: Checkpoint) -> dict[str, Any]:
    """Return the proof that a later checkpoint begins with all that an earlier one covers."""
    if earlier.tree_size > later.tree_size:
        message = f"the earlier checkpoint covers {earlier.tree_size} entries, the log has {later.tree_size}"
        raise TamperedError(message, hint="entries were removed, or this is another ledger")
    with store.snapshot():
        path, root = _subtrees(store, consistency_ranges(earlier.tree_size, later.tree_size), later.tree_size)
    _check_root(root, later)
    if not verify_consistency(earlier.tree_size, earlier.root, later.tree_size, later.root, path):
        raise TamperedError(f"the first {earlier.tree_size} entries are not those of the earlier checkpoint")
    return {
        **_heading("consistency", later),
        "earlier_size": earlier.tree_size,
        "earlier_root": earlier.root,
        "path": path,
    }


def root_at(store: Store, tree_size: int) -> str | None:
    """Return the root over the first entries as they stand in the log, None where there are fewer."""
    tree = GrowingTree()
    for row in store.stream("log_leaves", tree_size=tree_size):
        tree.add(leaf_line(**row))
    return tree.root if tree.size == tree_size else None


def check_proof(
    proof: Any, *, checkpoint: Checkpoint | None = None, earlier: Checkpoint | None = None
) -> tuple[list[Fault], str]:
    """Say what is wrong with a proof, and in one sentence what it shows when nothing is."""
    if not isinstance(proof, Mapping) or proof.get("format") != FORMAT:
        raise InputError(f"this is not a proof: its format is not {FORMAT!r}")
    try:
        faults, said = _inclusion(proof) if proof["proof"] == "inclusion" else _consistency(proof)
        if checkpoint is not None and (checkpoint.tree_size, checkpoint.root) != (proof["tree_size"], proof["root"]):
            faults.append(Fault(place="proof", message="it is about another checkpoint than the one given"))
        if earlier is not None and (earlier.tree_size, earlier.root) != (
            proof.get("earlier_size"), proof.get("earlier_root"),
        ):  # fmt: skip
            faults.append(Fault(place="proof", message="it is about another earlier checkpoint than the one given"))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(f"the proof is incomplete or malformed: {type(error).__name__} {error}") from None
    return faults, said


def _inclusion(proof: Mapping[str, Any]) -> tuple[list[Fault], str]:
    index, size, root = proof["log_index"], proof["tree_size"], proof["root"]
    leaf = leaf_line(*row_of(proof["entry"]), list_hash(proof["entry"]))
    holds = verify_inclusion(leaf, index, size, proof["path"], root)
    faults = [] if holds else [Fault(place="proof", message=f"this entry is not number {index} under this root")]
    return faults, f"entry {index} is in the checkpoint of {size} entries with root {root}"


def _consistency(proof: Mapping[str, Any]) -> tuple[list[Fault], str]:
    size, root, before = proof["tree_size"], proof["root"], proof["earlier_size"]
    holds = verify_consistency(before, proof["earlier_root"], size, root, proof["path"])
    faults = [] if holds else [Fault(place="proof", message="the later checkpoint does not begin with the earlier one")]
    return faults, f"the checkpoint of {size} entries only added to the one of {before}"


def _heading(kind: str, checkpoint: Checkpoint) -> dict[str, Any]:
    return {"format": FORMAT, "proof": kind, "tree_size": checkpoint.tree_size, "root": checkpoint.root}


def _check_root(root: str, checkpoint: Checkpoint) -> None:
    if root != checkpoint.root:
        raise TamperedError("the log does not have the root of its checkpoint", hint="run cassette verify")


def _subtrees(store: Store, ranges: Sequence[Range], size: int) -> tuple[list[str], str]:
    """Return the hashes of subtrees, given as ranges of leaves, and the root over all."""
    return subtree_hashes((leaf_line(**row) for row in store.stream("log_leaves", tree_size=size)), ranges)
