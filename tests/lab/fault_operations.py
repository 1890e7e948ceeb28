"""Operations for `cassette work` whose worker dies on purpose, or is broken on purpose. Loaded by that command.

    from fault_operations import operations
    HANDLERS = operations({"folder": …, "seed": 1, "death": 0.1, "sabotage": null})

Every attempt is written down, with its names, before anything else happens. With probability `death` the process kills
itself with SIGKILL at one of the labelled points of a step, until the file `calm` stands in the folder; `die_first`
lets the first attempt of all die with its result in hand. The first attempt at a step in `hold` waits for the file
`released`; as long as the file `gate` stands in the folder a process begins as many steps as it says and waits inside
the next. Sabotage puts an old or a careless part in the place of the right one: the negative controls, which a harness
must catch.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import select
import signal
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from planvow.cassette.databases.pipeline import PreparedStatements
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.errors import CassetteError
from planvow.cassette.ledger.model import Outcome, Ticket
from planvow.cassette.work.worker import Worker

POINTS = ("after claim", "before complete", "inside complete", "after commit", "after ack")


def operations(task: Mapping[str, Any]) -> dict[str, Callable[[Any], Any]]:
    """Return the handler of NOTE, and put deaths and sabotage in place."""
    folder = Path(task["folder"])
    chance = random.Random(f"{task.get('seed', 1)} {os.getpid()}")
    log = os.open(folder / f"attempts-{os.getpid()}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def maybe_die(_point: str) -> None:
        if chance.random() < task.get("death", 0.0) / len(POINTS) and not (folder / "calm").exists():
            os.kill(os.getpid(), signal.SIGKILL)

    begun = itertools.count(1)

    def note(step: Any) -> list[Any]:
        number = next(begun)
        names = [step.claim.job_id, step.claim.ordinal, step.claim.fence, step.attempt_token, step.idempotency_key]
        os.write(log, (json.dumps(names) + "\n").encode())
        maybe_die("after claim")
        while step.claim.ordinal in task.get("hold", ()) and step.claim.fence == 1:
            if (folder / "released").exists():
                break
            select.select([], [], [], 0.02)  # also under a clock that jumps, where `time.sleep` does not work
        while number > _passes(folder / "gate"):
            select.select([], [], [], 0.02)
        maybe_die("before complete")
        return [step.claim.worker_id, step.claim.fence]

    if task.get("death"):
        _die_around(maybe_die)
    if task.get("die_first"):
        _around(Worker, "_complete", _die_first)
    if task.get("sabotage"):
        SABOTAGE[task["sabotage"]]()
    return {"NOTE": note}


def _passes(gate: Path) -> float:
    """Return how many steps a process may begin and end."""
    try:
        return int(gate.read_text())
    except FileNotFoundError:
        return math.inf


def _die_around(maybe_die: Callable[[str], None]) -> None:
    """Add the points that lie outside an operation: in the middle of a completion, after its commit, after its line."""

    def rows(plain: Callable[..., Any], store: Any, name: str, /, **values: Any) -> Any:
        if name == "settle":  # the receipt is written, the state is not
            maybe_die("inside complete")
        return plain(store, name, **values)

    def run(plain: Callable[..., Any], statements: Any, name: str, *more: Any) -> Any:
        statements.asked = name
        return plain(statements, name, *more)

    def answer(plain: Callable[..., Any], statements: Any) -> Any:
        if statements.asked.startswith("complete"):  # the question is out, the answer is not in
            statements._pgconn.flush()
            maybe_die("inside complete")
        return plain(statements)

    def complete(plain: Callable[..., Any], worker: Any, *args: Any, **more: Any) -> Any:
        answer = plain(worker, *args, **more)
        maybe_die("after commit")
        return answer

    def record(plain: Callable[..., Any], worker: Any, *args: Any, **more: Any) -> Any:
        answer = plain(worker, *args, **more)
        maybe_die("after ack")
        return answer

    _around(SqliteStore, "rows", rows)
    _around(PreparedStatements, "run", run)
    _around(PreparedStatements, "_answer", answer)
    _around(Worker, "_complete", complete)
    _around(Worker, "_record", record)


def _around(owner: type, name: str, wrapper: Callable[..., Any]) -> None:
    plain = getattr(owner, name)

    @wraps(plain)
    def wrapped(*args: Any, **more: Any) -> Any:
        return wrapper(plain, *args, **more)

    setattr(owner, name, wrapped)


def _die_first(plain: Callable[..., Any], worker: Any, store: Any, claim: Any, *args: Any, **more: Any) -> Any:
    if (claim.ordinal, claim.fence) == (1, 1):
        os.kill(os.getpid(), signal.SIGKILL)
    return plain(worker, store, claim, *args, **more)


def promise(claim: Any) -> Any:
    """What a careless worker takes for a receipt."""
    return SimpleNamespace(outcome=Outcome.SUCCESS, body={}, receipt_id=f"promised_{claim.fence}")


def _acknowledge_first() -> None:
    """Say that a step is recorded, then record it."""

    def complete(plain: Callable[..., Any], worker: Any, store: Any, claim: Any, *args: Any, **more: Any) -> Any:
        if not hasattr(worker, "say"):
            worker.say, worker._on_receipt = worker._on_receipt, lambda _claim, _receipt: None
        worker.say(claim, promise(claim))
        return plain(worker, store, claim, *args, **more)

    _around(Worker, "_complete", complete)


def _first_result() -> None:
    """Keep the first thing the server says and drop what follows, as if a statement's rows were its commit."""

    def answer(statements: Any) -> Any:
        pgconn = statements._pgconn
        while pgconn.flush():
            pass
        first = pgconn.get_result()
        while pgconn.get_result() is not None:
            pass
        if first is None:
            raise statements._driver.OperationalError("the server gave no answer")
        if first.status not in statements._fine:
            raise statements._driver.errors.error_from_result(first, encoding="utf-8")
        return first

    PreparedStatements._answer = answer


def _own_clock() -> None:
    """Insist on a step that was refused: by my own clock it was still mine."""

    def record(plain: Callable[..., Any], worker: Any, claim: Any, *args: Any, **more: Any) -> Any:
        outcome = plain(worker, claim, *args, **more)
        if outcome == "lost":
            worker._on_receipt(claim, promise(claim))
        return outcome

    _around(Worker, "_record", record)


def _assume() -> None:
    """Take a completion that was not answered for one that has surely arrived."""

    def complete(plain: Callable[..., Any], worker: Any, store: Any, claim: Any, *args: Any, **more: Any) -> Any:
        try:
            return plain(worker, store, claim, *args, **more)
        except CassetteError as error:
            if not error.retryable:
                raise
            return promise(claim), None

    _around(Worker, "_complete", complete)


def _forget_ticket() -> None:
    """Ask for a new step each time, also when the last answer got lost."""

    def tickets(_plain: Callable[..., Any], worker: Any) -> Any:
        while True:
            worker._asked += 1
            yield Ticket(number=worker._asked)

    _around(Worker, "_tickets", tickets)


SABOTAGE: Mapping[str, Callable[[], None]] = {
    "acknowledge first": _acknowledge_first,
    "first result": _first_result,
    "own clock": _own_clock,
    "assume": _assume,
    "forget ticket": _forget_ticket,
}
