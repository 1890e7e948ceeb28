"""Measure the debate application against people: python bench/debate.py [--parser spacy|lite|both] [--only M2,M5]

Prints measures M1 to M13 of `spec/debate-evidence.md`, M14 (relations end to end), M15 (captions and bare speech),
M16 (all eight claim types) and M17 (claims that stand alone, every third transcript) with their gates and exits 1 when
a gate of the spaCy back-end is missed. Sentence, span and type measures start from the full transcript (readers,
splitting and budgets count); weights are fitted on other debates than the one measured (FOLDS groups of whole debates).
The speed figure is CPU time of one debate without any cache.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable

import debate_measures as measures
import debate_open
import debate_speech
import debate_types
from debate_corpora import DATA
from fit_debate import PARSERS, Corpora
from planvow.adapters.language.choice import NAMED, RANKERS, load_ranker
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.terms.taxonomy import ClaimType

GATES: dict[str, float] = {
    "M1 text equals span": 1.0,
    "M1 turns covered": 1.0,
    "M2 factual F1": 0.70,
    "M2 check-worthy F1": 0.60,
    "M3 AP check-worthy": 0.65,
    "M3 MAP CheckThat 2019, train": 0.12,
    "M4 argument macro F1": 0.65,
    "M4 claim/premise macro F1": 0.60,
    "M5 component characters F1": 0.70,
    "M6 relation type macro F1": 0.73,
    "M6 link F1": 0.35,
    "M7 normative F1": 0.70,
    "M7 future F1": 0.75,
    "M7 desire F1": 0.70,
    "M8 GAP F1": 0.65,
    "M8 committed precision": 0.85,
    "M8 committed, strictly": 0.85,
    "M9 changed token F1": 0.74,
    "M10 propositions F1": 0.10,
    "M11 same bytes": 1.0,
    "M13 precision at .8": 0.75,
    "M14 support precision": 0.30,
    "M14 support recall": 0.15,
    "M14 attack precision": 0.20,
    "M14 attack recall": 0.05,
    "M15 captions F1": 0.9,
    "M15 bare speech F1": 0.7,
    **{f"M16 {kind.value} F1": debate_types.GATE for kind in ClaimType},
    "M16 conceptual F1, DEFT": debate_types.GATE,
    "M17 nothing left open": debate_open.GATE,
}
CEILINGS: dict[str, float] = {
    "M9 unchanged altered": 0.05,
    "M12 CPU seconds": 20.0,
    "M12 MB": 600.0,
    "M13 unclassified": 0.35,
}
GOOD: dict[str, float] = {
    "M2 factual F1": 0.75,
    "M2 check-worthy F1": 0.68,
    "M3 AP check-worthy": 0.75,
    "M3 MAP CheckThat 2019, train": 0.16,
    "M4 argument macro F1": 0.72,
    "M4 claim/premise macro F1": 0.67,
    "M5 component characters F1": 0.75,
    "M6 relation type macro F1": 0.78,
    "M6 link F1": 0.45,
    "M7 normative F1": 0.80,
    "M7 future F1": 0.85,
    "M7 desire F1": 0.75,
    "M8 GAP F1": 0.72,
    "M9 changed token F1": 0.78,
    "M12 CPU seconds": 8.0,
    "M13 unclassified": 0.20,
}


def measured(corpora: Corpora, only: set[str]) -> dict[str, float]:
    steps: list[tuple[str, Callable[[Corpora], dict[str, float]]]] = [
        ("M1", measures.exact_spans),
        ("M1,M2,M3,M13", measures.claimbuster),
        ("M3", measures.checkthat),
        ("M4,M5", measures.elecdeb),
        ("M6", measures.relations),
        ("M7", measures.modalities),
        ("M8", measures.gap),
        ("M9", measures.stand_alone),
        ("M10", measures.propositions),
        ("M14", measures.relations_end_to_end),
        ("M15", lambda corpora: debate_speech.measured(corpora.parser)),
        ("M16", lambda corpora: debate_types.measured(corpora.parser)),
        ("M17", lambda corpora: debate_open.measured(ParsedLanguage(corpora.parser), every=3)),
    ]
    found: dict[str, float] = {}
    # First, while this process is small: a child's peak memory starts from its parent's.
    if not only or "M11" in only:
        found["M11 same bytes"] = same_bytes(corpora.parser.name)
    if not only or "M12" in only:
        found.update(speed(corpora.parser.name))
    for names, step in steps:
        if not only or only & set(names.split(",")):
            found.update(step(corpora))
    return found


_CHILD = """
import hashlib, resource, sys
from planvow.adapters.language.choice import load_language
from planvow.debate.export.formats import Selection, export
from planvow.debate.analysis.pipeline import analyse
from planvow.debate.readers.read import read_transcript
with open(sys.argv[2], "rb") as file:
    transcript = read_transcript(file.read())
