"""`planvow batch` as people call it: the same bytes for any number of processes, after any kill, with faults told."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from batches import DOMAIN, Here, change, hddl, stopped_in_the_middle
from command_line import planvow
from planvow.adapters.batch.drive import drive
from planvow.adapters.batch.inputs import read_inputs
from planvow.adapters.batch.output import Output, finished
from planvow.adapters.cli.doors import batch as batch_command
from planvow.adapters.databases.opening import open_ledger
from planvow.errors import InputError
from planvow.service.batch.answering import Line, Means, answer_chunk, answered, versions
from planvow.service.batch.items import item, packed
from planvow.service.declare.setting import Setting

MODULE = """
import os
from planvow import Domain, State, make_problem
d = Domain("switches")
@d.command
def switch(state, lamp):
    if lamp == "bomb":
        os._exit(9)
    state.on[lamp] = True
    return state
@d.method(task="light")
def light(state, lamp):
    return [("switch", lamp)]
problem = make_problem(d, State(on={}), [("light", "hall")])
"""


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def has_bytes(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def made_here(out: Path, kind: str, given: list[str], *, chunk: int = 3) -> bytes:
    output = Output(out, {"kind": kind, "versions": dict(versions()), "modules": {}}, resume=False)
    drive(read_inputs(kind, given), Here(), output, chunk=chunk)
    output.finish()
    return out.read_bytes()


@pytest.fixture
def mixed(tmp_path):
    folder = hddl(tmp_path / "lamps", 7)
    questions = [
        {"id": "wish", "kind": "goal", "wish": "open youtube"},
        {"kind": "goal", "wish": "do not open youtube"},
        {"domain": DOMAIN, "problem": "(define (problem"},
        {"domain": DOMAIN},
        {"kind": "hdl"},
        {"id": 7, "kind": "debate", "transcript": "ANN: Taxes rose by 3 percent in 2020.", "language": "lite"},
    ]
    text = "\n".join([*map(json.dumps, questions), "{not json", ""])
    (tmp_path / "more.jsonl").write_text(text)
    return [str(folder), str(tmp_path / "more.jsonl")]


def test_processes_and_chunks_make_the_bytes_that_one_process_makes(tmp_path, mixed):
    done = planvow(tmp_path, "batch", "hddl", *mixed, "-o", "out.jsonl", "--workers", 3, "--chunk", 2)
    assert done.returncode == 1, done.stderr  # some have no plan
    assert (tmp_path / "out.jsonl").read_bytes() == made_here(tmp_path / "here.jsonl", "hddl", mixed, chunk=5)
    ours, theirs = (json.loads((tmp_path / f"{name}.jsonl.manifest.json").read_text()) for name in ("out", "here"))
    assert ours == theirs
    assert ours["inputs"] == 14
    assert ours["failed"] == len(ours["failures"]) == 5
    found = lines(tmp_path / "out.jsonl")
    assert [line["status"] for line in found[:8]] == ["solved"] * 7 + ["success"]
    assert [line["id"] for line in found[7:10]] == ["wish", f"{mixed[1]}:2", f"{mixed[1]}:3"]
    assert [line["status"] for line in found[9:]] == ["rejected"] * 3 + ["solved", "rejected"]
    assert "hddl" in found[11]["refusal"]["change"]  # the kind that comes nearest
    assert found[12]["id"] == "7"
    assert found[12]["answer"]["claims"]
    assert found[13]["refusal"]["place"].startswith(f"{mixed[1]}:7")


@pytest.mark.slow
@pytest.mark.parametrize(("by", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_batch_that_is_asked_to_end_says_how_to_go_on(tmp_path, by, code):
    hddl(tmp_path / "lamps", 300)
    words = ["batch", "hddl", "lamps", "-o", "out.jsonl", "--chunk", "1", "--workers", "1"]
    part = tmp_path / "out.jsonl.part"
    run, said = stopped_in_the_middle(tmp_path, lambda: has_bytes(part), *words, by=by)
    assert part.exists()
    assert run.returncode == code
    assert "go on with --resume" in said
    assert "Traceback" not in said


@pytest.mark.slow
def test_a_killed_batch_goes_on_and_ends_with_the_same_bytes(tmp_path):
    hddl(tmp_path / "lamps", 300)
    words = ["batch", "hddl", "lamps", "-o", "out.jsonl", "--chunk", "1", "--workers", "1"]
    part = tmp_path / "out.jsonl.part"
    stopped_in_the_middle(tmp_path, lambda: has_bytes(part), *words)
    assert part.exists(), "it was over before it was killed"
    with part.open("ab") as file:
        file.write(b'{"answer": {"half a li')
    again = planvow(tmp_path, *words)
    assert again.returncode == 2
    assert "--resume" in again.stderr
    done = planvow(tmp_path, *words[:-3], "40", "--resume")
    assert done.returncode == 0, done.stderr
    with contextlib.chdir(tmp_path):
        assert made_here(tmp_path / "here.jsonl", "hddl", ["lamps"]) == (tmp_path / "out.jsonl").read_bytes()
    assert (tmp_path / "here.jsonl.manifest.json").read_text() == (tmp_path / "out.jsonl.manifest.json").read_text()
    assert not list(tmp_path.glob("out.jsonl.*part*")) + list(tmp_path.glob("*begun*"))
    twice = planvow(tmp_path, *words, "--resume")
    assert twice.returncode == 0, "what is complete stays so"
    assert "300 inputs" in twice.stdout


def _begun(tmp_path: Path, count: int) -> list[str]:
    """Leave a batch of which all lines are written and the end is missing."""
    given = [str(hddl(tmp_path / "lamps", count))]
    output = Output(tmp_path / "out.jsonl", {"kind": "hddl", "versions": {}}, resume=False)
    drive(read_inputs("hddl", given), Here(), output, chunk=2)
    output.close()
    return given


@pytest.mark.parametrize("changed", ["text", "name", "fewer", "line"])
def test_inputs_that_changed_are_not_taken_for_the_old_ones(tmp_path, changed):
    given = _begun(tmp_path, 4)
    if changed == "line":
        part = tmp_path / "out.jsonl.part"
        part.write_bytes(part.read_bytes().replace(b'"status":"solved"', b'"status" "solved"', 1))
    else:
        change(tmp_path / "lamps", changed)
    output = Output(tmp_path / "out.jsonl", {"kind": "hddl", "versions": {}}, resume=True)
    with pytest.raises(InputError) as raised:
        output.skip_done(read_inputs("hddl", given))
    output.close()
    number = {"text": 2, "name": 2, "fewer": 4, "line": 1}[changed]
    assert raised.value.place.endswith(f"out.jsonl.part:{number}")


def test_what_is_answered_already_counts_from_the_beginning(tmp_path):
    given = _begun(tmp_path, 3)
    output = Output(tmp_path / "out.jsonl", {"kind": "hddl", "versions": {}}, resume=True)
    told = []
    with contextlib.closing(output):
        left = read_inputs("hddl", given)
        output.skip_done(left)
        drive(left, Here(), output, chunk=1, progress=lambda done, _: told.append(done))
    assert told == [3]


def test_resuming_with_other_inputs_keeps_what_is_answered(tmp_path):
    _begun(tmp_path, 3)
    kept = (tmp_path / "out.jsonl.part").read_bytes()
    (tmp_path / "lamps/p000.hddl").unlink()
    output = Output(tmp_path / "out.jsonl", {"kind": "hddl", "versions": {}}, resume=True)
    with contextlib.closing(output), pytest.raises(InputError, match="this line answers another input"):
        output.skip_done(read_inputs("hddl", [str(tmp_path / "lamps")]))
    assert kept
    assert (tmp_path / "out.jsonl.part").read_bytes() == kept


def test_a_disk_that_is_full_is_told_and_nothing_is_lost(tmp_path):
    hddl(tmp_path / "lamps", 40)
    words = ["batch", "hddl", "lamps", "-o", "out.jsonl", "--workers", "1", "--chunk", "1"]
    limited = ["sh", "-c", 'ulimit -f 16; exec "$@"', "sh", sys.executable, "-m", "planvow", *words]
    small = subprocess.run(limited, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert small.returncode == 2
    assert "FILE_ACCESS out.jsonl.part: cannot be written: File too large" in small.stderr
    assert re.search(r"planvow: (1 answer is|\d+ answers are) kept beside out.jsonl; go on with --resume", small.stderr)
    assert planvow(tmp_path, *words, "--resume").returncode == 0
    assert len(lines(tmp_path / "out.jsonl")) == 40


def test_what_it_was_started_with_must_be_the_same(tmp_path):
    _begun(tmp_path, 2)
    with pytest.raises(InputError, match="versions"):
        Output(tmp_path / "out.jsonl", {"kind": "hddl", "versions": {"htn": "9"}}, resume=True)


def test_a_batch_that_is_over_is_not_taken_for_the_answers_of_other_inputs(tmp_path):
    given, about = [str(hddl(tmp_path / "lamps", 2))], {"kind": "hddl", "versions": dict(versions())}
    out = tmp_path / "out.jsonl"
    made_here(out, "hddl", given)
    assert finished(out, about, read_inputs("hddl", given))["inputs"] == 2
    with pytest.raises(InputError, match="answers other inputs"):
        finished(out, about, read_inputs("hddl", [f"{given[0]}/p000.hddl"]))
    assert finished(tmp_path / "no.jsonl", about, read_inputs("hddl", ["nowhere"])) is None


@pytest.mark.slow
def test_python_files_are_named_by_a_quoted_pattern_and_noticed_when_they_change(tmp_path):
    for name in ("b", "a"):
        (tmp_path / f"{name}.py").write_text(MODULE.replace("switches", name))
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "asked", "domain": "a.py: a"}))
    words = ["batch", "plan", "in.jsonl", "*.py", "b.py:problem", "-o", "out.jsonl", "--workers", 1]
    done = planvow(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert [line["id"] for line in lines(tmp_path / "out.jsonl")] == ["asked", "a.py: a", "b.py: b", "b.py:problem: b"]
    assert planvow(tmp_path, *words, "--resume").stdout == done.stdout
    (tmp_path / "a.py").write_text(MODULE.replace("switches", "a").replace("hall", "cellar"))
    again = planvow(tmp_path, *words, "--resume")
    assert (again.returncode, "it was started with modules" in again.stderr) == (2, True)


def test_a_line_that_is_no_text_takes_no_other_with_it(tmp_path):
    (tmp_path / "w.txt").write_bytes(b"\xef\xbb\xbfopen youtube\r\n\xff\xfe\n\nclose youtube")
    (tmp_path / "q.jsonl").write_bytes(b'\xef\xbb\xbf{"wish": "open youtube"}\n"\xff"\n{"id": "last", "wish": "x"}\n')
    found = list(read_inputs("goal", [str(tmp_path / "w.txt"), str(tmp_path / "q.jsonl")]))
    assert [item.name.rpartition("/")[2] for item in found] == [
        "w.txt:1", "w.txt:2", "w.txt:4", "q.jsonl:1", "q.jsonl:2", "last"
    ]  # fmt: skip
    assert [item.question and item.question["wish"] for item in found] == [
        "open youtube", None, "close youtube", "open youtube", None, "x"
    ]  # fmt: skip
    assert found[1].fault["place"].endswith("w.txt:2")


def test_no_question_ends_a_batch_whatever_its_kind_and_its_name_hold(tmp_path):
    questions = [{"kind": ["goal"]}, {"kind": {"a": 1}}, {"kind": "\ud800"}, {"id": "\ud800", "wish": "open youtube"}]
    (tmp_path / "q.jsonl").write_text("\n".join(json.dumps({**question}) for question in questions))
    done = planvow(tmp_path, "batch", "goal", "q.jsonl", "-o", "out.jsonl", "--workers", 1)
    assert done.returncode == 1, done.stderr
    found = lines(tmp_path / "out.jsonl")
    assert [line["status"] for line in found] == ["rejected"] * 3 + ["success"]
    assert [line["refusal"]["code"] for line in found[:3]] == ["INVALID_INPUT"] * 3
    assert found[3]["id"] == "\\ud800"


def test_a_file_may_be_called_by_bytes_that_are_no_text(tmp_path):
    folder = os.fsencode(hddl(tmp_path / "lamps", 1))
    for name in (b"caf\xe9.hddl", b"\xff.json"):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"{" if name.endswith(b"json") else (tmp_path / "lamps/p000.hddl").read_bytes())
    done = planvow(tmp_path, "batch", "hddl", "lamps", "-o", "out.jsonl", "--workers", 1)
    assert done.returncode == 1, done.stderr
    told = [(line["id"], line["status"]) for line in lines(tmp_path / "out.jsonl")]
    assert told == [
        ("lamps/caf\\udce9.hddl", "solved"), ("lamps/p000.hddl", "solved"), ("lamps/\\udcff.json", "rejected")
    ]  # fmt: skip


@pytest.mark.parametrize("given", ["lamps", "lamps/*", "lamps/../lamps"])
def test_what_a_batch_writes_among_its_inputs_is_none_of_them(tmp_path, given):
    folder = hddl(tmp_path / "lamps", 2)
    (folder / "domain.hddl").rename(tmp_path / "domain.hddl")
    words = ["batch", "hddl", given, "-o", "lamps/all.jsonl", "--workers", 1]
    for more in ((), ("--resume",)):
        done = planvow(tmp_path, *words, *more)
        assert (done.returncode, done.stderr) == (0, "")
        assert "2 inputs" in done.stdout


def test_two_calls_do_not_write_one_batch_at_once(tmp_path):
    folder = hddl(tmp_path / "lamps", 2)
    words = ["batch", "hddl", "lamps", "-o", "out.jsonl", "--workers", 1]
    first = Output(tmp_path / "out.jsonl", {"kind": "hddl", "versions": dict(versions()), "modules": {}}, resume=False)
    with contextlib.chdir(tmp_path):
        drive(read_inputs("hddl", [folder.name]), Here(), first, chunk=1)
    second = planvow(tmp_path, *words, "--resume")
    assert second.returncode == 2
    assert "another call is at work on this batch" in second.stderr
    first.close()
    assert planvow(tmp_path, *words, "--resume").returncode == 0


def test_a_folder_without_inputs_is_remarked_upon(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here/switches.py").write_text(MODULE)
    done = planvow(tmp_path, "batch", "plan", "here", "-o", "out.jsonl")
    assert (done.returncode, "by name or pattern, not from a folder" in done.stderr) == (0, True)


def test_a_name_that_stands_for_nothing_is_refused_before_anything_is_answered(tmp_path):
    (tmp_path / "w.txt").write_text("open youtube\n")
    done = planvow(tmp_path, "batch", "goal", "w.txt", "nowhere/*.txt", "-o", "out.jsonl")
    assert done.returncode == 2
    assert "INVALID_INPUT nowhere/*.txt: there is no such file" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["w.txt"]


def test_a_machine_with_other_versions_refuses_the_chunk():
    means = Means(make_setting=b"", versions=(("planvow", "0.0.1"),))
    with pytest.raises(InputError, match=r"planvow 0\.0\.1"):
        answer_chunk(means, packed([]))


def test_a_machine_with_another_repository_refuses_governed_requests_and_nothing_else():
    means = Means(make_setting=pickle.dumps(Setting), versions=versions(), repository=("", "another index", ""))
    wish, request = item("a", "goal", {"wish": "open youtube"}), item("b", "govern", {"request": {}})
    assert len(answer_chunk(means, packed([wish]))) == 1
    with pytest.raises(InputError, match="this repository is not as the batch found it"):
        answer_chunk(means, packed([wish, request]))


def test_settings_that_cannot_be_read_stop_no_batch_that_does_not_need_them(tmp_path):
    (tmp_path / "planvow.toml").write_text("[[[")
    (tmp_path / "w.txt").write_text("open youtube\n")
    done = planvow(tmp_path, "batch", "goal", "w.txt", "-o", "out.jsonl", "--workers", 1, "--store", "ledger.db")
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_an_input_that_ends_its_process_takes_no_other_with_it(tmp_path):
    (tmp_path / "switches.py").write_text(MODULE)
    agendas = [[["light", lamp]] for lamp in ("a", "b", "bomb", "c", "d")]
    (tmp_path / "in.jsonl").write_text("\n".join(json.dumps({"goal": json.dumps(agenda)}) for agenda in agendas))
    done = planvow(
        tmp_path, "batch", "plan", "switches.py", "in.jsonl", "-o", "out.jsonl", "--workers", 2, "--chunk", 3
    )
    assert done.returncode == 1, done.stderr
    assert [line["status"] for line in lines(tmp_path / "out.jsonl")] == ["solved"] * 3 + ["internal"] + ["solved"] * 2
    assert "PLANNER_GENERATION_FAILED" in done.stdout


@pytest.mark.slow
def test_a_batch_posts_each_plan_once_before_its_line_is_written(tmp_path):
    hddl(tmp_path / "lamps", 3)
    words = ["batch", "hddl", "lamps", "--post", "night", "--store", "ledger.db", "--workers", 1]
    for name in ("one.jsonl", "two.jsonl"):
        done = planvow(tmp_path, *words, "-o", name)
        assert done.returncode == 0, done.stderr
    jobs = json.loads(planvow(tmp_path, "runs", "--store", "ledger.db", "--json").stdout)["jobs"]
    assert [(job["run_id"], job["steps"]) for job in jobs] == [("night", 3), ("night", 2), ("night", 1)]


def test_posting_a_batch_opens_the_ledger_once(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(batch_command, "open_ledger", lambda place: opened.append(place) or open_ledger(place))
    with batch_command._posting(Setting(ledger=str(tmp_path / "ledger.db")), "night") as post:
        for number in range(3):
            plan = {"steps": [{"step_id": "s1", "skill": "note", "params": {"number": number}}]}
            post(item(f"p{number}", "hddl", {"number": number}), Line(written=b"", status="solved", plan=plan))
    assert len(opened) == 1
    with open_ledger(opened[0]) as ledger:
        assert len(ledger.jobs(run_id="night")) == 3


def test_folders_patterns_and_lists_name_their_inputs_in_order(tmp_path):
    hddl(tmp_path / "b", 2)
    hddl(tmp_path / "a", 1)
    (tmp_path / "a/.hidden.hddl").write_text("x")
    (tmp_path / "list.json").write_text(json.dumps([{"wish": "x"}, {"id": "named", "wish": "y"}]))
    names = [item.name for item in read_inputs("hddl", [str(tmp_path)])]
    assert names == [f"{tmp_path}/{name}" for name in ("list.json:1",)] + ["named"] + [
        f"{tmp_path}/{name}" for name in ("a/p000.hddl", "b/p000.hddl", "b/p001.hddl")
    ]
    assert [item.name for item in read_inputs("hddl", [f"{tmp_path}/*/p*.hddl"])] == names[2:]
    with pytest.raises(InputError, match="no such"):
        list(read_inputs("hddl", ["nowhere/*"]))


def test_a_folder_is_looked_through_for_its_domain_once_however_many_problems_it_holds(tmp_path, monkeypatch):
    folder = hddl(tmp_path / "many", 30)
    looks, glob = [], Path.glob
    monkeypatch.setattr(Path, "glob", lambda path, pattern: looks.append(path) or glob(path, pattern))
    items = list(read_inputs("hddl", [str(path) for path in sorted(folder.glob("p*.hddl"))]))
    assert len(items) == 30
    assert looks.count(folder) == 2  # the test's own, and one for the domain


def test_what_no_kind_reads_is_told_in_its_line(tmp_path):
    (tmp_path / "request.toml").write_text("")
    (item,) = read_inputs("govern", [str(tmp_path / "request.toml")])
    line = answered(item, Setting())
    assert (line.status, line.code) == ("rejected", "INVALID_INPUT")
