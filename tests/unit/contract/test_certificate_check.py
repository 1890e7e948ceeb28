"""The checkers on one small certificate of version 1, written by hand, and its mutations: old ones stay verifiable."""

from __future__ import annotations

import copy
import importlib.util
from pathlib import Path

import pytest

from planvow.adapters.checkers.minizinc import check_with_minizinc
from planvow.contract.checking.check import certificate_hash, check_certificate
from planvow.contract.checking.form_1 import well_formed

ROOT = Path(__file__).resolve().parents[3]


def load_mutants():
    spec = importlib.util.spec_from_file_location("certificate_mutants", ROOT / "bench/certificate_mutants.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def command(node, *item):
    return {"id": node, "kind": "command", "item": list(item), "method": None, "children": []}


def by_taxi():
    """Alice takes a taxi to the park, within twenty ticks."""
    reach = {"goal": ["at", "alice", "park"]}
    document = {
        "format": "certificate/1",
        "planner": {"id": "htn", "version": "1.0"},
        "inputs_hash": "0" * 64,
        "budgets": {"max_iterations": 100},
        "status": "solved",
        "agenda": [["travel", "alice", "park"], reach],
        "initial": [["at", "alice", "home"], ["cash", "alice", 20]],
        "root": [1, 5],
        "nodes": [
            {"id": 1, "kind": "task", "item": ["travel", "alice", "park"], "method": "taxi", "children": [2, 3, 4]},
            command(2, "call", "alice"),
            command(3, "ride", "alice", "home", "park"),
            command(4, "pay", "alice"),
            {"id": 5, "kind": "goal", "item": reach, "method": None, "children": []},
        ],
        "steps": [
            {
                "node": 2,
                "command": ["call", "alice"],
                "reads": [["at", "alice", "home"]],
                "writes": [["at", "taxi", "home"]],
            },
            {
                "node": 3,
                "command": ["ride", "alice", "home", "park"],
                "reads": [["at", "taxi", "home"], ["at", "alice", "home"]],
                "writes": [["at", "taxi", "park"], ["at", "alice", "park"], ["owes", "alice", 8]],
            },
            {
                "node": 4,
                "command": ["pay", "alice"],
                "reads": [["cash", "alice", 20], ["owes", "alice", 8]],
                "writes": [["cash", "alice", 12], ["owes", "alice"]],
            },
        ],
        "goals": [{"node": 5, "triples": [["at", "alice", "park"]]}],
        "time": {
            "constraints": [
                ["origin", "2.start", 0, None, "not before time zero"],
                ["2.start", "2.end", 5, 5, "call takes 5"],
                ["2.end", "3.start", 0, None, "call, then ride"],
                ["3.start", "3.end", 5, 9, "ride takes 5 to 9"],
                ["3.end", "4.start", 0, None, "ride, then pay"],
                ["4.start", "4.end", 1, 1, "pay takes 1"],
                ["origin", "4.end", None, 20, "deadline"],
            ],
            "schedule": {
                "origin": 0,
                "2.start": 0,
                "2.end": 5,
                "3.start": 5,
                "3.end": 10,
                "4.start": 10,
                "4.end": 11,
            },
        },
    }
    return sealed(document)


def sealed(document):
    document["hash"] = certificate_hash(document)
    return document


def changed(change):
    document = copy.deepcopy(by_taxi())
    change(document)
    return document


@pytest.mark.long
def test_a_right_certificate_is_accepted():
    assert check_certificate(by_taxi()).fault is None
    assert check_with_minizinc(by_taxi()).fault is None


def test_a_stale_hash_is_found():
    verdict = check_certificate(changed(lambda d: d["steps"][0]["command"].append("!")))
    assert verdict.fault is not None
    assert verdict.fault.condition == "hash"


@pytest.mark.parametrize(
    ("condition", "change"),
    [
        ("order", lambda d: d["steps"].reverse()),
        ("order", lambda d: d["steps"].pop()),
        ("order", lambda d: d["steps"][0]["command"].append("twice")),
        ("reads", lambda d: d["steps"][1]["reads"][0].__setitem__(2, "mars")),
        ("reads", lambda d: d["steps"][0]["reads"].append(["weather", "city", "dry"])),
        ("reads", lambda d: d["initial"].append(["at", "alice", "office"])),
        ("reads", lambda d: d["steps"][0]["writes"].append(["cash", "alice"])),
        ("goals", lambda d: d["steps"][1]["writes"][1].__setitem__(2, "mars")),
        ("goals", lambda d: d["goals"].clear()),
        ("goals", lambda d: d["goals"][0].__setitem__("node", 1)),
        ("decomposition", lambda d: d["nodes"][0]["children"].append(1)),
        ("decomposition", lambda d: d["nodes"][0]["children"].pop()),
        ("decomposition", lambda d: d["root"].reverse()),
        ("decomposition", lambda d: d["nodes"][0].__setitem__("method", None)),
        ("decomposition", lambda d: d["nodes"].append(d["nodes"][0])),
        ("decomposition", lambda d: d["agenda"].pop()),
        ("schedule", lambda d: d["time"]["schedule"].__setitem__("4.end", 21)),
        ("schedule", lambda d: d["time"]["schedule"].pop("3.end")),
        ("schedule", lambda d: d["time"]["constraints"].append(["2.start", "nowhere", 0, 1, ""])),
    ],
)
@pytest.mark.long
def test_the_first_fault_is_named_by_both_checkers(condition, change):
    document = sealed(changed(change))
    own, solver = check_certificate(document), check_with_minizinc(document)
    assert own.fault is not None
    assert solver.fault is not None
    assert (own.fault.condition, solver.fault.condition) == (condition, condition)
    assert own.fault.message


@pytest.mark.parametrize("document", [None, 3, "x", [], {}, {"format": "certificate/1"}, {"format": "certificate/2"}])
def test_what_is_no_certificate_is_refused_with_its_place(document):
    verdict = check_certificate(document)
    assert verdict.fault is not None
    assert verdict.fault.condition == "form"
    assert verdict.fault.place.startswith("$")


@pytest.mark.long
def test_every_mutant_is_judged_as_the_oracle_judges_it():
    bench = load_mutants()
    outcomes = {True: 0, False: 0}
    for name, mutant in bench.mutants(by_taxi(), 1500, rehash=True, seed="unit"):
        expected = well_formed(mutant) is None and bench.oracle(mutant)
        assert check_certificate(mutant).accepted == expected, (name, check_certificate(mutant).fault)
        outcomes[expected] += 1
    assert min(outcomes.values()) > 20, "the mutations should produce both valid and invalid certificates"


def test_every_mutant_with_a_stale_hash_is_rejected():
    for name, mutant in load_mutants().mutants(by_taxi(), 500, rehash=False, seed="stale"):
        assert not check_certificate(mutant).accepted, name
