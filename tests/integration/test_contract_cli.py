"""The contract from the command line: planners, schema, ask, replay, help."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
from dataclasses import dataclass

import pytest

from planvow.adapters.cli.main import run
from planvow.canonical import canonical_bytes
from planvow.contract import StubPlanner
from planvow.contract.replaying.golden import make_golden
from planvow.contract.running.run import run_plan
from planvow.contract.running.run_document import run_data


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


def planvow(*words):
    """Run the program in this process, exactly as its console script does."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.argv
    sys.argv = ["planvow", *map(str, words)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            run()
    except SystemExit as end:
        return Done(int(end.code or 0), out.getvalue(), err.getvalue())
    finally:
        sys.argv = before
    return Done(0, out.getvalue(), err.getvalue())


def test_planners_are_listed_with_their_promise_and_their_price():
    done = planvow("planners")
    assert done.returncode == 0
    assert re.search(r"^\* stub +full ", done.stdout, re.M)
    assert "per_token_cents 0.003" in done.stdout
    listed = json.loads(planvow("planners", "--json").stdout)
    assert listed["default"] == "stub"
    ids = [row["planner_id"] for row in listed["planners"]]
    assert ids == sorted(ids)
    assert {"stub", "claude"} <= set(ids)


def test_schemas_are_listed_and_printed_from_the_installed_package():
    names = planvow("schema").stdout.split()
    assert {"plan", "planner_error", "planner_output", "recording"} <= set(names)
    assert json.loads(planvow("schema", "plan").stdout)["$id"] == "urn:planvow:schema:plan:1"
    done = planvow("schema", "plna")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'plan'?" in done.stderr


def test_a_recorded_plan_replays_with_exit_0_and_a_changed_one_with_exit_1(tmp_path):
    file = tmp_path / "plan.json"
    asked = planvow("ask", "stub", "Summarize the page", "--record", file)
    assert asked.returncode == 0
    assert asked.stdout.splitlines()[2].startswith("s3     llm_invoke")
    assert f"recorded in {file}" in asked.stderr
    same = planvow("replay", file)
    assert (same.returncode, same.stdout) == (0, f"{file}: same bytes\n")
    data = json.loads(file.read_text())
    data["answer"]["plan"]["steps"][1]["retry_count"] = 4
    file.write_text(json.dumps(data))
    other = planvow("replay", file)
    assert (other.returncode, other.stdout) == (1, "")
    assert "$.steps[1].retry_count: expected 4, found 3" in other.stderr


def test_further_arguments_reach_the_planner_and_its_recording(tmp_path):
    extra, kept = tmp_path / "extra.json", tmp_path / "kept.json"
    extra.write_text('{"workspace": "/w"}')
    done = planvow("ask", "goal", "create folder a", "--extra", extra, "--record", kept)
    assert '"path":"/w/a"' in done.stdout
    assert planvow("replay", kept).returncode == 0
    for text, said in (("[]", "expected an object"), ('{"goal": "x"}', "'goal' has an option")):
        extra.write_text(text)
        done = planvow("ask", "goal", "create folder a", "--extra", extra)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


def test_a_replay_answers_programs_with_one_document(tmp_path):
    file = tmp_path / "r.json"
    planvow("ask", "stub", "say tea", "--record", file)
    done = planvow("replay", file, "--json")
    assert (done.returncode, json.loads(done.stdout)["parity"]) == (0, True)
    file.write_text(file.read_text().replace('"message":"say tea"', '"message":"say beer"'))
    done = planvow("replay", file, "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["parity"]) == (1, False)
    assert answer["first_divergence"]["path"] == "$.steps[0].params.message"


def test_runs_and_golden_files_replay_too(tmp_path):
    plan = {"steps": [{"step_id": "a", "skill": "say", "params": {"x": "{{input.x}}"}}]}
    record = run_plan(plan, lambda call: call.params["x"], inputs={"x": 1})
    file = tmp_path / "run.json"
    file.write_bytes(canonical_bytes(run_data(record)))
    assert planvow("replay", file).returncode == 0
    assert planvow("replay", file, "--mode", "dry_run").returncode == 0
    file.write_bytes(canonical_bytes(run_data(record)).replace(b'"status":"succeeded"', b'"status":"failed"'))
    assert planvow("replay", file).returncode == 1
    golden = make_golden(StubPlanner(), {"agent_id": "a", "goal": "echo tea"})
    file.write_bytes(canonical_bytes(golden.as_dict()))
    assert planvow("replay", file).returncode == 0
    file.write_bytes(canonical_bytes(golden.as_dict()).replace(b'"retry_count":3', b'"retry_count":2'))
    done = planvow("replay", file)
    assert (done.returncode, "$.plan.steps[0].retry_count" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", '{"format": "planvow-recording/1"}', '{"format": "planvow-run/1"}',
     '{"format": "planvow-golden/1"}', "[" * 100_000, '{"format": NaN}', "\x00",
     '{"format": "planvow-run/1", "steps": 5}'],
)  # fmt: skip
def test_what_cannot_be_replayed_is_refused_with_exit_2(tmp_path, text):
    file = tmp_path / "odd.json"
    file.write_text(text)
    done = planvow("replay", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert "INVALID_INPUT" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_file_and_a_folder_are_refused_with_exit_2(tmp_path):
    assert planvow("replay", tmp_path / "nothing.json").returncode == 2
    assert planvow("replay", tmp_path).returncode == 2
    assert planvow("ask", "stub", "echo x", "--record", tmp_path).returncode == 2
    assert planvow("ask", "stub", "echo x", "--manifest", tmp_path / "nothing.json").returncode == 2


def test_a_planners_error_is_an_exit_code_and_one_json_document():
    done = planvow("ask", "stub", "dance", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "PLANNER_GENERATION_FAILED"
    assert planvow("ask", "stub", " ").returncode == 2
    assert planvow("ask", "stbu", "x").returncode == 2


def test_ask_uses_manifest_context_and_memory(tmp_path):
    (tmp_path / "skills.json").write_text('[{"skill_id": "http_call"}]')
    (tmp_path / "memory.json").write_text('[{"text": "before"}]')
    done = planvow(
        "ask", "stub", "fetch it", "--manifest", tmp_path / "skills.json", "--memory", tmp_path / "memory.json",
        "--context", "url=https://x.test", "--agent", "me", "--json",
    )  # fmt: skip
    assert json.loads(done.stdout)["plan"]["steps"][0]["params"]["url"] == "https://x.test"


@pytest.mark.parametrize(
    "tools",
    [
        {"tools": [{"name": "http_call", "inputSchema": {"type": "object"}}]},
        [{"type": "function", "function": {"name": "http_call", "parameters": {"type": "object"}}}],
        [{"name": "http_call", "input_schema": {"type": "object"}}],
    ],
    ids=["MCP", "OpenAI", "Anthropic"],
)
def test_ask_takes_the_tool_lists_of_others_as_its_manifest(tmp_path, tools):
    (tmp_path / "tools.json").write_text(json.dumps(tools))
    words = ("ask", "stub", "fetch https://x.test", "--manifest", tmp_path / "tools.json", "--json")
    found = json.loads(planvow(*words).stdout)
    assert [step["skill"] for step in found["plan"]["steps"]] == ["http_call"]
    (tmp_path / "tools.json").write_text(json.dumps(tools).replace("http_call", "other"))
    assert json.loads(planvow(*words).stdout)["error"]["code"] == "PLANNER_NO_SKILLS_AVAILABLE"


def test_asking_several_times_says_whether_the_promise_is_kept():
    done = planvow("ask", "stub", "echo x", "--repeat", 3)
    assert done.returncode == 0
    assert "3 fresh interpreters: 1 answers, 1 structures, as full determinism promises" in done.stderr


def test_every_planner_error_code_is_explained():
    done = planvow("explain-error", "PLANNER_RATE_LIMITED")
    assert done.returncode == 0
    assert "retry_after_ms" in done.stdout
    assert "may succeed when tried again" in done.stdout


def test_help_imports_no_optional_dependency_and_no_command():
    code = (
        "import sys\nfrom planvow.adapters.cli.main import app\n"
        "try:\n    app.full()(['--help'])\nexcept SystemExit:\n    pass\n"
        "optional = {'anthropic', 'psycopg', 'minizinc', 'spacy', 'cryptography', 'pydantic', 'numpy', 'pytest'}\n"
        "print('LOADED', sorted(optional & set(sys.modules)), 'planvow.contract.planners.stub' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "LOADED [] False"
    assert "planners" in done.stdout
