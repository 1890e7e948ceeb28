"""Proofs that there is no plan: those of problems without one are accepted, forged ones never.

    python bench/no_plan_proofs.py [--seeds 400] [--forgeries 60] [--json FILE]

Problems are small random ones, whose truth brute force knows. For every one without a plan a proof is asked for. For
every one with a plan, what a proof would list is written down all the same (`relaxed` and `tables`), then single and
double changes are made and the hash is put right: whatever the checker accepts of these is wrong. From proofs of
problems without a plan each row is left out in turn; rows without which the proof still holds are counted. Gates: no
forgery accepted, and at least 90 % of the totally ordered problems without a plan certified.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lab"))

from certificate_mutants import Choice  # noqa: E402
from hddl_brute_force import has_plan  # noqa: E402
from hddl_random import random_texts  # noqa: E402
from planvow.hddl import HddlProblem, parse_domain, parse_problem  # noqa: E402
from planvow.hddl.grounded.tables import TablesLimitReached, reachable  # noqa: E402
from planvow.hddl.lifted.normal import NormalProblem  # noqa: E402
from planvow.hddl.solve import no_plan as proving  # noqa: E402
from planvow.hddl.verify.no_plan import check_no_plan, proof_hash  # noqa: E402

Document = dict[str, Any]
CERTIFIED_GATE = 0.9
NODES = 800


def would_be_proofs(problem: HddlProblem) -> Iterator[Document]:
    """Yield what proofs of a problem would list, whether or not that proves anything."""
    normal = NormalProblem(problem)
    grounder = reachable(normal, proving.MAX_LISTED)
    for make in (proving._relaxed, proving._tables):
        try:
            document = make(normal, grounder)
        except TablesLimitReached:
            continue
        if document is not None:
            yield with_hash(document)


def with_hash(document: Document) -> Document:
    return {**document, "hash": proof_hash(document)}


def forged(document: Document, count: int, seed: object) -> Iterator[Document]:
    """Yield so many changed documents, hashes put right."""
    for number in range(count):
        choice = Choice("no plan", seed, number)
        made = copy.deepcopy(document)
        for _ in range(1 + choice.number(2)):
            _change(made, choice)
        yield with_hash(made)


def _change(document: Document, choice: Choice) -> None:
    rows = choice.of([name for name in ("facts", "calls", "states", "results") if document.get(name)] or ["facts"])
    listed = document[rows]
    if not listed:
        return
    place = choice.number(len(listed))
    kind = choice.number(4)
    if rows == "results" and kind > 0:
        ends = listed[place][2]
        if ends:
            ends.pop(choice.number(len(ends)))
    elif rows == "states" and kind > 0 and listed[place]:
        listed[place].pop(choice.number(len(listed[place])))
    elif rows in ("facts", "calls") and kind > 1:
        listed[place] = choice.of(listed)[:1] + listed[place][1:]
    else:
        listed.pop(place)


def without_a_row(document: Document) -> Iterator[tuple[str, Document]]:
    """Yield the document without each of the rows that others do not count by."""
    names = ("facts", "calls") if document["kind"] == "relaxed" else ("results",)
    for name in names:
        for place in range(len(document[name])):
            rows = document[name][:place] + document[name][place + 1 :]
            yield f"{name}[{place}]", with_hash({**document, name: rows})


def random_problem(seed: int, *, partial: bool, recursive: bool) -> HddlProblem:
    domain, problem = random_texts(seed, partial=partial, recursive=recursive)
    return parse_problem(problem, parse_domain(domain))


def try_all(seeds: int, forgeries: int) -> tuple[Counter[str], list[str]]:
    """Return counts, and what should not have been accepted."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for partial, recursive in ((False, False), (False, True), (True, False), (True, True)):
        order = "partial" if partial else "total"
        for seed in range(seeds):
            problem = random_problem(seed, partial=partial, recursive=recursive)
            truth = has_plan(problem, NODES)
            if truth is None:
                continue
            name = f"{order} {'recursive ' if recursive else ''}{seed}"
            if truth:
                counts[f"{order}: with a plan"] += 1
                for document in would_be_proofs(problem):
                    for number, made in enumerate((document, *forged(document, forgeries, name))):
                        counts["forgeries"] += 1
                        if check_no_plan(problem, made):
                            wrong.append(f"{name}: forgery {number} of {document['kind']} accepted")
                continue
            counts[f"{order}: without a plan"] += 1
            proof = proving.prove_no_plan(problem)
            if proof is not None:
                counts[f"{order}: certified"] += 1
                counts[f"{proof['kind']} proofs"] += 1
                counts["rows"] += sum(1 for _ in without_a_row(proof))
                counts["rows to spare"] += sum(bool(check_no_plan(problem, made)) for _, made in without_a_row(proof))
    return counts, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=400, help="Random problems of each of four kinds.")
    parser.add_argument("--forgeries", type=int, default=60, help="Changed proofs for each would-be proof.")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    counts, wrong = try_all(options.seeds, options.forgeries)
    share = counts["total: certified"] / max(1, counts["total: without a plan"])
    print(json.dumps(counts, indent=2, sort_keys=True))
    for line in wrong[:20]:
        print(line)
    if options.json:
        options.json.write_text(json.dumps(counts, indent=2, sort_keys=True))
    is_met = not wrong and share >= CERTIFIED_GATE
    print(f"certified of totally ordered problems without a plan: {share:.1%} (gate {CERTIFIED_GATE:.0%})")
    print(f"{'PASS' if is_met else 'FAIL'}: {len(wrong)} forgeries accepted of {counts['forgeries']}")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
