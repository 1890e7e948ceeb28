"""Formatting moves space and nothing else: the parser reads the same, comments stay, and twice is once."""

from __future__ import annotations

import random
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hddl_instances import SHARED, instances, needs_ipc
from hddl_random import random_texts
from planvow.hddl import format_text, parse_domain, parse_problem
from planvow.hddl.format.layout import WIDTH
from planvow.hddl.language.errors import HddlError
from planvow.hddl.parsing.files import read_file

TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")
SPACES = ("\n", "\n\n", "\n\n\n", "\t", "  ", "\r\n", " ; why\n", "\n; alone\n", "\n\n;; after a gap\n\n", " ;\n;\n")
WORDS = (
    "and",
    "define",
    "forall",
    ":init",
    ":action",
    ":method",
    ":htn",
    ":types",
    ":task",
    "?x",
    "-",
    "-t",
    "name",
    "x" * 90,
)


def tokens(text: str) -> list[str]:
    return [token.rstrip() for token in TOKEN.findall(text)]


def formatted(text: str) -> str:
    """Format a text and hold what every formatted text must hold."""
    made = format_text(text)
    assert tokens(made) == tokens(text.removeprefix("\ufeff"))
    assert format_text(made) == made
    return made


def scattered(text: str, seed: int) -> str:
    """Return a text with odd space and comments between its words."""
    chance = random.Random(seed)
    return "".join(token + (chance.choice(SPACES) if chance.random() < 0.4 else " ") for token in TOKEN.findall(text))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), partial=st.booleans())
def test_random_problems_mean_the_same_after_formatting(seed, partial):
    domain_text, problem_text = (scattered(text, seed) for text in random_texts(seed, partial=partial, recursive=True))
    domain = parse_domain(domain_text)
    assert parse_domain(formatted(domain_text)) == domain
    assert parse_problem(formatted(problem_text), domain) == parse_problem(problem_text, domain)


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(st.sampled_from(WORDS), lambda part: st.lists(part, max_size=8), max_leaves=40), st.integers(0, 10**6)
)
def test_any_text_whose_parentheses_match_keeps_its_words_and_comments(tree, seed):
    def text_of(node):
        return node if isinstance(node, str) else f"({' '.join(map(text_of, node))})"

    text = text_of(tree if isinstance(tree, list) else [tree])
    formatted(scattered(text, seed))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="()ab:;-? \n\r\t\ufeffé\u2028", max_size=60))
def test_other_text_is_formatted_or_refused_as_the_parser_refuses_it(text):
    with suppress(HddlError):
        formatted(text)


@needs_ipc
@pytest.mark.parametrize("domain", sorted({domain for domain, _ in instances()}), ids=lambda path: path.parent.name)
def test_the_shared_domains_and_a_problem_of_each_mean_the_same_after_formatting(domain):
    text = read_file(domain)
    made = formatted(text)
    model = parse_domain(text)
    assert parse_domain(made) == model
    assert max(len(line) for line in made.splitlines() if ";" not in line) <= WIDTH + 10
    problem = min((p for d, p in instances() if d == domain), key=lambda path: path.stat().st_size)
    assert parse_problem(formatted(read_file(problem)), model) == parse_problem(read_file(problem), model)


@needs_ipc
@pytest.mark.long
def test_every_other_shared_file_keeps_its_words_and_comments():
    files = [path for path in sorted((SHARED / "data/ipc-more").rglob("*.hddl")) if path.stat().st_size < 60_000]
    assert files
    for path in files:
        formatted(read_file(path))


def test_a_byte_order_mark_before_a_text_is_left_out():
    assert format_text("\ufeff; tea\n(define (domain d))") == "; tea\n(define (domain d))\n"
