"""What pages need from the analyses that are kept: each as its reviewer left it, and short summaries of all.

Stored analyses do not change and reviews seldom do, so what was read is held as long as the files are the same.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from planvow.adapters.console.views.debates.listing import Words
from planvow.adapters.machine.debate_store import (
    analysis_path,
    kept_names,
    read_analysis,
    read_kept_transcript,
    review_path,
)
from planvow.adapters.machine.files import read_text, write_text
from planvow.debate.desk.decisions import Decision, Review, decided, read_review, taken_back, write_review
from planvow.debate.desk.review import apply_review
from planvow.debate.errors import ReviewError
from planvow.debate.readers.read import read_transcript
from planvow.debate.terms.transcript import Transcript
from planvow.errors import InputError, PlanvowError

_MOST_WHOLE, _MOST_SHORT = 4, 512
_MATCHED = ("claim_id", "speaker", "start_ms", "standalone_text", "check_worthiness")
_SUFFIXES = {"text": "", "srt": ".srt", "vtt": ".vtt", "html": ".html"}
_writing = Lock()


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """A stored analysis with its transcript and what people decided about it."""

    name: str
    public: Mapping[str, Any]
    """As its reviewer left it."""
    transcript: Transcript
    review: Review
    mark: str
    """Another one when somebody has decided something."""
    problem: str = ""
    """Why the review could not be laid over the analysis."""

    @property
    def title(self) -> str:
        return title_of(self.public)


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What the list says of an analysis, and the words of its claims."""

    name: str
    title: str
    transcript_id: str = ""
    speakers: tuple[tuple[str, int], ...] = ()
    types: tuple[tuple[str, int], ...] = ()
    claims: int = 0
    to_check: int = 0
    to_review: int = 0
    decisions: int = 0
    language: str = ""
    truncated: bool = False
    problem: str = ""
    words: Words | None = None


def title_of(public: Mapping[str, Any]) -> str:
    """Return what an analysis is called."""
    meta = public["meta"]
    return str(meta.get("title") or meta["transcript_id"])


def open_analysis(root: Path, name: str) -> Analysis:
    """Return a stored analysis; raise InputError where there is none, or it cannot be read."""
    public = _stored(root, name, _stamp(analysis_path(root, name)))
    transcript_id = str(public["meta"]["transcript_id"])
    return _opened(root, name, _stamp(analysis_path(root, name)), _stamp(review_path(root, transcript_id)))


def summaries(root: Path) -> list[Summary]:
    """Return all stored analyses by title; one that cannot be read says why."""
    found = []
    for name in kept_names(root):
        try:
            path = analysis_path(root, name)
            transcript_id = _transcript_id(root, name, _stamp(path))
            found.append(_summary(root, name, _stamp(path), _stamp(review_path(root, transcript_id))))
        except PlanvowError as error:
            found.append(Summary(name=name, title=name, problem=error.message))
    return sorted(found, key=lambda one: (one.title.casefold(), one.name))  # then by content


def decide(root: Path, name: str, decision: Decision) -> Analysis:
    """Record a decision, if the analysis can be read with it; return the analysis as it is then."""
    return _changed(root, name, lambda analysis: decided(analysis.review, decision))


def take_back(root: Path, name: str, number: int, mark: str) -> Analysis:
    """Take a decision back; raise ReviewError where somebody has decided something since the page was made."""

    def shorter(analysis: Analysis) -> Review:
        if mark != analysis.mark:
            raise ReviewError("somebody has decided something meanwhile", hint="load the page again")
        return taken_back(analysis.review, number)

    return _changed(root, name, shorter)


def _changed(root: Path, name: str, change: Any) -> Analysis:
    with _writing:
        before = open_analysis(root, name)
        if before.problem:
            raise ReviewError(before.problem, place=str(review_path(root, before.review.transcript_id)))
        review = change(before)
        apply_review(dict(_stored(root, name, _stamp(analysis_path(root, name)))), review, before.transcript)
        write_text(review_path(root, review.transcript_id), write_review(review), parents=True)
        return open_analysis(root, name)


def _stamp(path: Path) -> tuple[int, int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


@lru_cache(maxsize=_MOST_WHOLE)
def _stored(root: Path, name: str, _stamp: tuple[int, ...]) -> dict[str, Any]:
    public = read_analysis(root, name)
    if not isinstance(public, dict) or not {"meta", "claims", "turns", "relations"} <= set(public):
        raise InputError("not an analysis", place=name)
    return {"possible_relations": [], "resolutions": [], "fact_checks": [], **public}


@lru_cache(maxsize=_MOST_SHORT)
def _transcript_id(root: Path, name: str, stamp: tuple[int, ...]) -> str:
    return str(_stored(root, name, stamp)["meta"]["transcript_id"])


@lru_cache(maxsize=_MOST_WHOLE)
def _opened(root: Path, name: str, stamp: tuple[int, ...], review_stamp: tuple[int, ...]) -> Analysis:
    public = _stored(root, name, stamp)
    meta = public["meta"]
    text = read_kept_transcript(root, meta["transcript_id"])
    transcript = read_transcript(text, name=f"kept{_SUFFIXES.get(meta.get('source_format', 'text'), '.json')}")
    if transcript.transcript_id != meta["transcript_id"]:
        raise InputError("the kept transcript is not the one of this analysis", place=meta["transcript_id"])
    review, mark, problem = Review(transcript_id=transcript.transcript_id, decisions=()), "", ""
    if any(review_stamp):
        try:
            written = read_text(review_path(root, transcript.transcript_id))
            review, mark = read_review(written), hashlib.sha256(written.encode()).hexdigest()[:16]
            public = apply_review(public, review, transcript)
        except InputError as error:
            problem = error.message
    return Analysis(name=name, public=public, transcript=transcript, review=review, mark=mark, problem=problem)


@lru_cache(maxsize=_MOST_SHORT)
def _summary(root: Path, name: str, stamp: tuple[int, ...], review_stamp: tuple[int, ...]) -> Summary:
    public: Mapping[str, Any] = _stored(root, name, stamp)
    decisions, problem = 0, ""
    if any(review_stamp):
        seen = _opened(root, name, stamp, review_stamp)
        public, decisions, problem = seen.public, len(seen.review.decisions), seen.problem
    claims, meta = public["claims"], public["meta"]
    return Summary(
        name=name,
        title=title_of(public),
        transcript_id=meta["transcript_id"],
        speakers=tuple(Counter(claim["speaker"] or "" for claim in claims).most_common()),
        types=tuple(Counter(claim["claim_type"] for claim in claims).most_common()),
        claims=len(claims),
        to_check=sum(claim["route"] == "fact_check" for claim in claims),
        to_review=sum(bool(claim["requires_review"]) for claim in claims),
        decisions=decisions,
        language=str(meta.get("language", {}).get("name", "")),
        truncated=bool(meta.get("truncated")),
        problem=f"the review cannot be used: {problem}" if problem else "",
        words=_words(name, public),
    )


def _words(name: str, public: Mapping[str, Any]) -> Words:
    claims = [{field: claim[field] for field in _MATCHED} for claim in public["claims"]]
    document = {"meta": {"title": name, "transcript_id": public["meta"]["transcript_id"]}, "claims": claims}
    return Words(mark=hashlib.sha256(json.dumps(document).encode()).hexdigest(), document=document)
