"""`planvow propose`: what a model suggests is checked, repaired once, and never run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from messages_api import MessagesServer, completion
from planvow import Domain
from planvow.adapters.models.method_text import method_problems

EXAMPLES = Path(__file__).parents[2] / "examples"
DOMAIN = '''
from planvow import Domain, State, make_problem

domain = Domain("errands")


@domain.command
def walk(state, person, place):
    state.at[person] = place
    return state


@domain.method(task="visit")
def on_foot(state, person, place):
    """Go somewhere."""
    return [("walk", person, place)]


state = State()
state.at = {"ann": "home"}
problem = make_problem(domain, state, [("visit", "ann", "park")])
'''


@pytest.fixture(scope="module")
def server():
    running = MessagesServer()
    yield running
    running.close()


@pytest.fixture
def propose(server, tmp_path):
    server.requests.clear()
    (tmp_path / "errands.py").write_text(DOMAIN)

    def propose(*arguments, answers):
        server.answers(*(MessagesServer.sends(200, completion(json.dumps(answer))) for answer in answers))
        return subprocess.run(
            [sys.executable, "-m", "planvow", "propose", *map(str, arguments),
             "--by", "chat", "--model", "qwen", "--base-url", server.url],
            capture_output=True, text=True, check=False, cwd=tmp_path, env=dict(os.environ), timeout=60,
        )  # fmt: skip

    return propose


def test_an_agenda_with_a_wrong_name_is_blamed_on_the_agenda_and_repaired_once(server, propose):
    wrong = {"agenda": [{"task": "vist", "arguments": {"person": "ann", "place": "park"}}]}
    right = {"agenda": [{"task": "visit", "arguments": {"person": "ann", "place": "park"}}]}
    made = propose("agenda", "errands.py", "ann wants to see the park", "--json", answers=[wrong, right])
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout) == [["visit", "ann", "park"]]
    first, second = (request["body"]["messages"][1]["content"] for request in server.requests)
    assert "has no task 'vist'" in second
    assert '"at"' in first  # the model is told what the state holds


def test_an_agenda_that_stays_wrong_is_refused_and_says_where(server, propose):
    short = {"agenda": [{"task": "visit", "arguments": {"person": "ann"}}]}
    made = propose("agenda", "errands.py", "ann wants to see the park", answers=[short])
    assert made.returncode == 1
    assert "$.agenda[0].arguments" in made.stderr
    assert len(server.requests) == 2


def test_a_method_is_printed_and_never_executed(propose, tmp_path):
    source = 'def by_bus(state, person, place):\n    return [("walk", person, "stop"), ("walk", person, place)]\n'
    made = propose("method", "errands.py", "visit", "by bus", answers=[{"source": source}])
    assert made.returncode == 0, made.stderr
    assert source.rstrip() in made.stdout
    assert "planvow check" in made.stdout
    harmful = f'def m(state, a, b):\n    open({str(tmp_path / "harm")!r}, "w")\n    return []\n'
    made = propose("method", "errands.py", "visit", "by force", answers=[{"source": harmful}])
    assert made.returncode == 1
    assert "does not call open" in made.stderr
    assert not (tmp_path / "harm").exists()


def test_statements_about_tools_wait_for_a_person(propose, tmp_path):
    (tmp_path / "list.json").write_text(json.dumps([
        {"name": "pay", "description": "Pay an order.", "inputSchema":
            {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}},
    ]))  # fmt: skip
    said = {"tools": [{"tool": "pay", "requires": ["order.{order_id}.open"], "effects": ["order.{order_id}.paid"]}]}
    strange = {"tools": [{"tool": "pay", "requires": [], "effects": ["order.{customer}.paid"]}]}
    made = propose("tools", "list.json", answers=[strange, said])
    assert made.returncode == 0, made.stderr
    review = tomllib.loads((tmp_path / "tools.toml").read_text())
    assert review["tool"]["pay"]["effects"] == ["order.{order_id}.paid"]
    assert review["tool"]["pay"]["confirmed"] is False
    again = propose("tools", "list.json", answers=[said])
    assert again.returncode == 2
    assert "stays as it is" in again.stderr


@pytest.fixture
def errands():
    scope = {}
    exec(DOMAIN, scope)
    return scope["domain"]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def m(state, a, b): return [('walk', a, b)]", ""),
        ("def m(state, a, b): return [('walk', a, b)] if a else refuse('nobody')", ""),
        ("def m(state, a, b): return [('fly', a)] if a else None", "no task or command 'fly'"),
        ("def m(state, a): return []", "take the state and 2 arguments"),
        ("x = 1", "exactly one function"),
        ("def m(state, a, b)", "not Python"),
        ("def m(state, a, b):\n import os\n return []", "has no Import"),
        ("def m(state, a, b): return state.__class__", "reach for __class__"),
        ("def m(state, a, b): return eval('[]')", "does not call eval"),
        ("def m(state, a, b): return [('fly', a, b)]", "no task or command 'fly'"),
        ("def m(state, a, b): return [('walk', a)]", "walk takes 2 arguments"),
        ("@print\ndef m(state, a, b): return []", "without decorators"),
        ("(" * 5000, "not Python"),
    ],
)
def test_what_the_text_of_a_method_shows(errands: Domain, source, told):
    problems = method_problems(source, errands, "visit")
    assert told in " ".join(problem.message for problem in problems)
    assert bool(problems) == bool(told)
