"""Decisions all have one form: a number, four headings in order, at most a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ADR = Path(__file__).resolve().parents[2] / "docs/adr"
PAGES = sorted(ADR.glob("*.md"))
FORM = ["Status", "Context", "Decision", "Consequences"]
MAX_WORDS = 450  # about a printed page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_decision_has_a_number_four_parts_and_fits_a_page(page):
    text = page.read_text("utf-8")
    title, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    assert re.fullmatch(rf"# {page.name[:4]}: \S.*\n\n", title)
    assert [part.partition("\n")[0] for part in parts] == FORM
    assert all(part.partition("\n")[2].strip() for part in parts)
    assert re.match(r"Status\n\n(Accepted|Replaced by \d{4})\.", parts[0])
    assert not re.search(r"^#{3,} ", text, flags=re.MULTILINE)
    assert len(text.split()) <= MAX_WORDS


def test_no_two_decisions_share_a_number():
    numbers = [page.name[:4] for page in PAGES]
    assert len(numbers) > 40
    assert sorted(set(numbers)) == numbers
