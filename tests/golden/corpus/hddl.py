"""HDDL: the plans of small problems by every search, the texts that are written, the verdicts on plans."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from golden.corpus.case import ROOT, Case, as_json
from golden.corpus.command import printed
from planvow import plans
from planvow.budgets import Budgets
from planvow.contract import default_registry
from planvow.hddl import (
    format_plan,
    load_domain,
    load_problem,
    parse_domain,
    parse_plan,
    parse_problem,
    verify_plan,
    write_domain,
    write_problem,
)
from planvow.hddl.bind.binding import bind
from planvow.hddl.lint.check import check_texts
from planvow.hddl.solve.entry import solve
from planvow.service.common.hddl_view import kernel_result, plan_details

OURS = ROOT / "tests/golden/hddl"
EXAMPLE = ROOT / "examples/hddl"
# Each domain with its problems.
PROBLEMS = {
    "delivery": ("one", "three", "nowhere"),
    "errands": ("one-day", "two-people", "rich-friend"),
    "lamps": ("two-rooms", "mended"),
    "camp": ("three-spots", "all-busy", "ready"),
    "blink": ("ready",),
    "combo": ("eight",),
    "pairs": ("four",),
    "chain": ("cold", "party", "crowd"),
    "tea": ("problem",),
}


def files(domain: str, problem: str) -> tuple[Path, Path]:
    folder = EXAMPLE if domain == "tea" else OURS
    return folder / f"{domain}-domain.hddl", folder / f"{domain}-{problem}.hddl"


def answers(domain: str, problem: str) -> str:
    """What the registered planner says, with each search."""
    first, second = (path.read_text("utf-8") for path in files(domain, problem))
    planner = default_registry().create("hddl")
    said = []
    for search in ("auto", "lifted", "grounded"):
        answer = planner.plan("golden", "plan it", domain=first, problem=second, search=search, max_iterations=20_000)
        said.append(f"{search}\n{as_json(answer.as_dict())}")
    return "\n".join(said)


def solved_by_sat(domain: str, problem: str) -> str:
    """What the registered planner says when it is to ask a SAT solver, before and after the plan is improved."""
    import pysat  # noqa: F401  # elsewhere its absence shall be an ImportError, not an answer

    first, second = (path.read_text("utf-8") for path in files(domain, problem))
    asked = {"domain": first, "problem": second, "search": "sat", "max_iterations": 20_000}
    answer = default_registry().create("hddl").plan("golden", "plan it", **asked)
    found = load_problem(*files(domain, problem))
    plain = solve(found.domain, found, search="sat", improve=0, budgets=Budgets(max_iterations=20_000))
    counts = {"status": plain.status.value, "reason": plain.reason, **plain.statistics}
    return "\n".join((as_json(answer.as_dict()), as_json(counts), format_plan(plain.plan) if plain.plan else "-"))


def without_sat() -> str | None:
    return None if find_spec("pysat") else "the extra [sat] is not installed"


def commanded(domain: str, problem: str) -> str:
    """What `planvow plan` prints of a problem that has a plan, and what it certifies."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "certificate.json"
        said = printed("plan", *files(domain, problem), "--json", "--certificate", kept)
        return said + kept.read_text("utf-8")


