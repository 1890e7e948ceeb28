"""An offline store of checked facts, in one SQLite file.

A claim matches a stored one when they share at least four fifths of their words and **all** of their numbers: "1.5
%" is not "15 %". Among matches the closest wins, then the most credible source. No match is NO_DATA, never a
verdict (spec/000 section 2).
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from planvow.debate.artifacts.fact_check import FactStatus
from planvow.debate.errors import FactStoreError
from planvow.debate.state.helpers import FactVerdict

MATCH = 0.8
_FORMAT = "planvow-facts/1"
_SCHEMA = """
CREATE TABLE meta (format TEXT NOT NULL);
CREATE TABLE facts (
  fact_id INTEGER PRIMARY KEY,
  claim TEXT NOT NULL, normalised TEXT NOT NULL UNIQUE, words INTEGER NOT NULL,
  status TEXT NOT NULL, score REAL NOT NULL,
  source_name TEXT NOT NULL, source_url TEXT NOT NULL, explanation TEXT NOT NULL, credibility REAL NOT NULL
);
CREATE TABLE words (
  word TEXT NOT NULL, fact_id INTEGER NOT NULL REFERENCES facts, PRIMARY KEY (word, fact_id)
) WITHOUT ROWID;
"""
_WORD = re.compile(r"\d+(?:[.,]\d+)*%?|[^\W\d_]+(?:['’][^\W\d_]+)?")
_STOP = frozenset(
    ("a", "an", "the", "of", "to", "in", "on", "at", "and", "or", "that", "is", "was", "were", "are", "be")
)


def normalised_words(text: str) -> list[str]:
    """Return the words by which claims are compared: lower case, no articles and such, numbers as they are, sorted."""
    words = {word.lower().replace("’", "'").replace(",", "") for word in _WORD.findall(text)}
    return sorted(words - _STOP)


class FactStore:
    """Facts to look claims up in; a `FactChecker`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> FactStore:
        """Open an existing store for reading; raise FactStoreError when it is none."""
        if not path.is_file():
            raise FactStoreError("there is no such file", place=str(path), hint="make one with planvow debate-facts")
        try:
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
            found = connection.execute("SELECT format FROM meta").fetchone()
        except sqlite3.Error as error:
            raise FactStoreError(f"not a fact store: {error}", place=str(path)) from None
        if found is None or found[0] != _FORMAT:
            raise FactStoreError(f"a fact store of another version: {found and found[0]}", place=str(path))
        return cls(connection)

    @classmethod
    def create(cls, path: Path | str, facts: Iterable[Mapping[str, Any]]) -> FactStore:
        """Make a store from records with claim, status and, optionally, score, source and explanation fields."""
        connection = sqlite3.connect(path)
        try:
            with connection:
                connection.executescript(_SCHEMA)
                connection.execute("INSERT INTO meta VALUES (?)", (_FORMAT,))
                for number, fact in enumerate(facts, start=1):
                    _insert(connection, number, fact)
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise FactStoreError(f"cannot be written: {error}", place=str(path)) from None
        return cls(connection)

    def __len__(self) -> int:
        count: int = self._connection.execute("SELECT count(*) FROM facts").fetchone()[0]
        return count

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def check_claim(self, text: str) -> FactVerdict:
        """Return the verdict of the closest stored claim, or NO_DATA."""
        words = normalised_words(text)
        best: tuple[float, float, int] | None = None
        for fact_id, shared, size, credibility, stored in self._candidates(words):
            overlap = shared / max(len(words), size)
            if overlap >= MATCH and _numbers(words) == _numbers(stored.split()):
                rank = (overlap, credibility, -fact_id)
                best = max(best, rank) if best else rank
        if best is None:
            return FactVerdict(FactStatus.NO_DATA, 0.0, "no stored fact is close to this claim")
        status, score, name, url, explanation = self._connection.execute(
            "SELECT status, score, source_name, source_url, explanation FROM facts WHERE fact_id = ?", (-best[2],)
        ).fetchone()
        confidence = round(best[0] * score, 4)
        return FactVerdict(FactStatus(status), confidence, explanation, (name,) if name else (), (url,) if url else ())

    def _candidates(self, words: list[str]) -> list[tuple[int, int, int, float, str]]:
        if not words:
            return []
        marks = ",".join("?" * len(words))
        return self._connection.execute(
            "SELECT f.fact_id, count(*), f.words, f.credibility, f.normalised "
            "FROM words w JOIN facts f USING (fact_id) "
            f"WHERE w.word IN ({marks}) GROUP BY f.fact_id HAVING count(*) >= ? ORDER BY f.fact_id",
            (*words, int(MATCH * len(words))),
        ).fetchall()


def _numbers(words: Iterable[str]) -> list[str]:
    return [word for word in words if word[0].isdigit()]


def _insert(connection: sqlite3.Connection, number: int, fact: Mapping[str, Any]) -> None:
    claim, status = fact.get("claim"), str(fact.get("status", "")).upper()
    if not isinstance(claim, str) or not normalised_words(claim):
        raise FactStoreError("a fact needs a claim in words", place=f"fact {number}")
    if status not in FactStatus.__members__:
        known = ", ".join(FactStatus.__members__)
        raise FactStoreError(f"unknown status {status!r}", place=f"fact {number}", hint=f"one of {known}")
    words = normalised_words(claim)
    cursor = connection.execute(
        "INSERT OR REPLACE INTO facts (claim, normalised, words, status, score, source_name, source_url, explanation, "
        "credibility) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            claim, " ".join(words), len(words), status, _share(fact, "score", number), str(fact.get("source_name", "")),
            str(fact.get("source_url", "")), str(fact.get("explanation", "")), _share(fact, "credibility", number),
        ),
    )  # fmt: skip
    connection.executemany("INSERT OR IGNORE INTO words VALUES (?, ?)", [(word, cursor.lastrowid) for word in words])


def _share(fact: Mapping[str, Any], field: str, number: int) -> float:
    value = fact.get(field, 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise FactStoreError(f"{field} must be a number from 0 to 1, got {value!r}", place=f"fact {number}")
    return float(value)


def read_facts(text: str) -> list[dict[str, Any]]:
    """Read fact records from JSON lines; raise FactStoreError with the line of a fault."""
    facts = []
    for number, line in enumerate(text.split("\n"), start=1):  # strings of JSON may hold other line ends
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FactStoreError(f"not JSON: {error}", place=f"line {number}") from None
        if not isinstance(record, dict):
            raise FactStoreError("each line must be an object", place=f"line {number}")
        facts.append(record)
    return facts
