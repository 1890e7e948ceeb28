"""A server on the loopback interface that speaks enough of the Messages API to test the real SDK against it."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def message(text, *, stop_reason="end_turn", input_tokens=1500, output_tokens=200):
    """The body of a successful answer."""
    return {
        "id": "msg_test", "type": "message", "role": "assistant", "model": "test-model", "stop_reason": stop_reason,
        "stop_sequence": None, "content": [{"type": "text", "text": text}],
        "usage": {"input_tokens": input_tokens, "output_tokens": output_tokens},
    }  # fmt: skip


def plan_text(*steps):
    """A plan as a model writes it, params as JSON text."""
    written = [
        {"step_id": f"s{n}", "skill": skill, "params": json.dumps(params), "depends_on": needs, "on_error": "abort"}
        for n, (skill, params, needs) in enumerate(steps, start=1)
    ]
    return json.dumps({"steps": written})


def completion(text, *, finish_reason="stop", cached=0, **message):
    """The body of a successful answer in the form of chat completions."""
    return {
        "id": "chat_test", "object": "chat.completion", "created": 0, "model": "test-model",
        "choices": [{"index": 0, "finish_reason": finish_reason,
                     "message": {"role": "assistant", "content": text, **message}}],
        "usage": {"prompt_tokens": 1500, "completion_tokens": 200, "total_tokens": 1700,
                  "prompt_tokens_details": {"cached_tokens": cached}},
    }  # fmt: skip


class MessagesServer:
    """Answers requests from a script, one entry each; the last entry repeats. Keeps the requests it saw."""

    def __init__(self):
        self.script = []
        self.requests = []
        self._release = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.requests.append({"path": self.path, "headers": dict(self.headers), "body": json.loads(body)})
                entry = outer.script.pop(0) if len(outer.script) > 1 else outer.script[0]
                entry(self)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def answers(self, *entries):
        """Set the script: texts become successful answers."""
        self.script = [self.says(e) if isinstance(e, str) else e for e in entries]

    @staticmethod
    def says(text, **options):
        return MessagesServer.sends(200, message(text, **options))

    @staticmethod
    def sends(status, body, **headers):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()

        def act(handler):
            handler.send_response(status)
            for name, value in {"content-type": "application/json", "content-length": str(len(raw)), **headers}.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            handler.wfile.write(raw)

        return act

    @staticmethod
    def fails(status, kind, text, **headers):
        return MessagesServer.sends(status, {"type": "error", "error": {"type": kind, "message": text}}, **headers)

    def hangs(self):
        """Say nothing until the server is closed."""
        return lambda handler: self._release.wait(30)

    @staticmethod
    def breaks_off(handler):
        """Promise more bytes than are sent, then hang up."""
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", "5000")
        handler.end_headers()
        handler.wfile.write(b'{"id": "msg_test", "type": "mess')
        handler.close_connection = True

    def close(self):
        self._release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
