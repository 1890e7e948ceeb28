"""One door for all formats. Every format is deterministic and says only what the analysis found."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from planvow.debate.analysis.public import public_result, select_claims
from planvow.debate.analysis.result import DebateResult
from planvow.debate.desk.decisions import Review
from planvow.debate.desk.review import apply_review
from planvow.debate.export.aif import to_aif
from planvow.debate.export.brief import to_brief, to_newsroom
from planvow.debate.export.html import to_html
from planvow.debate.export.jsonld import to_jsonld
from planvow.debate.export.table import to_csv, to_jsonl


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which claims are wanted. Nothing set means all."""

    speakers: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    min_score: float = 0.0
    top: int | None = None

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return self == Selection()


def select(public: dict[str, Any], selection: Selection) -> dict[str, Any]:
    """Keep the selected claims, and of frames and relations what still has both its ends."""
    if selection.is_everything:
        return public
    claims = select_claims(
        public["claims"],
        speakers=selection.speakers,
        types=selection.types,
        routes=selection.routes,
        min_score=selection.min_score,
        top=selection.top,
    )
    kept = {claim["claim_id"] for claim in claims}
    related = {
        name: [r for r in public[name] if r["source"] in kept and r["target"] in kept]
        for name in ("relations", "possible_relations")
    }
    frames = [f for f in public["frames"] if any(claim_id in kept for claim_id in f["child_claim_ids"])]
    checks = [c for c in public["fact_checks"] if c["claim_id"] in kept]
    stats = {**public["stats"], "claims_selected": len(claims)}
    return {**public, "claims": claims, **related, "frames": frames, "fact_checks": checks, "stats": stats}


def _to_json(public: dict[str, Any]) -> str:
    """JSON with one turn, claim or node a line: half the size of indented JSON, and two analyses can be compared."""
    parts = []
    for name, value in public.items():
        if isinstance(value, list) and value:
            lines = ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in value)
            parts.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
        else:
            parts.append(f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format others read: the function that writes it, and how its files are named and announced."""

    write: Callable[[dict[str, Any], DebateResult], str]
    extension: str
    media_type: str


FORMATS: Mapping[str, Format] = {
    "json": Format(write=lambda public, _: _to_json(public), extension="json", media_type="application/json"),
    "jsonl": Format(write=lambda public, _: to_jsonl(public), extension="jsonl", media_type="application/jsonl"),
    "csv": Format(write=lambda public, _: to_csv(public), extension="csv", media_type="text/csv"),
    "aif": Format(
        write=lambda public, _: _to_json(to_aif(public)), extension="aif.json", media_type="application/json"
    ),
    "jsonld": Format(
        write=lambda public, _: _to_json(to_jsonld(public)), extension="jsonld", media_type="application/ld+json"
    ),
    "newsroom": Format(write=lambda public, _: to_newsroom(public), extension="newsroom.csv", media_type="text/csv"),
    "brief": Format(write=lambda public, _: to_brief(public), extension="brief.html", media_type="text/html"),
    "html": Format(write=to_html, extension="html", media_type="text/html"),
}


def export(
    result: DebateResult,
    format_name: str,
    selection: Selection | None = None,
    *,
    title: str = "",
    media: str = "",
    review: Review | None = None,
) -> str:
    """Return an analysis as text in one of the FORMATS; `media` is the address of the recording, for time links.

    With a `review` it is the analysis as its reader left it.
    """
    found = public_result(result)
    if review is not None:
        found = apply_review(found, review, result.transcript)
    public = select(found, selection or Selection())
    named = {name: value for name, value in (("title", title), ("media", media)) if value}
    return FORMATS[format_name].write({**public, "meta": {**public["meta"], **named}}, result)
