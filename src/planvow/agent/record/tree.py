"""The tree of a run, put together from the certificates and receipts of its jobs: no code of the domain is needed."""

from __future__ import annotations

from collections.abc import Sequence

from planvow.agent.loop.rest import Node, RunTree
from planvow.agent.record.jobs import REST, AgentJob
from planvow.agent.record.lost import done_in
from planvow.cassette.ledger.store import Store


def run_tree(store: Store, jobs: Sequence[AgentJob]) -> tuple[RunTree, tuple[AgentJob, ...]]:
    """Return the tree up to the last of these jobs, and the jobs it holds: plans before one that was made anew are not.

    Steps of the last job are not marked as done yet.
    """
    planned = [job for job in jobs if job.certificate is not None]
    start = max((n for n, job in enumerate(planned) if job.origin.kind != REST), default=0)
    tree, kept = RunTree(), tuple(planned[start:])
    for number, job in enumerate(kept):
        assert job.certificate is not None
        if number == 0:
            tree.begin(job.certificate)
            continue
        mark_done(tree, done_in(store, kept[number - 1].job_id))
        failed, redone = redone_node(tree, job.origin.failed or 1, job.origin.level)
        failed.is_done = False  # it may have run, and not brought what it promised
        tree.graft(tree.agenda(redone), job.certificate)
    return tree, kept


def redone_node(tree: RunTree, failed: int, level: int) -> tuple[Node, Node]:
    """Return the node of the step that failed, and the one so many levels above it."""
    node = tree.steps[failed - 1]
    return node, list(node.lineage())[level]


def mark_done(tree: RunTree, ordinals: frozenset[int]) -> None:
    """Mark steps of the latest plan as done."""
    for ordinal in ordinals:
        tree.steps[ordinal - 1].is_done = True
