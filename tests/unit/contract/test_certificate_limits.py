"""Certificates that are huge, circular, of a later version or of another planner: a verdict or a typed error."""

from __future__ import annotations

import json

import pytest

from planvow import Domain, State, plan, verify
from planvow.adapters.checkers.minizinc import check_with_minizinc
from planvow.adapters.cli.planning import verify_certificate as command
from planvow.contract.certificate.reexecute import check_by_running
from planvow.contract.checking import form
from planvow.contract.checking.check import certificate_hash, check_certificate, inputs_hash
from planvow.errors import InputError
from planvow.hash_tree import proved_root

counting = Domain("counting")


@counting.command
def count(state, number):
    state.at = number
    return state


def certified(steps=2):
    result = plan(counting, State(at=0), [("count", n) for n in range(steps)])
    return json.loads(result.certificate().canonical_bytes())


def sealed(document):
    document["inputs_hash"] = inputs_hash(document)
    document["hash"] = certificate_hash(document)
    return document


def test_a_million_steps_and_one_are_refused_before_they_are_looked_at():
    document = certified()
    document["steps"] = [document["steps"][0]] * (form.MAX_ROWS + 1)
    fault = check_certificate(document).fault
    assert (fault.condition, fault.place) == ("form", "$.steps")
    assert "1000001" in fault.message


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:  # a hole: nothing of it is on the disk or in memory
        file.truncate(command.MAX_BYTES + 1)
    with pytest.raises(InputError, match="bytes"):
        command.verify_certificate(path, command.Against(), as_json=False)


@pytest.mark.long
def test_a_tree_that_leads_back_to_itself_ends_in_a_verdict():
    document = certified()
    document["nodes"][0]["children"] = [document["nodes"][1]["id"]]
    document["nodes"][1]["children"] = [document["nodes"][0]["id"]]
    document["nodes"][0]["kind"] = document["nodes"][1]["kind"] = "task"
    sealed(document)
    assert check_certificate(document).fault.condition == "decomposition"
    assert check_with_minizinc(document).fault.condition == "decomposition"


def test_a_document_that_contains_itself_ends_in_a_verdict():
    document = certified()
    document["nodes"][0]["item"] = document["nodes"]
    assert check_certificate(document).fault.condition == "form"
    document = certified()
    document["asked"]["blacklist"] = [document["asked"]["blacklist"]]
    document["asked"]["blacklist"][0].append(document["asked"]["blacklist"])
    assert check_certificate(document).fault.condition == "form"


@pytest.mark.parametrize("version", ["certificate/3", "certificate/2.1", "", None, 2])
def test_a_later_version_is_named(version):
    document = certified()
    document["format"] = version
    fault = check_certificate(document).fault
    assert (fault.condition, fault.place) == ("form", "$.format")
    assert not check_by_running(document, counting).accepted


def test_a_certificate_of_an_unknown_kind_is_named():
    document = certified()
    document["kind"] = "divination"
    assert check_certificate(sealed(document)).fault.place == "$.kind"


def test_a_state_of_any_claimed_size_is_checked_in_a_few_steps():
    leaves = {0: b"a", 2**53 - 2: b"b"}
    assert proved_root(leaves, 2**53 - 1, []) is None
    document = certified()
    document["asked"]["state"]["size"] = 2**53 - 1
    assert check_certificate(sealed(document)).fault.condition == "initial"


@pytest.mark.long
def test_a_thousand_steps_deep_is_no_trouble():
    deep = Domain("deep")
    deep.command(lambda state, n: state, name="touch")
    deep.method(task="down", name="one_more")(lambda state, n: [("touch", n), ("down", n - 1)] if n else [])
    result = plan(deep, State(at=0), [("down", 3000)])
    document = json.loads(result.certificate().canonical_bytes())
    assert verify(document).fault is None
    assert check_by_running(document, deep, result.problem).fault is None


def test_time_and_memory_follow_what_the_plan_touched():
    """The proof and the document are of the same size whatever else is in the state, but for the depth of the tree."""
    small, large = (
        plan(counting, State(at=0, other={str(n): n for n in range(size)}), [("count", 1)]).certificate()
        for size in (10, 10_000)
    )
    assert len(large.canonical_bytes()) < len(small.canonical_bytes()) + 80 * 14
    assert [row[0] for row in large.document["initial"]] == [row[0] for row in small.document["initial"]]
