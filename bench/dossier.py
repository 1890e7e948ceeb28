"""What a dossier costs: posting a plan of 100 steps with and without it, and a state of 10,000 facts in many runs.

    python bench/dossier.py [--posts 60] [--runs 100]

CPU time of client and server together. The plan is one of the engine's, over a domain in which each of 100 errands
reads and writes facts; its certificate and explanation are made once, before the clock starts. Posts with and without a
dossier alternate, and the cheapest of three rounds counts for each. Gate, on both databases: at most 2 times as much
with a dossier (aim 1.5). Then the same big state is posted with many runs: the documents must not grow by more than the
manifests and requests do, and a state that differs in one fact must cost less than a hundredth of the whole.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests/lab"), str(ROOT / "bench")]

from cassette import server_cpu_ms  # noqa: E402
from planvow.canonical import to_jsonable  # noqa: E402
from planvow.cassette import SqliteStore, Store  # noqa: E402
from planvow.cassette.dossier import Dossier, state_document, store_plan_with_dossier  # noqa: E402
from planvow.cassette.jobs.htn_jobs import htn_dossier, stored_htn_plan  # noqa: E402
from planvow.kernel import Domain, Planner, State  # noqa: E402

GATE, AIM = 2.0, 1.5
STEPS, FACTS, ROUNDS = 100, 10_000, 3


def errands() -> Domain:
    domain = Domain("errands")

    @domain.command
    def carry(state, what, there):
        state.at[what] = there
        return state

    @domain.method(task="bring all")
    def one_by_one(state, there):
        return [("carry", what, there) for what in sorted(state.at) if state.at[what] != there]

    return domain


def planned():
    state = State({"at": {f"box{number:03}": f"shelf{number % 7}" for number in range(STEPS)}})
    result = Planner(errands()).find_plan(state, [("bring all", "van")])
    assert len(result.plan) == STEPS, result.reason
    return result


def measured(store: Store, result, posts: int, server: int | None, number: list[int]) -> dict[str, float]:
    dossier = htn_dossier(result)
    dossier = Dossier(**{**vars(dossier), "state": state_document(to_jsonable(dossier.state))})
    spent = {"plain": 0.0, "dossier": 0.0}
    for _ in range(posts):
        for kind in spent:
            number[0] += 1
            plan = stored_htn_plan(result, request_id=f"r{number[0]}")
            asked = {**dossier.asked, "number": number[0]}
            certificate = {**dossier.certificate, "number": number[0]}  # no two plans share one
            given = Dossier(**{**vars(dossier), "asked": asked, "certificate": certificate})
            before = time.process_time() + (server_cpu_ms(server) / 1000 if server else 0)
            if kind == "plain":
                store.post("run", {"asked": asked}, plan)
            else:
                store_plan_with_dossier(store, "run", plan, given)
            spent[kind] += time.process_time() + (server_cpu_ms(server) / 1000 if server else 0) - before
    return {kind: seconds * 1000 / posts for kind, seconds in spent.items()}


def size_of(store: Store) -> int:
    found = store._connection.execute("SELECT sum(length(content)) AS size FROM cassette_documents").fetchone()
    return int(found["size"] or 0)


def big_state(store: Store, runs: int) -> tuple[int, float, float]:
    facts = [["at", f"box{number}", f"shelf{number % 7}"] for number in range(FACTS)]
    prepared = state_document(facts)
    from ledgers import plan_of, step

    before, parent = size_of(store), None
    for number in range(runs):
        plan = plan_of(step("a"), request_id=f"big{number}")
        parent = store_plan_with_dossier(store, "big", plan, Dossier(asked=number, state=prepared)).job_id
    each = (size_of(store) - before - len(prepared.text)) / runs
    before = size_of(store)
    moved = state_document([*facts[:-1], ["at", "box9999", "van"]])
    plan = plan_of(step("a"), request_id="moved", parent_job_id=parent)
    store_plan_with_dossier(store, "big", plan, Dossier(asked="moved", state=moved))
    return len(prepared.text), each, float(size_of(store) - before)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=60)
    parser.add_argument("--runs", type=int, default=100)
    options = parser.parse_args()
    from postgres_server import postgres_ledger, running_server

    result, number, failed = planned(), [0], False
    with tempfile.TemporaryDirectory() as folder:
        for name, store, server in (
            ("SQLite", SqliteStore(Path(folder) / "cassette.db"), None),
            ("PostgreSQL", postgres_ledger(), running_server().pid),
        ):
            with store:
                rounds = [measured(store, result, options.posts, server, number) for _ in range(ROUNDS)]
                plain, dossier = (min(found[kind] for found in rounds) for kind in ("plain", "dossier"))
                ratio = dossier / plain
                failed |= ratio > GATE
                print(
                    f"{name}: {STEPS} steps posted in {plain:.2f} ms CPU, with dossier {dossier:.2f} ms:"
                    f" {ratio:.2f} times (gate {GATE}, aim {AIM})"
                )
                whole, each, changed = big_state(store, options.runs)
                failed |= each > whole / 100 or changed > whole / 100
                print(
                    f"{name}: a state of {FACTS} facts has {whole} bytes, stored once; each of {options.runs} runs adds"
                    f" {each:.0f}, a state that differs in one fact {changed:.0f}"
                )
    return int(failed)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    raise SystemExit(main())
