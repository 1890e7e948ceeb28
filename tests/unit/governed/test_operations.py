"""The six operations, run by real workers from a real ledger inside a root."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace

import pytest

from planvow.cassette import SqliteStore, StepStatus
from planvow.cassette.errors import PathRefusedError
from planvow.cassette.work.values import WorkerOptions
from planvow.cassette.work.worker import Worker
from planvow.governed import post_request_and_plan
from planvow.governed.errors import OperationError, PlanBudgetError, RequestPathError
from planvow.governed.operation_kinds import OPERATIONS
from planvow.governed.run.operations import governed_handlers
from planvow.governed.run.patching import patched
from planvow.governed.run.workshop import Workshop
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.symbols import add_symbol, find_section
from planvow.governed.substrate.working_tree import open_working_tree

pytestmark = pytest.mark.long  # each has a worker carry out steps, some of them contained by a Debian package

TESTS = {"pass": [sys.executable, "-c", "print('fine')"], "fail": [sys.executable, "-c", "raise SystemExit(3)"],
         "slow": [sys.executable, "-c", "import time; time.sleep(60)"], "absent": ["no-such-program"]}  # fmt: skip


def policy_text(**write):
    """A policy under which the tests below run, contained where that is possible; JSON lists are TOML too."""
    commands = "".join(f"{name} = {json.dumps(words)}\n" for name, words in TESTS.items())
    rules = "".join(f"{name} = {json.dumps(patterns)}\n" for name, patterns in write.items())
    return f"[run_test]\ntimeout_seconds = 30\nuncontained = true\n[run_test.commands]\n{commands}\n[write]\n{rules}"


@pytest.fixture
def shop(root, kind):
    (root / "planvow.toml").write_text(policy_text())
    with open_working_tree(root, kind=kind, data_folder=root / ".planvow", writable=True) as tree:
        build_index(root, tree.sections)
        section = find_section(tree.sections, "docs/guide.md", ("Guide", "Install"))
        add_symbol(tree.symbols, tree.sections, tree.text, symbol_id="@DOC/install", section_id=section.section_id,
                   default_slice="head(3)", now="t")  # fmt: skip
    return Workshop(root=root, data_folder=root / ".planvow", substrate=kind, ledger=root / ".planvow/cassette.db")


def run(shop, *, before=lambda: None, max_bytes=10_000, **inputs):
    """Post a request, let a worker run it, and return the step states and receipt bodies by ordinal."""
    request = {"run_id": "r", "request_id": "q", "intent": "i", "inputs": inputs,
               "budgets": {"max_steps": 20, "max_bytes": max_bytes}}  # fmt: skip
    posted = post_request_and_plan("r", request, repo_root=shop.root, substrate=shop.substrate)
    before()
    ledger = shop.data_folder / "cassette.db"
    Worker(lambda: SqliteStore(ledger), governed_handlers(shop), WorkerOptions(worker_id="w1")).run()
    with SqliteStore(ledger) as store:
        states = [step.status for step in store.steps(posted.job_id)]
        return states, {receipt.ordinal: receipt.body for receipt in store.receipts(posted.job_id)}


def op(kind, **refs):
    extra = {key: refs.pop(key) for key in ("after", "id", "constraints", "expected_outputs") if key in refs}
    return {"op": kind, "refs": refs, **extra}


def failure(shop, *, before=lambda: None, **inputs):
    states, bodies = run(shop, before=before, **inputs)
    assert states[-1] is StepStatus.FAILED
    return bodies[len(states)]["error"]


EXAMPLES = {
    "READ_SECTION": {"file_path": "calc.py"},
    "READ_SYMBOL": {"symbol_id": "@DOC/install"},
    "WRITE_FILE": {"file_path": "a.txt", "content": "a\n"},
    "PATCH_FILE": {"file_path": "calc.py", "patch_start_line": 1, "patch_end_line": 1, "content": "x = 1"},
    "RUN_TEST": {"test_name": "pass"},
    "NOTE": {"message": "careful"},
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_declared_operation_has_an_example_that_a_worker_carries_out(shop, name):
    assert name in EXAMPLES, "add an example: what is declared must be planned and done"
    states, bodies = run(shop, ops=[op(name, **EXAMPLES[name])])
    assert states == [StepStatus.COMMITTED]
    assert bodies[1]["output"]


def test_a_whole_request_is_run_and_each_receipt_shows_what_was_done(shop):
    states, bodies = run(
        shop,
        symbols=["@DOC/install"],
        files=["calc.py"],
        notes=["careful"],
        ops=[
            op("WRITE_FILE", file_path="new/deep.txt", content="hello {{ name }}\n"),
            op("PATCH_FILE", file_path="calc.py", patch_start_line=3, patch_end_line=3, content="    return b + a"),
            op("RUN_TEST", test_name="pass"),
        ],
    )
    assert states == [StepStatus.COMMITTED] * 6
    assert bodies[1]["output"]["content"] == "## Install\n\nRun it.\n"
    assert bodies[2]["output"]["bytes"] == len((shop.root / "calc.py").read_bytes())
    assert (shop.root / "new/deep.txt").read_text() == "hello {{ name }}\n"
    assert (shop.root / "calc.py").read_text().splitlines()[2] == "    return b + a"
    assert bodies[6]["output"]["exit_code"] == 0
    assert b"fine" in (shop.data_folder / bodies[6]["output"]["log"]).read_bytes()


def test_a_note_is_passed_and_changes_no_file(shop):
    def files():
        found = [path for path in shop.root.rglob("*") if path.is_file() and ".planvow" not in path.parts]
        return {path: path.read_bytes() for path in found}

    before = files()
    states, _ = run(shop, notes=["careful", "very"])
    assert states == [StepStatus.COMMITTED] * 2
    assert files() == before


def test_receipts_hold_no_absolute_paths(shop):
    _, bodies = run(shop, files=["calc.py"], ops=[op("WRITE_FILE", file_path="a.txt", content="x")])
    assert str(shop.root) not in json.dumps(bodies)


def test_a_read_fails_when_the_file_changed_after_planning(shop):
    error = failure(shop, files=["calc.py"], before=lambda: (shop.root / "calc.py").write_text("other\n"))
    assert error["code"] == "STALE_SECTION"


def test_a_write_can_demand_the_content_it_replaces(shop):
    asked = op("WRITE_FILE", file_path="README.txt", content="new\n", file_hash="0" * 64)
    assert failure(shop, ops=[asked])["code"] == "FILE_CHANGED"
    assert (shop.root / "README.txt").read_text() == "hello\n"


def test_a_patch_demands_the_hash_it_names(shop):
    asked = op("PATCH_FILE", file_path="README.txt", patch_start_line=1, patch_end_line=1, content="x",
               file_hash=hashlib.sha256(b"hello\n").hexdigest())  # fmt: skip
    assert failure(shop, ops=[asked], before=lambda: (shop.root / "README.txt").write_text("edited\n"))["code"] == (
        "FILE_CHANGED"
    )


def test_a_patch_beyond_the_file_fails_at_the_worker_too(shop):
    asked = op("PATCH_FILE", file_path="README.txt", patch_start_line=1, patch_end_line=1, content="x")
    assert failure(shop, ops=[asked], before=lambda: (shop.root / "README.txt").write_text(""))["code"] == (
        "OPERATION_FAILED"
    )


def test_nothing_is_written_through_a_link(shop, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (shop.root / "link").symlink_to(outside)
    asked = op("WRITE_FILE", file_path="link/x.txt", content="x")
    assert failure(shop, ops=[asked])["code"] == "PATH_ESCAPES"
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("fial", "allow-list, [run_test.commands] in planvow.toml; did you mean 'fail'?"),
        ("fail", "exit code 3 (containment: "),
        ("absent", "the test 'absent' gave no result: it cannot be started: No such file or directory"),
    ],
)
def test_a_test_that_is_not_allowed_or_fails_fails_its_step(shop, name, words):
    assert words in failure(shop, ops=[op("RUN_TEST", test_name=name)])["message"]


def test_a_test_that_takes_too_long_is_ended(shop):
    asked = op("RUN_TEST", test_name="slow", constraints={"timeout_seconds": 1})
    message = failure(shop, ops=[asked])["message"]
    assert "the test 'slow'" in message
    assert "more than 1 seconds" in message


def test_a_failing_test_can_be_what_is_expected(shop):
    states, bodies = run(shop, ops=[op("RUN_TEST", test_name="fail", expected_outputs={"exit_code": 3})])
    assert states == [StepStatus.COMMITTED]
    assert bodies[1]["output"]["exit_code"] == 3


def test_an_outcome_other_than_the_expected_one_fails(shop):
    asked = op("RUN_TEST", test_name="pass", expected_outputs={"exit_code": 1})
    assert "the plan expects 1" in failure(shop, ops=[asked])["message"]


def test_a_required_output_that_is_not_given_fails(shop):
    asked = op("NOTE", message="m", constraints={"required_outputs": ["report"]})
    assert "'report'" in failure(shop, ops=[asked])["message"]


def test_a_plan_that_meets_its_byte_budget_exactly_runs_and_a_piece_read_twice_counts_twice(shop):
    size = len((shop.root / "README.txt").read_bytes())
    again = op("READ_SECTION", file_path="README.txt", after=["README.txt"])
    with pytest.raises(PlanBudgetError, match=f"the plan needs {2 * size}"):
        run(shop, files=["README.txt"], ops=[again], max_bytes=2 * size - 1)
    states, _ = run(shop, files=["README.txt"], ops=[again], max_bytes=2 * size)
    assert states == [StepStatus.COMMITTED] * 2


@pytest.mark.parametrize("path", ["docs/guide.md", "deep/new.txt"])
def test_a_step_planned_under_another_policy_is_not_carried_out(shop, path):
    asked = [op("WRITE_FILE", file_path=path, content="x")]
    changed = lambda: (shop.root / "planvow.toml").write_text(policy_text(protect=["elsewhere/**"]))  # noqa: E731
    assert failure(shop, ops=asked, before=changed)["code"] == "POLICY_CHANGED"
    assert not (shop.root / "deep").exists()
    assert (shop.root / "docs/guide.md").read_text() != "x"


def test_reads_and_notes_go_by_no_policy(shop):
    changed = lambda: (shop.root / "planvow.toml").write_text(policy_text(protect=["elsewhere/**"]))  # noqa: E731
    states, _ = run(shop, files=["README.txt"], notes=["n"], before=changed)
    assert states == [StepStatus.COMMITTED] * 2


@pytest.mark.parametrize(
    "rules", [{"allow": ["docs/**"]}, {"protect": ["src/**"]}, {"allow": ["**"], "protect": ["*.cfg"]}]
)
def test_what_the_policy_keeps_closed_is_refused_when_planned_and_when_written(shop, rules):
    asked = [op("WRITE_FILE", file_path="src/app.cfg", content="x")]
    (shop.root / "planvow.toml").write_text(policy_text(**rules))
    with pytest.raises(RequestPathError, match=r"\[write\]"):
        run(shop, ops=asked)
    shop_policy = shop.policy()
    assert shop_policy.refusal("src/app.cfg") is not None
    assert shop_policy.refusal("docs/app.txt") is None


def test_what_a_protected_link_leads_to_is_closed_too(shop):
    (shop.root / "gitdata").mkdir()
    (shop.root / "vendor/lib").mkdir(parents=True)
    (shop.root / "vendor/lib/.git").symlink_to("../../gitdata")
    asked = op("WRITE_FILE", file_path="gitdata/hooks/post-checkout", content="x")
    error = failure(shop, ops=[asked])
    assert error["code"] == "PATH_ESCAPES"
    assert "gitdata" in error["message"]
    assert list((shop.root / "gitdata").iterdir()) == []


def test_the_ledger_is_closed_wherever_it_lies(shop, monkeypatch):
    elsewhere = replace(shop, ledger=shop.root / "state/my.db")
    with elsewhere.open_root(elsewhere.policy(), "job") as root, pytest.raises(PathRefusedError, match=r"state/my\.db"):
        root.write("state/my.db-journal", b"x", token="t")
    with pytest.raises(OperationError, match="the ledger lies in the tree"):
        elsewhere.check_ledger()


def test_what_the_worker_is_made_of_is_closed_where_it_lies_in_the_root(shop, monkeypatch):
    (shop.root / ".venv/lib").mkdir(parents=True)
    (shop.root / "my_operations.py").write_text("")
    monkeypatch.setattr(sys, "prefix", str(shop.root / ".venv"))
    own = replace(shop, closed=(shop.root / "my_operations.py",))
    with own.open_root(own.policy(), "job") as root:
        for path in (".venv/lib/x.pth", "my_operations.py"):
            with pytest.raises(PathRefusedError, match="nothing is written"):
                root.write(path, b"x", token="t")


def test_a_worker_that_died_after_the_change_does_not_make_it_twice(shop):
    """The first attempt changes the file and dies before its receipt; the second finds its own work."""
    request = {"run_id": "r", "request_id": "q", "intent": "i", "budgets": {"max_steps": 9}, "inputs": {"ops": [
        op("PATCH_FILE", file_path="README.txt", patch_start_line=1, patch_end_line=1, content="one\ntwo\n"),
        op("WRITE_FILE", file_path="b.txt", content="b\n"),
    ]}}  # fmt: skip
    posted = post_request_and_plan("r", request, repo_root=shop.root, substrate=shop.substrate)
    ledger = shop.data_folder / "cassette.db"
    handlers = governed_handlers(shop)

    def dying(context):
        handlers[context.claim.op](context)
        raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            Worker(lambda: SqliteStore(ledger), dict.fromkeys(handlers, dying), WorkerOptions(worker_id="w0")).run()
    Worker(lambda: SqliteStore(ledger), handlers, WorkerOptions(worker_id="w1")).run()
    with SqliteStore(ledger) as store:
        assert [step.status for step in store.steps(posted.job_id)] == [StepStatus.COMMITTED] * 2
    assert (shop.root / "README.txt").read_text() == "one\ntwo\n"


@pytest.mark.parametrize(
    ("old", "first", "last", "content", "new"),
    [
        (b"a\nb\nc\n", 2, 2, "B", b"a\nB\nc\n"),
        (b"a\nb\nc\n", 1, 3, "", b""),
        (b"a\nb\nc", 3, 3, "C", b"a\nb\nC"),
        (b"a\r\nb\r\n", 1, 1, "x\ny\n", b"x\r\ny\r\nb\r\n"),
        (b"a\rb\r", 2, 2, "x", b"a\rx\r"),
        (b"\n\n", 2, 2, "x\n", b"\nx\n"),
    ],
)
def test_lines_are_replaced_and_their_line_ends_kept(old, first, last, content, new):
    assert patched(old, first, last, content, place="f") == new
