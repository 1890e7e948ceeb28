"""What a repository says about itself in `planvow.toml`: what to index, where data lives, which tests may run.

    [data]
    folder = ".planvow"

    [sections]
    include = ["*.md", "*.py"]
    exclude = ["vendor/**"]
    skip_unreadable = false

    [run_test]
    timeout_seconds = 300
    [run_test.commands]
    unit = ["python", "-m", "pytest", "-q", "tests/unit"]

A pattern without a slash is compared with the file's name, one with a slash with its whole path; `*` stops at a slash,
`**` does not. Intents stand in the same file under `[intents.NAME]` (see `intents.py`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from planvow.errors import InputError, did_you_mean
from planvow.governed.sections.sections import INDEXED_TYPES

CONFIG_NAME = "planvow.toml"
DATA_FOLDER = ".planvow"
DEFAULT_INCLUDE = tuple(f"*{suffix}" for suffix in INDEXED_TYPES)
DEFAULT_TEST_TIMEOUT_SECONDS = 300

PRUNED_FOLDERS = frozenset({
    ".git", ".hg", ".svn", ".venv", "venv", "env", "node_modules", "__pycache__", "build", "dist", "target", ".tox",
    ".nox", ".eggs", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".idea", ".vscode",
})  # fmt: skip
"""Folders of version control, virtual environments and builds: never indexed, wherever they stand."""

_KNOWN: dict[str, dict[str, type]] = {
    "data": {"folder": str},
    "sections": {"include": list, "exclude": list, "skip_unreadable": bool},
    "run_test": {"timeout_seconds": int, "commands": dict},
}


@dataclass(frozen=True, kw_only=True)
class GovernedConfig:
    """The settings of one repository; the defaults are what a repository without a file gets."""

    data_folder: str = DATA_FOLDER
    include: tuple[str, ...] = DEFAULT_INCLUDE
    exclude: tuple[str, ...] = ()
    skip_unreadable: bool = False
    test_timeout_seconds: int = DEFAULT_TEST_TIMEOUT_SECONDS
    test_commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    intents: Mapping[str, Any] = field(default_factory=dict)

    def wants(self, file_path: str) -> bool:
        """Say whether a file is to be indexed."""
        return _matches(self.include, file_path) and not _matches(self.exclude, file_path)


def load_config(root: Path) -> GovernedConfig:
    """Read a repository's planvow.toml; no file means the defaults. Raises InputError with the place of a fault."""
    path = root / CONFIG_NAME
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return GovernedConfig()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", place=CONFIG_NAME) from None
    return config_from(written)


def config_from(written: Mapping[str, Any]) -> GovernedConfig:
    """Build the settings from parsed TOML, refusing wrong types and, with the nearest name, misspelt keys."""
    tables = (*_KNOWN, "intents")
    for table in written:
        if table not in tables:
            hint = did_you_mean(table, tables) or f"known are {', '.join(tables)}"
            raise InputError("there is no such table", place=f"{CONFIG_NAME}: [{table}]", hint=hint)
    for table, known in _KNOWN.items():
        content = written.get(table, {})
        if not isinstance(content, dict):
            raise InputError("a table was expected", place=f"{CONFIG_NAME}: [{table}]")
        for key, value in content.items():
            place = f"{CONFIG_NAME}: [{table}] {key}"
            if key not in known:
                raise InputError("there is no such setting", place=place, hint=did_you_mean(key, known))
            if type(value) is not known[key]:
                raise InputError(f"expected a {known[key].__name__}, got {value!r:.40}", place=place)
    if not isinstance(written.get("intents", {}), dict):
        raise InputError("a table was expected", place=f"{CONFIG_NAME}: [intents]")
    data, sections, tests = (written.get(table, {}) for table in _KNOWN)
    return GovernedConfig(
        data_folder=_folder(data.get("folder", DATA_FOLDER)),
        include=_words(sections, "include", DEFAULT_INCLUDE),
        exclude=_words(sections, "exclude", ()),
        skip_unreadable=sections.get("skip_unreadable", False),
        test_timeout_seconds=_positive(tests.get("timeout_seconds", DEFAULT_TEST_TIMEOUT_SECONDS)),
        test_commands={name: _command(name, words) for name, words in sorted(tests.get("commands", {}).items())},
        intents=written.get("intents", {}),
    )


def _words(table: Mapping[str, Any], key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    words = table.get(key, default)
    if not all(isinstance(word, str) and word for word in words):
        raise InputError("expected a list of patterns", place=f"{CONFIG_NAME}: [sections] {key}")
    return tuple(words)


def _folder(name: str) -> str:
    if not name or name in (".", ".."):
        raise InputError("expected the name of a folder", place=f"{CONFIG_NAME}: [data] folder")
    return name


def _positive(seconds: int) -> int:
    if seconds < 1:
        raise InputError("expected at least 1", place=f"{CONFIG_NAME}: [run_test] timeout_seconds")
    return seconds


def _command(name: str, words: Any) -> tuple[str, ...]:
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        raise InputError(
            "expected a command as a list of words, which no shell will read",
            place=f"{CONFIG_NAME}: [run_test.commands] {name}",
            hint='for example ["python", "-m", "pytest", "-q"]',
        )
    return tuple(words)


def _matches(patterns: tuple[str, ...], file_path: str) -> bool:
    name = file_path.rpartition("/")[2]
    return any(_pattern(p).fullmatch(file_path if "/" in p else name) is not None for p in patterns)


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part, re.escape(part)) for part in parts), re.DOTALL)
