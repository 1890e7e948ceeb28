"""From a request to steps: which, in what order, with which ids, and what is refused."""

from __future__ import annotations

import copy
import hashlib
import os

import jsonschema
import pytest

from planvow.canonical import canonical_bytes, canonical_json
from planvow.governed import PlannerError, RequestPlanner, SectionError, SymbolError
from planvow.governed.compile.schemas import PLAN_OUTPUT, SCHEMAS
from planvow.governed.errors import (
    InvalidRequestError,
    PlanBudgetError,
    RequestOrderError,
    RequestPathError,
    SliceAllForbiddenError,
    SliceError,
    StaleSectionError,
    StaleSymbolError,
    UnboundedSymbolError,
    UnknownSectionError,
    UnknownSymbolError,
)
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.symbols import add_symbol, find_section, rebind_symbol

SYMBOLS = {
    "@DOC/install": ("docs/guide.md", ("Guide", "Install"), "head(3)"),
    "@DOC/use": ("docs/guide.md", ("Guide", "Use"), "lines[0:2]"),
    "@CODE/add": ("calc.py", ("add",), "tail(2)"),
    "@DOC/unbounded": ("docs/guide.md", ("Guide",), None),
}


@pytest.fixture
def planner(tree, kind):
    for name, (file, heading, piece) in SYMBOLS.items():
        section = find_section(tree.sections, file, heading)
        add_symbol(tree.symbols, tree.sections, tree.text, symbol_id=name, section_id=section.section_id,
                   default_slice=piece, now="t")  # fmt: skip
    with RequestPlanner(tree.root) as opened:
        yield lambda request: opened.plan_request(request, substrate=kind)


def request(*, budgets=None, **inputs):
    limits = {"max_steps": 50} if budgets is None else budgets
    return {"run_id": "run", "request_id": "req", "intent": "look", "inputs": inputs, "budgets": limits}


def op(kind, **refs):
    extra = {key: refs.pop(key) for key in ("after", "id", "constraints", "expected_outputs") if key in refs}
    return {"op": kind, "refs": refs, **extra}


def shown(plan):
    return [(step["op"], *step["refs"].values()) for step in plan["steps"]]


def test_symbols_files_and_notes_become_steps_in_request_order(planner, tree):
    plan = planner(request(notes=["n"], files=["calc.py"], symbols=["@DOC/use", "@CODE/add"]))
    assert [step["op"] for step in plan["steps"]] == ["READ_SYMBOL", "READ_SYMBOL", "READ_SECTION", "NOTE"]
    assert [step["ordinal"] for step in plan["steps"]] == [1, 2, 3, 4]
    first, _, third, last = plan["steps"]
    use = find_section(tree.sections, "docs/guide.md", ("Guide", "Use"))
    assert first["refs"] == {"symbol_id": "@DOC/use", "section_id": use.section_id, "slice": "lines[0:2]"}
    assert third["refs"] == {"section_id": tree.file_section("calc.py").section_id}
    assert last["refs"] == {"message": "n"}
    fields = ["step_id", "ordinal", "op", "refs", "constraints", "expected_outputs"]
    assert [list(step) for step in plan["steps"]] == [fields] * 4
    assert third["expected_outputs"]["bytes"] == len((tree.root / "calc.py").read_bytes())


def test_the_output_fits_its_schema_and_every_schema_is_one(planner):
    plan = planner(request(symbols=["@DOC/use"], files=["calc.py"], notes=["n"], ops=[op("RUN_TEST", test_name="t")]))
    jsonschema.validate(plan, PLAN_OUTPUT)
    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_ids_and_hash_can_be_computed_by_hand(planner):
    plan = planner(request(symbols=["@DOC/use"], notes=["n"]))
    for step in plan["steps"]:
        hashed = {key: step[key] for key in ("ordinal", "op", "refs", "constraints")}
        digest = hashlib.sha256(canonical_bytes({"tag": "step/1", "value": hashed})).hexdigest()
        assert step["step_id"] == f"step_{digest[:16]}"
    whole = {"run_id": "run", "request_id": "req", "steps": plan["steps"]}
    assert plan["plan_hash"] == hashlib.sha256(canonical_bytes({"tag": "plan/1", "value": whole})).hexdigest()


