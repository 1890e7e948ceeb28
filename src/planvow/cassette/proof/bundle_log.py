"""The places of a bundle's rows in the log, and the proof that a checkpoint covers them.

The leaves are not in the bundle: they are computed from its rows. With the hashes of the subtrees that hold none of
them they give the root of the checkpoint, and only then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from planvow.cassette.ledger.job_rows import JobRows
from planvow.cassette.ledger.log_entries import ACTION, EVENT, NOTE, POST, Checkpoint, entry_leaf, leaf_line
from planvow.cassette.ledger.store import Store
from planvow.cassette.log.blocks import BLOCK, LogBlocks
from planvow.hash_tree import hidden_ranges, proved_root
from planvow.verdict import Fault


def log_blocks(store: Store, tree_size: int) -> LogBlocks:
    """Return the log up to a checkpoint, read once, for the proofs of many bundles."""

    def read(first: int, last: int) -> Iterator[bytes]:
        rows = store.stream if last - first > BLOCK else store.rows
        return (leaf_line(**row) for row in rows("log_leaves_between", first=first, last=last))

    with store.snapshot():
        return LogBlocks(read, tree_size)


def log_content(store: Store, job_ids: Iterable[str], blocks: LogBlocks) -> dict[str, Any]:
    """Return where the rows of jobs stand in the log, and the proof for them in a checkpoint."""
    found = [row for job_id in job_ids for row in store.rows("places_of_job", job_id=job_id)]
    places = sorted((row["log_index"], row["kind"], row["seq"]) for row in found)
    ranges = hidden_ranges([index for index, _, _ in places], blocks.size)
    proof = [blocks.hash_of(start, end) for start, end in ranges]
    return {"entries": [list(place) for place in places], "proof": proof}


def leaves_of(jobs: Iterable[JobRows]) -> dict[tuple[str, int], str]:
    """Return the leaf of each row that has a place in the log, by kind and number."""
    found = {}
    for rows in jobs:
        post = {"seq": rows.message["seq"], "job_id": rows.job_id, "head_sha256": rows.head()}
        found[POST, post["seq"]] = entry_leaf(POST, post)
        reports = {(row["ordinal"], row["fence"]): row["sha256"] for row in rows.receipts}
        for event in rows.events:
            lease = (event["ordinal"], event["fence"]) if event["from_status"] == "LEASED" else None
            row = {**event, "receipt_sha256": reports.get(lease) if lease is not None else None}
            found[EVENT, event["seq"]] = entry_leaf(EVENT, row)
        for note in rows.notes:
            found[NOTE, note["seq"]] = entry_leaf(NOTE, {**note, "note_sha256": note["sha256"]})
        for action in rows.actions:
            found[ACTION, action["seq"]] = entry_leaf(ACTION, {**action, "action_kind": action["kind"]})
    return found


def check_places(jobs: Iterable[JobRows], log: Mapping[str, Any], checkpoint: Checkpoint) -> Iterator[Fault]:
    """Yield what is wrong with the places that a bundle names, in the light of the checkpoint it came with."""
    leaves = leaves_of(jobs)
    named = {(kind, seq): index for index, kind, seq in log["entries"]}
    if named.keys() != leaves.keys() or len(set(named.values())) != len(log["entries"]):
        yield Fault(place="bundle", message="its rows and its places in the log do not correspond")
        return
    shown = {index: leaf_line(*entry, leaves[entry]) for entry, index in named.items()}
    proof = [bytes.fromhex(text) for text in log["proof"]]
    if proved_root(shown, checkpoint.tree_size, proof) != checkpoint.root:
        yield Fault(place="bundle", message="its rows are not what the log had in these places")
