"""The simulation of `bench/scaling.py` against what queueing theory says in closed form."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench"))

from scaling import (  # noqa: E402
    INPUTS,
    LOADS,
    agreement,
    costs_of,
    doubted,
    needed,
    picture,
    reproduced,
    table,
    unexplained,
)
from scaling_measure import TooFewSteps, while_all_worked  # noqa: E402
from scaling_model import Clock, Costs, Load, Run, Station, WriteAheadLog  # noqa: E402

STEP = Costs(client=0.001, server=0.002, flush=0.001)


def single_queue(utilisation: float, customers: int = 40_000) -> tuple[Station, float]:
    """Poisson arrivals at one server that always takes a second: M/D/1."""
    clock, chance = Clock(), random.Random(7)
    station, left = Station(clock, 1), [customers]

    def arrive() -> None:
        left[0] -= 1
        station.serve(1.0, lambda: None)
        if left[0]:
            clock.after(chance.expovariate(utilisation), arrive)

    clock.after(0.0, arrive)
    clock.run(lambda: True)
    return station, clock.now


@pytest.mark.parametrize("utilisation", [0.3, 0.6, 0.8])
def test_one_server_with_equal_service_waits_as_pollaczek_and_khinchine_say(utilisation: float) -> None:
    station, seconds = single_queue(utilisation)
    assert station.busy / seconds == pytest.approx(utilisation, rel=0.03)
    assert station.waited / station.begun == pytest.approx(utilisation / (2 * (1 - utilisation)), rel=0.08)


def test_a_worker_alone_takes_the_sum_of_its_parts() -> None:
    assert Run(Load(workers=1, steps=500), STEP).rate == pytest.approx(1 / 0.004, rel=0.001)


@pytest.mark.parametrize(("workers", "cores"), [(8, 1), (8, 2), (30, 4)])
def test_many_workers_go_as_fast_as_the_cores_of_the_server(workers: int, cores: int) -> None:
    run = Run(Load(workers=workers, cores=cores, steps=5000), STEP)
    assert run.rate == pytest.approx(cores / 0.002, rel=0.01)
    assert run.utilisation == pytest.approx(1.0, rel=0.01)


def test_one_job_goes_as_fast_as_its_chain() -> None:
    assert Run(Load(workers=16, jobs=1, steps=2000), STEP).rate == pytest.approx(1 / 0.003, rel=0.01)


def test_one_flush_serves_all_who_wait() -> None:
    """Who comes back finds the others' flush begun, waits for its end and then for the own one: two for each commit."""
    run = Run(Load(workers=10, steps=5000), Costs(client=0.0, server=0.0, flush=0.001))
    assert run.rate == pytest.approx(10 / (2 * 0.001), rel=0.01)
    assert run.wal.commits / run.wal.flushes == pytest.approx(10 / 2, rel=0.01)


def test_a_commit_that_comes_during_a_flush_waits_for_the_next() -> None:
    clock, ended = Clock(), []
    wal = WriteAheadLog(clock, Station(clock, 9), lambda: 1.0)
    wal.commit(lambda: ended.append(clock.now))
    clock.after(0.5, lambda: wal.commit(lambda: ended.append(clock.now)))
    clock.run(lambda: True)
    assert ended == [1.0, 2.0]


def test_who_waited_for_a_flush_needs_a_core_to_go_on_and_to_begin_the_next() -> None:
    clock, ended = Clock(), []
    cores = Station(clock, 1)
    wal = WriteAheadLog(clock, cores, lambda: 1.0)
    wal.commit(lambda: ended.append(("first", clock.now)))
    clock.after(0.5, lambda: wal.commit(lambda: ended.append(("second", clock.now))))
    clock.after(0.9, lambda: cores.serve(3.0, lambda: None))  # somebody else has the only core until 3.9
    clock.run(lambda: True)
    assert ended == [("first", pytest.approx(3.9)), ("second", pytest.approx(4.9))]


