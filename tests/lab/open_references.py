"""What a reader of a claim alone cannot tell: pronouns, "you", bare "this" and roles without a name.

`plainly_open` counts every third-person pronoun and every "you". `left_open` is what it comes to for a reader: a
pronoun is closed where it points to nothing ("it is important that") or where a noun or name that agrees with it stands
before it in the claim itself; a bare "this" or "that" and a role without a name ("my opponent") are open. Whether the
noun before it is really meant, is not asked, so the second count is generous to pronouns and strict to the rest.
"""

import re
from collections.abc import Collection, Sequence

from planvow.debate.artifacts.claim import AtomicClaim
from planvow.debate.references.mentions import Mention, mentions_in
from planvow.debate.references.references import is_dummy
from planvow.debate.terms.taxonomy import Route
from planvow.debate.words.lite import read_words
from planvow.debate.words.names import PRONOUN_GENDER

_YOU = frozenset({"you", "your", "yours", "yourself"})
_ROLE = re.compile(
    r"\b(my opponent|the (senator|governor|mayor|congressman|congresswoman|secretary|gentleman))\b(?! [A-Z])"
)
_WORD = re.compile(r"[A-Za-z]+")


def plainly_open(text: str) -> bool:
    """Whether any third-person pronoun or "you" stands in a text."""
    return any(word in PRONOUN_GENDER or word in _YOU for word in _WORD.findall(text.lower()))


def left_open(text: str, speakers: Collection[str] = ()) -> list[str]:
    """The words of a text whose meaning lies outside of it; `speakers` are the last words of speakers' names."""
    words = read_words(text, 0, len(text))
    found = [match.group(1) for match in _ROLE.finditer(text)]
    named: list[Mention] = []
    for mention in mentions_in(words, text):
        if mention.kind != "pronoun":
            named.append(mention)
        elif not is_dummy(words, mention.head) and not any(_agrees(other, mention.gender) for other in named):
            known = mention.gender in ("male", "female") and any(
                word.text.lower() in speakers for word in words[: mention.first]
            )
            found += [] if known else [mention.text]
    for at, word in enumerate(words):
        lower = word.text.lower()
        following = words[at + 1].pos if at + 1 < len(words) else ""
        bare = lower in ("this", "that") and word.pos == "PRON" and following in ("VERB", "AUX", "")
        relative = at > 0 and words[at - 1].pos in ("NOUN", "PROPN", "PRON", "NUM")  # "the law that passed"
        if lower in _YOU or (bare and not relative):
            found.append(word.text)
    return found


def _agrees(mention: Mention, gender: str) -> bool:
    if gender in ("male", "female"):
        return mention.kind in ("person", "name") and mention.gender in (gender, "")
    if gender == "many":
        return mention.gender == "many" or mention.kind in ("group", "nation", "land")
    return mention.kind != "person" and mention.gender != "many"


def shares_closed(claims: Sequence[AtomicClaim]) -> tuple[int, float, float]:
    """How many claims go to fact-checkers, and the shares of them without anything `plainly_open` and `left_open`."""
    texts = [claim.standalone_text for claim in claims if claim.route is Route.FACT_CHECK]
    speakers = {(claim.speaker or "").split()[-1].lower() for claim in claims if claim.speaker}
    plain = sum(not plainly_open(text) for text in texts)
    closed = sum(not left_open(text, speakers) for text in texts)
    return len(texts), plain / max(1, len(texts)), closed / max(1, len(texts))
