"""The texts an editor has open: what each was last read as, and which domain belongs to which problem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlparse

from planvow.adapters.lsp.lines import Lines
from planvow.adapters.lsp.names import Name, names_of, tree_of
from planvow.errors import InputError
from planvow.hddl.language.errors import HddlError
from planvow.hddl.language.model import HddlDomain, HddlProblem
from planvow.hddl.language.opening import ENOUGH, Opening, domain_wanted, opening_of
from planvow.hddl.language.reader import read
from planvow.hddl.language.source import Source
from planvow.hddl.lint.check import of_domain, of_error, of_problem
from planvow.hddl.lint.finding import INFO, HddlFinding
from planvow.hddl.lint.summary import Summary
from planvow.hddl.parsing.files import read_file
from planvow.hddl.parsing.text import parse_domain, parse_problem

_MOST_FILES = 200
_LARGEST_NEIGHBOUR = 2_000_000


@dataclass
class Document:
    """One open text. `domain` and `problem` are those of the last version that could be read."""

    uri: str
    lines: Lines
    version: int | None = None
    domain: HddlDomain | None = None
    problem: HddlProblem | None = None
    findings: list[HddlFinding] = field(default_factory=list)
    _named: tuple[Lines, list[Name]] | None = None
    _summed: tuple[HddlDomain, Summary] | None = None

    @property
    def opening(self) -> Opening:
        """Whether it is a domain or a problem, and its name; a text that says neither may become a domain."""
        return opening_of(self.lines.text) or Opening("domain", "")

    @property
    def names(self) -> list[Name]:
        """Every name in it, read when somebody asks."""
        if self._named is None or self._named[0] is not self.lines:
            self._named = (self.lines, names_of(tree_of(self.lines.text)))
        return self._named[1]

    @property
    def summary(self) -> Summary | None:
        """What the tasks of the domain need and change, as far as it was readable last."""
        if self.domain is None:
            return None
        if self._summed is None or self._summed[0] is not self.domain:
            self._summed = (self.domain, Summary(self.domain))
        return self._summed[1]

    @cached_property
    def path(self) -> Path | None:
        """The file behind it, if there is one."""
        parsed = urlparse(self.uri)
        return Path(unquote(parsed.path)) if parsed.scheme == "file" else None


class Desk:
    """All open documents."""

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self._neighbours: dict[Path, tuple[tuple[int, int], Document]] = {}

    def check(self, document: Document) -> list[HddlFinding]:
        """Read a document anew and return what is to be said about it; nothing that is typed raises."""
        try:
            is_problem = document.opening.kind == "problem"
            document.findings = self._check_problem(document) if is_problem else _check_domain(document)
        except HddlError as error:
            document.findings = [of_error(error)]
        return document.findings

    def _check_problem(self, document: Document) -> list[HddlFinding]:
        text = document.lines.text
        named = domain_wanted(text)
        found = self.domain_of(document)
        if found is None or found.domain is None:
            read(Source(text, document.uri))
            wanted = f"domain {named.name}" if named else "its domain"
            message = (
                f"{wanted} is not open nor in this folder, or cannot be read: only the form of this file is checked"
            )
            place = Source(text, document.uri).place(named.at if named else 0)
            return [
                HddlFinding(
                    code="DOMAIN_MISSING", severity=INFO, message=message, place=str(place),
                    line=place.line, column=place.column,
                )
            ]  # fmt: skip
        document.problem = parse_problem(text, found.domain, file=document.uri)
        return list(of_problem(document.problem, found.summary))

    def domain_of(self, document: Document) -> Document | None:
        """Return the document that holds a problem's domain; of a domain, itself."""
        if document.opening.kind == "domain":
            return document
        named = domain_wanted(document.lines.text)
        wanted = named.name if named else None
        near = next((near for near in self._nearby(document) if wanted in (None, near.opening.name.lower())), None)
        if near is not None or wanted is None:
            return near
        elsewhere = [other for other in self.documents.values() if other.opening.kind == "domain"]
        return next((other for other in elsewhere if other.opening.name.lower() == wanted), None)

    def problems_of(self, document: Document) -> Iterator[Document]:
        """Yield the open problems of a domain."""
        for other in self.documents.values():
            if other is not document and other.opening.kind == "problem" and self.domain_of(other) is document:
                yield other

    def _nearby(self, document: Document) -> Iterator[Document]:
        """Yield the domains around a document, open ones as they are in the editor, the one named after it first."""
        path = document.path
        if path is None:
            return
        is_open = {other.path: other for other in self.documents.values() if other is not document}
        files = [path.with_name(f"{path.stem}-domain.hddl"), path.with_name("domain.hddl")]
        files += [file for file in is_open if file is not None and file.parent == path.parent]
        for pattern in ("*domain*.hddl", "*.hddl"):
            for folder in (path.parent, path.parent.parent):  # instances often lie in a folder below their domain
                files += sorted(folder.glob(pattern))[:_MOST_FILES] if folder.is_dir() else []
        for file in dict.fromkeys(files):
            near = is_open.get(file) or (self._read(file) if file.is_file() else None)
            if near is not None and near.opening.kind == "domain" and near.opening.name:
                yield near

    def _read(self, file: Path) -> Document | None:
        try:
            state = file.stat()
            kept = self._neighbours.get(file)
            if kept is not None and kept[0] == (state.st_mtime_ns, state.st_size):
                return kept[1]
            if state.st_size > _LARGEST_NEIGHBOUR or not _begins_domain(file):
                return None
            document = Document(file.as_uri(), Lines(read_file(file)))
        except (OSError, InputError):
            return None
        self.check(document)
        self._neighbours[file] = ((state.st_mtime_ns, state.st_size), document)
        return document


def _begins_domain(file: Path) -> bool:
    """Whether a file opens with a domain, by its beginning alone: most files of a folder are problems, some large."""
    with file.open(encoding="utf-8-sig", errors="replace") as stream:
        opening = opening_of(stream.read(ENOUGH))
    return opening is not None and opening.kind == "domain"


def _check_domain(document: Document) -> list[HddlFinding]:
    document.domain = parse_domain(document.lines.text, file=document.uri)
    return list(of_domain(document.domain))