def test_flushes_of_unequal_length_are_waited_for_longer_than_their_mean_says() -> None:
    """Who comes during a flush comes rather during a long one: it has E[F²] / 2 E[F] left, 5 instead of half a one."""
    clock, chance, took = Clock(), random.Random(3), []
    unequal = random.Random(5)
    wal = WriteAheadLog(clock, Station(clock, 100), lambda: unequal.choice([0.0] * 9 + [10.0]))

    def arrive() -> None:
        begun = clock.now
        wal.commit(lambda: took.append(clock.now - begun))
        clock.after(chance.expovariate(0.02), arrive)

    arrive()
    clock.run(lambda: len(took) < 40_000)
    busy = 0.02  # arrivals a second times seconds of a flush
    assert sum(took) / len(took) == pytest.approx(1 + busy * 10 / 2, rel=0.06)


def test_open_arrivals_keep_cores_as_busy_as_rate_times_cost() -> None:
    costs = Costs(client=0.001, server=0.002, flush=0.0, post=0.001, entry=0.0001, entries=2.0, vacuum=0.0005)
    run = Run(Load(workers=50, cores=2, rate=300.0, steps_a_job=10, steps=30_000), costs)
    assert run.rate == pytest.approx(300.0, rel=0.03)
    assert run.utilisation == pytest.approx(300.0 * (0.002 + 0.0005 + 0.001 + 0.0002) / 2, rel=0.03)


def test_jobs_in_turn_share_the_workers() -> None:
    """Oldest first, all workers stand at the chain of one job; in turn they stand at many."""
    load = Load(workers=20, rate=600.0, steps_a_job=200, steps=20_000)
    in_turn, oldest_first = (
        Run(Load(**{**vars(load), "spread": spread}), STEP).delay(0.95) for spread in (True, False)
    )
    assert in_turn < oldest_first


@pytest.mark.long
def test_the_same_inputs_give_the_same_answer() -> None:
    inputs = json.loads(INPUTS[0].read_text())
    assert reproduced(inputs) == reproduced(inputs)
    assert needed(10**6, inputs) == needed(10**6, inputs)


def test_a_day_costs_what_the_measured_parts_add_up_to() -> None:
    inputs = json.loads(INPUTS[0].read_text())
    costs = costs_of(inputs)
    found = needed(10**7, inputs)
    a_step = costs.server + costs.vacuum + costs.post + costs.post_once / 100 + costs.entries * costs.entry
    assert found["server_cpu_hours"] == pytest.approx(10**7 * a_step / 3600)
    assert found["busy_cores"] == pytest.approx(10**7 / 86_400 * a_step, rel=0.1)


@pytest.mark.long
def test_the_page_shows_what_the_simulation_says() -> None:
    inputs = json.loads(INPUTS[0].read_text())
    rows = [needed(steps, inputs) for steps in LOADS]
    assert table(rows) in (ROOT / "docs/explanation/scaling.md").read_text("utf-8")
    found = [reproduced(json.loads(path.read_text())) for path in INPUTS]
    assert agreement(found) in (ROOT / "docs/explanation/scaling.md").read_text("utf-8")
    worst = unexplained([one for run in found for one in run])
    assert doubted(inputs, worst) in (ROOT / "docs/explanation/scaling.md").read_text("utf-8")
    assert picture(rows) == (ROOT / "docs/explanation/scaling.svg").read_text("utf-8")


def test_too_few_steps_for_a_measurement_are_said_to_be_too_few_before_anything_is_measured(tmp_path: Path) -> None:
    words = [sys.executable, ROOT / "bench/scaling.py", "--measure", "--cycles", "100", "--inputs", tmp_path / "x.json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith("--cycles 100 are too few steps for each worker: at least 200\n")


@pytest.mark.parametrize("workers", [[], [[1.0]], [[1.0, 2.0, 3.0], [3.0, 4.0]], [[1.0, 2.0], [1.0, 1.5]]])
def test_workers_that_hardly_met_are_said_to_have_had_too_few_steps(workers: list[list[float]]) -> None:
    told = [{"marks": [[at] for at in times], "seen": [(times[0], 0.0)]} for times in workers]
    with pytest.raises(TooFewSteps, match="give more --cycles"):
        while_all_worked(told)


def test_cores_are_counted_while_all_workers_were_at_it() -> None:
    told = [
        {"marks": [[0.0], [1.0], [2.0], [3.0]], "seen": [(0.0, 0.0), (1.0, 5.0), (3.0, 9.0)]},
        {"marks": [[1.0], [2.0], [3.0], [4.0]], "seen": []},
    ]
    assert while_all_worked(told) == ([[[1.0], [2.0], [3.0]]] * 2, 2.0)