text = export(analyse(transcript, load_language(sys.argv[1])), "json", Selection())
usage = resource.getrusage(resource.RUSAGE_SELF)
print(hashlib.sha256(text.encode()).hexdigest(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def _child(parser: str, name: str, seed: str) -> tuple[str, float, float]:
    # One thread: the figure is for one core.
    environment = {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    path = str(DATA / "transcripts" / name)
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, parser, path], env=environment, capture_output=True, text=True, check=True
    )
    digest, cpu, megabytes = done.stdout.split()
    return digest, float(cpu), float(megabytes)


def same_bytes(parser: str) -> float:
    digests = {_child(parser, "1960-09-26.txt", seed)[0] for seed in ("0", "1", "0")}
    return float(len(digests) == 1)


def speed(parser: str) -> dict[str, float]:
    _, cpu, megabytes = _child(parser, "2012-10-16.txt", "0")
    return {"M12 CPU seconds": cpu, "M12 MB": megabytes}


def passes(name: str, value: float) -> bool | None:
    if name in GATES:
        return value >= GATES[name]
    if name in CEILINGS:
        return value < CEILINGS[name]
    return None


def verdict_word(name: str, value: float) -> str:
    passed = passes(name, value)
    if passed is None:
        return ""
    if not passed:
        return "MISSED"
    good = GOOD.get(name)
    if good is None:
        return "pass"
    return "good" if (value <= good if name in CEILINGS else value >= good) else "pass"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--parser", choices=[*PARSERS, "both"], default="both")
    arguments.add_argument("--only", default="", help="comma-separated measures, such as M2,M5")
    arguments.add_argument("--ranker", choices=RANKERS, default=NAMED, help="what relations know of meanings (M14)")
    arguments.add_argument("--json", metavar="FILE")
    chosen = arguments.parse_args()
    only = {name.strip() for name in chosen.only.split(",") if name.strip()}
    started = time.process_time()
    table: dict[str, dict[str, float]] = {}
    ranker = None if chosen.ranker == NAMED else load_ranker(chosen.ranker)
    for name, parser in PARSERS.items():
        if chosen.parser in (name, "both"):
            table[name] = measured(Corpora(parser(), ranker), only)
    names = list(dict.fromkeys(key for figures in table.values() for key in figures))
    names.sort(key=lambda key: (int(key.split()[0][1:]), key))  # M2 before M10
    print(f"{'measure':32}" + "".join(f"{parser:>10} {'':7}" for parser in table) + f"{'pass':>8} {'good':>7}")
    for key in names:
        cells = "".join(
            f"{figures[key]:10.3f} {verdict_word(key, figures[key]):7}" if key in figures else f"{'-':>10} {'':7}"
            for figures in table.values()
        )
        limit = f">={GATES[key]:g}" if key in GATES else f"<{CEILINGS[key]:g}" if key in CEILINGS else ""
        print(f"{key:32}{cells}{limit:>8} {GOOD.get(key, ''):>7}")
    missed = {
        parser: [key for key, value in figures.items() if passes(key, value) is False]
        for parser, figures in table.items()
    }
    if chosen.json:
        with open(chosen.json, "w", encoding="utf-8") as out:
            json.dump({"figures": table, "missed": missed}, out, indent=1, sort_keys=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"CPU {time.process_time() - started:.0f} s, {peak} MB")
    gate = missed.get("spacy", next(iter(missed.values())))
    counted = Counter({parser: len(found) for parser, found in missed.items()})
    print(f"verdict: {'gates met' if not gate else 'MISSED ' + ', '.join(gate)} ({dict(counted)} missed)")
    return 1 if gate else 0


if __name__ == "__main__":
    sys.exit(main())