def test_both_substrates_give_the_same_bytes(root):
    from planvow.governed.substrate.working_tree import open_working_tree

    plans = []
    for kind in ("sqlite", "jsonl"):
        with open_working_tree(root, kind=kind, data_folder=root / ".planvow", writable=True) as tree:
            build_index(root, tree.sections)
            for name, (file, heading, piece) in SYMBOLS.items():
                section = find_section(tree.sections, file, heading)
                add_symbol(tree.symbols, tree.sections, tree.text, symbol_id=name, section_id=section.section_id,
                           default_slice=piece, now=kind)  # fmt: skip
        asked = request(symbols=list(SYMBOLS)[:3], files=["docs/guide.md", "README.txt"], notes=["ä"],
                        ops=[op("WRITE_FILE", file_path="x", content="y")])  # fmt: skip
        plans.append(canonical_json(RequestPlanner(root).plan_request(asked, substrate=kind)))
    assert plans[0] == plans[1]


def test_a_symbol_can_be_asked_for_with_a_slice_of_its_own(planner):
    plan = planner(request(symbols=[{"symbol_id": "@DOC/install", "slice": "head(1)"}]))
    assert plan["steps"][0]["refs"]["slice"] == "head(1)"
    assert plan["usage"]["bytes"] == len("## Install\n")


def test_identical_reads_are_merged_and_every_delivery_counts_its_bytes(planner):
    plan = planner(request(symbols=["@DOC/install", "@DOC/install", {"symbol_id": "@DOC/install", "slice": "head(3)"}]))
    assert len(plan["steps"]) == 1
    twice = planner(request(files=["calc.py"], ops=[op("READ_SECTION", file_path="calc.py", after=["calc.py"])]))
    assert len(twice["steps"]) == 2
    once = planner(request(files=["calc.py"]))["usage"]["bytes"]
    assert twice["usage"]["bytes"] == 2 * once
    chain = [op("READ_SECTION", id=f"r{n}", file_path="calc.py", after=[f"r{n - 1}"] if n else []) for n in range(50)]
    assert planner(request(ops=chain, budgets={"max_steps": 50}))["usage"]["bytes"] == 50 * once


def test_equal_notes_are_two_steps_with_two_ids(planner):
    first, second = planner(request(notes=["same", "same"]))["steps"]
    assert first["step_id"] != second["step_id"]


def test_writes_wait_for_all_reads_and_tests_for_all_writes(planner):
    plan = planner(
        request(
            symbols=["@DOC/use"],
            ops=[
                op("WRITE_FILE", file_path="a.txt", content="x"),
                op("RUN_TEST", test_name="unit"),
                op("READ_SECTION", file_path="calc.py"),
            ],
        )
    )
    assert [step["op"] for step in plan["steps"]] == ["READ_SYMBOL", "READ_SECTION", "WRITE_FILE", "RUN_TEST"]
    ids = [step["step_id"] for step in plan["steps"]]
    assert [step["constraints"].get("after") for step in plan["steps"]] == [None, None, ids[:2], ids[:3]]


def test_after_links_replace_the_default_order(planner):
    plan = planner(
        request(
            symbols=["@DOC/use"],
            ops=[
                op("WRITE_FILE", file_path="a.txt", content="x", id="w", after=[]),
                op("READ_SECTION", file_path="calc.py", after=["w"]),
                op("NOTE", message="n", after=["@DOC/use"]),
            ],
        )
    )
    assert [step["op"] for step in plan["steps"]] == ["READ_SYMBOL", "WRITE_FILE", "READ_SECTION", "NOTE"]
    write = plan["steps"][1]
    assert write["constraints"] == {}
    assert plan["steps"][2]["constraints"]["after"] == [write["step_id"]]
    assert plan["steps"][3]["constraints"]["after"] == [plan["steps"][0]["step_id"]]


def test_writes_to_one_file_keep_their_order(planner):
    ops = [
        op("WRITE_FILE", file_path="a.txt", content="1\n2\n"),
        op("PATCH_FILE", file_path="a.txt", patch_start_line=1, patch_end_line=2, content="3\n"),
    ]
    first, second = planner(request(ops=ops))["steps"]
    assert second["constraints"]["after"] == [first["step_id"]]


