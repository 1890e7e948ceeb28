"""The report: one HTML file that needs nothing else, not even a network.

The transcript with its claims marked, filters, a ranked list, the argument map, and for the chosen claim everything
that is known about it. The page's data is the same public result every other format is made of. A content security
policy lets the page's own script and style run, named by their hashes, and nothing else, whatever a transcript
smuggles in.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from planvow.debate.analysis.result import DebateResult
from planvow.debate.export.argument_map import argument_map
from planvow.debate.export.marking import Place, pieces, places_by_turn
from planvow.debate.terms.transcript import SpeakerTurn

_FIELDS = (
    "claim_id", "text", "clean_text", "standalone_text", "speaker", "speaker_key", "turn_index", "claim_type", "route",
    "role", "confidence", "check_worthiness", "reasons", "method_path", "frame_id", "span", "start_ms",
    "requires_review", "boundary_confidence",
)  # fmt: skip


REPORT_TAG = "debate-report/2"


@cache
def _part(name: str) -> str:
    return files("planvow.debate.export").joinpath("report", name).read_text("utf-8")


@cache
def _script() -> str:
    return _part("report.js") + _part("review.js")


def to_html(public: dict[str, Any], result: DebateResult) -> str:
    """Return the report as one HTML document."""
    title = public["meta"].get("title") or "Debate analysis"
    data = {
        "claims": [{name: claim[name] for name in _FIELDS} for claim in public["claims"]],
        "relations": public["relations"],
        "resolutions": [
            {key: r[key] for key in ("text", "status", "winner", "confidence", "span", "turn_index")}
            for r in public["resolutions"]
        ],
        "fact_checks": public["fact_checks"],
        "media": public["meta"].get("media", ""),
        "transcript_id": public["meta"]["transcript_id"],
    }
    values = {
        "policy": escape(_policy()),
        "version": REPORT_TAG,
        "title": escape(title),
        "style": _part("report.css"),
        "script": _script(),
        "summary": _summary(public),
        "notes": _notes(public),
        "filters": _filters(public),
        "transcript": "".join(_turns(public, result)),
        "map": argument_map(public),
        "data": _embedded(data),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], _part("report.html"))  # once: words stay words


@cache
def _policy() -> str:
    """Allow the script and the style of the page itself, and no address at all."""
    allowed = {"script-src": _script(), "style-src": _part("report.css")}
    rules = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]
    for directive, part in allowed.items():
        digest = b64encode(hashlib.sha256(part.encode("utf-8")).digest()).decode("ascii")
        rules.append(f"{directive} 'sha256-{digest}'")
    return "; ".join(rules)


def _embedded(data: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")


def _summary(public: Mapping[str, Any]) -> str:
    stats = public["stats"]
    facts = [
        (stats["turns"], "turns"),
        (len(public["claims"]), "claims"),
        (stats["claims_by_route"].get("fact_check", 0), "to fact-check"),
        (stats["relations_by_type"].get("SUPPORT", 0), "supports"),
        (stats["relations_by_type"].get("REBUTTAL", 0), "rebuttals"),
        (stats["claims_needing_review"], "to review"),
    ]
    return "".join(f"<li><b>{number:,}</b> {label}</li>" for number, label in facts)


def _notes(public: Mapping[str, Any]) -> str:
    meta = public["meta"]
    language = meta["language"]
    parts = [f"Language back-end {escape(language['name'])} ({escape(language['version'])})."]
    if meta["truncated"]:
        parts.append("<strong>This analysis was cut short by a limit; see the diagnostics in the JSON output.</strong>")
    parts += [escape(d["message"]) + "." for d in public["diagnostics"] if d["type"] == "READER_NOTE"]
    return " ".join(parts)


def _filters(public: Mapping[str, Any]) -> str:
    claims = public["claims"]
    groups = (("speaker", "speaker_key", "Speaker"), ("type", "claim_type", "Type"), ("route", "route", "Route"))
    return "".join(
        f'<fieldset data-filter="{field}"><legend>{legend}</legend><div class="chips">'
        + "".join(
            f'<label class="chip {("t-" + value) if name == "type" else ""}">'
            f'<input type="checkbox" value="{escape(value)}"> {escape(_spoken(value))} <i>{count}</i></label>'
            for value, count in _counts(claim[field] or "" for claim in claims)
        )
        + "</div></fieldset>"
        for name, field, legend in groups
    )


def _spoken(word: str) -> str:
    return word.replace("_", " ") if word.islower() else word


def _counts(values: Iterable[str]) -> list[tuple[str, int]]:
    counted: dict[str, int] = {}
    for value in values:
        counted[value] = counted.get(value, 0) + 1
    return sorted(counted.items(), key=lambda entry: (-entry[1], entry[0]))  # most claims first, then by name


def _turns(public: Mapping[str, Any], result: DebateResult) -> Iterable[str]:
    shown = {claim["claim_id"]: claim for claim in public["claims"]}
    by_turn = places_by_turn(public["claims"], result.transcript.turns)
    colours = {key: n % 8 for n, key in enumerate(dict.fromkeys(t.speaker_key for t in result.transcript.turns))}
    media = public["meta"].get("media", "")
    for turn in result.transcript.turns:
        kind = "turn preamble" if turn.is_preamble else "turn"
        who = "Preamble" if turn.is_preamble else turn.speaker
        words = "".join(_marked(turn, by_turn.get(turn.turn_index, []), shown))
        paragraphs = '</p><p dir="auto">'.join(words.split("\n"))
        yield (
            f'<article class="{kind} s{colours[turn.speaker_key]}" id="turn-{turn.turn_index}" '
            f'data-speaker="{escape(turn.speaker_key)}"><header><h3 class="who">{escape(who)}</h3>'
            f'{_time_link(turn, media)}<a class="where" href="#turn-{turn.turn_index}">#{turn.turn_index}</a></header>'
            f'<p dir="auto">{paragraphs}</p></article>\n'
        )


def _time_link(turn: SpeakerTurn, media: str) -> str:
    """A link into the recording when its address is known, else to the turn itself."""
    if turn.start_ms is None:
        return ""
    target = f"{media}#t={turn.start_ms // 1000}" if media else f"#turn-{turn.turn_index}"
    return f'<a class="time" href="{escape(target)}">{_clock(turn.start_ms)}</a>'


def _clock(ms: int) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _marked(turn: SpeakerTurn, claims: list[Place], shown: Mapping[str, Any]) -> Iterable[str]:
    """Yield the words of a turn with the claims in them."""
    for text, owner, begins in pieces(turn.text, claims):
        words = escape(text, quote=False)
        if owner is None:
            yield words
            continue
        claim = shown[owner]
        role = " premise" if claim["role"] == "PREMISE" else ""
        tab = ' tabindex="0" role="button"' if begins else ""
        opening = f'<mark class="t-{claim["claim_type"]}{role}" data-claim="{owner}"{tab}>'
        yield opening + words.replace("\n", f"</mark>\n{opening}") + "</mark>"
