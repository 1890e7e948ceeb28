"""Who answers chunks: processes of this machine.

A process that an input ends (memory, a crash below Python) takes the pool with it. The chunk whose turn it is is then
tried input by input, each in a process of its own, so that only the input at fault is without an answer.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from planvow.adapters.machine.parents import end_with_parent
from planvow.service.batch.answering import Line, Means, answer_chunk, gone
from planvow.service.batch.items import packed, unpacked

TRIES = 2
"""How often an input may end its process before it is given up."""


class Workers(Protocol):
    """What answers chunks somewhere; calls return at once, and results are asked for in the order of the calls."""

    at_once: int
    """How many chunks may be under way."""

    def submit(self, chunk: bytes) -> Callable[[], list[Line]]:
        """Hand a chunk over; the function that is returned waits for its lines."""

    def close(self) -> None:
        """End what is still under way."""


class Processes:
    """So many processes of this machine."""

    def __init__(self, means: Means, workers: int) -> None:
        self._means, self._workers = means, workers
        self.at_once = 4 * workers
        self._pool = _pool(workers)

    def submit(self, chunk: bytes) -> Callable[[], list[Line]]:
        """Hand a chunk over; see `Workers`."""
        future = self._future(chunk)
        return lambda: self._result(future, chunk)

    def _future(self, chunk: bytes) -> Future[list[Line]]:
        try:
            return self._pool.submit(answer_chunk, self._means, chunk)
        except BrokenProcessPool:
            self._renew()
            return self._pool.submit(answer_chunk, self._means, chunk)

    def _result(self, future: Future[list[Line]], chunk: bytes) -> list[Line]:
        try:
            return future.result()
        except BrokenProcessPool:
            return one_by_one(chunk, self._alone)

    def _alone(self, chunk: bytes) -> list[Line] | None:
        for _ in range(TRIES):
            with _pool(1) as pool:
                try:
                    return pool.submit(answer_chunk, self._means, chunk).result()
                except BrokenProcessPool:
                    continue
        return None

    def _renew(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = _pool(self._workers)

    def close(self) -> None:
        """End the processes, whatever they do."""
        processes = list((getattr(self._pool, "_processes", None) or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def one_by_one(chunk: bytes, alone: Callable[[bytes], list[Line] | None]) -> list[Line]:
    """Answer the inputs of a chunk apart from one another; what ends its process each time gets a line that says so."""
    lines = []
    for item in unpacked(chunk):
        answered = alone(packed([item]))
        lines += [gone(item)] if answered is None else answered
    return lines


def _pool(workers: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent)