def proved(domain: str, problem: str) -> str:
    """What `planvow plan` prints of a problem without a plan, the proof, and what `planvow verify` says to it."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "none.json"
        said = printed("plan", *files(domain, problem), "--json", "--certificate", kept, code=1)
        proof = kept.read_text("utf-8") if kept.exists() else "no proof\n"
        return said + proof + (printed("verify", *files(domain, problem), kept) if kept.exists() else "")


def explained(domain: str, problem: str) -> str:
    return printed("plan", *files(domain, problem), "--explain", "--tree")


def texts(domain: str, problem: str) -> str:
    """Domain and problem as our writer writes them, and once more after they were read back."""
    first, second = files(domain, problem)
    read = load_domain(first)
    written = write_domain(read)
    asked = write_problem(load_problem(first, second))
    again = parse_domain(written)
    return "\n".join((written, asked, write_domain(again), write_problem(parse_problem(asked, again))))


def bound(domain: str, problem: str) -> str:
    """What the engine itself plans for a problem of the language: the first plans it finds."""
    made = bind(load_problem(*files(domain, problem)))
    found = plans(made.domain, made.state, made.todo, limit=3)
    return "\n".join(as_json(result.as_dict()) for result in found)


def refused_plans() -> str:
    """What the verifier says to plans with one fault each."""
    domain, problem = files("delivery", "one")
    asked = load_problem(domain, problem)
    planner = default_registry().create("hddl")
    answer = planner.plan(
        "golden", "plan it", domain=domain.read_text("utf-8"), problem=problem.read_text("utf-8")
    ).as_dict()
    good = answer["metadata"]["hddl_plan"]
    faulty = (
        good,
        good.replace("drive", "fly", 1),
        good.replace("drive Blue Farm Mill", "drive Blue Mill Farm", 1),
        good.replace("-> by-van", "-> is-there", 1),
        good.replace("root ", "root 99 ", 1),
        "\n".join(line for line in good.splitlines() if " load " not in line),
    )
    said = []
    for plan in faulty:
        try:
            verdict = verify_plan(asked, parse_plan(plan))
            said.append([bool(verdict), verdict.reason])
        except ValueError as error:
            said.append([False, str(error)])
    return as_json(said)


def remarked() -> str:
    """What is said of a domain that means otherwise: two remarks at one place, two reasons of which one is named."""
    domain = """(define (domain odd) (:requirements :typing :hierarchy :negative-preconditions) (:types place)
      (:predicates (at ?p - place) (dry ?p - place) (seen ?p - place))
      (:task go :parameters (?p - place)) (:task rest :parameters (?p - place))
      (:method m :parameters (?p ?q - place) :task (go ?p)
        :precondition (and (dry ?p) (not (dry ?p)) (at ?p) (not (at ?p))) :ordered-subtasks (and (move ?p)))
      (:action swim :parameters (?p - place) :precondition (and (dry ?p) (not (dry ?p)) (seen ?p)) :effect (at ?p))
      (:action move :parameters (?p - place) :precondition (seen ?p) :effect (at ?p)))"""
    problem = """(define (problem p) (:domain odd) (:objects a - place)
      (:htn :ordered-subtasks (and (go a))) (:init (dry a)) (:goal (seen a)))"""
    _, found = check_texts(domain, problem)
    return as_json([[each.line, each.column, each.code, each.severity, each.message, each.hint] for each in found])


EVENING = (
    """(define (domain evening) (:requirements :typing :hierarchy :universal-preconditions :conditional-effects)
      (:types room)
      (:predicates (dark ?r - room) (warm ?r - room) (cosy ?r - room) (closed ?r - room) (alarm) (ready))
      (:task settle :parameters (?r - room))
      (:method by-hand :parameters (?r - room) :task (settle ?r) :precondition (not (alarm))
        :subtasks (and (s (shut ?r)) (d (dim ?r)) (h (heat ?r))))
      (:method by-clock :parameters (?r - room) :task (settle ?r) :precondition (alarm) :subtasks (and (dim ?r)))
      (:method hardly :parameters (?r ?q - room) :task (settle ?r) :precondition (warm ?q) :subtasks (and (shut ?r)))
      (:action shut :parameters (?r - room) :precondition () :effect (closed ?r))
      (:action dim :parameters (?r - room) :precondition (closed ?r) :effect (and (dark ?r) (not (alarm))))
      (:action heat :parameters (?r - room) :precondition (closed ?r) :effect (and (warm ?r) (cosy ?r)))
      (:action rest :parameters (?r - room) :precondition (and (closed ?r) (dark ?r) (warm ?r)) :effect (ready))
      (:action look :parameters () :precondition (forall (?r - room) (or (warm ?r) (cosy ?r) (closed ?r)))
        :effect (when (ready) (alarm))))""",
    """(define (problem two-rooms) (:domain evening) (:objects hall attic - room)
      (:htn :subtasks (and (a (settle attic)) (h (settle hall)) (l (look)) (r (rest hall)))
        :ordering (and (a < l) (h < l) (h < r)))
      (:init (dark attic)) (:goal (ready)))""",
)


def detailed() -> str:
    """What pages show of plans in one order and in several: nodes, makers of facts, decisions, reasons of the order."""
    evening = parse_problem(EVENING[1], parse_domain(EVENING[0]))
    asked = (evening, load_problem(*files("lamps", "two-rooms")), load_problem(*files("delivery", "three")))
    found = [(problem, solve(problem.domain, problem, budgets=Budgets(max_iterations=20_000))) for problem in asked]
    return as_json([plan_details(each, said.plan, kernel_result(each, said)) for each, said in found if said.plan])


def cases() -> Iterator[Case]:
    for domain, problems in PROBLEMS.items():
        for problem in problems:
            yield Case(f"hddl/{domain}.{problem}", "hddl plan", lambda d=domain, p=problem: answers(d, p))
        yield Case(f"hddl/{domain}.text", "hddl text", lambda d=domain, p=problems[-1]: texts(d, p))


SAT = (
    ("delivery", "three"),
    ("delivery", "nowhere"),
    ("camp", "three-spots"),
    ("camp", "all-busy"),
    ("tea", "problem"),
)
CASES = (
    *cases(),
    *(Case(f"hddl/{d}.{p}.sat", "hddl plan", lambda d=d, p=p: solved_by_sat(d, p), without_sat) for d, p in SAT),
    Case("hddl/errands.two-people.text", "hddl text", lambda: texts("errands", "two-people")),
    Case("hddl/tea.command", "hddl certificate", lambda: commanded("tea", "problem")),
    Case("hddl/delivery.three.command", "hddl certificate", lambda: commanded("delivery", "three")),
    Case("hddl/errands.two-people.command", "hddl certificate", lambda: commanded("errands", "two-people")),
    Case("hddl/camp.three-spots.command", "hddl certificate", lambda: commanded("camp", "three-spots")),
    Case("hddl/delivery.nowhere.proof", "hddl proof", lambda: proved("delivery", "nowhere")),
    Case("hddl/camp.all-busy.proof", "hddl proof", lambda: proved("camp", "all-busy")),
    Case("hddl/chain.cold.proof", "hddl proof", lambda: proved("chain", "cold")),
    Case("hddl/mix.purple.proof", "hddl proof", lambda: proved("mix", "purple")),
    Case("hddl/delivery.one.explained", "hddl explanation", lambda: explained("delivery", "one")),
    Case("hddl/detailed", "hddl explanation", detailed),
    Case("hddl/pairs.bound", "hddl certificate", lambda: bound("pairs", "four")),
    Case("hddl/delivery.refused", "hddl text", refused_plans),
    Case("hddl/remarked", "hddl text", remarked),
)
