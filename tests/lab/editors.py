"""An editor for tests: pygls's own client, to a server in this process (over loopback) or in one of its own (stdio)."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

PATIENCE = 60


class Editor:
    """What a person does in an editor, and what the server said meanwhile."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.said: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.logged: list[str] = []
        self._texts: dict[str, tuple[int, str]] = {}
        client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.said.update({params.uri: params}))
        client.feature(lsp.WINDOW_SHOW_MESSAGE)(lambda params: self.logged.append(params.message))
        client.feature(lsp.WINDOW_LOG_MESSAGE)(lambda params: self.logged.append(params.message))

    async def begin(self, folder: Path) -> lsp.InitializeResult:
        asked = lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=folder.as_uri())
        answer = await self.client.initialize_async(asked)
        self.client.initialized(lsp.InitializedParams())
        return answer

    def open(self, uri: str, text: str) -> None:
        self._texts[uri] = (1, text)
        item = lsp.TextDocumentItem(uri=uri, language_id="hddl", version=1, text=text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))

    def replace(self, uri: str, text: str) -> None:
        self._send(uri, text, [lsp.TextDocumentContentChangeWholeDocument(text=text)])

    def edit(self, uri: str, old: str, new: str) -> None:
        """Replace a piece of the text as editors send it: by its range."""
        text = self._texts[uri][1]
        at = text.index(old)
        span = lsp.Range(start=position(text, at), end=position(text, at + len(old)))
        change = lsp.TextDocumentContentChangePartial(range=span, text=new)
        self._send(uri, text[:at] + new + text[at + len(old) :], [change])

    def _send(self, uri: str, text: str, changes: list) -> None:
        version = self._texts[uri][0] + 1
        self._texts[uri] = (version, text)
        which = lsp.VersionedTextDocumentIdentifier(uri=uri, version=version)
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(text_document=which, content_changes=changes)
        )

    async def diagnostics(self, uri: str, *, more_than: int = -1) -> list[lsp.Diagnostic]:
        """Return what is said about the version that was sent last."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            said = self.said.get(uri)
            if said and said.version == self._texts[uri][0] and len(said.diagnostics) > more_than:
                return list(said.diagnostics)
            await asyncio.sleep(0.02)
        raise TimeoutError(f"nothing was said about {uri}")

    def at(self, uri: str, piece: str, *, within: int = 0) -> dict:
        """Return what a question about a place in the text is asked with."""
        text = self._texts[uri][1]
        place = position(text, text.index(piece) + within)
        return {"text_document": lsp.TextDocumentIdentifier(uri=uri), "position": place}

    def cut(self, uri: str, span: lsp.Range) -> str:
        """Return what stands in a range."""
        lines = self._texts[uri][1].split("\n")
        assert span.start.line == span.end.line
        return (
            lines[span.start.line]
            .encode("utf-16-le")[2 * span.start.character : 2 * span.end.character]
            .decode("utf-16-le")
        )


def position(text: str, at: int) -> lsp.Position:
    """Return a place as clients count by default: in units of UTF-16."""
    before = text[:at]
    line = before.rpartition("\n")[2]
    return lsp.Position(line=before.count("\n"), character=len(line.encode("utf-16-le")) // 2)


@asynccontextmanager
async def in_process(folder: Path) -> AsyncIterator[Editor]:
    """Yield an editor whose server runs in a thread of this process."""
    from planvow.adapters.lsp.server import HddlServer

    server = HddlServer()

    def serve() -> None:
        with suppress(SystemExit):  # how it ends when the editor says so
            server.start_tcp("127.0.0.1", 0)

    running = threading.Thread(target=serve, daemon=True)
    running.start()
    while server._server is None or not server._server.sockets:
        await asyncio.sleep(0.01)
    editor = Editor(LanguageClient("editor", "1"))
    await editor.client.start_tcp(*server._server.sockets[0].getsockname())
    await editor.begin(folder)
    try:
        yield editor
    finally:
        await editor.client.shutdown_async(None)
        editor.client.exit(None)
        await editor.client.stop()
        running.join(PATIENCE)


@asynccontextmanager
async def over_stdio(folder: Path) -> AsyncIterator[Editor]:
    """Yield an editor that has started `planvow lsp`."""
    editor = Editor(LanguageClient("editor", "1"))
    await editor.client.start_io(sys.executable, "-m", "planvow", "lsp", cwd=folder)
    await editor.begin(folder)
    try:
        yield editor
        await editor.client.shutdown_async(None)
        editor.client.exit(None)
        process = editor.client._server
        await asyncio.wait_for(process.wait(), PATIENCE)
        assert process.returncode == 0
        assert (await process.stderr.read()) == b""
    finally:
        await editor.client.stop()
