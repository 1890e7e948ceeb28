"""`planvow agent` as people call it: a run begun in Python is resumed here, and the other way round."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import planvow, planvow_process

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "bring_lamp.py"
BEGIN = """
import sys, threading
sys.path.insert(0, sys.argv[1])
import bring_lamp
from planvow import Agent

stop = threading.Event()
agent = Agent(bring_lamp.domain, tools=bring_lamp.tools, ledger="ledger.db", on_event=lambda event: stop.set())
problem = bring_lamp.problem
print(agent.run(problem.todo, problem.state, run_id="lamp", stop=stop).status)
"""


def agent(folder: Path, *words: str, run=planvow) -> subprocess.CompletedProcess[str]:
    return run(folder, "agent", *words, "--store", "ledger.db")


@pytest.fixture(scope="module")
def done_once(tmp_path_factory):
    """A folder with the ledger of one run, made by the program itself."""
    folder = tmp_path_factory.mktemp("lamp")
    done = agent(folder, "run", str(EXAMPLE), "--run-id", "lamp", run=planvow_process)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def lamp(done_once, tmp_path):
    """A copy of it, which a test may go on with."""
    shutil.copytree(done_once, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_a_run_begun_in_python_is_resumed_by_the_command(tmp_path):
    begun = subprocess.run(
        [sys.executable, "-c", BEGIN, str(EXAMPLE.parent)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert begun.stdout == "interrupted\n", begun.stderr
    done = agent(tmp_path, "resume", str(EXAMPLE), "lamp", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "solved"
    assert done.stderr == ""


def test_the_same_name_goes_on_and_json_is_one_document(lamp):
    done = agent(lamp, "run", str(EXAMPLE), "--run-id", "lamp", "--json", "--concurrency", "2")
    told = json.loads(done.stdout)
    assert (told["run_id"], told["plans"], len(told["steps"])) == ("lamp", 2, 6)


def test_runs_are_listed_explained_and_compared(lamp):
    other = agent(lamp, "run", str(EXAMPLE), "--run-id", "again")
    assert other.returncode == 0
    assert agent(lamp, "runs").stdout.splitlines()[0].startswith("lamp: solved, 1 repair")
    assert [run["run_id"] for run in json.loads(agent(lamp, "runs", "--json").stdout)["runs"]] == ["lamp", "again"]
    assert agent(lamp, "why", "lamp", "4").stdout.startswith("Step 4 is borrow(lamp)")
    assert "Plan 2 has 3 steps" in agent(lamp, "why", "lamp").stdout
    assert agent(lamp, "diff", "lamp", "again").returncode == 0


def test_each_step_of_a_run_stands_with_its_job(lamp):
    told = planvow(lamp, "runs", "lamp", "--store", "ledger.db").stdout
    second, first = (line.split()[0] for line in told.splitlines()[1:3])
    steps = [line.split()[:3] for line in told.split("\n\n")[1].splitlines()[1:]]
    assert steps[0] == [first, "1", "buy"]
    assert steps[3] == [second, "1", "borrow"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("run", "nothing.py"), 2, "there is no such file"),
        (("why", "lmap"), 2, "did you mean 'lamp'"),
        (("why", "xyz"), 2, "planvow agent runs lists them"),
        (("why", "lamp", "9"), 2, "its steps are 1 to 6"),
        (("settle", "lamp", "4", "--happened", "--by", "ann"), 1, "nobody is asked about step 4"),
        (("approve", "lamp", "--by", "ann"), 1, "waits for an approval"),
        (("deny", "lamp", "--by", "ann", "--reason", "no"), 1, "waits for an approval"),
    ],
)
def test_mistakes_are_answered_with_code_place_and_hint(lamp, words, code, said):
    done = agent(lamp, *words)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_without_tools_is_told_what_to_write(tmp_path):
    (tmp_path / "bare.py").write_text(EXAMPLE.read_text("utf-8").replace("tools = ", "no_tools = "), encoding="utf-8")
    done = agent(tmp_path, "run", "bare.py")
    assert done.returncode == 2
    assert "write tools = {" in done.stderr
    assert not (tmp_path / "ledger.db").exists()


PAID = """
from planvow import Domain, State, make_problem
from planvow.agent import ToolFailedError, tool

domain = Domain("orders")


