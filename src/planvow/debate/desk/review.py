"""What a person decided about the claims of one transcript, and an analysis with those decisions in it.

A decision names a claim by its place: the transcript does not change, so the next run finds the same place even where
it finds another claim or none. Decisions are applied to the public result, in the order of the file, and marked as a
person's. `labels_of` makes sentences to learn from out of them, for `planvow debate-train`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planvow.canonical import claim_dedup_key
from planvow.debate.desk.decisions import Decision, Review
from planvow.debate.errors import ReviewError
from planvow.debate.terms.taxonomy import ClaimType, requires_review, route_of
from planvow.debate.terms.transcript import Span, Transcript

Claim = dict[str, Any]
PERSON = "decided by a person"
SURE = 1.0


def apply_review(public: dict[str, Any], review: Review, transcript: Transcript) -> dict[str, Any]:
    """Return the analysis as the reviewer left it."""
    meta = public["meta"]
    if review.transcript_id != meta["transcript_id"]:
        raise ReviewError(
            f"this review is of {review.transcript_id}, not of {meta['transcript_id']}",
            hint="a review belongs to one transcript, character for character",
        )
    desk = _Desk(public, transcript)
    for number, decision in enumerate(review.decisions, start=1):
        desk.apply(decision, number)
    claims = sorted(desk.claims.values(), key=lambda claim: (claim["span"], claim["claim_id"]))  # as spoken
    known = set(desk.claims)
    stats = {**public["stats"], "claims": len(claims), "decisions": len(review.decisions)}
    stats["claims_needing_review"] = sum(claim["requires_review"] for claim in claims)
    return {
        **public,
        "claims": claims,
        "relations": [r for r in desk.relations if r["source"] in known and r["target"] in known],
        "fact_checks": [check for check in public["fact_checks"] if check["claim_id"] in known],
        "stats": stats,
    }


class _Desk:
    """The claims and relations while decisions are applied."""

    def __init__(self, public: Mapping[str, Any], transcript: Transcript) -> None:
        self.claims: dict[str, Claim] = {claim["claim_id"]: dict(claim) for claim in public["claims"]}
        self.relations: list[dict[str, Any]] = [dict(relation) for relation in public["relations"]]
        self._turns = transcript.turns
        self._text = transcript.text

    def apply(self, decision: Decision, number: int) -> None:
        if decision.span[1] > len(self._text) or self._text[slice(*decision.span)] != decision.text:
            raise ReviewError("these words do not stand at this place", place=f"decision {number}")
        match decision.action:
            case "accept":
                self._decided(decision.span)
            case "reject":
                self._remove(decision.span)
            case "type":
                self._retype(decision)
            case "split":
                self._replace([decision.span], decision.spans)
            case "merge":
                self._replace(decision.spans, [(min(decision.spans)[0], max(end for _, end in decision.spans))])
            case "link" | "unlink":
                self._relink(decision)

    def _claim_at(self, span: Span) -> Claim:
        """The claim at a place; where the analysis found none, the person's."""
        found = next((claim for claim in self.claims.values() if tuple(claim["span"]) == span), None)
        if found is None:
            found = self._made(span, self._overlapping(span))
            self.claims[found["claim_id"]] = found
        return found

    def _overlapping(self, span: Span) -> Claim | None:
        near = [c for c in self.claims.values() if c["span"][0] < span[1] and span[0] < c["span"][1]]
        return max(near, key=lambda c: min(c["span"][1], span[1]) - max(c["span"][0], span[0]), default=None)

    def _made(self, span: Span, like: Claim | None) -> Claim:
        turn = next((turn for turn in self._turns if turn.span[0] <= span[0] < turn.span[1]), None)
        if turn is None:
            raise ReviewError(f"nobody speaks at {span}")
        local = turn.local_span(*span)
        runs = turn.raw_runs(*local)
        span = max(runs, key=lambda run: run[1] - run[0])
        words, clean = self._text[slice(*span)], " ".join(turn.text[slice(*local)].split())
        kind = ClaimType.UNCLASSIFIED
        base: Claim = dict(like) if like is not None else {
            "claim_type": kind.value, "route": route_of(kind).value, "requires_review": True, "confidence": 0.0,
            "check_worthiness": 0.0, "role": "CLAIM", "frame_id": None, "method_path": [], "reasons": [],
        }  # fmt: skip
        times = [time for at in (local[0], local[1] - 1) if (time := turn.time_at(at)) is not None]
        return {
            **base,
            "claim_id": f"claim_{claim_dedup_key(words, span)}",
            "text": words,
            "span": list(span),
            "runs": [list(run) for run in runs],
            "clean_text": clean,
            "standalone_text": clean,
            "speaker": turn.speaker,
            "speaker_key": turn.speaker_key,
            "turn_index": turn.turn_index,
            "boundary_confidence": SURE,
            "reasons": [*(reason for reason in base["reasons"] if reason != PERSON), PERSON],
            "start_ms": times[0][0] if times else None,
            "end_ms": times[-1][1] if times else None,
        }

    def _decided(self, span: Span) -> Claim:
        claim = self._claim_at(span)
        claim["requires_review"] = False
        if PERSON not in claim["reasons"]:
            claim["reasons"] = [*claim["reasons"], PERSON]
        return claim

    def _retype(self, decision: Decision) -> None:
        claim = self._decided(decision.span)
        kind = ClaimType(decision.claim_type)
        claim.update(claim_type=kind.value, route=route_of(kind).value, confidence=SURE)
        claim["requires_review"] = requires_review(kind, SURE)

    def _remove(self, span: Span) -> None:
        for claim_id in [c["claim_id"] for c in self.claims.values() if tuple(c["span"]) == span]:
            del self.claims[claim_id]

    def _replace(self, old: Sequence[Span], new: Sequence[Span]) -> None:
        """Put claims in the place of others; the relations of the old ones go over to the first of the new."""
        gone = {c["claim_id"]: c for c in self.claims.values() if tuple(c["span"]) in old}
        like = next(iter(gone.values()), None) or self._overlapping(new[0])
        for claim_id in gone:
            del self.claims[claim_id]
        made = [self._made(span, like) for span in new]
        self.claims.update({claim["claim_id"]: claim for claim in made})
        heir = made[0]["claim_id"]
        for relation in self.relations:
            for end in ("source", "target"):
                if relation[end] in gone:
                    relation[end] = heir
        self.relations = [relation for relation in self.relations if relation["source"] != relation["target"]]

    def _relink(self, decision: Decision) -> None:
        source, target = self._claim_at(decision.span), self._claim_at(decision.spans[0])
        ends = (source["claim_id"], target["claim_id"])
        self.relations = [r for r in self.relations if (r["source"], r["target"]) != ends]
        if decision.action == "link":
            self.relations.append(
                {"type": decision.relation, "source": ends[0], "target": ends[1], "confidence": SURE,
                 "reasons": [PERSON], "method_path": []}
            )  # fmt: skip


def labels_of(review: Review) -> list[dict[str, Any]]:
    """Sentences to learn from: what was accepted is argued, what was rejected is not, and a type tells a fact."""
    rows = []
    for decision in review.decisions:
        row: dict[str, Any] = {"text": " ".join(decision.text.split()), "debate": review.transcript_id}
        if decision.action == "reject":
            row["argument"] = False
        elif decision.action in ("accept", "type"):
            row["argument"] = True
            if decision.claim_type:
                row["factual"] = decision.claim_type == ClaimType.EMPIRICAL.value
        else:
            continue
        rows.append(row)
    return rows
