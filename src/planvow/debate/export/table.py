"""One claim a line: JSON lines for programs, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

COLUMNS = (
    "claim_id", "speaker", "turn_index", "start_ms", "end_ms", "claim_type", "route", "requires_review", "role",
    "confidence", "check_worthiness", "start", "end", "text", "standalone_text", "frame_id", "reasons", "method_path",
)  # fmt: skip

_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")  # wide forms: some readers make them narrow


def to_jsonl(public: dict[str, Any]) -> str:
    """Return one JSON object per claim and line."""
    transcript_id = public["meta"]["transcript_id"]
    lines = [json.dumps({"transcript_id": transcript_id, **claim}, ensure_ascii=False) for claim in public["claims"]]
    return "".join(line + "\n" for line in lines)


def to_csv(public: dict[str, Any]) -> str:
    """Return a table with a header; lists are joined with " | ".

    A text that a spreadsheet would take for a formula gets an apostrophe in front, which it shows as nothing.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")  # RFC 4180
    writer.writerow(COLUMNS)
    for claim in public["claims"]:
        start, end = claim["span"]
        row = {**claim, "start": start, "end": end}
        writer.writerow([cell(row[name]) for name in COLUMNS])
    return out.getvalue()


def cell(value: Any) -> Any:
    """A value as a spreadsheet shows it, whatever it begins with."""
    text = " | ".join(value) if isinstance(value, list) else value
    return f"'{text}" if isinstance(text, str) and _FORMULA.match(text) else text
