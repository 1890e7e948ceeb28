"""schema.org Claims as JSON-LD. A claim routed to fact-checking brings an empty ClaimReview: the rating is a person's
to give."""

from __future__ import annotations

from typing import Any

from planvow.debate.terms.taxonomy import Route
from planvow.debate.terms.transcript import UNKNOWN_SPEAKER


def to_jsonld(public: dict[str, Any]) -> dict[str, Any]:
    """Return a graph of the transcript, its claims, and review drafts without a rating."""
    meta = public["meta"]
    work = {
        "@type": "CreativeWork",
        "@id": f"#{meta['transcript_id']}",
        "name": meta.get("title") or meta["transcript_id"],
        "identifier": meta["transcript_id"],
    }
    if meta.get("media", "").startswith(("http://", "https://")):
        work["url"] = meta["media"]
    graph: list[dict[str, Any]] = [work]
    for claim in public["claims"]:
        entry: dict[str, Any] = {
            "@type": "Claim",
            "@id": f"#{claim['claim_id']}",
            "text": claim["standalone_text"],
            "appearance": {"@id": work["@id"]},
            "firstAppearance": {"@id": work["@id"]},
            "keywords": [claim["claim_type"], claim["role"].lower()],
            "citation": {"@type": "Quotation", "text": claim["text"], "isPartOf": {"@id": work["@id"]}},
            "position": claim["span"][0],
        }
        if claim["speaker"] and claim["speaker"] != UNKNOWN_SPEAKER:
            speaker = {"@type": "Person", "name": claim["speaker"]}
            entry["author"] = entry["citation"]["spokenByCharacter"] = speaker
        graph.append(entry)
        if claim["route"] == Route.FACT_CHECK.value:
            graph.append(
                {
                    "@type": "ClaimReview",
                    "@id": f"#review_{claim['claim_id']}",
                    "claimReviewed": claim["standalone_text"],
                    "itemReviewed": {"@id": entry["@id"]},
                    "creativeWorkStatus": "Draft",
                }
            )
    return {"@context": "https://schema.org", "@graph": graph}
