"""Every relative link of the documentation leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), ROOT / "examples/README.md", *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    targets = [target for target in LINK.findall(text) if "://" not in target and not target.startswith("mailto:")]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_index_names_every_page():
    text = (ROOT / "docs/README.md").read_text("utf-8")
    named = {(ROOT / "docs" / target).resolve() for target in LINK.findall(text) if "://" not in target}
    pages = {page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "adr" and page.name != "README.md"}
    assert sorted(str(page.relative_to(ROOT)) for page in pages - named) == []
