"""Forged certificates, hashes recomputed: every kind must be caught and named at the level it concerns.

Certificates come from every example that has a plan, from a shipyard with everything a certificate can speak of, and
from plans of every planner of the contract. `forgeries.py` and `forgeries_contract.py` hold the kinds. A forgery that
is rejected at a lower level than its own counts as caught, but each kind must reach its own level at least once.
MiniZinc is asked about a share of those that concern the document itself (`--minizinc N`): a solver call costs a few
hundred times what the own checker costs. Beside them, single mutations are judged by both (`--mutants N`): they must
agree. Gates: 100 % caught and named, no crash, at least 40 kinds.

    python bench/certificates.py [--forge] [--each 12] [--minizinc 60] [--mutants 60] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import forge_lab
import forgeries as _of_derivations  # noqa: F401  the kinds declare themselves
import forgeries_contract as _of_contracts  # noqa: F401
from certificate_mutants import mutants
from forging import KINDS, Document, Kind, forgeries
from planvow.adapters.checkers.minizinc import check_with_minizinc
from planvow.adapters.machine.modules import load_module
from planvow.contract import default_registry
from planvow.contract.certificate.faithful import check_against_problem, check_against_request
from planvow.contract.certificate.of_contract import certify_plan, check_by_asking
from planvow.contract.certificate.reexecute import check_by_running
from planvow.contract.checking.check import check_certificate
from planvow.contract.checking.verdict import CONSISTENT, FAITHFUL, LEVELS
from planvow.contract.planners.htn import TaskPlanner
from planvow.kernel.answer.planning import solve
from planvow.kernel.search.problem import Problem
from planvow.verdict import Verdict

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
MAX_STEPS = 60  # a certificate beyond that shows nothing new
_ONLY_HASHES = ("hash", "form", "initial", "budgets", "blacklist")


@dataclass(frozen=True)
class Certified:
    """A right certificate, and what it can be held against."""

    name: str
    document: Document
    problem: Problem | None = None
    planner: Any = None
    request: Any = None

    def verdict(self, document: Document, level: str) -> Verdict:
        """Return what is said about a document at a level; lower levels are part of it."""
        if level == CONSISTENT:
            return check_certificate(document)
        if self.problem is not None:
            if level == FAITHFUL:
                return check_against_problem(document, self.problem)
            return check_by_running(document, self.problem.domain, self.problem)
        if level == FAITHFUL:
            return check_against_request(document, self.request)
        return check_by_asking(document, self.planner)


def certificates() -> Iterator[Certified]:
    """Yield a certificate for every problem of every example that has a plan, and for plans of every planner."""
    found = {(path.stem, name): value for path in sorted(EXAMPLES.glob("*.py")) for name, value in _problems(path)}
    found |= {("shipyard", name): problem for name, problem in forge_lab.PROBLEMS.items()}
    for (stem, name), problem in found.items():
        result = solve(problem)
        if result.success and len(result.plan) <= MAX_STEPS:
            document = json.loads(result.certificate().canonical_bytes())
            yield Certified(f"{stem}:{name}", document, problem=problem)
    for planner, request in contract_requests():
        document = json.loads(certify_plan(planner, **request).canonical_bytes())
        yield Certified(f"contract:{planner.planner_id}", document, planner=planner, request=request)


def _problems(path: Path) -> list[tuple[str, Problem]]:
    return sorted((name, value) for name, value in vars(load_module(path)).items() if isinstance(value, Problem))


def contract_requests() -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield planners and requests: rules, search, HDDL, goals, and somebody else's planner with a data flow."""
    registry = default_registry()
    text = {"type": "object", "properties": {"url": {"type": "string"}, "text": {"type": "string"}}}
    manifest = [{"skill_id": name, "input_schema": text} for name in ("fetch", "summarise", "send")]
    yield (
        forge_lab.Relay(),
        {"agent_id": "forge", "goal": "tell ann the news", "tool_manifest": manifest, "max_steps": 9},
    )
    yield registry.create("stub"), {"agent_id": "forge", "goal": "Say hello", "context_summary": "be kind"}
    yield registry.create("goal"), {"agent_id": "forge", "goal": "open youtube and search nvidia"}
    files = {part: (EXAMPLES / f"hddl/tea-{part}.hddl").read_text(encoding="utf-8") for part in ("domain", "problem")}
    yield registry.create("hddl"), {"agent_id": "forge", "goal": "make tea", **files}
    travel = dict(_problems(EXAMPLES / "travel.py"))["problem"]
    agenda = json.dumps([list(item) for item in travel.todo])
    yield TaskPlanner(domain=travel.domain, state=travel.state), {"agent_id": "forge", "goal": agenda}


