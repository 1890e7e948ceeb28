"""OpenTelemetry's real SDK in other processes: each appends its spans to one file, which a test reads."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PROVIDER = """
import json, os
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult

class ToFile(SpanExporter):
    def export(self, spans):
        with open(os.environ["SPANS_FILE"], "a", encoding="utf-8") as file:
            for span in spans:
                told = json.loads(span.to_json(indent=None))
                file.write(json.dumps({**told, "pid": os.getpid()}) + "\\n")
        return SpanExportResult.SUCCESS

def provider():
    made = TracerProvider()
    made.add_span_processor(SimpleSpanProcessor(ToFile()))
    return made
"""
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"


def exporting(folder: Path) -> dict[str, str]:
    """Return the environment in which programs export their spans to a file in the folder."""
    (folder / "spans_to_file.py").write_text(PROVIDER, "utf-8")
    told = folder / "spans_to_file-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: spans-to-file\nVersion: 1.0\n", "utf-8")
    named = "[opentelemetry_tracer_provider]\nto_file = spans_to_file:provider\n"
    (told / "entry_points.txt").write_text(named, "utf-8")
    return {
        **os.environ,
        "PYTHONPATH": str(folder),
        "OTEL_PYTHON_TRACER_PROVIDER": "to_file",
        "SPANS_FILE": str(folder / "spans.jsonl"),
    }


def spans_in(folder: Path) -> list[dict[str, Any]]:
    """Return the spans that were exported."""
    path = folder / "spans.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def names_above(span: Mapping[str, Any], spans: list[dict[str, Any]]) -> list[str]:
    """Return the names of a span and of all above it, up to what came from outside."""
    by_id = {each["context"]["span_id"]: each for each in spans}
    found, at = [], dict(span)
    while at:
        found.append(at["name"])
        at = by_id.get(at["parent_id"] or "", {})
    return found
