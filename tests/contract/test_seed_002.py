"""The mandatory tests of seed 002, under the names it gives them (Testing Requirements)."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from planvow.canonical import canonical_json
from planvow.cassette import SqliteStore
from planvow.cassette.errors import IdempotencyConflictError
from planvow.governed import Planner, PlannerError, SectionError, SymbolError, post_request_and_plan
from planvow.governed.compile.compiler import step_id
from planvow.governed.compile.schemas import SCHEMAS
from planvow.governed.compile.verify import Side, verify_stored_plans
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.symbols import add_symbol, find_section
from planvow.governed.substrate.working_tree import open_working_tree

GUIDE = "# Guide\n\nWelcome.\n\n## Install\n\nRun it.\nTwice.\n\n## Use\n\nCall it.\n"


@pytest.fixture
def repo(tmp_path):
    """A repository with an index and two symbols."""
    (tmp_path / "guide.md").write_text(GUIDE)
    (tmp_path / "data.txt").write_text("x" * 999 + "\n")
    with open_working_tree(tmp_path, data_folder=tmp_path / ".planvow", writable=True) as tree:
        build_index(tmp_path, tree.sections)
        for name in ("Install", "Use"):
            section = find_section(tree.sections, "guide.md", ("Guide", name))
            add_symbol(tree.symbols, tree.sections, tree.text, symbol_id=f"@DOC/{name.lower()}",
                       section_id=section.section_id, default_slice="head(3)", now="t")  # fmt: skip
    return tmp_path


def request(**changes):
    asked = {
        "run_id": "run_001",
        "request_id": "req_001",
        "intent": "debug_function",
        "inputs": {"symbols": ["@DOC/use", "@DOC/install"], "files": ["data.txt"], "notes": ["mind the gap"]},
        "budgets": {"max_steps": 10, "max_bytes": 5000, "max_symbols": 5},
    }
    return {**asked, **changes}


def plan(repo: Path, asked=None, **options):
    return Planner(repo_root=repo).plan_request(asked or request(), repo_root=str(repo), substrate="sqlite", **options)


def cortex(repo: Path, *words: str):
    command = [sys.executable, "-m", "planvow", "cortex", *words]
    return subprocess.run(command, cwd=repo, capture_output=True, text=True, timeout=60, check=False)


def contents(root: Path):
    return {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_plan_determinism_same_request_same_output(repo):
    first, second = plan(repo), plan(repo)
    assert canonical_json(first) == canonical_json(second)
    assert [s["step_id"] for s in first["steps"]] == [s["step_id"] for s in second["steps"]]
    assert first["plan_hash"] == second["plan_hash"]


def test_a_planner_is_told_where_the_repository_and_its_index_are(repo, tmp_path_factory):
    asked = {"repo_root": str(repo), "substrate": "sqlite"}
    expected = plan(repo)
    assert Planner(tmp_path_factory.mktemp("elsewhere")).plan_request(request(), **asked) == expected
    (repo / ".planvow/index.db").rename(repo / "moved.db")
    assert Planner(repo, repo / "moved.db").plan_request(request(), **asked) == expected
    with pytest.raises(PlannerError):
        plan(repo)


def test_plan_determinism_step_ids_stable(repo):
    refs = {"symbol_id": "@DOC/use", "slice": "head(3)"}
    same = dict(reversed(refs.items()))
    assert step_id(1, "READ_SYMBOL", refs, {}) == step_id(1, "READ_SYMBOL", same, {})
    assert step_id(1, "READ_SYMBOL", refs, {}) == "step_3766e58bc113a8b3"
    assert step_id(2, "READ_SYMBOL", refs, {}) != step_id(1, "READ_SYMBOL", refs, {})
    ids = [s["step_id"] for s in plan(repo)["steps"]]
    assert len(set(ids)) == len(ids)
    assert all(len(i) == len("step_") + 16 for i in ids)


def test_plan_rejects_too_many_steps(repo):
    with pytest.raises(PlannerError, match="max_steps"):
        plan(repo, request(budgets={"max_steps": 3}))


def test_max_steps_counts_the_steps_of_the_plan(repo):
    twice = {"symbols": ["@DOC/use", {"symbol_id": "@DOC/use", "slice": "head(1)"}]}
    assert len(plan(repo, request(inputs=twice, budgets={"max_steps": 2}))["steps"]) == 2
    with pytest.raises(PlannerError, match="max_steps"):
        plan(repo, request(inputs=twice, budgets={"max_steps": 1}))


def test_plan_rejects_too_many_bytes(repo):
    with pytest.raises(PlannerError, match="max_bytes"):
        plan(repo, request(budgets={"max_steps": 10, "max_bytes": 1000}))


def test_max_bytes_counts_the_bytes_of_files_and_of_bounded_expansions(repo):
    (repo / "wide.txt").write_text("ü" * 500, encoding="utf-8")
    build(repo)
    inputs = {"symbols": ["@DOC/use", "@DOC/install"], "files": ["data.txt", "wide.txt"]}
    needed = len("## Use\n\nCall it.\n") + len("## Install\n\nRun it.\n") + 1000 + 1000
    enough = plan(repo, request(inputs=inputs, budgets={"max_steps": 10, "max_bytes": needed}))
    assert enough["usage"]["bytes"] == needed
    with pytest.raises(PlannerError, match="max_bytes"):
        plan(repo, request(inputs=inputs, budgets={"max_steps": 10, "max_bytes": needed - 1}))


def test_max_bytes_is_ten_million_unless_it_is_given(repo):
    (repo / "large.txt").write_text("x" * 9_999_999 + "\n")
    (repo / "more.txt").write_text("\n")
    build(repo)
    both = {"files": ["large.txt", "more.txt"]}
    assert plan(repo, request(inputs={"files": ["large.txt"]}, budgets={"max_steps": 10}))["usage"]["bytes"] == 10**7
    with pytest.raises(PlannerError, match="max_bytes"):
        plan(repo, request(inputs=both, budgets={"max_steps": 10}))
    assert plan(repo, request(inputs=both, budgets={"max_steps": 10, "max_bytes": 10**7 + 1}))


def test_plan_rejects_too_many_symbols(repo):
    with pytest.raises(PlannerError, match="max_symbols"):
        plan(repo, request(budgets={"max_steps": 10, "max_symbols": 1}))


def test_max_symbols_counts_each_symbol_once_and_is_a_hundred_unless_it_is_given(repo):
    twice = {"symbols": ["@DOC/use", "@DOC/use", {"symbol_id": "@DOC/use", "slice": "head(1)"}]}
    budgets = {"max_steps": 10, "max_symbols": 1}
    assert plan(repo, request(inputs=twice, budgets=budgets))["usage"]["symbols"] == 1
    names = [f"@DOC/use{number}" for number in range(101)]
    with open_working_tree(repo, data_folder=repo / ".planvow", writable=True) as tree:
        section = find_section(tree.sections, "guide.md", ("Guide", "Use"))
        for name in names:
            add_symbol(tree.symbols, tree.sections, tree.text, symbol_id=name, section_id=section.section_id,
                       default_slice="head(1)", now="t")  # fmt: skip
    assert len(plan(repo, request(inputs={"symbols": names[:100]}, budgets={"max_steps": 200}))["steps"]) == 100
    with pytest.raises(PlannerError, match="max_symbols"):
        plan(repo, request(inputs={"symbols": names}, budgets={"max_steps": 200}))


def test_the_schemas_demand_what_the_seed_calls_required(repo):
    made = plan(repo)
    required = {
        "plan_request": (request(), ["run_id", "request_id", "intent", "budgets"]),
        "plan_step": (made["steps"][0], ["step_id", "ordinal", "op"]),
        "plan_output": (made, ["run_id", "request_id", "planner_version", "steps", "plan_hash"]),
    }
    for name, (document, fields) in required.items():
        jsonschema.validate(document, SCHEMAS[name])
        assert SCHEMAS[name]["version"] == "1.0"
        for field in fields:
            with pytest.raises(jsonschema.ValidationError, match=field):
                jsonschema.validate({key: document[key] for key in document if key != field}, SCHEMAS[name])
    assert made["planner_version"] == "1.3"


def test_what_fails_in_a_symbol_or_a_section_says_so_by_its_class(repo):
    with pytest.raises(SymbolError):
        plan(repo, request(inputs={"symbols": ["@DOC/unheard-of"]}))
    with pytest.raises(SectionError):
        plan(repo, request(inputs={"files": ["unheard-of.md"]}))
    (repo / "guide.md").write_text(GUIDE.replace("Run it", "Run it now"))
    with pytest.raises(SectionError):
        plan(repo)
    build(repo)
    with pytest.raises(SymbolError):
        plan(repo)
    assert issubclass(SymbolError, PlannerError)
    assert issubclass(SectionError, PlannerError)


def test_a_step_has_one_of_six_operations(repo):
    step = plan(repo)["steps"][0]
    for op in ("READ_SECTION", "READ_SYMBOL", "WRITE_FILE", "PATCH_FILE", "RUN_TEST", "NOTE"):
        jsonschema.validate({**step, "op": op}, SCHEMAS["plan_step"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**step, "op": "DELETE_FILE"}, SCHEMAS["plan_step"])


@pytest.mark.parametrize("written", ["ALL", "all", "All"])
def test_plan_rejects_slice_all_forbidden(repo, written):
    with pytest.raises(PlannerError, match="ALL is forbidden"):
        plan(repo, request(inputs={"symbols": [{"symbol_id": "@DOC/use", "slice": written}]}))


def test_plan_dry_run_does_not_touch_db(repo):
    (repo / "request.json").write_text(json.dumps(request()))
    before = contents(repo)
    done = cortex(repo, "plan", "--request-file", "request.json", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == plan(repo)
    assert contents(repo) == before


def ledger(repo: Path):
    return sqlite3.connect(repo / ".planvow/cassette.db")


def test_plan_idempotency_same_idempotency_key(repo):
    first = post_request_and_plan("run_001", request(), "key-1", repo_root=repo)
    (repo / "data.txt").write_text("the repository moved on\n")
    second = post_request_and_plan("run_001", request(), "key-1", repo_root=repo)
    message_id, job_id = second
    assert (message_id, job_id) == tuple(first)
    assert second.step_ids == first.step_ids
    assert (first.created, second.created) == (True, False)
    with ledger(repo) as rows:
        assert rows.execute("SELECT message_id, job_id FROM cassette_jobs").fetchall() == [(message_id, job_id)]
    with pytest.raises(IdempotencyConflictError):
        post_request_and_plan("run_001", request(intent="other"), "key-1", repo_root=repo)


def test_request_job_and_pending_steps_are_stored(repo):
    posted = post_request_and_plan("run_001", request(), repo_root=repo)
    with ledger(repo) as rows:
        (payload,) = rows.execute("SELECT payload_json FROM cassette_messages").fetchone()
        assert json.loads(payload) == request()
        assert rows.execute("SELECT job_id, intent FROM cassette_jobs").fetchall() == [
            (posted.job_id, "debug_function")
        ]
        steps = rows.execute("SELECT step_id, status FROM cassette_steps ORDER BY ordinal").fetchall()
    assert steps == [(step["step_id"], "PENDING") for step in plan(repo)["steps"]]
    assert list(posted.step_ids) == [step["step_id"] for step in plan(repo)["steps"]]
    assert posted.plan_hash == plan(repo)["plan_hash"]


def test_two_jobs_with_equal_steps_both_get_them(repo):
    first = post_request_and_plan("run_001", request(), "a", repo_root=repo)
    second = post_request_and_plan("run_001", request(), "b", repo_root=repo)
    assert first.job_id != second.job_id
    assert first.step_ids == second.step_ids
    with SqliteStore(repo / ".planvow/cassette.db") as store:
        assert [store.job(p.job_id).pending for p in (first, second)] == [4, 4]


def test_a_refused_request_stores_nothing_and_makes_no_ledger(repo):
    before = contents(repo)
    with pytest.raises(PlannerError):
        post_request_and_plan("run_001", request(budgets={"max_steps": 1}), repo_root=repo)
    assert contents(repo) == before


def test_a_request_is_posted_only_to_its_own_run(repo):
    with pytest.raises(PlannerError, match="run_002"):
        post_request_and_plan("run_002", request(), repo_root=repo)


def check(repo: Path):
    with SqliteStore(repo / ".planvow/cassette.db") as store, Planner(repo) as planner:
        (verdict,) = verify_stored_plans(store, planner.plan_request, run_id="run_001", request_id="req_001")
    return verdict


def tamper(repo: Path, statement: str):
    """Edit the ledger as its owner could: triggers off, then on again."""
    with ledger(repo) as rows:
        triggers = rows.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            rows.execute(f"DROP TRIGGER {name}")
        assert rows.execute(statement).rowcount > 0
        for _, sql in triggers:
            rows.execute(sql)
    rows.close()


def test_plan_verify_matches_stored_hash(repo):
    posted = post_request_and_plan("run_001", request(), repo_root=repo)
    verdict = check(repo)
    assert verdict.holds
    assert verdict.recomputed_hash == posted.plan_hash


TAMPERINGS = {
    "request": ("UPDATE cassette_messages SET payload_json = replace(payload_json, 'mind the gap', 'never mind')",
                Side.REQUEST),
    "plan": ("UPDATE cassette_plans SET plan_json = replace(plan_json, 'mind the gap', 'never mind')",
             Side.STORED_BYTES),
    "hash": ("UPDATE cassette_plans SET plan_hash = replace(plan_hash, substr(plan_hash, 1, 1), 'x')",
             Side.STORED_BYTES),
    "step": ("UPDATE cassette_step_definitions SET payload_json = replace(payload_json, 'mind the gap', 'never mind')",
             Side.STORED_BYTES),
    "op": ("UPDATE cassette_step_definitions SET op = 'RUN_TEST' WHERE op = 'NOTE'", Side.STORED_BYTES),
}  # fmt: skip


@pytest.mark.parametrize("kind", TAMPERINGS)
def test_plan_verify_fails_on_mismatch(repo, kind):
    statement, side = TAMPERINGS[kind]
    post_request_and_plan("run_001", request(), repo_root=repo)
    tamper(repo, statement)
    verdict = check(repo)
    assert not verdict.holds
    assert verdict.changed == (side,)
    assert verdict.finding


def test_plan_verify_says_that_the_substrate_changed(repo):
    post_request_and_plan("run_001", request(), repo_root=repo)
    (repo / "data.txt").write_text("other\n")
    assert check(repo).changed == (Side.SUBSTRATE,)
    build(repo)
    verdict = check(repo)
    assert verdict.changed == (Side.SUBSTRATE,)
    assert "steps[2]" in verdict.finding


def test_plan_verify_holds_when_only_something_else_changed(repo):
    post_request_and_plan("run_001", request(), repo_root=repo)
    (repo / "unrelated.md").write_text("# New\n")
    build(repo)
    assert check(repo).holds


def test_plan_verify_says_that_the_planner_changed(repo):
    post_request_and_plan("run_001", request(), repo_root=repo)

    def newer_planner(stored_request):
        return {**plan(repo, stored_request), "plan_hash": "0" * 64, "planner_version": "9.9"}

    with SqliteStore(repo / ".planvow/cassette.db") as store:
        (verdict,) = verify_stored_plans(store, newer_planner, run_id="run_001", request_id="req_001")
    assert verdict.changed == (Side.PLANNER_VERSION,)


def build(repo: Path):
    with open_working_tree(repo, data_folder=repo / ".planvow", writable=True) as tree:
        build_index(repo, tree.sections)