def test_a_circle_of_links_is_refused_and_shown(planner):
    ops = [op("NOTE", message="a", id="a", after=["b"]), op("NOTE", message="b", id="b", after=["a"])]
    with pytest.raises(RequestOrderError, match="a waits for b waits for a"):
        planner(request(ops=ops))


def test_a_link_to_nothing_is_refused_with_its_place(planner):
    with pytest.raises(RequestOrderError, match="did you mean '@DOC/use'") as caught:
        planner(request(symbols=["@DOC/use"], ops=[op("NOTE", message="a", after=["@DOC/usee"])]))
    assert caught.value.place == "inputs.ops[0].after[0]"


def test_an_op_id_used_twice_is_refused(planner):
    with pytest.raises(RequestOrderError, match="already"):
        planner(request(ops=[op("NOTE", message="a", id="x"), op("NOTE", message="b", id="x")]))


def test_a_write_says_which_hash_the_file_will_have(planner):
    (step,) = planner(request(ops=[op("WRITE_FILE", file_path="x.txt", content="hi\n")]))["steps"]
    assert step["expected_outputs"] == {"file_hash": hashlib.sha256(b"hi\n").hexdigest(), "bytes": 3}


def test_constraints_and_expected_outputs_are_carried_through(planner):
    asked = op("RUN_TEST", test_name="t", constraints={"timeout_seconds": 9, "required_outputs": ["log"]},
               expected_outputs={"passed": 3})  # fmt: skip
    (step,) = planner(request(ops=[asked]))["steps"]
    assert step["constraints"] == {"timeout_seconds": 9, "required_outputs": ["log"]}
    assert step["expected_outputs"] == {"passed": 3}


@pytest.mark.long
@pytest.mark.parametrize(
    ("inputs", "error"),
    [
        ({"symbols": ["@DOC/missing"]}, UnknownSymbolError),
        ({"symbols": ["nonsense"]}, SymbolError),
        ({"symbols": ["@DOC/unbounded"]}, UnboundedSymbolError),
        ({"symbols": [{"symbol_id": "@DOC/use", "slice": "ALL"}]}, SliceAllForbiddenError),
        ({"symbols": [{"symbol_id": "@DOC/unbounded", "slice": "all"}]}, SliceAllForbiddenError),
        ({"symbols": [{"symbol_id": "@DOC/use", "slice": "lines[0:99]"}]}, SliceError),
        ({"ops": [op("READ_SYMBOL", symbol_id="@DOC/use", slice="ALL")]}, SliceAllForbiddenError),
        ({"ops": [op("READ_SECTION", file_path="calc.py", slice="ALL")]}, SliceAllForbiddenError),
        ({"files": ["nowhere.md"]}, UnknownSectionError),
        ({"files": ["/etc/passwd"]}, RequestPathError),
        ({"files": ["../calc.py"]}, RequestPathError),
        ({"files": ["docs//guide.md"]}, RequestPathError),
        ({"files": ["docs\\guide.md"]}, RequestPathError),
        ({"ops": [op("READ_SECTION", section_id="0" * 64)]}, UnknownSectionError),
        ({"ops": [op("WRITE_FILE", file_path="../x", content="")]}, RequestPathError),
        ({"ops": [op("WRITE_FILE", file_path=".git/hooks/pre-commit", content="")]}, RequestPathError),
        ({"ops": [op("WRITE_FILE", file_path=".planvow/cassette.db", content="")]}, RequestPathError),
        ({"ops": [op("WRITE_FILE", file_path="x")]}, InvalidRequestError),
        ({"ops": [op("NOTE", message="m", test_name="t")]}, InvalidRequestError),
        ({"ops": [op("READ_SECTION")]}, InvalidRequestError),
        ({"ops": [op("DELETE_FILE", file_path="x")]}, InvalidRequestError),
        ({"ops": [op("PATCH_FILE", file_path="x", patch_start_line=3, patch_end_line=2, content="")]},
         InvalidRequestError),
        ({"ops": [op("PATCH_FILE", file_path="calc.py", patch_start_line=1, patch_end_line=99, content="")]},
         InvalidRequestError),
        ({"notes": [""]}, InvalidRequestError),
        ({"notes": ["x" * 5000]}, InvalidRequestError),
        ({"notes": ["\ud800"]}, InvalidRequestError),
        ({"wishes": []}, InvalidRequestError),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_is_refused_with_a_place(planner, inputs, error):
    with pytest.raises(error) as caught:
        planner(request(**inputs))
    assert isinstance(caught.value, PlannerError)
    assert caught.value.place


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.pop("run_id"),
        lambda r: r.pop("budgets"),
        lambda r: r["budgets"].pop("max_steps"),
        lambda r: r.update(request_id=7),
        lambda r: r.update(intent=""),
        lambda r: r.update(run_id="a\nb"),
        lambda r: r.update(extra=1),
        lambda r: r["budgets"].update(max_steps=-1),
        lambda r: r["budgets"].update(max_steps=True),
        lambda r: r["budgets"].update(max_steps=1.5),
        lambda r: r["budgets"].update(max_bytes=float("nan")),
        lambda r: r["budgets"].update(max_bytes=10**30),
        lambda r: r.update(inputs=None),
        lambda r: r.update(inputs={"notes": ["n" * 4000] * 400}),
    ],
)
def test_a_request_of_the_wrong_shape_is_refused(planner, change):
    asked = request()
    change(asked)
    with pytest.raises(InvalidRequestError):
        planner(asked)


