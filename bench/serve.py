"""What HTTP costs: CPU of a small plan against a bare FastAPI echo, and a page of runs in a large ledger.

    python bench/serve.py [--calls 1000] [--steps 1000000] [--clients 8]

Reported besides: how many small plans a second so many clients get together, and how long each waits; the same for the
echo and the plan by wrk where that is installed (apt-get install wrk), over loopback.

The gate: a small plan costs at most 6 times the CPU of an echo, workers included, and a page of runs in a ledger of so
many steps takes at most 3 times what it takes in one of a thousand. Exits 1 beyond.
"""

from __future__ import annotations

import argparse
import http.client
import json
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lab"))

from ledgers import independent, post, sqlite_ledger  # noqa: E402
from mcp_servers import TRAVEL, free_port, serving  # noqa: E402
from planvow.adapters.console.pages.records import listed  # noqa: E402
from planvow.service.declare.setting import Setting  # noqa: E402
from planvow.service.records.runs import RUNS, RunsQuestion  # noqa: E402

MOST_CPU, MOST_LISTING = 6.0, 3.0
BODY = json.dumps({"domain": "travel", "goal": '[["travel", "bob", "park"]]'})
ECHO = """
import sys, uvicorn
from fastapi import FastAPI, Request
app = FastAPI()
@app.post("/api/v1/make_plan")
async def echo(request: Request):
    return await request.json()
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
"""


def cpu_of(pid: int) -> float:
    """CPU seconds of a process, its threads and the children it has."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    own = sum(int(path.read_text().split()[0]) for path in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return own / 1e9 + sum(cpu_of(int(child)) for child in children)


def ask(port: int, times: int) -> list[float]:
    """Ask so often over one connection; return the seconds of each call."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        connection.request("POST", "/api/v1/make_plan", BODY, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        taken.append(time.perf_counter() - began)
    connection.close()
    return taken


def cost(words: list[str], port: int, calls: int, folder: Path) -> float:
    """CPU milliseconds of one call, after a few to warm up."""
    with serving(words, port, folder / "errors.txt") as process:
        ask(port, 20)
        before = cpu_of(process.pid)
        ask(port, calls)
        return (cpu_of(process.pid) - before) / calls * 1000


def load(words: list[str], port: int, calls: int, clients: int, folder: Path) -> str:
    """Small plans a second for many clients at once, and what they wait for one."""
    with serving(words, port, folder / "errors.txt"), ThreadPoolExecutor(clients) as threads:
        ask(port, 20)
        began = time.perf_counter()
        each = list(threads.map(lambda _: ask(port, calls // clients), range(clients)))
        seconds = time.perf_counter() - began
    taken = sorted(one for several in each for one in several)
    half, late = taken[len(taken) // 2] * 1000, taken[len(taken) * 99 // 100] * 1000
    return f"{len(taken) / seconds:.0f} plans a second; half within {half:.1f} ms, 99 of 100 within {late:.1f} ms"


def by_wrk(words: list[str], port: int, clients: int, folder: Path) -> str:
    """What wrk says of ten seconds with so many connections: requests a second, latency, and refusals if any."""
    asking = folder / "ask.lua"
    asking.write_text(
        f"wrk.method = 'POST'\nwrk.body = [==[{BODY}]==]\nwrk.headers['Content-Type'] = 'application/json'\n"
    )
    command = ["wrk", "-t1", f"-c{clients}", "-d10s", "--latency", "-s", str(asking)]
    with serving(words, port, folder / "errors.txt"):
        ask(port, 20)
        address = f"http://127.0.0.1:{port}/api/v1/make_plan"
        told = subprocess.run([*command, address], check=True, capture_output=True, text=True).stdout
    lines = [" ".join(line.split()) for line in told.splitlines()]
    kept = [line for line in lines if line.startswith(("50%", "99%", "Requests/sec", "Non-2xx"))]
    return ", ".join(kept)


def listing(folder: Path, steps: int) -> float:
    """Seconds for a page of twenty runs, the best of five."""
    place = folder / str(steps)
    place.mkdir()
    per_job = 50
    with sqlite_ledger(place) as store:
        for number in range(steps // per_job):
            post(store, independent(per_job, request_id=f"q{number}"), run_id=f"run{number}")
    with sqlite_ledger(place) as store:
        listed(store, {})  # what is loaded once is no part of it
        for words, filters in (("the console's list", {}), ("the same for a state", {"state": "waiting"})):
            began = time.perf_counter()
            assert listed(store, filters).lines
            print(f"{words} in {steps:,} steps: {(time.perf_counter() - began) * 1000:.1f} ms", flush=True)
        began = time.perf_counter()
        assert [line.run_id for line in listed(store, {"find": "run0"}).lines][-1] == "run0"
        print(
            f"the same for the oldest run of {steps:,} steps: {(time.perf_counter() - began) * 1000:.1f} ms", flush=True
        )
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        assert len(RUNS(RunsQuestion(limit=20), Setting(ledger=str(place / "cassette.db"))).output.jobs) == 20
        taken.append(time.perf_counter() - began)
    return min(taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--clients", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        port, other = free_port(), free_port()
        echo = cost([sys.executable, "-c", ECHO, str(port)], port, given.calls, folder)
        words = [sys.executable, "-m", "planvow", "serve", "--domain", TRAVEL, "--port", str(other)]
        words += ["--workers", "1", "--calls-per-minute", "100000000"]
        plan = cost(words, other, given.calls, folder)
        print(f"CPU of a call: echo {echo:.2f} ms, plan {plan:.2f} ms, ratio {plan / echo:.2f} (at most {MOST_CPU})")
        told = load(words, other, given.calls, given.clients, folder)
        print(f"{given.clients} clients, one worker: {told}", flush=True)
        if shutil.which("wrk"):
            print(f"wrk -t1 -c{given.clients} -d10s, echo: ", end="")
            print(by_wrk([sys.executable, "-c", ECHO, str(port)], port, given.clients, folder))
            print(f"wrk -t1 -c{given.clients} -d10s, plan: ", end="")
            print(by_wrk(words, other, given.clients, folder), flush=True)
        small, large = listing(folder, 1000), listing(folder, given.steps)
        ratio = large / small
        print(
            f"a page of runs: {small * 1000:.1f} ms in 1,000 steps, {large * 1000:.1f} ms in {given.steps:,}, ", end=""
        )
        print(f"ratio {ratio:.2f} (at most {MOST_LISTING})")
    return int(plan / echo > MOST_CPU or ratio > MOST_LISTING)


if __name__ == "__main__":
    raise SystemExit(main())
