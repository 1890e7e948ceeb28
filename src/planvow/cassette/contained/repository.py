"""What a `.git` names outside itself, from which git later runs or reads: a folder of its own, hooks, further settings.

`.git` is a file where the repository lies elsewhere (`gitdir: …`). Its settings may name another folder of hooks, and
further files of settings, which may do so again. Whoever writes there decides what the next commit runs.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from planvow.cassette.files import system

MOST_BYTES = 1 << 20
MOST_FILES = 20  # settings that include each other

_SECTION = re.compile(r"\s*\[\s*([A-Za-z0-9.-]+)")
_SETTING = re.compile(r"(?:\s*\[[^\]]*\])?\s*([A-Za-z0-9-]+)\s*=\s*(.*)")


def named_by(git: str) -> list[str]:
    """Return the paths that a `.git` names, absolute, whether something is there or not."""
    home, found = git, []
    if not os.path.isdir(git):
        said = _text(git)
        if not said.startswith("gitdir:"):
            return []
        home = _from(os.path.dirname(git), said.removeprefix("gitdir:").strip())
        found.append(home)
    return [*found, *_settings(home, os.path.dirname(git))]


def _settings(home: str, tree: str) -> Iterator[str]:
    shared = _text(os.path.join(home, "commondir")).strip()  # a further working tree has the settings of the first
    homes = [home, *([_from(home, shared)] if shared else [])]
    pending = [os.path.join(place, name) for place in homes for name in ("config", "config.worktree")]
    looked: list[str] = []
    while pending and len(looked) < MOST_FILES:
        file = pending.pop()
        if file in looked:
            continue
        looked.append(file)
        for section, name, value in _lines(_text(file)):
            if (section, name) == ("core", "hookspath"):
                yield _from(tree, value)
            elif section in ("include", "includeif") and name == "path":
                included = _from(os.path.dirname(file), value)
                yield included
                pending.append(included)


def _lines(text: str) -> Iterator[tuple[str, str, str]]:
    section = ""
    for line in text.splitlines():
        if begun := _SECTION.match(line):
            section = begun[1].lower()
        if given := _SETTING.match(line):
            yield section, given[1].lower(), _value(given[2])


def _value(written: str) -> str:
    quoted = re.match(r'"([^"]*)"', written)
    return quoted[1] if quoted else re.split(r"\s[#;]", written)[0].strip()


def _from(folder: str, path: str) -> str:
    return os.path.join(folder, os.path.expanduser(path))


def _text(file: str) -> str:
    try:
        handle = os.open(file, os.O_RDONLY | system.NONBLOCK | system.CLOEXEC)  # a pipe would be waited for
    except (OSError, ValueError):
        return ""  # nothing is there, or no path at all
    with open(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return ""
        return opened.read(MOST_BYTES).decode("utf-8", "replace")
