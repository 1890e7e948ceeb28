"""A case of the corpus, the file that keeps its bytes, and what must be done when the two differ."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from golden.corpus.versions import KINDS
from planvow.canonical import canonical_json

ROOT = Path(__file__).resolve().parents[3]
FILES = ROOT / "tests/golden/files"
CHANGELOG = ROOT / "CHANGELOG.md"
SEPARATOR = ", "


@dataclass(frozen=True)
class Case:
    """One document: its name, its kind, and how it is made from public calls."""

    name: str
    kind: str
    make: Callable[[], str | bytes]
    lacking: Callable[[], str | None] = lambda: None
    """What is not installed here and needed to make it."""

    @property
    def path(self) -> Path:
        return FILES / f"{self.name}.golden"

    def body(self) -> bytes:
        """Make the document now."""
        made = self.make()
        return made.encode("utf-8") if isinstance(made, str) else made

    def version(self) -> str:
        """Say which planners and formats make this kind of document now."""
        return SEPARATOR.join(KINDS[self.kind]())


@dataclass(frozen=True)
class Kept:
    """What a golden file holds: the kind and the versions that made it in the first line, then the bytes."""

    kind: str
    version: str
    body: bytes

    def write(self, path: Path) -> None:
        head = json.dumps({"kind": self.kind, "version": self.version})
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(head.encode() + b"\n" + self.body + b"\n")

    @classmethod
    def read(cls, path: Path) -> Kept:
        head, body = path.read_bytes().split(b"\n", 1)
        return cls(**json.loads(head), body=body[:-1])


def as_json(value: object) -> str:
    """Write a value as the canonical JSON a reader of a diff can follow: one entry of the outermost level a line."""
    if isinstance(value, Mapping):
        return "{" + ",\n".join(f"{canonical_json(str(key))}:{canonical_json(value[key])}" for key in value) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",\n".join(canonical_json(item) for item in value) + "]"
    return canonical_json(value)


def shortened(text: str, most: int = 120) -> str:
    """Keep of every long line its beginning and its hash: small files that still say where two documents part."""
    return "\n".join(
        line if len(line) <= most else f"{line[:most]}… sha256 {hashlib.sha256(line.encode()).hexdigest()}"
        for line in text.split("\n")
    )


def complaint(case: Case, kept: Kept, made: bytes, version: str) -> str | None:
    """Say what is wrong between a golden file and the document as it is made now, and what is needed; None if nothing.

    Bytes may change only with a version, and a file carries the version that made it.
    """
    if kept.kind != case.kind:
        return f"{case.name} was kept as {kept.kind!r} and is {case.kind!r} in the table: run scripts/golden.py"
    if made == kept.body:
        if version == kept.version:
            return None
        return f"{case.name} was made by {kept.version}, now it is {version}: run scripts/golden.py"
    what = f"{case.name} ({case.kind}) has other bytes than before.\n{first_difference(kept.body, made)}\n"
    if version == kept.version:
        return (
            f"{what}It is still called {version}. If the change is meant: raise the version of that planner or "
            'document, say what changed in a line under "Plan bytes" in CHANGELOG.md that names the new version, and '
            "run scripts/golden.py. If it is not meant, undo it."
        )
    unnamed = [part for part in version.split(SEPARATOR) if not is_named(part, plan_bytes())]
    line = f' and name {", ".join(unnamed)} in a line under "Plan bytes" in CHANGELOG.md' if unnamed else ""
    return f"{what}The version moved from {kept.version} to {version}: run scripts/golden.py{line}."


def first_difference(kept: bytes, made: bytes) -> str:
    """Show the first place where two documents part, with a little of what stands around it."""
    at = next((i for i, (old, new) in enumerate(zip(kept, made)) if old != new), min(len(kept), len(made)))
    line = kept.count(b"\n", 0, at) + 1
    column = at - (kept.rfind(b"\n", 0, at) + 1) + 1
    shown = [document[max(0, at - 40) : at + 60].decode("utf-8", "replace") for document in (kept, made)]
    return f"first difference at byte {at} (line {line}, column {column}):\n  kept …{shown[0]!r}\n  made …{shown[1]!r}"


def plan_bytes(text: str | None = None) -> str:
    """Return what the changelog says under every heading "Plan bytes"."""
    text = CHANGELOG.read_text(encoding="utf-8") if text is None else text
    return "\n".join(re.findall(r"^### Plan bytes\n(.*?)(?=^##|\Z)", text, flags=re.MULTILINE | re.DOTALL))


def is_named(version: str, said: str) -> bool:
    """Say whether a text names a version such as `htn 0.2.0` or `certificate/1`, and not only a longer one."""
    return re.search(rf"(?<![\w/-]){re.escape(version)}(?![\w/-]|\.\d)", said.replace("`", "")) is not None