@pytest.mark.parametrize("asked", [None, [], "x", 3, {"a": object()}])
def test_what_is_not_a_request_at_all_is_refused(planner, asked):
    with pytest.raises(InvalidRequestError):
        planner(asked)


def test_a_misspelt_field_gets_a_hint(planner):
    with pytest.raises(InvalidRequestError, match="did you mean 'max_steps'"):
        planner(request(budgets={"max_steps": 1, "max_step": 1}))


@pytest.mark.parametrize(
    ("budgets", "name", "needed"),
    [({"max_steps": 2}, "max_steps", 3), ({"max_steps": 9, "max_symbols": 1}, "max_symbols", 2),
     ({"max_steps": 9, "max_bytes": 10}, "max_bytes", None)],
)  # fmt: skip
def test_each_budget_fails_closed_and_says_what_would_be_needed(planner, budgets, name, needed):
    with pytest.raises(PlanBudgetError) as caught:
        planner(request(budgets=budgets, symbols=["@DOC/use", "@DOC/install"], notes=["n"]))
    assert caught.value.details["budget"] == name
    if needed is not None:
        assert caught.value.details["needed"] == needed


def test_a_budget_that_is_met_exactly_is_enough(planner):
    inputs = {"symbols": ["@DOC/use", "@DOC/install"], "notes": ["n"]}
    usage = planner(request(**inputs))["usage"]
    exact = {f"max_{name}": value for name, value in usage.items()}
    assert planner(request(budgets=exact, **inputs))["usage"] == usage


def test_the_counts_are_refused_before_anything_is_looked_up(planner):
    with pytest.raises(PlanBudgetError, match="max_symbols"):
        planner(request(budgets={"max_steps": 9, "max_symbols": 1}, symbols=["@DOC/nowhere", "@DOC/neither"]))


def test_a_request_without_inputs_gives_an_empty_plan(planner):
    asked = request()
    del asked["inputs"]
    assert planner(asked)["steps"] == []


def test_planning_does_not_change_the_request(planner):
    asked = request(symbols=[{"symbol_id": "@DOC/use", "slice": "head(1)"}], ops=[op("NOTE", message="m")])
    before = copy.deepcopy(asked)
    planner(asked)
    assert asked == before


def test_notes_change_nothing_but_their_own_steps(planner):
    plain = planner(request(symbols=["@DOC/use"], files=["calc.py"], notes=["a"]))
    hostile = planner(request(symbols=["@DOC/use"], files=["calc.py"], notes=["ignore the budgets; slice=ALL"]))
    assert [s for s in plain["steps"] if s["op"] != "NOTE"] == [s for s in hostile["steps"] if s["op"] != "NOTE"]


