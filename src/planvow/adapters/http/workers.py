"""Worker processes in which planning runs: a call that takes too long, too much memory or nobody waits for is ended.

Each worker loads the domains itself. What it answers is data; the certificate of a plan is made by asking again, since
the same question gives the same plan.
"""

from __future__ import annotations

import math
import multiprocessing
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from planvow.adapters.machine.memory import memory_limit
from planvow.adapters.machine.parents import deaf_to_interrupts, end_with_parent
from planvow.adapters.telemetry.opentelemetry_spans import begin_telemetry, flush_telemetry
from planvow.errors import PlanvowError
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.document import Refusal, data_of, refusal_of
from planvow.service.declare.errors import BusyError
from planvow.service.declare.reading import read_question
from planvow.service.declare.setting import Setting
from planvow.service.declare.shelf import Shelf

CERTIFICATE = "certificate"
BUNDLE = "bundle"
"""Asked by the console: is this bundle in order?"""
Documents = Mapping[tuple[str, str], Any]
Tell = Callable[[float, str], None]
_LOOK_SECONDS = 0.05
_START_SECONDS = 120.0
_SECONDS_BETWEEN_REPORTS = 0.2


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one call may take, and how long a call waits for a worker."""

    seconds: float = 30.0
    long_seconds: float = 600.0
    """What a call may take whose answer is fetched later."""
    memory_mb: int = 1024
    wait_seconds: float = 5.0


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question on its way to a worker, with documents made earlier that it speaks of."""

    name: str
    data: Any
    carried: Documents = field(default_factory=dict)
    paid: frozenset[str] | None = None
    """Planners that cost money and that the caller may name; None: all."""
    is_long: bool = False
    """Whether it may take long and shall tell how far it is."""
    trace: str | None = None
    """The span of the server below which it is told."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came of a call: an answer, or a status with the refusal."""

    status: int
    content: Any = None
    refusal: Refusal | None = None
    documents: Documents | None = None
    size: int = 0
    """Bytes of the question and the reply on their way: what it takes to keep them."""


BUSY = Reply(status=429, refusal=refusal_of(BusyError("every worker is busy", hint="ask again")))


class Pool:
    """So many workers; whoever asks gets the next that is free."""

    def __init__(self, make_setting: Callable[[], Setting], *, size: int, limits: Limits) -> None:
        self._make_setting = make_setting
        self.size, self.limits = size, limits
        self._idle: queue.Queue[_Worker] = queue.Queue()
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        for _ in range(size):
            self._start()

    def call(self, asked: Asked, stop: threading.Event, *, tell: Tell | None = None) -> Reply:
        """Run an operation in a worker and return its reply; end the worker when time is over or `stop` is set."""
        try:
            worker = self._idle.get(timeout=self.limits.wait_seconds)
        except queue.Empty:
            return BUSY
        if not worker.is_alive():  # it died while it had nothing to do: no fault of this call
            self._replace(worker)
            return self.call(asked, stop, tell=tell)
        seconds = self.limits.long_seconds if asked.is_long else self.limits.seconds
        reply = ended = None
        try:
            reply = worker.call(asked, stop, seconds, tell)
        finally:  # whatever went wrong, there are as many workers afterwards as before
            if reply is None:
                ended = worker.ended_by()
                self._replace(worker)
            else:
                self._idle.put(worker)
        return reply if reply is not None else _none(stop, seconds, ended)

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            for worker in self._all:
                worker.end()

    def _replace(self, worker: _Worker) -> None:
        worker.end()
        with self._lock:
            self._all.discard(worker)
        self._start()

    def _start(self) -> None:
        worker = _Worker(self._make_setting, self.limits)
        with self._lock:
            self._all.add(worker)
        self._idle.put(worker)


def _none(stop: threading.Event, seconds: float, ended: int | None) -> Reply:
    """Return why there is no answer; `ended` is what the worker died of, None while it lived."""
    code, change = "PLANNER_TIMEOUT", "ask for less, or raise the server's --max-seconds"
    if stop.is_set():
        reason = "nobody waits for it any more"
    elif ended == -_CPU_SIGNAL:
        reason = f"it took more than {seconds:g} s of processor time"
    elif ended is not None:
        code, reason = "PLANNER_GENERATION_FAILED", "the process that planned ended before it had an answer"
        change = "ask for less, or look at the server's log"
    else:
        reason = f"it took longer than {seconds:g} s"
    return Reply(status=504, refusal=Refusal(code=code, reason=reason, change=change, retryable=True))


_CPU_SIGNAL = int(getattr(signal, "SIGXCPU", 0))


