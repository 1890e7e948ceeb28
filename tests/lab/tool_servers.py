"""Servers for tests that call tools: the example's MCP shop as a process of its own, and an HTTP service."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SHOP_SERVER = ROOT / "examples/tools/shop_server.py"
SHOP_REVIEW = ROOT / "examples/tools/shop.toml"
SHOP_COMMAND = (sys.executable, str(SHOP_SERVER))

SMALL_SERVER = '''"""One tool or two, written by a test."""
import os, sys, time
from pathlib import Path
from mcp.server.mcpserver import MCPServer

server = MCPServer("small")


@server.tool()
def note({parameters}) -> dict[str, str]:
    """Write a line into a file."""
    with Path(__file__).with_suffix(".log").open("a") as log:
        log.write(f"{{text}}\\n")
    return {{"said": f"{{text}} {{os.environ.get('NOTE_TOKEN', '')}}"}}


@server.tool()
def rest(seconds: float) -> str:
    """Take some time."""
    time.sleep(seconds)
    return "rested"


server.run("stdio")
'''


def small_server(path: Path, parameters: str = "text: str") -> tuple[str, ...]:
    """Write a server that notes what it is told; return its command."""
    path.write_text(SMALL_SERVER.format(parameters=parameters))
    return (sys.executable, str(path))


@contextmanager
def shop_over_http() -> Iterator[str]:
    """Start the shop as a process that listens; give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*SHOP_COMMAND, "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(port, process)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not listen in a minute")


class Service:
    """An HTTP service that remembers what it was asked and answers as it is told."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.answers: list[tuple[int, dict[str, str], Any]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(size)) if size else None
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.asked.append({"method": self.command, "path": self.path, "headers": headers, "body": body})
                status, more, data = service.answers.pop(0) if service.answers else (200, {}, {"ok": True})
                raw = json.dumps(data).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": len(raw), **more}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_PUT = do_DELETE = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Service:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
