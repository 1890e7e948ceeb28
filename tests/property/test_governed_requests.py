"""Fuzzed requests: whatever comes in, a plan or a PlannerError comes out, and a plan keeps every law (F11, F20)."""

from __future__ import annotations

import copy
import json
import random

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planvow.governed import PlannerError, RequestPlanner
from planvow.governed.compile.schemas import PLAN_OUTPUT, PLAN_REQUEST
from planvow.governed.compile.shape import check_shape
from planvow.governed.errors import InvalidRequestError
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.symbols import add_symbol, find_section
from planvow.governed.substrate.working_tree import open_working_tree

FUZZED_REQUESTS = 20_000

VALID = {
    "run_id": "run",
    "request_id": "req",
    "intent": "debug_function",
    "inputs": {
        "symbols": ["@DOC/a", {"symbol_id": "@DOC/b", "slice": "head(2)"}],
        "files": ["a.md", "b.py"],
        "notes": ["one", "two"],
        "ops": [
            {"op": "WRITE_FILE", "refs": {"file_path": "out.txt", "content": "x\n"}, "id": "w"},
            {"op": "PATCH_FILE", "refs": {"file_path": "b.py", "patch_start_line": 1, "patch_end_line": 1,
                                          "content": "y\n"}, "constraints": {"timeout_seconds": 5}},
            {"op": "RUN_TEST", "refs": {"test_name": "unit"}, "after": ["w", "@DOC/a", "a.md"]},
            {"op": "READ_SYMBOL", "refs": {"symbol_id": "@DOC/a", "slice": "chars[0:3]"}},
            {"op": "NOTE", "refs": {"message": "m"}, "expected_outputs": {"k": [1, 2.5, None]}},
        ],
    },
    "budgets": {"max_steps": 20, "max_bytes": 1000, "max_symbols": 4},
}  # fmt: skip

ODD_VALUES = [
    None, True, False, 0, -1, 1, 2**53, 2**64, 10**400, 0.5, 1e400, float("nan"), "", " ", "ALL", "all", "@DOC/a",
    "@DOC/zz", "../x", "/etc/passwd", "a\x00b", "\ud800", "é", "\u202e", "x" * 5000, "head(1)", "head(0)", "lines[1:2]",
    "lines[9:1]", "a.md", "w", [], {}, [[]], {"a": {}}, ["a.md"] * 3, "NOTE", "DROP TABLE", "{{x}}", b"bytes", object(),
    {1: 2}, ("t",), {"symbol_id": "@DOC/a", "slice": "ALL"},
]  # fmt: skip


@pytest.fixture(scope="module")
def planner(tmp_path_factory):
    root = tmp_path_factory.mktemp("repo")
    (root / "a.md").write_text("# A\n\na\n\n## B\n\nb\n")
    (root / "b.py").write_text("def f():\n    return 1\n")
    with open_working_tree(root, data_folder=root / ".planvow", writable=True) as tree:
        build_index(root, tree.sections)
        for name, heading in (("@DOC/a", ("A",)), ("@DOC/b", ("A", "B"))):
            section = find_section(tree.sections, "a.md", heading)
            add_symbol(tree.symbols, tree.sections, tree.text, symbol_id=name, section_id=section.section_id,
                       default_slice="head(2)", now="t")  # fmt: skip
    with RequestPlanner(root) as opened:
        yield opened


def places(value, path=()):
    """Every place in a nested value, as a list of paths."""
    found = [path]
    if isinstance(value, dict):
        for key in value:
            found += places(value[key], (*path, key))
    elif isinstance(value, list):
        for position in range(len(value)):
            found += places(value[position], (*path, position))
    return found


ALL_PLACES = [path for path in places(VALID) if path]


def mutated(rnd: random.Random):
    """A valid request with one to three places removed, replaced, doubled or added to."""
    asked = copy.deepcopy(VALID)
    for _ in range(rnd.randint(1, 3)):
        *route, last = rnd.choice(ALL_PLACES)
        try:
            parent = asked
            for key in route:
                parent = parent[key]
            change = rnd.randrange(4)
            if change == 0:
                del parent[last]
            elif change == 1:
                parent[last] = copy.copy(rnd.choice(ODD_VALUES))
            elif change == 2 and isinstance(parent, list):
                parent.append(copy.deepcopy(parent[last]))
            else:
                parent[rnd.choice(["extra", "slice", "after", "id", last])] = rnd.choice(ODD_VALUES)
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took the place away
    return asked


def check_laws(asked, plan):
    assert json.loads(json.dumps(plan)) == plan
    usage, budgets = plan["usage"], asked["budgets"]
    assert usage["steps"] == len(plan["steps"]) <= budgets["max_steps"]
    assert usage["bytes"] <= budgets.get("max_bytes", 10_000_000)
    assert usage["symbols"] <= budgets.get("max_symbols", 100)
    seen = set()
    for ordinal, step in enumerate(plan["steps"], start=1):
        assert step["ordinal"] == ordinal
        assert step["refs"].get("slice", "").upper() != "ALL"
        assert all(earlier in seen for earlier in step["constraints"].get("after", ()))
        seen.add(step["step_id"])
    assert len(seen) == len(plan["steps"])


def test_twenty_thousand_fuzzed_requests_end_in_a_plan_or_a_planner_error(planner):
    rnd = random.Random(20_002)
    planned = refused = 0
    for _ in range(FUZZED_REQUESTS):
        asked = mutated(rnd)
        try:
            plan = planner.plan_request(asked)
        except PlannerError as error:
            refused += 1
            json.dumps(error.as_dict())  # every refusal can be shown to a program
        else:
            planned += 1
            check_laws(asked, plan)
            if planned % 50 == 0:
                jsonschema.validate(plan, PLAN_OUTPUT)
    # A harness that only ever sees one side shows nothing.
    assert planned > 1000
    assert refused > 5000


def test_the_unchanged_request_is_planned(planner):
    check_laws(VALID, planner.plan_request(VALID))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-1e6, 1e6)
    | st.sampled_from(["", "x", "NOTE", "@DOC/a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["op", "refs", "after", "symbol_id", "slice", "notes", "max_steps", "z"]), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@st.composite
def near_requests(draw):
    asked = copy.deepcopy(VALID)
    for _ in range(draw(st.integers(0, 2))):
        *route, last = draw(st.sampled_from(ALL_PLACES))
        parent = asked
        try:
            for key in route:
                parent = parent[key]
            parent[last] = draw(json_values)
        except (KeyError, IndexError, TypeError):
            pass
    return asked


@given(near_requests())
@settings(max_examples=400, deadline=None)
def test_our_shape_check_agrees_with_a_json_schema_validator(asked):
    # A whole float is an integer to JSON Schema; canonical JSON makes it one before our check sees it.
    from planvow.canonical import to_jsonable

    plain = to_jsonable(asked)
    valid = jsonschema.Draft202012Validator(PLAN_REQUEST).is_valid(plain)
    try:
        check_shape(plain, PLAN_REQUEST, "")
    except InvalidRequestError:
        assert not valid
    else:
        assert valid
