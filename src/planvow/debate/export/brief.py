"""For people who work with claims on paper and in sheets: a page per speaker to print, a table for a newsroom."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from planvow.debate.export.table import cell

NEWSROOM = ("nr", "speaker", "time", "claim", "as spoken", "type", "worth checking", "status", "checked by", "verdict",
            "sources", "claim_id")  # fmt: skip
_STYLE = """
body { font: 11pt/1.45 Georgia, serif; color: #111; max-width: 46em; margin: 2em auto; padding: 0 1em;
  background: #fff; }
h1 { font-size: 1.5em; margin: 0 0 .2em; } h2 { font-size: 1.05em; margin: 1.2em 0 .3em; }
.facts { color: #555; margin: 0 0 1em; }
section.speaker { break-after: page; border-top: 2px solid #111; padding-top: .8em; margin-top: 2em; }
ol { padding-left: 1.8em; } li { margin: .35em 0; break-inside: avoid; } .where { color: #555; font-size: .85em; }
.said { display: block; color: #555; font-size: .9em; } @media print { body { margin: 0; max-width: none; } }
"""
_PARTS: tuple[tuple[str, Callable[[Mapping[str, Any]], bool]], ...] = (
    ("To check", lambda claim: claim["route"] == "fact_check"),
    ("Announced or foretold", lambda claim: claim["claim_type"] == "predictive"),
    ("Demanded", lambda claim: claim["claim_type"] == "normative"),
)


def to_newsroom(public: dict[str, Any]) -> str:
    """Return a CSV with what a desk fills in: status, checker, verdict and sources; known facts are filled in."""
    checks = {check["claim_id"]: check for check in public["fact_checks"]}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")  # RFC 4180
    writer.writerow(NEWSROOM)
    wanted = [claim for claim in public["claims"] if claim["route"] == "fact_check"]
    for number, claim in enumerate(wanted, start=1):
        check = checks.get(claim["claim_id"])
        known = check is not None and check["status"] != "NO_DATA"
        row = [
            number, claim["speaker"], clock(claim["start_ms"]), claim["standalone_text"], claim["clean_text"],
            claim["claim_type"], f"{claim['check_worthiness']:.2f}", "known" if known else "open", "",
            check["status"] if check and known else "", [*check["sources"], *check["urls"]] if check and known else "",
            claim["claim_id"],
        ]  # fmt: skip
        writer.writerow([cell(value) for value in row])
    return out.getvalue()


def to_brief(public: dict[str, Any]) -> str:
    """Return one HTML document with a page per speaker: what to check, what was foretold, demanded, and contested."""
    title = escape(public["meta"].get("title") or "Debate")
    speakers = list(dict.fromkeys(claim["speaker_key"] for claim in public["claims"]))
    pages = "".join(_page(public, speaker) for speaker in speakers)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width, initial-scale=1"><title>{title}: brief</title><style>{_STYLE}</style></head>\n'
        f"<body><h1>{title}</h1>{pages}</body></html>\n"
    )


def _page(public: Mapping[str, Any], speaker: str) -> str:
    claims = [claim for claim in public["claims"] if claim["speaker_key"] == speaker]
    by_id = {claim["claim_id"]: claim for claim in public["claims"]}
    own = {claim["claim_id"] for claim in claims}
    attacked = [
        f'{_item(by_id[r["target"]])}<span class="said">attacked by {escape(by_id[r["source"]]["speaker"] or "")}: '
        f"{escape(by_id[r['source']]['standalone_text'])}</span>"
        for r in public["relations"]
        if r["type"] == "REBUTTAL" and r["target"] in own and r["source"] in by_id
    ]
    parts = [(name, [_item(claim) for claim in claims if wanted(claim)]) for name, wanted in _PARTS]
    lists = "".join(_list(name, items) for name, items in (*parts, ("Contested", attacked)))
    count = f"{len(claims)} claim{'' if len(claims) == 1 else 's'}"
    name = escape(claims[0]["speaker"] or "Unknown")
    return f'<section class="speaker"><h1>{name}</h1><p class="facts">{count}</p>{lists}</section>\n'


def _list(name: str, items: Sequence[str]) -> str:
    return f"<h2>{name} ({len(items)})</h2><ol>{''.join(f'<li>{item}</li>' for item in items)}</ol>" if items else ""


def _item(claim: Mapping[str, Any]) -> str:
    where = clock(claim["start_ms"]) or f"characters {claim['span'][0]} to {claim['span'][1]}"
    return f'{escape(claim["standalone_text"])} <span class="where">{where}</span>'


def clock(ms: int | None) -> str:
    """A time as 1:02:03; nothing where it is not known."""
    if ms is None:
        return ""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
