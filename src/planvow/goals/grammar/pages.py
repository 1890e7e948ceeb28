"""Whether a word is surely the address of a page, and whose page it is."""

from __future__ import annotations

import re

from planvow.goals.grammar.words import words_of
from planvow.goals.values.config import GoalConfig, folded

_DOMAIN = re.compile(r"(https?://\S+|[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?(/\S*)?|localhost(:\d+)?(/\S*)?)", re.I)
_ALSO_FILES = words_of("""
    am as bz cc cs db do el ex fs go gz hh hs jl js kt lz md mk ml mm nb pl pm ps py rb rc rs sh so tf ts ui vb vi xz
""")
"""Endings of two letters that files have too: `open main.rs` may mean either."""
_FILE_STEMS = words_of("""
    aclocal build changelog cmakelists config configure dockerfile jenkinsfile license makefile manifest readme todo
    version
""")
"""`makefile.am`, `configure.in`: names that files have, whatever they end in."""


def is_page(text: str, config: GoalConfig) -> bool:
    """Say whether a text is surely an address: with a scheme, or ending as hosts do and files do not."""
    if re.fullmatch(r"(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:/\S*)?", text):
        return True
    if _DOMAIN.fullmatch(text) is None:
        return False
    if re.match(r"https?://|www\.|localhost\b", text, re.I):
        return True
    host = re.split(r"[/:]", folded(text))[0]
    stem, _, ending = host.rpartition(".")
    if stem in _FILE_STEMS:
        return False
    return ending in config.domain_endings or (len(ending) == 2 and ending.isalpha() and ending not in _ALSO_FILES)


def platform_of_page(target: str, config: GoalConfig) -> str | None:
    """Return the platform whose page an address or a name is, if it can be searched."""
    name = config.platform(target)
    if name in config.platforms:
        return name
    address = re.sub(r"^(?:https?://)?(?:www\.)?", "", folded(target)).rstrip("/")
    homes = {re.sub(r"^https?://(?:www\.)?", "", home): name for name, home in config.homepages.items()}
    return homes[address] if homes.get(address) in config.platforms else None


def known_app(name: str, config: GoalConfig) -> bool:
    """Say whether an app or a browser has this name."""
    return config.is_browser(name) or folded(config.app(name)) in config.apps
