"""Governed requests: section indexes, symbols and plans with step ids and hashes, on both substrates."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from golden.corpus.case import ROOT, Case, as_json
from planvow.cassette import SqliteStore
from planvow.contract import default_registry, safe_plan
from planvow.governed import PlannerError, RequestPlanner, post_request_and_plan
from planvow.governed.compile.intents import intents_from
from planvow.governed.compile.verify import verify_stored_plans
from planvow.governed.sections.config import config_from
from planvow.governed.substrate.index import build_index, check_index
from planvow.governed.substrate.symbols import add_symbol, check_symbols, find_section, rebind_symbol
from planvow.governed.substrate.working_tree import WorkingTree, open_working_tree

SUBSTRATES = ("sqlite", "jsonl")
EXAMPLE = ROOT / "examples/governed"
NOW = "2026-01-02T03:04:05.678Z"
FILES = {
    "a.md": "# A\n\n## C\ntext\n\n# A\nagain\n### deep\n",
    "b.md": "x\n# B\nline 1\nline 2 é\nline 3\n",
    "only.md": "# Only heading\n",
    "c/d.py": '"""Doc."""\n\n\ndef f(x):\n    return x\n\n\nclass G:\n    def h(self): ...\n',
    "c/e.txt": "plain\n",
    "z.json": '{"a": 1}\n',
}
SYMBOLS = (
    ("@DOC/b", "b.md", ("B",), "lines[1:3]"),
    ("@CODE/f", "c/d.py", ("f",), "head(1)"),
    ("@CODE/G", "c/d.py", ("G",), "tail(1)"),
    ("@DOC/only", "only.md", (), "head(1)"),
    ("@TEST/z", "c/e.txt", (), "head(1)"),
    ("@TEST/a", "z.json", (), "head(1)"),
)
EXAMPLE_SYMBOLS = (
    ("@CODE/add", "calc.py", ("add",), "head(3)"),
    ("@DOC/rules", "guide.md", ("Calculator", "Rules"), "head(4)"),
    ("@TEST/unit", "check_calc.py", (), "head(10)"),
)


def write(op: str, path: str, **more: Any) -> dict[str, Any]:
    return {"op": op, "refs": {"file_path": path, **more}}


def request(intent: str, **inputs: Any) -> dict[str, Any]:
    return {"run_id": "golden", "request_id": intent, "intent": intent, "inputs": inputs, "budgets": {"max_steps": 40}}


REQUESTS: dict[str, dict[str, Any]] = {
    "reads": request("read_docs", symbols=["@CODE/f", "@DOC/b", "@CODE/G"], files=["c/e.txt", "a.md", "a.md"]),
    "feature": request(
        "implement_feature",
        symbols=["@DOC/b", "@TEST/z", "@CODE/f", "@TEST/a"],
        files=["a.md", "c/d.py"],
        notes=["first", "second {{x}}"],
        ops=[
            write("WRITE_FILE", "new/p.txt", content="p\n"),
            write("WRITE_FILE", "new/q.txt", content="q é\n"),
            write("PATCH_FILE", "a.md", patch_start_line=1, patch_end_line=2, content="# AA"),
            write("PATCH_FILE", "a.md", patch_start_line=4, patch_end_line=4, content="other"),
            write("WRITE_FILE", "new/p.txt", content="p again\n"),
        ],
    ),
    "ordered": request(
        "by_hand",
        ops=[
            {"op": "READ_SYMBOL", "refs": {"symbol_id": "@DOC/b", "slice": "head(2)"}, "id": "read"},
            {"op": "READ_SYMBOL", "refs": {"symbol_id": "@DOC/b", "slice": "head(2)"}, "id": "same"},
            {"op": "NOTE", "refs": {"message": "say it"}, "id": "say"},
            {**write("WRITE_FILE", "x.txt", content="x"), "id": "write", "after": ["say", "read"]},
            {**write("WRITE_FILE", "y.txt", content="y"), "id": "other", "after": ["same"]},
            {"op": "RUN_TEST", "refs": {"test_name": "unit"}, "after": ["other", "write"],
             "constraints": {"required_outputs": ["exit_code"]}, "expected_outputs": {"exit_code": 0}},
        ],
    ),
}  # fmt: skip
REFUSED: dict[str, dict[str, Any]] = {
    "unknown symbol": request("read_docs", symbols=["@DOC/c"]),
    "whole symbol": request("by_hand", ops=[{"op": "READ_SYMBOL", "refs": {"symbol_id": "@DOC/b", "slice": "ALL"}}]),
    "too many steps": {**request("read_docs", files=["a.md", "b.md"]), "budgets": {"max_steps": 1}},
    "too many bytes": {**request("read_docs", files=["a.md", "b.md"]), "budgets": {"max_bytes": 3}},
    "outside": request("by_hand", ops=[write("WRITE_FILE", "../x", content="")]),
}


@contextmanager
def repository(kind: str, symbols: Any = SYMBOLS, example: bool = False) -> Iterator[tuple[Path, Path, WorkingTree]]:
    """Yield a repository with its index and symbols: its folder, where the data is, the open tree."""
    with tempfile.TemporaryDirectory() as folder:
        root, data = Path(folder).resolve() / "repository", Path(folder).resolve() / "data"
        if example:
            shutil.copytree(EXAMPLE, root)
        else:
            for name, text in FILES.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
        for path in root.rglob("*"):
            os.utime(path, (1_700_000_000, 1_700_000_000))
        with open_working_tree(root, kind=kind, data_folder=data, writable=True) as tree:
            build_index(root, tree.sections)
            for symbol_id, file_path, heading, piece in symbols:
                section = find_section(tree.sections, file_path, heading)
                add_symbol(
                    tree.symbols, tree.sections, tree.text,
                    symbol_id=symbol_id, section_id=section.section_id, default_slice=piece, now=NOW, heading=heading,
                )  # fmt: skip
            yield root, data, tree


def index_path(kind: str, data: Path) -> Path:
    return data / ("index.db" if kind == "sqlite" else "index")


def planned(kind: str, asked: dict[str, Any]) -> str:
    with repository(kind) as (root, data, _), RequestPlanner(root, index_path(kind, data)) as planner:
        return as_json(planner.plan_request(asked, substrate=kind))


def example_planned(kind: str) -> str:
    asked = json.loads((EXAMPLE / "request.json").read_text("utf-8"))
    opened = repository(kind, EXAMPLE_SYMBOLS, example=True)
    with opened as (root, data, _), RequestPlanner(root, index_path(kind, data)) as planner:
        return as_json(planner.plan_request(asked, substrate=kind))


def refusals(kind: str) -> str:
    said = {}
    with repository(kind) as (root, data, _), RequestPlanner(root, index_path(kind, data)) as planner:
        for name, asked in REFUSED.items():
            try:
                planner.plan_request(asked, substrate=kind)
            except PlannerError as error:
                said[name] = [error.code, error.place]
        said["unresolved"] = planner.plan_request(REFUSED["unknown symbol"], substrate=kind, allow_unresolved=True)
    return as_json(said)


def registered() -> str:
    """The same request through the planner of the registry."""
    with repository("sqlite") as (root, data, _):
        shutil.copytree(data, root / ".planvow")
        planner = default_registry().create("governed", repo_root=root)
        answers = [safe_plan(planner, agent_id="golden", goal=json.dumps(asked)) for asked in REQUESTS.values()]
        return as_json([answer.as_dict() for answer in answers])


def index(kind: str) -> str:
    """Every section and symbol, in the order in which they are listed, and the hash over the index."""
    with repository(kind) as (root, _, tree):
        listed = [tree.sections.sections(name) for name in (*sorted(FILES), None)]
        found = check_index(root, tree.sections)
        symbols = [tree.symbols.symbols(), tree.symbols.symbols("@CODE/")]
        whole = next(s for s in tree.sections.sections("only.md") if not s.heading_path)
        one_of_two = tree.sections.section(whole.section_id)
        (root / "b.md").write_text("# B\nother\n", encoding="utf-8")
        (root / "a.md").write_text("# A\n", encoding="utf-8")
        changed = check_index(root, tree.sections)
        build_index(root, tree.sections)
        moved = rebind_symbol(
            tree.symbols, tree.sections, tree.text, "@DOC/b", default_slice="head(1)", now="2026-01-03T00:00:00.000Z"
        )
        faults = check_symbols(tree.symbols, tree.sections, tree.text)
        return as_json(
            {
                "index_hash": tree.sections.meta().index_hash,
                "sections": listed,
                "check": found,
                "one id, two names": one_of_two,
                "after a change": changed,
                "symbols": symbols,
                "moved": moved,
                "faults": faults,
            }
        )


SETTINGS = {
    "run_test": {"commands": {"z": ["true"], "a": ["true"]}},
    "intents": {
        "zoo": {"steps": [{"op": "NOTE", "id": "one", "refs": {"message": "m"}}, {"op": "NOTE", "after": ["one"],
                "refs": {"message": "n"}}]},
        "ant": {"steps": [{"do": "files"}]},
    },
}  # fmt: skip
CIRCLE = request(
    "by_hand",
    ops=[
        {"op": "NOTE", "refs": {"message": "a"}, "id": "a", "after": ["c", "b"]},
        {"op": "NOTE", "refs": {"message": "b"}, "id": "b", "after": ["a"]},
        {"op": "NOTE", "refs": {"message": "c"}, "id": "c", "after": ["a"]},
    ],
)


def settings() -> str:
    """What a repository's own settings become, plans of its own intents, and the circle that is named of two."""
    read = config_from(SETTINGS)
    intents = intents_from(read.intents)
    with (
        repository("sqlite") as (root, data, _),
        RequestPlanner(root, index_path("sqlite", data), intents=intents) as planner,
    ):
        plan = planner.plan_request(request("zoo"), substrate="sqlite")
        try:
            planner.plan_request(CIRCLE, substrate="sqlite")
        except PlannerError as error:
            return as_json([list(read.policy.commands.items()), intents.names, plan, error.as_dict()])
    raise AssertionError("a circle was planned")