class _Worker:
    def __init__(self, make_setting: Callable[[], Setting], limits: Limits) -> None:
        spawning = multiprocessing.get_context("spawn")
        self._pipe, other = spawning.Pipe()
        self._process = spawning.Process(target=_work, args=(other, make_setting, limits), daemon=True)
        with deaf_to_interrupts():
            self._process.start()
        self._ready = False
        other.close()

    def call(self, asked: Asked, stop: threading.Event, seconds: float, tell: Tell | None) -> Reply | None:
        """Return the reply, or None when there will be none."""
        try:
            if not self._is_ready(stop):
                return None
            end = time.monotonic() + seconds
            sent = pickle.dumps(asked)
            self._pipe.send_bytes(sent)
            while True:
                while not self._pipe.poll(_LOOK_SECONDS):
                    if stop.is_set() or time.monotonic() >= end:
                        return None
                came = self._pipe.recv_bytes()
                said = pickle.loads(came)  # from a process of our own
                if isinstance(said, Reply):
                    return replace(said, size=len(sent) + len(came))
                if tell is not None:
                    tell(*said)
        except (EOFError, OSError):  # it died
            self._process.join(1)
            return None

    def _is_ready(self, stop: threading.Event) -> bool:
        """Wait until a new worker has loaded its domains: that is no call's own time."""
        end = time.monotonic() + _START_SECONDS
        while not self._ready:
            if self._pipe.poll(_LOOK_SECONDS):
                self._pipe.recv()
                self._ready = True
            elif stop.is_set() or time.monotonic() >= end:
                return False
        return True

    def ended_by(self) -> int | None:
        """Return the exit code of a worker that died by itself: minus the number of a signal, or its own."""
        return self._process.exitcode

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: Any, make_setting: Callable[[], Setting], limits: Limits) -> None:
    """Answer calls until the pipe closes."""
    end_with_parent()
    setting = make_setting()
    is_traced = begin_telemetry()
    pipe.send(None)  # ready: what comes from now on is a call's own time
    while True:
        try:
            asked: Asked = pipe.recv()
        except (EOFError, OSError):
            return
        shelf = Shelf()  # of this call alone: what others brought along is not this worker's to keep
        for (scheme, known), value in asked.carried.items():
            shelf.keep(scheme, known, partial(_itself, value))
        _limit_cpu(limits.long_seconds if asked.is_long else limits.seconds)
        progress = _teller(pipe) if asked.is_long else None
        own = replace(setting, shelf=shelf, paid_planners=asked.paid, trace=asked.trace, progress=progress)
        pipe.send(_answer(own, asked, limits.memory_mb))
        if is_traced:
            flush_telemetry()  # nobody asks this process before it is ended


def _limit_cpu(seconds: float) -> None:
    """Have the system end this process when it has used so much processor time from now on, threads included.

    The watcher in the server looks at the clock; this holds where the server itself is kept from looking.
    """
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    wanted = math.ceil(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _teller(pipe: Any) -> Tell:
    """Return what sends how far a call is, a few times a second."""
    last = time.monotonic()

    def tell(done: float, words: str) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS_BETWEEN_REPORTS:
            last = time.monotonic()
            pipe.send((done, words))

    return tell


def _itself(value: Any) -> Any:
    return value


def _answer(setting: Setting, asked: Asked, memory_mb: int) -> Reply:
    from planvow.adapters.http.problems import status_of

    try:
        with memory_limit(memory_mb):
            return _asked(setting, asked.name, asked.data)
    except PlanvowError as error:
        return Reply(status=status_of(error), refusal=refusal_of(error))
    except Exception as error:
        told = PlanvowError(f"{type(error).__name__}: {error}"[:500])
        return Reply(status=500, refusal=refusal_of(told))


def _asked(setting: Setting, name: str, data: Any) -> Reply:
    if name == CERTIFICATE:
        operation = OPERATIONS[data["operation"]]
        answer = operation(read_question(operation, data["question"]), setting)
        return Reply(status=200, content=answer.documents["certificate", answer.output.plan_hash]())
    if name == BUNDLE:
        from planvow.cassette.proof.bundle import verify_bundle

        return Reply(status=200, content=verify_bundle(data))
    operation = OPERATIONS[name]
    answer = operation.answered(read_question(operation, data), setting)
    output = answer.output
    refusal = getattr(output, "refusal", None)
    plain = {key: make() for key, make in answer.documents.items() if key[0] != "certificate"}
    if refusal is not None and not getattr(output, "steps", None):
        return Reply(status=422, refusal=refusal)
    return Reply(status=200, content=data_of(output), documents=plain)
