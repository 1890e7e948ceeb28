"""Intents: one method each, expanded by the engine, nothing asked for is lost, nothing is substituted."""

from __future__ import annotations

import itertools

import pytest

from planvow.errors import InputError
from planvow.governed import Intents, RequestPlanner
from planvow.governed.compile.intents import intents_from
from planvow.governed.errors import IntentError
from planvow.governed.sections.config import config_from
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.symbols import add_symbol
from planvow.governed.substrate.working_tree import open_working_tree


@pytest.fixture
def indexed(root):
    with open_working_tree(root, data_folder=root / ".planvow", writable=True) as tree:
        build_index(root, tree.sections)
        for name in ("@CODE/calc", "@TEST/unit", "@TEST/lint"):
            add_symbol(tree.symbols, tree.sections, tree.text, symbol_id=name, default_slice="head(1)", now="t",
                       section_id=tree.file_section("calc.py").section_id)  # fmt: skip
    return root


def request(intent, **inputs):
    return {"run_id": "r", "request_id": "q", "intent": intent, "inputs": inputs, "budgets": {"max_steps": 20}}


WRITE = {"op": "WRITE_FILE", "refs": {"file_path": "out.txt", "content": "x\n"}}


def shown(plan):
    return [step["op"] for step in plan["steps"]]


def test_debug_function_sees_the_test_fail_before_and_pass_after_the_change(indexed):
    plan = RequestPlanner(indexed).plan_request(
        request("debug_function", symbols=["@CODE/calc", "@TEST/unit"], notes=["n"], ops=[WRITE])
    )
    assert shown(plan) == ["READ_SYMBOL", "READ_SYMBOL", "NOTE", "RUN_TEST", "WRITE_FILE", "RUN_TEST"]
    before, write, after = plan["steps"][3:]
    assert before["expected_outputs"] == {"exit_code": 1}
    assert after["expected_outputs"] == {"exit_code": 0}
    assert before["refs"] == after["refs"] == {"test_name": "unit"}
    assert write["constraints"]["after"] == [before["step_id"]]
    assert after["constraints"]["after"] == [write["step_id"]]


def test_implement_feature_runs_each_named_test_after_the_changes(indexed):
    plan = RequestPlanner(indexed).plan_request(
        request("implement_feature", symbols=["@TEST/unit", "@TEST/lint"], files=["calc.py"], ops=[WRITE])
    )
    assert shown(plan) == ["READ_SYMBOL", "READ_SYMBOL", "READ_SECTION", "WRITE_FILE", "RUN_TEST", "RUN_TEST"]
    assert [step["refs"]["test_name"] for step in plan["steps"][4:]] == ["unit", "lint"]


def test_without_named_tests_a_shipped_intent_adds_nothing(indexed):
    asked = {"symbols": ["@CODE/calc"], "files": ["calc.py"], "notes": ["n"]}
    shipped = RequestPlanner(indexed).plan_request(request("debug_function", **asked))
    plain = RequestPlanner(indexed).plan_request(request("no_such_intent", **asked))
    assert shipped["steps"] == plain["steps"]


def test_an_intent_can_be_written_in_toml_and_stands_above_the_shipped_one(indexed):
    (indexed / "planvow.toml").write_text(
        '[sections]\nexclude = ["*.toml"]\n[intents.debug_function]\n'
        'steps = [{ do = "files" }, { op = "NOTE", for_each = "files", refs = { message = "look at {item}" } }]\n'
    )
    plan = RequestPlanner(indexed).plan_request(request("debug_function", files=["calc.py"], notes=["kept"]))
    assert [step["refs"].get("message") for step in plan["steps"]] == [None, "look at calc.py", "kept"]


def test_an_intent_can_be_written_in_python_with_tasks_of_its_own(indexed):
    intents = Intents()

    @intents.method("tidy")
    def tidy(state):
        return [("files",), *(("tidy_one", path) for path in state.inputs["files"])]

    @intents.task("tidy_one")
    def tidy_one(state, path):
        return [("NOTE", {"message": f"tidy {path}"}, {"constraints": {"timeout_seconds": 5}})]

    plan = RequestPlanner(indexed, intents=intents).plan_request(request("tidy", files=["calc.py", "README.txt"]))
    assert [s["refs"].get("message") for s in plan["steps"]] == [None, None, "tidy calc.py", "tidy README.txt"]
    assert plan["steps"][-1]["constraints"] == {"timeout_seconds": 5}


def test_what_a_method_leaves_out_is_still_planned(indexed):
    intents = Intents()
    intents.method("lazy")(lambda state: [("NOTE", {"message": "first"})])
    plan = RequestPlanner(indexed, intents=intents).plan_request(request("lazy", files=["calc.py"], ops=[WRITE]))
    assert shown(plan) == ["NOTE", "READ_SECTION", "WRITE_FILE"]


def test_what_is_placed_twice_is_done_once(indexed):
    intents = Intents()
    intents.method("twice")(lambda state: [("notes",), ("notes",)])
    assert shown(RequestPlanner(indexed, intents=intents).plan_request(request("twice", notes=["n"]))) == ["NOTE"]


