"""MCP servers as separate processes, for clients of any kind."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRAVEL = str(ROOT / "examples/travel.py")


def command(*more: str, domain: str = TRAVEL) -> list[str]:
    """Return the command that starts a server over standard input and output."""
    return [sys.executable, "-m", "planvow", "mcp", "--domain", domain, *more]


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def serving(
    words: Sequence[str],
    port: int,
    errors: Path,
    *,
    seconds: float = 60,
    environment: Mapping[str, str] | None = None,
    group: bool = False,
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a server, in a process group of its own if so asked, and wait until it takes connections; then end it."""
    with errors.open("wb") as log:
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, env=environment,
            start_new_session=group,
        )  # fmt: skip
    try:
        end = time.monotonic() + seconds
        while True:
            assert process.poll() is None, errors.read_text("utf-8")
            assert time.monotonic() < end, errors.read_text("utf-8")
            with socket.socket() as probe:
                probe.settimeout(1)
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait(timeout=20)


def pigeons(count: int) -> tuple[str, str]:
    """Return an HDDL problem that has no plan and takes very long to refute: one pigeon more than there are holes."""
    domain = """
    (define (domain pigeons)
      (:requirements :typing :hierarchy)
      (:types pigeon hole)
      (:predicates (free ?h - hole) (housed ?p - pigeon) (next ?p ?q - pigeon))
      (:task house :parameters (?p - pigeon))
      (:method pick :parameters (?p - pigeon ?h - hole) :task (house ?p)
        :precondition (free ?h) :ordered-subtasks (and (settle ?p ?h)))
      (:action settle :parameters (?p - pigeon ?h - hole)
        :precondition (free ?h) :effect (and (not (free ?h)) (housed ?p))))
    """
    birds = " ".join(f"p{number}" for number in range(count))
    holes = " ".join(f"h{number}" for number in range(count - 1))
    tasks = " ".join(f"(house p{number})" for number in range(count))
    free = " ".join(f"(free h{number})" for number in range(count - 1))
    problem = f"""
    (define (problem crowd) (:domain pigeons)
      (:objects {birds} - pigeon {holes} - hole)
      (:htn :ordered-subtasks (and {tasks}))
      (:init {free}))
    """
    return domain, problem
