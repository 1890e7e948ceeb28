"""schema.org Claims as JSON-LD. A claim routed to fact-checking brings an empty ClaimReview: the rating is a person's
to give."""

from __future__ import annotations

from typing import Any

from planvow.debate.taxonomy import Route


def to_jsonld(public: dict[str, Any]) -> dict[str, Any]:
    """Return a graph of the transcript, its claims, and review drafts without a rating."""
    meta = public["meta"]
    work = {
        "@type": "CreativeWork",
        "@id": f"#{meta['transcript_id']}",
        "name": meta.get("title") or meta["transcript_id"],
        "identifier": meta["transcript_id"],
    }
    graph: list[dict[str, Any]] = [work]
    for claim in public["claims"]:
        entry: dict[str, Any] = {
            "@type": "Claim",
            "@id": f"#{claim['claim_id']}",
            "text": claim["standalone_text"],
            "author": {"@type": "Person", "name": claim["speaker"]},
            "appearance": {"@id": work["@id"]},
            "firstAppearance": {"@id": work["@id"]},
            "keywords": [claim["claim_type"], claim["role"].lower()],
            "citation": {"@type": "Quotation", "text": claim["text"], "spokenByCharacter": claim["speaker"]},
            "position": claim["span"][0],
        }
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
