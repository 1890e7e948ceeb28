"""`planvow serve` as another process, and a client that speaks to it."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcp_servers import TRAVEL, free_port, serving


class Server:
    """A client that speaks to one server; every call is a connection of its own."""

    def __init__(self, port: int, errors: Path, process: subprocess.Popen[bytes] | None = None) -> None:
        self.port, self.process = port, process
        self._errors = errors
        self.headers: Mapping[str, str] = {}
        """Of the last answer."""

    @property
    def token(self) -> str:
        return self.errors().split("token for posting and approving: ")[1].split()[0]

    def errors(self) -> str:
        return self._errors.read_text("utf-8")

    def workers(self) -> list[int]:
        """Return the processes that plan."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        found = [int(word) for path in children for word in path.read_text().split()]
        return [pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def call(
        self, name: str, data: Any = None, *, headers: Any = None, method: str = "POST", timeout: float = 60
    ) -> tuple[int, Any, str | None]:
        body = data if isinstance(data, bytes) or data is None else json.dumps(data).encode()
        sent = {"Content-Type": "application/json", **(headers or {})}
        status, text, self.headers = self.ask(method, f"/api/v1/{name}", body, sent, timeout)
        return status, json.loads(text), self.headers.get("Content-Type")

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Any = None, timeout: float = 60
    ) -> tuple[int, str, Mapping[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), answer.headers
        finally:
            connection.close()

    def events(self, path: str, last: int = 0, **headers: str) -> list[tuple[str, str, Any]]:
        """Return a whole stream: number, kind and data of each event."""
        status, text, _ = self.ask("GET", f"/api/v1/{path}", headers={"Last-Event-ID": str(last), **headers})
        assert status == 200, text
        found = []
        for block in text.split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
            if fields:
                found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
        return found


@contextmanager
def http_server(
    folder: Path, *more: str, environment: Mapping[str, str] | None = None, port: int | None = None
) -> Iterator[Server]:
    """Start a server for the domain of travels in a folder of its own; end it afterwards."""
    at, errors = port or free_port(), folder / "errors.txt"
    words = [sys.executable, "-m", "planvow", "serve", "--domain", TRAVEL, "--port", str(at)]
    with serving([*words, "--repo-root", str(folder), *more], at, errors, environment=environment) as process:
        yield Server(at, errors, process)


CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def generated_calls(server: Server, cases: int, folder: Path, *more: str, seconds: float = 250) -> tuple[int, str]:
    """Ask a server what schemathesis makes up from its description; return how that ended and what was said."""
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", f"http://127.0.0.1:{server.port}/openapi.json",
        "--checks", CHECKS, "--max-examples", str(cases), "--phases", "coverage,fuzzing", "--seed", "1",
        "--generation-database", "none", "--exclude-operation-id", "watch_run", *more,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=folder)
    return done.returncode, done.stdout
