"""Inputs for batches: a small HDDL domain with as many problems as wanted; who answers them, and who is stopped."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from planvow.service.batch.answering import Means, answer_chunk, versions
from planvow.service.declare.setting import Setting

DOMAIN = """(define (domain lamps) (:requirements :hierarchy :typing) (:types lamp)
 (:predicates (on ?l - lamp)) (:task light :parameters (?l - lamp))
 (:method m-light :parameters (?l - lamp) :task (light ?l) :ordered-subtasks (and (switch ?l)))
 (:action switch :parameters (?l - lamp) :precondition (not (on ?l)) :effect (on ?l)))"""
PROBLEM = """(define (problem p{n}) (:domain lamps) (:objects {lamps} - lamp)
 (:htn :ordered-subtasks (and {tasks})) (:init))"""


def hddl(folder: Path, count: int) -> Path:
    """Write a folder with the domain and so many problems."""
    folder.mkdir()
    (folder / "domain.hddl").write_text(DOMAIN)
    for n in range(count):
        lamps = [f"l{k}" for k in range(n % 5 + 1)]
        tasks = " ".join(f"(light {lamp})" for lamp in lamps)
        (folder / f"p{n:03}.hddl").write_text(PROBLEM.format(n=n, lamps=" ".join(lamps), tasks=tasks))
    return folder


def change(folder: Path, what: str) -> None:
    """Change the text or the name of the second of four problems, or remove the last."""
    second = folder / "p001.hddl"
    if what == "text":
        second.write_text(second.read_text().replace("light", "light "))
    elif what == "name":
        second.rename(folder / "p0011.hddl")
    else:
        (folder / "p003.hddl").unlink()


class Here:
    """Answers chunks in this process: what every pool is held against."""

    at_once = 2

    def submit(self, chunk):
        found = answer_chunk(Means(make_setting=pickle.dumps(Setting), versions=versions()), chunk)
        return lambda: found

    def close(self):
        pass


def stopped_in_the_middle(
    folder: Path, begun: Callable[[], bool], *words: str, by: signal.Signals = signal.SIGKILL
) -> tuple[subprocess.Popen, str]:
    """Start a batch, stop it when some answers are written; return the process and what it said.

    Its processes end by themselves: their standard error is closed only when the last of them is gone.
    """
    run = subprocess.Popen(
        [sys.executable, "-m", "planvow", *words],
        cwd=folder,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
        text=True,
    )
    end = time.monotonic() + 120
    while run.poll() is None and time.monotonic() < end and not begun():
        time.sleep(0.005)
    run.send_signal(by)
    try:
        _, said = run.communicate(timeout=120)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
    return run, said
