"""What a repository says about itself in `planvow.toml`: where data lives, what to index, what requests may do.

    [data]
    folder = ".planvow"

    [sections]
    include = ["*.md", "*.py"]
    exclude = ["vendor/**"]
    strict = false                 # true: a file that cannot be indexed fails the build
    max_file_bytes = 10000000
    max_total_bytes = 1000000000
    readers = ["markdown", "python"]   # who finds the parts of files; more come with planvow[code]

    [symbols]
    namespaces = ["BILLING"]       # beside those that every repository has

A pattern without a slash is compared with the file's name, one with a slash with its whole path; `*` stops at a
slash, `**` does not. In the same file stand the policy (see `policy.py`) and intents under `[intents.NAME]` (see
`intents.py`).
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planvow.cassette.errors import PathRefusedError
from planvow.cassette.files import system
from planvow.cassette.files.below_root import checked_parts
from planvow.errors import InputError, did_you_mean
from planvow.governed.sections.policy import KNOWN_SETTINGS, Policy, matches, policy_from, words_of
from planvow.governed.sections.readers import DEFAULT_READERS, suffixes_named
from planvow.governed.sections.sections import INDEXED_TYPES

CONFIG_NAME = "planvow.toml"
MOST_BYTES = 1 << 20
"""Of `planvow.toml`."""
NAMESPACE = re.compile(r"[A-Z][A-Z0-9_]{0,59}")
DATA_FOLDER = ".planvow"
DEFAULT_INCLUDE = tuple(f"*{suffix}" for suffix in INDEXED_TYPES)
DEFAULT_MAX_FILE_BYTES = 10_000_000
DEFAULT_MAX_TOTAL_BYTES = 1_000_000_000

PRUNED_FOLDERS = frozenset({
    ".git", ".hg", ".svn", ".venv", "venv", "env", "node_modules", "__pycache__", "build", "dist", "target", ".tox",
    ".nox", ".eggs", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".idea", ".vscode",
})  # fmt: skip
"""Folders of version control, virtual environments and builds: never indexed, wherever they stand."""

_KNOWN: dict[str, dict[str, type]] = {
    "data": {"folder": str},
    "sections": {
        "include": list,
        "exclude": list,
        "strict": bool,
        "max_file_bytes": int,
        "max_total_bytes": int,
        "readers": list,
    },
    "symbols": {"namespaces": list},
    **KNOWN_SETTINGS,
}


@dataclass(frozen=True, kw_only=True)
class GovernedConfig:
    """The settings of one repository; the defaults are what a repository without a file gets."""

    data_folder: str = DATA_FOLDER
    include: tuple[str, ...] = DEFAULT_INCLUDE
    exclude: tuple[str, ...] = ()
    strict: bool = False
    max_file_bytes: int = DEFAULT_MAX_FILE_BYTES
    max_total_bytes: int = DEFAULT_MAX_TOTAL_BYTES
    readers: tuple[str, ...] = DEFAULT_READERS
    namespaces: tuple[str, ...] = ()
    policy: Policy = field(default_factory=Policy)
    intents: Mapping[str, Any] = field(default_factory=dict)

    def wants(self, file_path: str) -> bool:
        """Say whether a file is to be indexed."""
        return matches(self.include, file_path) and not matches(self.exclude, file_path)

    def data_in(self, root: Path) -> Path:
        """Return the data folder of a root; raise InputError when a link leads it elsewhere."""
        folder, real_root = root / self.data_folder, os.path.realpath(root)
        if not os.path.realpath(folder).startswith(real_root.rstrip(os.sep) + os.sep):
            raise InputError("the data folder leaves the root", place=str(folder), hint="name another with --data")
        return folder


def load_config(root: Path) -> GovernedConfig:
    """Read a repository's planvow.toml; no file means the defaults. Raises InputError with the place of a fault."""
    path = root / CONFIG_NAME
    try:
        written = tomllib.loads(_text(path))
    except FileNotFoundError:
        return GovernedConfig()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", place=CONFIG_NAME) from None
    return config_from(written)


def _text(path: Path) -> str:
    """Read settings that a repository brought along: no pipe is waited for, and no file is too large."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | system.NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("not a regular file")
        written = file.read(MOST_BYTES + 1)
    if len(written) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES} bytes")
    return written.decode("utf-8")


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
    data, sections = written.get("data", {}), written.get("sections", {})
    readers = words_of(sections, "readers", DEFAULT_READERS, "[sections]")
    read = (f"*{suffix}" for suffix in suffixes_named(readers, f"{CONFIG_NAME}: [sections] readers"))
    return GovernedConfig(
        data_folder=_folder(data.get("folder", DATA_FOLDER)),
        include=words_of(sections, "include", tuple(dict.fromkeys((*DEFAULT_INCLUDE, *read))), "[sections]"),
        exclude=words_of(sections, "exclude", (), "[sections]"),
        strict=sections.get("strict", False),
        max_file_bytes=sections.get("max_file_bytes", DEFAULT_MAX_FILE_BYTES),
        max_total_bytes=sections.get("max_total_bytes", DEFAULT_MAX_TOTAL_BYTES),
        readers=readers,
        namespaces=_namespaces(words_of(written.get("symbols", {}), "namespaces", (), "[symbols]")),
        policy=policy_from(written),
        intents=written.get("intents", {}),
    )


def _namespaces(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if not NAMESPACE.fullmatch(name):
            raise InputError(
                f"{name!r:.80} is no namespace",
                place=f"{CONFIG_NAME}: [symbols] namespaces",
                hint="a namespace has upper-case letters, digits and underscores, a letter first",
            )
    return names


def _folder(name: str) -> str:
    try:
        checked_parts(name)
    except PathRefusedError as error:
        raise InputError(
            f"expected a folder below the root: {error.message}", place=f"{CONFIG_NAME}: [data] folder"
        ) from None
    return name
