"""`planvow goal` as a user types it: sentences, files, refusals, and real runs on a scratch folder."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from planvow.adapters.cli.main import app, run
from planvow.cassette import SqliteStore


@pytest.fixture
def goal(tmp_path, monkeypatch, capsys):
    """Run the command in a scratch folder; return exit code, output and error output."""
    monkeypatch.chdir(tmp_path)

    def type_in(*words):
        monkeypatch.setattr("sys.argv", ["planvow", "goal", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            run()
        out, err = capsys.readouterr()
        return end.value.code or 0, out, err

    return type_in


def written(tmp_path, name, data):
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_the_litmus_sentence_is_one_call(goal):
    code, out, err = goal("open youtube and search nvidia")
    assert (code, err) == (0, "")
    assert "https://youtube.com/results?search_query=nvidia" in out
    assert "why: the only tool for browser_search" in out
    assert out.endswith("1 tool call\n")


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [("create folder reports and inside it a file notes.txt", 2), ("open notepad and calculator", 2)],
)
def test_the_example_sentences_work(goal, sentence, calls):
    code, out, _ = goal(sentence)
    assert code == 0
    assert f"{calls} tool calls" in out


def test_json_is_one_document(goal, tmp_path):
    code, out, _ = goal("create folder reports and inside it a file notes.txt", "--json")
    answer = json.loads(out)
    assert (code, answer["status"]) == (0, "success")
    assert answer["execution_order"] == ["g0_a1", "g1_a1"]
    assert answer["actions"][1]["depends_on"] == ["g0_a1"]
    assert answer["actions"][1]["args"]["path"] == str(tmp_path / "reports/notes.txt")
    assert set(answer["why"]) == {"g0_a1", "g1_a1"}


@pytest.mark.parametrize("sentence", ["open the pod bay doors", "delete notes", "open youtube or vimeo"])
def test_doubt_is_answered_with_doubt(goal, sentence):
    code, out, _ = goal(sentence)
    assert code == 1
    assert out.startswith(("ambiguous", "not understood"))
    code, out, _ = goal(sentence, "--json")
    assert code == 1
    assert json.loads(out)["status"] in ("ambiguous", "not_understood")


def test_a_choice_is_offered(goal):
    _, out, _ = goal("delete notes")
    assert 'perhaps: delete the file called "notes"' in out


def test_goals_from_a_file(goal, tmp_path):
    goals = written(
        tmp_path,
        "goals.json",
        {
            "goals": [{"goal_type": "app_launch", "target": "notepad"}, {"goal_type": "browser_search", "query": "x"}],
            "dependencies": {"1": [0]},
        },
    )
    code, out, _ = goal("--file", goals, "--json")
    assert code == 0
    assert json.loads(out)["actions"][1]["depends_on"] == ["g0_a1"]


def test_tools_and_world_from_files(goal, tmp_path):
    tools = written(
        tmp_path,
        "tools.json",
        [
            {"name": "clock", "can_achieve": ["system_query"], "requires": ["session.open"]},
            {"name": "sign_in", "requires": ["browser_running"], "effects": ["session.open"]},
        ],
    )
    code, out, _ = goal("what time is it", "--capabilities", tools)
    assert code == 1
    assert "browser_running" in out
    assert "what would unblock it: a tool with the effect 'browser_running'" in out
    world = written(tmp_path, "world.json", {"browser_running": True})
    code, out, _ = goal("what time is it", "--capabilities", tools, "--world", world)
    assert code == 0
    assert "why: gives session.open, which g0_a2 needs" in out


def test_a_configuration_adds_platforms(goal, tmp_path):
    mine = written(tmp_path, "mine.toml", '[platforms]\nvimeo = "https://vimeo.com/search?q={query}"\n')
    code, out, _ = goal("search cats on vimeo", "--config", mine)
    assert code == 0
    assert "https://vimeo.com/search?q=cats" in out


def test_a_partial_answer_is_shown_but_neither_run_nor_called_done(goal, tmp_path):
    code, out, err = goal("create folder a and create folder /etc/x", "--run", "--yes")
    assert code == 1
    assert "rejected: goal 2" in out
    assert "nothing was run" in err
    assert not (tmp_path / "a").exists()


def test_a_run_is_dry_unless_it_is_meant(goal, tmp_path):
    code, out, _ = goal("create folder a", "--run")
    assert code == 0
    assert "dry_run" in out
    assert not (tmp_path / "a").exists()
    code, out, _ = goal("create folder a", "--run", "--yes")
    assert code == 0
    assert (tmp_path / "a").is_dir()
    assert "already true" in goal("create folder a", "--run", "--yes")[1]
    with SqliteStore(tmp_path / ".planvow/cassette.db") as store:
        assert len(store.jobs(run_id="goals")) == 3


def test_a_day_of_work_on_a_scratch_workspace(goal, tmp_path):
    steps = [
        "create folder reports and inside it a file notes.txt",
        'write "first line" to reports/notes.txt',
        "copy the folder reports to backup",
        "rename reports/notes.txt to diary.txt",
        "move reports/diary.txt to backup",
        "delete the folder reports",
        "read backup/diary.txt",
    ]
    for sentence in steps:
        code, out, err = goal(sentence, "--run", "--yes", "--json")
        assert code == 0, (sentence, out, err)
    assert "first line" in json.loads(out)["receipts"][0]["said"]
    left = sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.txt") if ".planvow" not in p.parts)
    assert left == ["backup/diary.txt", "backup/notes.txt"]


def test_a_failure_while_running_is_exit_code_one(goal, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_text("")
    code, out, _ = goal("delete the folder full", "--run", "--yes")
    assert code == 1
    assert "FAILURE" in out
    assert (tmp_path / "full/x").exists()
    code, out, _ = goal("create a file notes.txt on the desktop", "--run", "--yes")
    assert code == 1
    assert "outside the workspace" in out


def test_a_ledger_behind_a_link_is_refused(goal, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".planvow").symlink_to("elsewhere")
    code, _, err = goal("create folder a", "--run", "--yes")
    assert code == 1
    assert "symbolic link" in err
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["open notepad", "--file", "x.json"],
        ["--file", "none.json"],
        ["--file", "bad.json"],
        ["open notepad", "--world", "bad.json"],
        ["open notepad", "--capabilities", "bad.json"],
        ["open notepad", "--config", "bad.json"],
        ["open notepad", "--yes"],
        ["open notepad", "--run", "--workspace", "nowhere"],
    ],
)
def test_wrong_usage_is_exit_code_two(goal, tmp_path, words):
    written(tmp_path, "bad.json", '{"what": 1}')
    code, out, err = goal(*words)
    assert (code, out) == (2, "")
    assert err


def test_the_help_names_every_option():
    shown = CliRunner().invoke(app.full(), ["goal", "--help"], env={"COLUMNS": "200"}).output
    for option in ("--json", "--file", "--capabilities", "--world", "--config", "--workspace", "--run", "--yes"):
        assert option in shown


def test_runs_at_the_same_moment_are_jobs_of_their_own(tmp_path):
    command = [sys.executable, "-m", "planvow", "goal", 'append "x" to log.txt', "--run", "--yes"]
    runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [run.wait() for run in runs] == [0] * 4
    assert (tmp_path / "log.txt").read_text() == "xxxx"
    with SqliteStore(tmp_path / ".planvow/cassette.db") as store:
        assert len(store.jobs(run_id="goals")) == 4


def test_a_fault_in_a_file_names_the_file(goal, tmp_path):
    goals = written(tmp_path, "goals.json", {"goal_type": "app_launch", "tarqet": "x"})
    code, _, err = goal("--file", goals)
    assert code == 2
    assert f"{goals}: goal: unknown field 'tarqet'" in err
    tools = written(tmp_path, "tools.json", [{"name": "x", "can_achieve": "app_launch"}])
    assert f"{tools}: can_achieve" in goal("open notepad", "--capabilities", tools)[2]


def test_a_run_that_was_interrupted_is_finished_by_a_worker_of_the_ledger(goal, tmp_path, monkeypatch, capsys):
    with monkeypatch.context() as patch:
        patch.setattr("planvow.goals.run.workspace.append_once", interrupted)
        code, _, err = goal('create folder a and append "x" to a/log.txt', "--run", "--yes")
    assert code == 130
    [job_id] = re.findall(r"--job-id (job_\w+)", err)
    assert not (tmp_path / "a/log.txt").exists()
    monkeypatch.setattr("sys.argv", ["planvow", "cassette", "work", "--job-id", job_id])
    with pytest.raises(SystemExit) as end:
        run()
    assert (end.value.code or 0, capsys.readouterr().out) == (0, "1 committed, 0 failed\n")
    assert (tmp_path / "a/log.txt").read_text() == "x"


def interrupted(*_args, **_kwargs):
    raise KeyboardInterrupt


def test_a_dry_run_stays_dry_whoever_works_on_it(goal, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("planvow.goals.run.workspace.Workspace.check", interrupted)
        assert goal("create folder a", "--run")[0] == 130
    monkeypatch.setattr("sys.argv", ["planvow", "cassette", "work"])
    with pytest.raises(SystemExit):
        run()
    assert not (tmp_path / "a").exists()
