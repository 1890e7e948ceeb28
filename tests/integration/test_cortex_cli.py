"""The `cortex` commands as a newcomer types them: payload on stdout, the rest on stderr, exit codes as documented."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from command_line import planvow, planvow_process

REQUEST = {
    "run_id": "r1",
    "request_id": "q1",
    "intent": "debug_function",
    "inputs": {"symbols": ["@DOC/install"], "files": ["calc.py"], "notes": ["careful"]},
    "budgets": {"max_steps": 10},
}


@pytest.fixture(params=["sqlite", pytest.param("jsonl", marks=pytest.mark.slow)])
def repo(tmp_path, request):
    (tmp_path / "guide.md").write_text("# Guide\n\n## Install\n\nRun it.\n")
    (tmp_path / "calc.py").write_text("def add(a, b):\n    return a + b\n")
    (tmp_path / "planvow.toml").write_text('[sections]\ninclude = ["*.md", "*.py"]\n')
    (tmp_path / "request.json").write_text(json.dumps(REQUEST))
    kind = ("--substrate", request.param)

    def cortex(*words, code=0, run=planvow, **given):
        options = () if words[0] == "help" or words[1] == "extract" else kind
        done = run(tmp_path, "cortex", *words, *options, **given)
        assert done.returncode == code, done.stderr
        return done

    cortex.root = tmp_path
    return cortex


def test_from_nothing_to_a_stored_and_verified_plan(repo):
    built = repo("sections", "build")
    assert len(built.stdout.strip()) == 64
    assert "5 sections of 2 files" in built.stderr
    repo("symbols", "add", "@DOC/install", "--file", "guide.md", "--heading", "Guide", "--heading", "Install",
         "--default-slice", "head(3)")  # fmt: skip
    got = repo("symbols", "get", "@DOC/install", "--run-id", "r1")
    assert got.stdout == "## Install\n\nRun it.\n"
    assert "cache miss" in got.stderr
    assert "cache hit" in repo("symbols", "get", "@DOC/install", "--run-id", "r1").stderr
    plan = json.loads(repo("plan", "--request-file", "request.json", "--dry-run").stdout)
    assert [step["op"] for step in plan["steps"]] == ["READ_SYMBOL", "READ_SECTION", "NOTE"]
    posted = json.loads(repo("plan", "request", "--request-file", "request.json").stdout)
    assert posted["step_ids"] == [step["step_id"] for step in plan["steps"]]
    assert json.loads(repo("plan", "--request-file", "-", stdin=json.dumps(REQUEST)).stdout) == posted
    assert "match" in repo("plan", "verify", "--run-id", "r1", "--request-id", "q1").stdout
    (repo.root / "calc.py").write_text("changed\n")
    done = repo("plan-verify", "--run-id", "r1", "--request-id", "q1", code=1, run=planvow_process)
    assert "changed: substrate" in done.stdout


def test_an_edit_is_noticed_and_mended_by_the_commands_the_errors_name(repo):
    repo("sections", "build")
    repo("symbols", "add", "@DOC/install", "--file", "guide.md", "--heading", "Guide", "--heading", "Install",
         "--default-slice", "head(3)")  # fmt: skip
    (repo.root / "guide.md").write_text("# Guide\n\n## Install\n\nRun it now.\n")
    assert "sections build --incremental" in repo("plan", "--request-file", "request.json", "--dry-run", code=1).stderr
    assert "differs: guide.md" in repo("sections", "verify", code=1).stderr
    assert "@DOC/install  STALE_SECTION" in repo("symbols", "verify", code=1).stdout
    repo("sections", "build", "--incremental")
    refused = repo("plan", "--request-file", "request.json", "--dry-run", code=1)
    assert "symbols rebind @DOC/install" in refused.stderr
    assert refused.stdout == ""
    assert "STALE_SYMBOL" in repo("symbols", "verify", code=1).stdout
    repo("symbols", "rebind", "@DOC/install")
    repo("symbols", "verify")
    repo("plan", "--request-file", "request.json", "--dry-run")


def test_a_symbol_on_the_only_heading_of_a_file_stays_with_the_heading(repo):
    repo("sections", "build")
    added = repo(
        "symbols", "add", "@DOC/guide", "--file", "guide.md", "--heading", "Guide", "--default-slice", "head(1)"
    )
    assert added.stdout.endswith("guide.md / Guide\n")
    (repo.root / "guide.md").write_text("preface\n\n" + (repo.root / "guide.md").read_text())
    repo("sections", "build", "--incremental")
    repo("symbols", "rebind", "@DOC/guide")
    assert repo("symbols", "get", "@DOC/guide").stdout == "# Guide\n"


def test_sections_are_listed_read_and_extracted(repo):
    repo("sections", "build")
    listed = json.loads(repo("sections", "list", "guide.md", "--json").stdout)
    assert [section["heading_path"] for section in listed] == [[], ["Guide"], ["Guide", "Install"]]
    install = listed[2]["section_id"]
    assert repo("sections", "get", install, "--slice", "lines[2:3]").stdout == "Run it.\n"
    assert repo("sections", "get", install).stdout == "## Install\n\nRun it.\n"
    extracted = json.loads(repo("sections", "extract", "guide.md", "--json").stdout)
    assert extracted == listed
    absolute = json.loads(repo("sections", "extract", str(repo.root.absolute() / "guide.md"), "--json").stdout)
    assert absolute == listed


@pytest.mark.parametrize("repo", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("sections", "get", "0" * 64), 1, "sections build --incremental"),
        (("sections", "get", "5d02b01bc801"), 1, "an id has 64 characters"),
        (("sections", "get", "calc.py#ad"), 1, "nearest: calc.py # add"),
        (("sections", "get", "clac.py#add"), 1, "nearest: calc.py"),
        (("sections", "get", "calc.add"), 1, "nearest: calc.py#add"),
        (("symbols", "add", "@MINE/x", "--section", "calc.py"), 1, "[symbols] namespaces = ['MINE']"),
        (("symbols", "add", "@DOC/x", "--file", "guide.md", "--heading", "No"), 1, "no section of guide.md has"),
        (("sections", "list", "nowhere.md"), 1, "UNKNOWN_SECTION"),
        (("symbols", "add", "@DOC/x"), 2, "either --section or --file"),
        (("symbols", "add", "DOC", "--section", "0" * 64), 1, "is not a symbol"),
        (("symbols", "get", "@DOC/none"), 1, "UNKNOWN_SYMBOL"),
        (("plan", "--dry-run"), 1, "--request-file"),
        (("plan", "--request-file", "none.json"), 1, "there is no such file"),
        (("plan", "--request-file", "calc.py"), 1, "not JSON"),
        (("plan", "--request-file", "request.json", "--allow-unresolved"), 1, "--dry-run"),
        (("plan", "--request-file", "request.json", "--repo-root", "nowhere"), 1, "no such folder"),
        (("plan", "--request-file", "request.json", "--intents", "calc.py"), 1, "Intents"),
        (("plan-verify", "--run-id", "r1", "--request-id", "q1"), 1, "ledger"),
    ],
)
def test_mistakes_get_a_code_and_a_readable_message(repo, words, code, message):
    repo("sections", "build")
    done = repo(*words, code=code)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_dry_run_can_show_what_is_not_resolved_yet(repo):
    done = repo("plan", "--request-file", "request.json", "--dry-run", "--allow-unresolved")
    assert "unresolved" in done.stdout
    assert not (repo.root / ".planvow").exists()


def test_intents_in_python_are_run_only_when_named(repo):
    (repo.root / "mine.py").write_text(
        "from planvow.governed import Intents\nintents = Intents()\n\n\n"
        '@intents.method("debug_function")\ndef look(state):\n    return [("NOTE", {"message": "mine"})]\n'
    )
    repo("sections", "build")
    request = {**REQUEST, "inputs": {"files": ["calc.py"]}}
    plain = json.loads(repo("plan", "--request-file", "-", "--dry-run", stdin=json.dumps(request)).stdout)
    named = json.loads(
        repo("plan", "--request-file", "-", "--dry-run", "--intents", "mine.py", stdin=json.dumps(request)).stdout
    )
    assert [step["op"] for step in plain["steps"]] == ["READ_SECTION"]
    assert [step["op"] for step in named["steps"]] == ["NOTE", "READ_SECTION"]


@pytest.mark.parametrize("repo", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"run_id": "a", "run_id": "b"}', "stands twice"),
        ('{"run_id": ' + "9" * 5000 + "}", "not usable as JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"run_id": NaN}', "nan has no JSON form"),
        ("", "not JSON"),
    ],
)
def test_hostile_json_is_refused_readably(repo, text, message):
    done = repo("plan", "--request-file", "-", "--dry-run", code=1, stdin=text)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("repo", ["sqlite"], indirect=True)
def test_a_place_that_cannot_be_written_is_named(repo):
    (repo.root / "taken").write_text("")
    refused = repo("sections", "build", "--data", "taken/here", code=2)
    assert "FILE_ACCESS taken/here: cannot be used: Not a directory" in refused.stderr
    request = {"run_id": "r", "request_id": "q", "intent": "x", "inputs": {"notes": ["a"]}, "budgets": {"max_steps": 1}}
    (repo.root / "note.json").write_text(json.dumps(request))
    refused = repo("plan", "--request-file", "note.json", "--data", "taken/here", "--json", code=1)
    assert json.loads(refused.stdout)["error"]["code"] == "FILE_ACCESS"


def test_a_section_is_named_as_people_name_it(repo):
    (repo.root / "query.py").write_text(
        "class QuerySet:\n    def filter(self):\n        return 1\n\n    def filter(self):\n        return 2\n"
    )
    (repo.root / "planvow.toml").write_text('[symbols]\nnamespaces = ["ORM"]\n')
    assert "python/2: 2" in repo("sections", "build").stderr
    assert repo("sections", "get", "guide.md # Guide / Install").stdout == "## Install\n\nRun it.\n"
    assert repo("sections", "get", "calc.py").stdout == "def add(a, b):\n    return a + b\n"
    several = repo("sections", "get", "query.py#QuerySet.filter", code=1).stderr
    assert "QuerySet.filter[1]" in several
    second = "    def filter(self):\n        return 2\n"
    assert repo("sections", "get", "query.py#QuerySet.filter[2]").stdout == second
    repo("symbols", "add", "@ORM/filter", "--section", "query.py#QuerySet.filter[2]", "--default-slice", "head(9)")
    assert repo("symbols", "get", "@ORM/filter").stdout == second


@pytest.mark.parametrize("repo", ["sqlite"], indirect=True)
def test_who_watches_a_build_sees_a_bar_and_a_file_gets_none_of_it(repo):
    for number in range(50):
        (repo.root / f"n{number}.md").write_text("# A\n")
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "planvow", "cortex", "sections", "build"]
    done = subprocess.run(command, cwd=repo.root, stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=True)
    os.close(theirs)
    shown = os.read(ours, 1 << 20).decode()
    os.close(ours)
    assert len(done.stdout.strip()) == 64
    assert "reading" in shown
    assert "reading" not in repo("sections", "build").stderr