def forge(documents: list[Certified], each: int, with_minizinc: int) -> dict[str, Any]:
    """Forge every certificate in every way and count what is caught where."""
    made: Counter[str] = Counter()
    own_level: Counter[str] = Counter()
    asked = 0
    wrong: list[str] = []
    for kind in KINDS:
        for certified in documents:
            if certified.document["kind"] != kind.subject:
                continue
            for forged in forgeries(certified.document, kind, each):
                made[kind.name] += 1
                verdict = certified.verdict(forged, kind.level)
                wrong += _objections(kind, certified, verdict)
                own_level[kind.name] += verdict.level == kind.level
                if _is_for_minizinc(kind) and made[kind.name] == 1 and asked < with_minizinc:
                    asked += 1
                    if check_with_minizinc(forged).accepted:
                        wrong.append(f"{certified.name}: {kind.name}: MiniZinc accepts it")
    wrong += [f"{kind.name}: never made" for kind in KINDS if not made[kind.name]]
    wrong += [
        f"{kind.name}: never reached its own level" for kind in KINDS if made[kind.name] and not own_level[kind.name]
    ]
    levels = Counter(kind.level for kind in KINDS)
    return {
        "kinds": len(KINDS),
        **{f"kinds_{level}": levels[level] for level in LEVELS},
        "forgeries": made.total(),
        "at_their_own_level": own_level.total(),
        "minizinc": asked,
        "by_kind": dict(made),
        "wrong": wrong,
    }


def _is_for_minizinc(kind: Kind) -> bool:
    return kind.level == CONSISTENT and kind.subject == "derivation" and kind.named[0] not in _ONLY_HASHES


def _objections(kind: Kind, certified: Certified, verdict: Verdict) -> list[str]:
    if verdict.fault is None:
        return [f"{certified.name}: {kind.name}: accepted at the level {kind.level}"]
    if verdict.level == kind.level and verdict.fault.condition not in kind.named:
        return [f"{certified.name}: {kind.name}: called {verdict.fault}"]
    return []


def mutate(documents: list[Certified], count: int) -> dict[str, Any]:
    """Make single mutations of the documents; the own checker and MiniZinc must agree on each."""
    derivations = [row for row in documents if row.problem is not None]
    wrong: list[str] = []
    found: Counter[str] = Counter()
    for row in derivations:
        for what, mutant in mutants(row.document, -(-count // len(derivations)), rehash=True, seed=row.name):
            fault = check_certificate(mutant).fault
            found["mutants"] += 1
            found["mutants_valid"] += fault is None
            if fault is not None and fault.condition in _ONLY_HASHES:
                continue  # what a solver is not asked about
            if check_with_minizinc(mutant).accepted != (fault is None):
                wrong.append(f"{row.name}: {what}: MiniZinc differs from {fault}")
    return {**found, "mutants_wrong": wrong}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forge", action="store_true", help="forgeries only, no mutants")
    parser.add_argument("--each", type=int, default=12, help="of each kind and certificate")
    parser.add_argument("--minizinc", type=int, default=60)
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    every = list(certificates())
    documents = [row for row in every if all(row.verdict(row.document, level).accepted for level in LEVELS)]
    refused = [row.name for row in every if row not in documents]
    figures = {"certificates": len(documents), "refused": refused, **forge(documents, options.each, options.minizinc)}
    if not options.forge:
        figures |= mutate(documents, options.mutants)
    for key, value in figures.items():
        print(f"{key:20} {value if not isinstance(value, list | dict) else len(value)}")
    problems = [*figures["wrong"], *figures.get("mutants_wrong", [])]
    for line in problems[:40]:
        print(f"  {line}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    passed = not problems and figures["kinds"] >= 40 and not refused
    print("PASS: every forgery is caught and named at the level it concerns" if passed else "FAIL")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
