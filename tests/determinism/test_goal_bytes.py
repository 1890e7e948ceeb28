"""The goal planner's answers are the same bytes in every process, whatever its hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CHILD = """
from planvow.canonical import canonical_json, full_hash
from planvow.goals import *
from planvow.goals.values.config import default_config
words = [f"w{i}" for i in range(12)]
tools = [ToolCapability(name="s", can_achieve={"browser_search"}, requires=set(words[:3]))] + [
    ToolCapability(name=f"t{i}", effects=set(words[i % 12 : i % 12 + 2]), requires={words[i * 5 % 12]} if i % 3 else ())
    for i in range(40)
]
facts = [Fact(subject=f"s{i}", predicate="p", value={"k": {1, 2, "a", "b"}}) for i in range(20)]
world = WorldState(recent_facts=facts, running_apps={"a", "b", "c"})
goal = Goal(goal_type="browser_search", platform="youtube", query="nvidia")
out = [GoalPlanner().plan(goal, world, tools), GoalPlanner().plan(goal, world, default_config().tools)]
assert len({full_hash(GoalPlanner().plan(goal, world, tools)) for _ in range(50)}) == 1
orchestrator = GoalOrchestrator(anchors={"workspace": "/w"})
for text in ("create folder a and inside it folder b and inside it a file c.txt, then open notepad and calculator",
             "open firefox and search nvidia on youtube", "open the pod bay doors"):
    read = GoalInterpreter().interpret(text)
    out.append([read.reason, read.choices])
    if read.meta_goal:
        out.append(orchestrator.plan(read.meta_goal, world, default_config().tools).graph.nodes)
blocked = [ToolCapability(name=f"x{i}", can_achieve={"browser_search"}, requires={f"n{i}", f"m{i}"}) for i in range(9)]
out.append(GoalPlanner().plan(goal, world, blocked))
print(canonical_json(out))
"""


def in_a_process(seed, python=sys.executable, path=None):
    env = {**os.environ, "PYTHONHASHSEED": str(seed), **({} if path is None else {"PYTHONPATH": path})}
    return subprocess.run([python, "-c", CHILD], env=env, capture_output=True, text=True, check=True).stdout


def test_goal_plans_are_the_same_bytes_under_every_hash_seed():
    [only] = {in_a_process(seed) for seed in (0, 1, 2, 3, 4242)}
    assert "youtube_search_visible" in only


def test_other_versions_of_python_give_the_same_bytes():
    import rfc8785

    source = Path(__file__).resolve().parents[2] / "src"
    path = os.pathsep.join([str(source), str(Path(rfc8785.__file__).parents[1])])
    here = in_a_process(5)
    others = sorted(Path.home().glob(".pyenv/versions/3.1[23]*/bin/python3"))
    assert {in_a_process(6, str(python), path) for python in others} <= {here}