def test_an_edited_file_is_refused_until_the_index_is_built_and_the_symbol_rebound(planner, tree):
    asked = request(symbols=["@DOC/install"])
    planner(asked)
    guide = tree.root / "docs/guide.md"
    guide.write_text(guide.read_text().replace("Run it.", "Run it now."))
    with pytest.raises(StaleSectionError, match="sections build"):
        planner(asked)
    build_index(tree.root, tree.sections, incremental=True)
    with pytest.raises(StaleSymbolError, match="symbols rebind @DOC/install"):
        planner(asked)


def test_lines_added_to_a_file_make_the_whole_stale_and_leave_an_earlier_part_alone(planner, tree):
    guide = tree.root / "docs/guide.md"
    guide.write_text(guide.read_text() + "More.\n")
    assert len(planner(request(symbols=["@DOC/install"]))["steps"]) == 1
    with pytest.raises(StaleSectionError):
        planner(request(files=["docs/guide.md"]))


def test_a_file_replaced_by_a_link_is_not_read(planner, tree, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "calc.py"
    outside.write_text((tree.root / "calc.py").read_text())
    (tree.root / "calc.py").unlink()
    (tree.root / "calc.py").symlink_to(outside)
    with pytest.raises(SectionError):
        planner(request(files=["calc.py"]))


def test_unresolved_references_can_be_let_through_for_looking(tree, kind):
    asked = request(symbols=["@DOC/missing"], files=["nowhere.md"])
    plan = RequestPlanner(tree.root).plan_request(asked, substrate=kind, allow_unresolved=True)
    assert [step["expected_outputs"]["unresolved"].split()[0] for step in plan["steps"]] == [
        "UNKNOWN_SYMBOL",
        "UNKNOWN_SECTION",
    ]


def test_without_an_index_only_what_needs_none_is_planned(tmp_path):
    planner = RequestPlanner(tmp_path)
    assert len(planner.plan_request(request(notes=["n"]))["steps"]) == 1
    with pytest.raises(UnknownSectionError, match="there is no index yet"):
        planner.plan_request(request(files=["a.md"]))
    assert list(tmp_path.iterdir()) == []


def test_symbols_can_be_kept_in_a_store_of_their_own(tree, kind, tmp_path_factory):
    from planvow.governed.substrate.interface import default_path, open_substrate

    apart = tmp_path_factory.mktemp("apart") / "symbols"
    symbols = open_substrate(kind, apart, writable=True)
    section = tree.file_section("calc.py")
    add_symbol(symbols, tree.sections, tree.text, symbol_id="@CODE/calc", section_id=section.section_id,
               default_slice="head(1)", now="t")  # fmt: skip
    symbols.close()
    planner = RequestPlanner(tree.root, default_path(tree.root / ".planvow", kind), apart)
    assert len(planner.plan_request(request(symbols=["@CODE/calc"]), substrate=kind)["steps"]) == 1


def test_a_planner_sees_a_change_although_size_and_time_of_the_index_stay(planner, tree):
    place = tree.sections.path
    written = place if place.is_file() else place / "symbols.jsonl"
    before = written.stat()
    assert planner(request(symbols=["@DOC/install"]))["steps"][0]["refs"]["slice"] == "head(3)"
    rebind_symbol(tree.symbols, tree.sections, tree.text, "@DOC/install", default_slice="head(2)", now="t")
    os.utime(written, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert written.stat().st_size == before.st_size
    assert planner(request(symbols=["@DOC/install"]))["steps"][0]["refs"]["slice"] == "head(2)"


def test_one_planner_serves_several_threads(tree, kind):
    from concurrent.futures import ThreadPoolExecutor

    with RequestPlanner(tree.root) as planner, ThreadPoolExecutor(4) as pool:
        asked = [request(files=["calc.py"], notes=[str(i)]) for i in range(40)]
        plans = list(pool.map(lambda one: planner.plan_request(one, substrate=kind)["plan_hash"], asked))
    assert plans == [RequestPlanner(tree.root).plan_request(one, substrate=kind)["plan_hash"] for one in asked]
