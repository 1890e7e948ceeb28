"""A small ledger with a worker at it, for `planvow serve --demo`: when the worker dies, another goes on."""

from __future__ import annotations

import multiprocessing
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from planvow.adapters.demo import errands
from planvow.adapters.machine.parents import deaf_to_interrupts, end_with_parent
from planvow.agent import ToolFailedError
from planvow.errors import PlanvowError
from planvow.service.agent import Agent

ERRANDS = (("lamp", "ann"), ("rope", "bob"), ("map", "eve"))
GIVEN_UP = ("cup", ("bring", "cup", "ann"))
_LOOK_SECONDS = 0.3


@contextmanager
def at_work(tell: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    """Make a ledger in a scratch folder, keep a worker at it, and give out where it is and the domain's file."""
    with tempfile.TemporaryDirectory(prefix="planvow-demo-") as scratch:
        ledger = str(Path(scratch) / "cassette.db")
        _past(ledger)
        stop = threading.Event()
        keeper = threading.Thread(target=_keep, args=(ledger, tell, stop), daemon=True)
        keeper.start()
        try:
            yield ledger, errands.__file__
        finally:
            stop.set()
            keeper.join()


def _past(ledger: str) -> None:
    """Let something have happened already: an errand that was done, and one that was given up."""
    quick = errands.tools(0, letters=False)
    Agent(errands.domain, tools=quick, ledger=ledger).run(
        [("bring", "kettle", "bob")], errands.start(), run_id="kettle"
    )

    def out(thing: str) -> Any:
        raise ToolFailedError("the neighbour is out")

    broken = {**quick, "borrow": out}
    name, task = GIVEN_UP
    Agent(errands.domain, tools=broken, ledger=ledger).run([task], errands.start(), run_id=name)


def _keep(ledger: str, tell: Callable[[str], None], stop: threading.Event) -> None:
    """Start a worker process, and another one whenever it has died."""
    spawning = multiprocessing.get_context("spawn")
    worker = None
    while not stop.wait(_LOOK_SECONDS):
        if worker is None or not worker.is_alive():
            worker = spawning.Process(target=work, args=(ledger,), daemon=True)
            with deaf_to_interrupts():
                worker.start()
            tell(f"planvow: worker at work; end it with `kill -9 {worker.pid}` and see another go on")
    if worker is not None:
        worker.kill()
        worker.join()


def work(ledger: str) -> None:
    """Begin the errands, and go on with whatever is open: after a death, after a repair, after a person's yes."""
    end_with_parent()
    agent = Agent(errands.domain, tools=errands.tools(), ledger=ledger)
    names = {f"{thing}-for-{who}": ("bring", thing, who) for thing, who in ERRANDS}
    names[GIVEN_UP[0]] = GIVEN_UP[1]  # it goes on when somebody asks for a repair
    while True:
        for name, task in names.items():
            with suppress(PlanvowError):  # what somebody cancelled or denied is seen in the ledger
                agent.run([task], errands.start(), run_id=name)  # the same name goes on with the same run
        time.sleep(_LOOK_SECONDS)
