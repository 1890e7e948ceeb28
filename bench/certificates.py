"""Thousands of single mutations of valid certificates, judged by the checkers and by a brute-force oracle.

Certificates come from every example that has a plan. Two classes of mutants: with the **stale hash** left in place
(the own checker must reject all), and **re-hashed** (the own checker and MiniZinc must agree with the oracle on each).
MiniZinc takes a share of them (`--minizinc N`), since a solver call costs a few hundred times what our checker costs.
Re-execution (`planvow verify --domain`) is shown to catch re-hashed mutants that are consistent in themselves. Gates:
100 % in every column, no crash.

    python bench/certificates.py [--mutants 3000] [--minizinc 200] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from certificate_mutants import mutants, oracle
from planvow.adapters.checkers.minizinc import check_with_minizinc
from planvow.adapters.machine.modules import load_module
from planvow.contract.certificate.check import check_certificate
from planvow.contract.certificate.form import well_formed
from planvow.contract.certificate.reexecute import check_by_running
from planvow.kernel.answer.planning import solve
from planvow.kernel.domain.domain import Domain
from planvow.kernel.search.problem import Problem

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
MAX_STEPS = 60  # a certificate beyond that makes the oracle and MiniZinc crawl, and shows nothing new


def certificates() -> Iterator[tuple[str, dict[str, Any], Domain]]:
    """Yield (name, document, domain) for every problem of every example that has a plan."""
    for path in sorted(EXAMPLES.glob("*.py")):
        for name, value in sorted(vars(load_module(path)).items()):
            if isinstance(value, Problem):
                result = solve(value)
                if result.success and len(result.plan) <= MAX_STEPS:
                    document = json.loads(result.certificate().canonical_bytes())
                    yield f"{path.stem}:{name}", document, value.domain


def judge(documents: list[tuple[str, dict[str, Any], Domain]], count: int, with_minizinc: int) -> dict[str, Any]:
    """Make the mutants and count what the checkers say."""
    each = -(-count // len(documents))
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for name, document, domain in documents:
        for what, mutant in mutants(document, each, rehash=False, seed=name):
            found["stale"] += 1
            if check_certificate(mutant).accepted:
                wrong.append(f"{name}: {what}: a stale hash was accepted")
        for number, (what, mutant) in enumerate(mutants(document, each, rehash=True, seed=name)):
            expected = well_formed(mutant) is None and oracle(mutant)
            verdict = check_certificate(mutant)
            found["rehashed"] += 1
            found["rehashed_valid"] += expected
            if verdict.accepted != expected:
                wrong.append(f"{name}: {what}: own checker says {verdict.fault}, the oracle {expected}")
            if number * len(documents) < with_minizinc:
                found["minizinc"] += 1
                if check_with_minizinc(mutant).accepted != expected:
                    wrong.append(f"{name}: {what}: MiniZinc differs from the oracle ({expected})")
            if expected and not check_by_running(mutant, domain).accepted:
                found["caught_by_running"] += 1
    return {**found, "wrong": wrong}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=3000)
    parser.add_argument("--minizinc", type=int, default=200)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    documents = list(certificates())
    refused = [name for name, document, _ in documents if not check_certificate(document).accepted]
    refused += [name for name, document, _ in documents if not check_with_minizinc(document).accepted]
    refused += [name for name, document, domain in documents if not check_by_running(document, domain).accepted]
    figures = {
        "certificates": len(documents),
        "refused": refused,
        **judge(documents, options.mutants, options.minizinc),
    }
    for key, value in figures.items():
        print(f"{key:20} {value if not isinstance(value, list) else len(value)}")
    for line in [*refused, *figures["wrong"]][:20]:
        print(f"  {line}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    passed = not refused and not figures["wrong"] and figures.get("caught_by_running", 0) > 0
    print("PASS: every mutant judged as the oracle judges it" if passed else "FAIL")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