@domain.command
def charge(state, who):
    state.paid[who] = True
    return state


@domain.command
def ship(state, who, by):
    state.sent[who] = by
    return state


@domain.method(task="order")
def by_truck(state, who):
    return [("charge", who), ("ship", who, "truck")]


@domain.method(task="order")
def by_train(state, who):
    return [("charge", who), ("ship", who, "train")]


problem = make_problem(domain, State(paid={}, sent={}), [("order", "ann")])


def send(who, by):
    if by == "truck":
        raise ToolFailedError("no truck")


tools = {"charge": lambda who: "charged", "ship": send}
"""


def test_what_is_told_on_the_way_has_the_numbers_that_people_answer_with(tmp_path):
    (tmp_path / "orders.py").write_text(PAID, encoding="utf-8")
    done = agent(tmp_path, "run", "orders.py", "--run-id", "o")
    assert done.returncode == 1
    assert "failed step 2, ship(ann, truck): no truck" in done.stderr
    asked = "charge waits for an approval: step 1 did it already"
    assert agent(tmp_path, "runs").stdout.startswith(f"o: blocked, 1 repair ({asked}")
    assert agent(tmp_path, "approve", "o", "--by", "ann").stdout == "approved by ann: step 3, charge(ann)\n"
    assert agent(tmp_path, "runs").stdout.startswith("o: interrupted, 1 repair (steps are left")
    again = agent(tmp_path, "resume", "orders.py", "o")
    assert "started step 3, charge(ann)" in again.stderr
    assert again.returncode == 0


def test_programs_get_the_answers_of_people_as_json(tmp_path):
    (tmp_path / "orders.py").write_text(PAID, encoding="utf-8")
    agent(tmp_path, "run", "orders.py", "--run-id", "o")
    told = json.loads(agent(tmp_path, "why", "o", "3", "--json").stdout)
    assert "Step 3 is charge(ann)" in told["text"]
    left = json.loads(agent(tmp_path, "approve", "o", "--by", "ann", "--json").stdout)
    assert (left["status"], left["waiting"]) == ("interrupted", [])
    wished = json.loads(agent(tmp_path, "repair", "o", "--by", "ann", "--reason", "a truck is back", "--json").stdout)
    assert wished["run_id"] == "o"


HANGS = """
import asyncio

from planvow import Domain, State, make_problem
from planvow.agent import ToolFailedError, tool

domain = Domain("letters")


@domain.command
def send(state, who):
    state.sent[who] = True
    return state


@domain.command
def lock(state, door):
    state.locked[door] = True
    return state


problem = make_problem(domain, State(sent={}, locked={}), [("send", "ann"), ("lock", "front")])


async def sending(who):
    await asyncio.sleep(60)


def jammed(door):
    raise ToolFailedError("the key is gone")


tools = {"send": tool(sending, name="send", timeout_seconds=0.05), "lock": jammed}
"""


@pytest.mark.parametrize("at_once", ["1", "2"], ids=["its step waits", "its plan was given up"])
def test_a_run_that_waits_for_word_of_a_call_is_blocked_wherever_it_is_asked_about(tmp_path, at_once):
    (tmp_path / "letters.py").write_text(HANGS, encoding="utf-8")
    done = agent(tmp_path, "run", "letters.py", "--run-id", "l", "--json", "--concurrency", at_once)
    told = json.loads(done.stdout)
    assert (done.returncode, told["status"]) == (1, "blocked")
    assert [question["kind"] for question in told["waiting"]] == ["unknown"]
    assert json.loads(agent(tmp_path, "runs", "--json").stdout)["runs"] == [told]
    assert json.loads(planvow(tmp_path, "runs", "l", "--store", "ledger.db", "--json").stdout)["status"] == "blocked"
    assert agent(tmp_path, "settle", "l", "1", "--did-not-happen", "--by", "ann").returncode == 0
    (seen,) = json.loads(agent(tmp_path, "runs", "--json").stdout)["runs"]
    assert (seen["status"], seen["waiting"]) == ("interrupted", [])


def test_an_answer_that_was_left_out_is_asked_for_with_both_ways_to_say_it(lamp):
    done = agent(lamp, "settle", "lamp", "1", "--by", "ann")
    assert "missing option '--happened' or '--did-not-happen'" in done.stderr
