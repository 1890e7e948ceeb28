"""Drives a batch: reads ahead no further than workers need, and writes answers in the order of the inputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from planvow.adapters.batch.output import Output
from planvow.adapters.batch.pools import Workers
from planvow.service.batch.answering import Line
from planvow.service.batch.items import Item, packed

MOST_CHUNK_BYTES = 1 << 20
"""A chunk of long transcripts is cut before it has as many inputs as it may."""


def drive(
    items: Iterator[Item],
    workers: Workers,
    output: Output,
    *,
    chunk: int,
    post: Callable[[Item, Line], None] | None = None,
    progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> None:
    """Answer all inputs. What is posted is posted before its line is written, so that a line says that it was."""
    progress(output.done, None)
    under_way: deque[tuple[Sequence[Item], Callable[[], list[Line]]]] = deque()
    chunks = _chunks(items, chunk)
    for held, data in islice(chunks, workers.at_once):
        under_way.append((held, workers.submit(data)))
    while under_way:
        asked, wait = under_way.popleft()
        lines = wait()
        for held, data in islice(chunks, 1):
            under_way.append((held, workers.submit(data)))
        for item, line in zip(asked, lines, strict=True):
            if post is not None:
                post(item, line)
        output.add(asked, lines)
        progress(output.done, None)


def _chunks(items: Iterator[Item], most: int) -> Iterator[tuple[Sequence[Item], bytes]]:
    held: list[Item] = []
    size = 0
    for item in items:
        held.append(item)
        size += _size(item)
        if len(held) >= most or size >= MOST_CHUNK_BYTES:
            yield held, packed(held)
            held, size = [], 0
    if held:
        yield held, packed(held)


def _size(item: Item) -> int:
    question = item.question
    return sum(len(value) for value in question.values() if isinstance(value, str)) if isinstance(question, dict) else 0
