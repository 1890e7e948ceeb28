"""The pages of the repository where the site has them, with links that still lead to what they named.

`PLACES` says where a file or folder of the repository stands on the site; what has no place there keeps its words and
loses its link.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOVED = {
    "README.md": "index.md",
    "docs/README.md": "contents.md",
    "docs/conformance.md": "maintainers/conformance.md",
    "docs/conformance": "maintainers/conformance.md",
    "docs/adr": "maintainers/decisions/index.md",
    "ARCHITECTURE.md": "maintainers/architecture.md",
    "CONTRIBUTING.md": "maintainers/contributing.md",
    "CODE_OF_CONDUCT.md": "maintainers/conduct.md",
    "CHANGELOG.md": "reference/changelog.md",
    "SECURITY.md": "reference/security.md",
    "examples/README.md": "examples/index.md",
    "examples": "examples/index.md",
}
# What few look for and what would crowd out the pages that people need.
FOR_HISTORY = ("maintainers/decisions/", "maintainers/conformance.md", "reference/changelog.md")
UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"
OF_CODE = {".py": "python", ".hddl": "lisp", ".json": "json", ".toml": "toml", ".txt": "text", ".md": "markdown"}
_FENCE = re.compile(r"(^```.*?^```)", re.M | re.S)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#\s]*)(#[^)\s]*)?\)")


def places() -> dict[str, str]:
    """Return where each file of the repository that the site shows stands on it."""
    found = dict(MOVED)
    for path in sorted((ROOT / "docs").rglob("*")):
        name = str(path.relative_to(ROOT))
        if path.is_file() and name not in found and not name.startswith("docs/conformance/"):
            inner = name.removeprefix("docs/")
            found[name] = f"maintainers/decisions/{path.name}" if inner.startswith("adr/") else inner
    for path in sorted((ROOT / "examples").iterdir()):
        if path.name not in ("README.md", "__pycache__"):
            found[str(path.relative_to(ROOT))] = f"examples/{path.name.replace('.', '-')}.md"
    return found


def staged() -> Iterator[tuple[str, str | bytes]]:
    """Yield each page and picture that is taken from the repository, with its place on the site."""
    known = places()
    for name, place in known.items():
        path = ROOT / name
        if name == "README.md" or (path.is_dir() and not name.startswith("examples/")):
            continue
        if name.startswith("examples/") and name != "examples/README.md":
            yield place, _code_page(path)
        elif path.suffix == ".md":
            text = relinked(path.read_text("utf-8"), name, place, known)
            yield place, (UNSEARCHED + text if place.startswith(FOR_HISTORY) else text)
        elif path.suffix != ".toml":
            yield place, path.read_bytes()
    yield "maintainers/decisions/index.md", _decisions(known)


def relinked(text: str, name: str, place: str, known: dict[str, str]) -> str:
    """Return a page's text with its relative links as they must read at its place on the site."""

    def moved(found: re.Match[str]) -> str:
        picture, words, target, anchor = found.groups()
        if not target or "://" in target or target.startswith("mailto:"):
            return found[0]
        there = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if there not in known:
            return words
        way = posixpath.relpath(known[there], posixpath.dirname(place) or ".")
        return f"{picture}[{words}]({way}{anchor or ''})"

    parts = _FENCE.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(moved, part) for part in parts)


def _code_page(path: Path) -> str:
    files = [path] if path.is_file() else sorted(file for file in path.iterdir() if file.is_file())
    shown = [f"## {file.name}\n\n{_block(file)}" if path.is_dir() else _block(file) for file in files]
    name = f"examples/{path.name}{'/' if path.is_dir() else ''}"
    return f"# {name}\n\n`planvow examples copy` writes it into a folder of yours.\n\n" + "\n\n".join(shown) + "\n"


def _block(file: Path) -> str:
    return f"````{OF_CODE[file.suffix]}\n{file.read_text('utf-8').rstrip()}\n````"


def _decisions(known: dict[str, str]) -> str:
    """The list of decisions: number and title of each, newest first."""
    rows = [
        f"- [{(ROOT / name).read_text('utf-8').partition(chr(10))[0].removeprefix('# ')}]({Path(place).name})"
        for name, place in known.items()
        if name.startswith("docs/adr/")
    ]
    return (
        "# Decisions\n\nWhy things are as they are, a page each, newest first.\n\n" + "\n".join(reversed(rows)) + "\n"
    )
