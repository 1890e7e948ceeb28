"""The language server itself: what the editor asks, turned into questions to the desk and answers in its terms."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from planvow._version import __version__
from planvow.adapters.lsp.completing import KEYWORD, proposals, word_start
from planvow.adapters.lsp.desk import Desk, Document
from planvow.adapters.lsp.lines import UTF16, Lines
from planvow.adapters.lsp.looking_up import Found, declarations, describe, name_at, occurrences
from planvow.adapters.lsp.names import (
    ACTION,
    FUNCTION,
    LABEL,
    METHOD,
    OBJECT,
    PREDICATE,
    TASK,
    TYPE,
    VARIABLE,
    Tree,
    sections_of,
    tree_of,
)
from planvow.hddl.format.layout import format_text
from planvow.hddl.language.errors import HddlError
from planvow.hddl.lint.finding import INFO, WARNING, HddlFinding

PAUSE = 0.15
"""Seconds without typing after which a text is read anew."""
_MEANT = re.compile(r"did you mean '([^']+)'")
_SPAN = re.compile(r"\(?[^\s();]*")
_SEVERITIES = {WARNING: lsp.DiagnosticSeverity.Warning, INFO: lsp.DiagnosticSeverity.Information}
_COMPLETIONS = {
    KEYWORD: lsp.CompletionItemKind.Keyword,
    TYPE: lsp.CompletionItemKind.Class,
    OBJECT: lsp.CompletionItemKind.Constant,
    PREDICATE: lsp.CompletionItemKind.Property,
    FUNCTION: lsp.CompletionItemKind.Value,
    TASK: lsp.CompletionItemKind.Interface,
    ACTION: lsp.CompletionItemKind.Function,
    METHOD: lsp.CompletionItemKind.Method,
    VARIABLE: lsp.CompletionItemKind.Variable,
    LABEL: lsp.CompletionItemKind.Reference,
}
_SYMBOLS = {
    ":task": lsp.SymbolKind.Interface,
    ":method": lsp.SymbolKind.Method,
    ":action": lsp.SymbolKind.Function,
    ":types": lsp.SymbolKind.Class,
    ":predicates": lsp.SymbolKind.Property,
    ":constants": lsp.SymbolKind.Constant,
    ":objects": lsp.SymbolKind.Object,
}


class HddlServer(LanguageServer):
    """A language server for HDDL. A text is read when its author pauses; whatever is asked meanwhile is answered."""

    def __init__(self) -> None:
        super().__init__("planvow", __version__)
        self.desk = Desk()
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self.may_leave = False
        self.left_early = False
        """Whether the editor told the server to exit without having told it to shut down, which is a failure."""
        _register(self)

    def update(self, uri: str, lines: Lines, version: int | None) -> None:
        """Take a new version of a text, and read it after a pause."""
        document = self.desk.documents.setdefault(uri, Document(uri, lines))
        document.lines, document.version = lines, version
        self._later(uri)

    def leave(self, uri: str) -> None:
        """Forget a text that the editor has closed, and what was said about it; what is on the disk counts now."""
        document = self.desk.documents.get(uri)
        problems = [] if document is None else list(self.desk.problems_of(document))
        self.desk.documents.pop(uri, None)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self._publish(uri, None, [])
        for problem in problems:
            self._later(problem.uri)

    def read_problems(self) -> None:
        """Read all open problems anew: a domain on the disk may be another one than before."""
        for document in list(self.desk.documents.values()):
            if document.opening.kind == "problem":
                self._later(document.uri)

    def _later(self, uri: str) -> None:
        before = self._waiting.pop(uri, None)
        if before is not None:
            before.cancel()
        self._waiting[uri] = asyncio.get_running_loop().call_later(PAUSE, self.read_now, uri)

    def read_now(self, uri: str) -> None:
        """Read a text, say what is to be said, and let the open problems of a domain follow."""
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        document = self.desk.documents.get(uri)
        if document is None:
            return
        domain = document.domain
        findings = self.desk.check(document)
        self._publish(uri, document.version, [_diagnostic(finding, document.lines) for finding in findings])
        if document.domain is not domain:
            for problem in self.desk.problems_of(document):
                self._later(problem.uri)

    def _publish(self, uri: str, version: int | None, found: list[lsp.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=found)
        )

    def at(self, params: Any) -> tuple[Document, int] | None:
        """Return the document and the offset that a question is about."""
        document = self.desk.documents.get(params.text_document.uri)
        if document is None:
            return None
        return document, document.lines.offset(params.position.line, params.position.character)


def _register(server: HddlServer) -> None:
    """Tell pygls which function answers what."""
    for name, function, *options in (
        (lsp.TEXT_DOCUMENT_DID_OPEN, _did_open),
        (lsp.TEXT_DOCUMENT_DID_CHANGE, _did_change),
        (lsp.TEXT_DOCUMENT_DID_CLOSE, _did_close),
        (lsp.INITIALIZED, _initialized),
        (lsp.SHUTDOWN, _shut_down),
        (lsp.EXIT, _exit),
        (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, _files_changed),
        (lsp.TEXT_DOCUMENT_DEFINITION, _definition),
        (lsp.TEXT_DOCUMENT_REFERENCES, _references),
        (lsp.TEXT_DOCUMENT_HOVER, _hover),
        (lsp.TEXT_DOCUMENT_COMPLETION, _completion, lsp.CompletionOptions(trigger_characters=["(", ":", "?", "-"])),
        (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _outline),
        (lsp.TEXT_DOCUMENT_FORMATTING, _formatting),
        (lsp.TEXT_DOCUMENT_CODE_ACTION, _fixes,
         lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])),
    ):  # fmt: skip
        server.feature(name, *options)(function)


def _did_open(server: HddlServer, params: lsp.DidOpenTextDocumentParams) -> None:
    opened = params.text_document
    encoding = str(getattr(server.workspace.position_encoding, "value", UTF16))
    server.update(opened.uri, Lines(opened.text, encoding), opened.version)


def _did_change(server: HddlServer, params: lsp.DidChangeTextDocumentParams) -> None:
    document = server.desk.documents.get(params.text_document.uri)
    if document is None:
        return
    lines = document.lines
    for change in params.content_changes:
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            start, end = change.range.start, change.range.end
            lines = lines.changed((start.line, start.character), (end.line, end.character), change.text)
        else:
            lines = lines.replaced(change.text)
    server.update(document.uri, lines, params.text_document.version)


def _did_close(server: HddlServer, params: lsp.DidCloseTextDocumentParams) -> None:
    server.leave(params.text_document.uri)


async def _initialized(server: HddlServer, params: lsp.InitializedParams) -> None:
    """Ask to be told when HDDL files change on the disk, of editors that can be asked."""
    workspace = server.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace is not None else None
    if watched is None or not watched.dynamic_registration:
        return
    wanted = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=[lsp.FileSystemWatcher(glob_pattern="**/*.hddl")])
    asked = lsp.Registration(id="hddl-files", method=lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=wanted)
    with suppress(JsonRpcException):  # an editor that says it can and then cannot
        await server.client_register_capability_async(lsp.RegistrationParams(registrations=[asked]))


def _shut_down(server: HddlServer, params: None) -> None:
    server.may_leave = True


def _exit(server: HddlServer, params: None) -> None:
    server.left_early = not server.may_leave


def _files_changed(server: HddlServer, params: lsp.DidChangeWatchedFilesParams) -> None:
    server.read_problems()


def _definition(server: HddlServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
    return _looked_up(server, params, declarations)


def _references(server: HddlServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    found = _looked_up(server, params, occurrences)
    if params.context.include_declaration:
        return found
    declared = _looked_up(server, params, declarations)
    return [location for location in found if location not in declared]


def _looked_up(server: HddlServer, params: Any, answer: Any) -> list[lsp.Location]:
    asked = server.at(params)
    name = name_at(*asked) if asked else None
    if asked is None or name is None:
        return []
    found: Iterable[Found] = answer(server.desk, asked[0], name)
    return [lsp.Location(uri=text.uri, range=_range(text.lines, each.at, each.end)) for text, each in found]


def _hover(server: HddlServer, params: lsp.HoverParams) -> lsp.Hover | None:
    asked = server.at(params)
    name = name_at(*asked) if asked else None
    if asked is None or name is None:
        return None
    text = describe(server.desk, asked[0], name)
    if text is None:
        return None
    content = lsp.MarkupContent(kind=lsp.MarkupKind.Markdown, value=text)
    return lsp.Hover(contents=content, range=_range(asked[0].lines, name.at, name.end))


def _completion(server: HddlServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    asked = server.at(params)
    if asked is None:
        return []
    document, offset = asked
    place = _range(
        document.lines, word_start(document.lines.text[:offset]), offset
    )  # an editor's idea of a word ends at : and ?
    return [
        lsp.CompletionItem(
            label=each.text,
            kind=_COMPLETIONS[each.kind],
            sort_text=f"{number:04}",
            text_edit=lsp.TextEdit(range=place, new_text=each.text),
        )
        for number, each in enumerate(proposals(server.desk, document, offset))
    ]


def _outline(server: HddlServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    document = server.desk.documents.get(params.text_document.uri)
    if document is None:
        return []
    return [_symbol(document.lines, section) for section in sections_of(tree_of(document.lines.text))]


def _symbol(lines: Lines, section: Tree) -> lsp.DocumentSymbol:
    words = list(section.words())
    is_named = section.head in (":task", ":method", ":action") and len(words) > 1
    name = words[1] if is_named else words[0]
    return lsp.DocumentSymbol(
        name=name.text,
        detail=section.head[1:] if is_named else None,
        kind=_SYMBOLS.get(section.head, lsp.SymbolKind.Namespace),
        range=_range(lines, section.at, max(section.end, name.at + len(name.text))),
        selection_range=_range(lines, name.at, name.at + len(name.text)),
    )


def _formatting(server: HddlServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
    document = server.desk.documents.get(params.text_document.uri)
    if document is None:
        return None
    text = document.lines.text
    try:
        made = format_text(text)
    except HddlError:  # half typed: what is wrong stands among the diagnostics
        return None
    return [lsp.TextEdit(range=_range(document.lines, 0, len(text)), new_text=made)] if made != text else []


def _fixes(server: HddlServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    uri = params.text_document.uri
    found = []
    for diagnostic in params.context.diagnostics:
        meant = diagnostic.data.get("meant") if isinstance(diagnostic.data, dict) else None
        if diagnostic.source == "planvow" and meant:
            edit = lsp.TextEdit(range=diagnostic.range, new_text=meant)
            found.append(
                lsp.CodeAction(
                    title=f"Change to {meant}",
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[diagnostic],
                    is_preferred=True,
                    edit=lsp.WorkspaceEdit(changes={uri: [edit]}),
                )
            )
    return found


def _diagnostic(finding: HddlFinding, lines: Lines) -> lsp.Diagnostic:
    start = lines.start_of(finding.line - 1) + finding.column - 1
    span = _SPAN.match(lines.text, start)
    meant = _MEANT.search(finding.hint or "")
    said = finding.message.partition("\n")[0]  # the lines below show the text, which the editor does itself
    return lsp.Diagnostic(
        range=_range(lines, start, max(start + 1, span.end() if span else 0)),
        message=f"{said}\nhint: {finding.hint}" if finding.hint else said,
        severity=_SEVERITIES.get(finding.severity, lsp.DiagnosticSeverity.Error),
        code=finding.code,
        source="planvow",
        data={"meant": meant.group(1)} if meant else None,
    )


def _range(lines: Lines, start: int, end: int) -> lsp.Range:
    first, last = lines.position(start), lines.position(end)
    return lsp.Range(start=lsp.Position(*first), end=lsp.Position(*last))
