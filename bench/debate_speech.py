"""M15, one talk in every form: python bench/debate_speech.py [--parser spacy|lite]

Own talks (`tests/lab/talks`) are rendered as captions, subtitles, pages, reports and bare speech; the claims of each
form are compared with those of the clean text, by F1: two claims are one when they share .8 of their words (and, for
the record, all of them). Settings were chosen on the talks named CHOSEN in `tests/lab/renderings.py`; the figures that
count are those of JUDGED. Needs no shared data.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/lab"))

from planvow.adapters.language.choice import load_parser
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.words.words import Parser
from renderings import CAPTIONS, CHOSEN, JUDGED, SPEECH, agreement, claims, plain, talk

CAPTION_GATE, SPEECH_GATE = 0.9, 0.7


def by_form(parser: Parser, names: tuple[str, ...], same: float = 0.8) -> dict[str, list[float]]:
    """F1 of every form, talk by talk."""
    language = ParsedLanguage(parser)
    clean = {name: claims(plain(talk(name)), language) for name in names}
    return {
        form: [agreement(claims(render(talk(name)), language), clean[name], same) for name in names]
        for form, render in {**CAPTIONS, **SPEECH}.items()
    }


def measured(parser: Parser) -> dict[str, float]:
    """The worst caption form and the worst form of bare speech, each as a mean over the talks of JUDGED."""
    means = {form: sum(found) / len(found) for form, found in by_form(parser, JUDGED).items()}
    return {
        "M15 captions F1": min(means[form] for form in CAPTIONS),
        "M15 bare speech F1": min(means[form] for form in SPEECH),
    }


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--parser", default="lite")
    parser = load_parser(arguments.parse_args().parser)
    missed = 0
    for title, names in (("chosen on", CHOSEN), ("judged on", JUDGED)):
        print(f"{title} {', '.join(names)} ({parser.name})")
        exact = by_form(parser, names, 1.0)
        for form, found in by_form(parser, names).items():
            mean, gate = sum(found) / len(found), CAPTION_GATE if form in CAPTIONS else SPEECH_GATE
            verdict = "pass" if mean >= gate else "MISSED"
            missed += mean < gate and names is JUDGED
            whole = sum(exact[form]) / len(names)
            print(f"  {form:24} {mean:.3f} (word for word {whole:.3f}), gate {gate}: {verdict}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