def unreadable() -> str:
    """What a build says of files that are no text, in order."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "repository"
        root.mkdir()
        for name in ("z.md", "b.md", "m.md"):
            (root / name).write_bytes(b"\xff\xfe not text")
        with open_working_tree(root, kind="jsonl", data_folder=Path(folder) / "data", writable=True) as tree:
            return as_json(build_index(root, tree.sections)).replace(folder, "FOLDER")


def verified() -> str:
    """A stored plan held against the request, before and after the index moved."""
    asked = {"run_id": "golden", "request_id": "implement_feature"}
    with (
        tempfile.TemporaryDirectory() as folder,
        repository("sqlite") as (root, data, tree),
        SqliteStore(Path(folder) / "cassette.db") as store,
        RequestPlanner(root, index_path("sqlite", data)) as planner,
    ):
        post_request_and_plan("golden", REQUESTS["feature"], repo_root=root, store=store, planner=planner)

        def recompute(request: Any) -> Any:
            return planner.plan_request(request, substrate="sqlite")

        found = verify_stored_plans(store, recompute, **asked)
        (root / "z.json").write_text("{}", encoding="utf-8")
        build_index(root, tree.sections)
        return as_json([found, verify_stored_plans(store, recompute, **asked)])


def stored_files() -> str:
    """The files of the jsonl substrate, which people read and commit."""
    with repository("jsonl") as (_, data, _tree):
        files = sorted(path for path in (data / "index").rglob("*") if path.is_file() and path.suffix != ".lock")
        texts = [f"{path.name}\n{path.read_text('utf-8')}" for path in files if path.name != "files.jsonl"]
        states = (data / "index" / "files.jsonl").read_text("utf-8").splitlines()
        return "\n".join([*texts, *(json.loads(line)["file_path"] for line in states)])


def cases() -> Iterator[Case]:
    for kind in SUBSTRATES:
        for name, asked in REQUESTS.items():
            yield Case(f"governed/{kind}.{name}", "governed plan", _later(planned, kind, asked))
        yield Case(f"governed/{kind}.example", "governed plan", _later(example_planned, kind))
        yield Case(f"governed/{kind}.refusals", "governed plan", _later(refusals, kind))
        yield Case(f"governed/{kind}.index", "section index", _later(index, kind))


def _later(make: Callable[..., str], *arguments: Any) -> Callable[[], str]:
    return lambda: make(*arguments)


CASES = (
    *cases(),
    Case("governed/settings", "governed plan", settings),
    Case("governed/unreadable", "section index", unreadable),
    Case("governed/verified", "governed plan", verified),
    Case("governed/registered", "governed plan", registered),
    Case("governed/jsonl.files", "section index", stored_files),
)
