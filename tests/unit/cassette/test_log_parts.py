"""The pieces of the log and of checking as one reads: each against the plain form that has everything at hand."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.cassette.ledger.chain import HashedList, list_hash
from planvow.cassette.ledger.log_entries import ranges_of, row_of
from planvow.cassette.log.blocks import LogBlocks
from planvow.cassette.log.merkle import inclusion_ranges, merkle_root, subtree_hashes
from planvow.cassette.proof.step_facts import StepFacts
from planvow.execution import StepStatus, next_steps
from planvow.hash_tree import GrowingTree, HashTree, hidden_ranges, proved_root
from planvow.step import OnError, Step

leaves_strategy = st.lists(st.binary(max_size=4), max_size=40)


@given(leaves_strategy, st.data())
def test_a_tree_that_grows_is_the_tree_over_all_and_can_be_continued(leaves, data):
    cut = data.draw(st.integers(0, len(leaves)))
    tree = GrowingTree()
    for leaf in leaves[:cut]:
        tree.add(leaf)
    assert tree.root == HashTree(iter(leaves[:cut])).root
    later = GrowingTree(tree.size, tree.peaks)
    for leaf in leaves[cut:]:
        later.add(leaf)
    assert (later.root, later.size) == (HashTree(iter(leaves)).root, len(leaves))


def test_a_tree_does_not_go_on_from_peaks_of_another_size():
    with pytest.raises(ValueError, match="2 whole subtrees"):
        GrowingTree(3, [b""])


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=40), st.data())
def test_some_leaves_and_the_hashes_beside_them_give_the_root(leaves, data):
    places = sorted(data.draw(st.sets(st.integers(0, len(leaves) - 1))))
    proof, root = subtree_hashes(leaves, list(hidden_ranges(places, len(leaves))))
    shown = {place: leaves[place] for place in places}
    assert root == merkle_root(leaves)
    assert proved_root(shown, len(leaves), [bytes.fromhex(text) for text in proof]) == root


@given(st.integers(1, 1500), st.sets(st.integers(0, 1499), max_size=30))
def test_subtrees_joined_from_blocks_are_those_of_the_whole_tree(size, places):
    leaves = [str(number).encode() for number in range(size)]
    spans = list(hidden_ranges(sorted(place for place in places if place < size), size))
    blocks = LogBlocks(lambda first, last: leaves[first:last], size)
    assert [blocks.hash_of(*span) for span in spans] == subtree_hashes(leaves, spans)[0]


@pytest.mark.parametrize(("index", "size"), [(0, 0), (-1, 3), (3, 3)])
def test_there_is_no_way_from_a_leaf_outside_the_tree(index, size):
    with pytest.raises(IndexError):
        inclusion_ranges(index, size)


flat = st.one_of(st.none(), st.integers(-(2**53), 2**53), st.text(max_size=5))


@given(st.lists(st.one_of(flat, st.lists(flat, max_size=3)), max_size=8))
def test_a_list_hashed_piece_by_piece_has_the_hash_of_the_whole(values):
    pieces = HashedList()
    for value in values:
        if isinstance(value, list):
            pieces.begin()
            for inner in value:
                pieces.add(inner)
            pieces.end()
        else:
            pieces.add(value)
    assert pieces.hexdigest() == list_hash(values)


@given(st.sets(st.integers(0, 30)))
def test_ranges_hold_every_place_once(places):
    ranges = ranges_of(sorted(places))
    assert [place for first, last in ranges for place in range(first, last + 1)] == sorted(places)
    assert all(later[0] > earlier[1] + 1 for earlier, later in itertools.pairwise(ranges))


def test_an_entry_says_which_row_it_stands_for():
    assert row_of(["log-post/1", 7, "job", "head"]) == ("post", 7)
    assert row_of(["log-event/1", "job", 9, 1]) == ("event", 9)
    assert row_of(["log-archive/1", 2]) == ("archive", 2)
    with pytest.raises(ValueError, match="no entry"):
        row_of(["receipt/1", 1])


# The rule for steps that are left out, against the rules of running a plan.

STATUSES = {
    "PENDING": StepStatus.PENDING, "LEASED": StepStatus.RUNNING, "COMMITTED": StepStatus.SUCCEEDED,
    "FAILED": StepStatus.FAILED, "DEAD": StepStatus.FAILED, "SKIPPED": StepStatus.PENDING,
}  # fmt: skip


@st.composite
def jobs(draw):
    size = draw(st.integers(1, 7))
    statuses = draw(st.lists(st.sampled_from(sorted(STATUSES)), min_size=size, max_size=size))
    policies = draw(st.lists(st.sampled_from(["abort", "continue", "retry"]), min_size=size, max_size=size))
    pairs = [(later, earlier) for later in range(2, size + 1) for earlier in range(1, later)]
    needs = sorted(draw(st.sets(st.sampled_from(pairs)))) if pairs else []
    return statuses, policies, needs


@given(jobs())
def test_steps_are_left_out_by_the_rule_of_running_a_plan(job):
    statuses, policies, needs = job
    facts = StepFacts()
    for number, (status, policy) in enumerate(zip(statuses, policies, strict=True), 1):
        unmet = sum(later == number and statuses[earlier - 1] != "COMMITTED" for later, earlier in needs)
        moved = (
            [{"seq": number, "to_status": status, "from_status": "PENDING", "fence": 0}] if status != "PENDING" else []
        )
        if status == "SKIPPED":  # when it was, none of what it needs was done
            unmet, moved = sum(later == number for later, _ in needs), [{**moved[0], "seq": 0}]
        facts.add({"on_error": policy}, {"ordinal": number, "status": status, "waiting_for": unmet}, moved, [])
    rows = [{"ordinal": later, "needs_ordinal": earlier} for later, earlier in needs]
    found = [str(fault) for fault in facts.problems("job", rows, HashedList())]
    steps = [
        Step(
            step_id=str(number),
            skill="NOTE",
            params={},
            depends_on=tuple(str(earlier) for later, earlier in needs if later == number),
            on_error=OnError.CONTINUE if policy == "continue" else OnError.ABORT,
        )
        for number, policy in enumerate(policies, 1)
    ]
    allowed = next_steps(steps, {str(n): STATUSES[status] for n, status in enumerate(statuses, 1)}).skip
    wrong = [str(n) for n, status in enumerate(statuses, 1) if status == "SKIPPED" and str(n) not in allowed]
    assert found == [f"job step {number}: was skipped, though no failure asks for that" for number in wrong]
