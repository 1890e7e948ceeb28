"""Inputs for batches: a small HDDL domain with as many problems as wanted."""

from __future__ import annotations

from pathlib import Path

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
