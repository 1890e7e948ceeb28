"""An agent that works on a repository through governed operations: it asks for changes, and never writes a file itself.

    python examples/mend_repository.py

Every change is a governed request: planned against the repository's index, within budgets, with contained tests from an
allow-list. The first way would bend the rules (it rewrites the file that names the tests) and is refused, so the agent
takes the second; what leaves the house needs a person. The repository is a copy of `examples/governed`.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from planvow import Agent, Domain, State, make_problem, refuse
from planvow.agent import ToolFailedError, tool

EXAMPLE = Path(__file__).resolve().parent / "governed"
REPOSITORY = Path(tempfile.mkdtemp(prefix="planvow-mend-")) / "repo"
SYMBOLS = {
    "@CODE/add": ["calc.py", "add"],
    "@DOC/rules": ["guide.md", "Calculator", "Rules"],
    "@TEST/unit": ["check_calc.py"],
}

mender = Domain("mender")


@mender.command
def index(state):
    state.indexed = True
    return state


@mender.command
def change(state, issue, way):
    if not state.indexed:
        return refuse("nobody knows what is in the repository")
    state.mended[issue] = True
    return state


@mender.command
def tell(state, issue):
    state.told[issue] = True
    return state


@mender.method(task="mend")
def by_bending_the_rules(state, issue):
    return [("index",), ("change", issue, "rules"), ("tell", issue)]


@mender.method(task="mend")
def by_patching(state, issue):
    return [("change", issue, "patch"), ("tell", issue)] if state.indexed else None


def planvow(*words: str) -> str:
    command = [sys.executable, "-m", "planvow", *words, "--repo-root", str(REPOSITORY)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ToolFailedError((done.stderr or done.stdout).strip().splitlines()[0])
    return done.stdout.strip()


@tool(idempotent=True)
def read_repository():
    if not REPOSITORY.exists():
        shutil.copytree(EXAMPLE, REPOSITORY)
        planvow("cortex", "sections", "build")
        for name, (file, *headings) in SYMBOLS.items():
            words = [word for heading in headings for word in ("--heading", heading)]
            planvow("cortex", "symbols", "add", name, "--file", file, *words, "--default-slice", "head(20)")
    return {"symbols": sorted(SYMBOLS)}


def request_change(issue, way, idempotency_key):
    request = json.loads((EXAMPLE / "request.json").read_text())
    request["request_id"] = idempotency_key  # asking twice for the same step is asking once
    if way == "rules":
        refs = {"file_path": "planvow.toml", "content": '[run_test.commands]\nunit = ["true"]\n'}
        request["inputs"]["ops"] = [{"op": "WRITE_FILE", "refs": refs}]
    file = REPOSITORY.parent / f"{issue}-{way}.json"
    file.write_text(json.dumps(request))
    planned = json.loads(planvow("cortex", "plan", "--request-file", str(file)))
    return {"job": planned["job_id"], "work": planvow("cassette", "work", "--job-id", planned["job_id"])}


@tool(needs_approval="what is mended is told to others")
def announce(issue):
    return f"{issue} is mended"


tools = {"index": read_repository, "change": request_change, "tell": announce}
problem = make_problem(mender, State(indexed=False, mended={}, told={}), [("mend", "add-is-wrong")])

if __name__ == "__main__":
    agent = Agent(mender, tools=tools, ledger=str(REPOSITORY.parent / "agent.db"))
    run = agent.run(problem.todo, problem.state, run_id="mend")
    print(run)
    agent.approve("mend", by="ann", note="the test passes")
    run = agent.resume("mend")
    print(run)
    print(agent.why("mend", run.steps[-1].number))
    print((REPOSITORY / "calc.py").read_text().splitlines()[5])
    shutil.rmtree(REPOSITORY.parent)