def test_a_group_that_merging_emptied_does_not_break_the_order(indexed):
    intents = Intents()
    read = ("READ_SECTION", {"file_path": "calc.py"})
    write = ("WRITE_FILE", {"file_path": "a.txt", "content": "a"})
    intents.method("again")(lambda state: [read, write, read, ("RUN_TEST", {"test_name": "t"})])
    steps = RequestPlanner(indexed, intents=intents).plan_request(request("again"))["steps"]
    assert [s["op"] for s in steps] == ["READ_SECTION", "WRITE_FILE", "RUN_TEST"]
    assert steps[2]["constraints"]["after"] == [steps[1]["step_id"]]


def test_a_method_that_refuses_means_no_plan_and_its_reason_is_given(indexed):
    from planvow.kernel import refuse

    intents = Intents()
    intents.method("picky")(lambda state: refuse("name a test first"))
    with pytest.raises(IntentError, match="name a test first"):
        RequestPlanner(indexed, intents=intents).plan_request(request("picky"))


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([("READ_SECTION", {"file": "x"})], "there is no such field"),
        ([("NOTE", {})], "needs it"),
        ([("READ_SYMBL", {})], "READ_SYMBL"),
        ([("NOTE", "message")], "an object"),
    ],
)
def test_a_method_that_gives_nonsense_is_refused_with_its_place(indexed, items, words):
    intents = Intents()
    intents.method("odd")(lambda state: items)
    with pytest.raises(IntentError, match=words) as caught:
        RequestPlanner(indexed, intents=intents).plan_request(request("odd"))
    assert "odd" in caught.value.place


@pytest.mark.long
def test_a_method_that_raises_is_reported_and_one_that_never_ends_is_ended(indexed):
    intents = Intents()
    intents.method("broken")(lambda state: 1 // 0)
    intents.method("endless")(lambda state: [("endless_task", 0)])
    intents.task("endless_task")(lambda state, n: [("NOTE", {"message": "n"}), ("endless_task", n + 1)])
    planner = RequestPlanner(indexed, intents=intents)
    with pytest.raises(IntentError, match=r"test_intents\.py:\d+: .*ZeroDivisionError"):
        planner.plan_request(request("broken"))
    with pytest.raises(IntentError, match="max_iterations"):
        planner.plan_request(request("endless"))


def test_a_method_that_gives_other_steps_the_second_time_is_refused(indexed):
    intents, numbers = Intents(), itertools.count()

    @intents.method("look")
    def look(state):
        return [("NOTE", {"message": f"number {next(numbers)}"})]

    with pytest.raises(IntentError, match="the second time"):
        RequestPlanner(indexed, intents=intents).plan_request(request("look"))


def test_an_intent_has_one_method_and_no_alternatives():
    intents = Intents()
    intents.method("a")(lambda state: [])
    with pytest.raises(IntentError, match="has a method already"):
        intents.method("a")(lambda state: [])

    def several(state):
        yield []

    with pytest.raises(IntentError, match="alternatives"):
        intents.method("b")(several)
    with pytest.raises(IntentError, match="a meaning of its own"):
        intents.task("NOTE")(lambda state: [])


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        (3, "steps"),
        ({"steps": "x"}, "steps"),
        ({"steps": [], "when": 1}, "no such setting"),
        ({"steps": ["x"]}, "is a table"),
        ({"steps": [{"do": "symbol"}]}, "did you mean 'symbols'"),
        ({"steps": [{"do": "notes", "op": "NOTE"}]}, "stands alone"),
        ({"steps": [{"op": "NOT"}]}, "did you mean 'NOTE'"),
        ({"steps": [{"op": "NOTE"}]}, "refs"),
        ({"steps": [{"op": "NOTE", "refs": {}, "for_each": "thing"}]}, "for_each"),
        ({"steps": [{"op": "NOTE", "refs": {}, "if": "x"}]}, "'if'"),
    ],
)
def test_a_wrong_table_is_refused_with_its_place(definition, words):
    with pytest.raises(IntentError, match=words) as caught:
        intents_from({"mine": definition})
    assert "[intents.mine]" in str(caught.value)


def test_intents_must_be_a_table():
    with pytest.raises(InputError):
        config_from({"intents": 3})


def test_budgets_hold_for_what_an_intent_adds(indexed):
    asked = request("implement_feature", symbols=["@TEST/unit", "@TEST/lint"])
    asked["budgets"]["max_steps"] = 3
    with pytest.raises(Exception, match="max_steps is 3, the plan needs 4"):
        RequestPlanner(indexed).plan_request(asked)


def test_links_and_the_order_of_an_intent_do_not_contradict_each_other(indexed):
    ops = [
        {"op": "NOTE", "refs": {"message": "written"}, "after": ["w"]},
        {"op": "WRITE_FILE", "refs": {"file_path": "a.txt", "content": "a"}, "id": "w", "after": ["calc.py"]},
    ]
    asked = request("debug_function", symbols=["@TEST/unit"], files=["calc.py"], ops=ops)
    steps = RequestPlanner(indexed).plan_request(asked)["steps"]
    assert [s["op"] for s in steps] == ["READ_SYMBOL", "READ_SECTION", "RUN_TEST", "WRITE_FILE", "NOTE", "RUN_TEST"]
    confirm = next(s for s in steps if s["expected_outputs"] == {"exit_code": 0})
    waited = set(confirm["constraints"]["after"])
    assert {s["step_id"] for s in steps if s["op"] in ("WRITE_FILE", "NOTE")} <= waited
