"""One claim a line: JSON lines for programs, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

COLUMNS = (
    "claim_id", "speaker", "turn_index", "start_ms", "end_ms", "claim_type", "route", "requires_review", "role",
    "confidence", "check_worthiness", "start", "end", "text", "standalone_text", "frame_id", "reasons", "method_path",
)  # fmt: skip


def to_jsonl(public: dict[str, Any]) -> str:
    """Return one JSON object per claim and line."""
    transcript_id = public["meta"]["transcript_id"]
    lines = [json.dumps({"transcript_id": transcript_id, **claim}, ensure_ascii=False) for claim in public["claims"]]
    return "".join(line + "\n" for line in lines)


def to_csv(public: dict[str, Any]) -> str:
    """Return a table with a header; lists are joined with " | "."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")  # RFC 4180
    writer.writerow(COLUMNS)
    for claim in public["claims"]:
        start, end = claim["span"]
        row = {**claim, "start": start, "end": end}
        writer.writerow([" | ".join(v) if isinstance(v := row[name], list) else v for name in COLUMNS])
    return out.getvalue()
