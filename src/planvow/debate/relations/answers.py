"""What another speaker said that is answered: by a stance, by a word that turns, or by what it contradicts.

Stance comes first; each way may bring a target that the models did not choose.
"""

from collections.abc import Sequence
from typing import NamedTuple

from planvow.debate.relations.contradiction import contradiction
from planvow.debate.relations.relations import Proposition
from planvow.debate.relations.stance import Stance, towards
from planvow.debate.terms.language import Basis

_REBUTTING = frozenset({"disagree", "wrong", "incorrect", "untrue", "false", "nonsense"})
_REFUSING = frozenset({"but", "however", "no", "yet"})
_NEGATIONS = frozenset({"not", "n't", "n’t"})
_TURNING = frozenset({"but", "however", "yet", "nevertheless", "nonetheless"})


class Answer(NamedTuple):
    """Where a proposition stands to what others said, and the places of its targets."""

    stance: Stance
    before: str
    """Who is answered where nobody is named."""
    marker: str | None
    """What shows that it turns against another speaker."""
    basis: Basis
    """What kind of sign the marker is."""
    chosen: list[int]


def answer_of(
    props: list[Proposition], index: int, targets: Sequence[int], scores: Sequence[float], chosen: list[int]
) -> Answer:
    """Read the stance first, then what the words contradict: each may bring a target that the models did not choose."""
    own, others = props[index], [props[target].speaker != props[index].speaker for target in targets]
    answered = _answered(props, index)
    stance = towards(own.stance, is_denial=answered is not None and "negation" in answered.classes)
    before = "" if answered is None else answered.speaker
    marker = _opening_against(props, index, stance)
    basis: Basis = "cue" if marker in _TURNING else "stance"
    if marker:
        if not any(others[at] for at in chosen):
            shared = {at: bool(own.content & props[targets[at]].content) for at, other in enumerate(others) if other}
            # Who denied in a sentence of its own says next what is so, and that may be about anything.
            near = [at for at, same in shared.items() if same or _denies_itself(stance, marker)]
            # What shares its words, then the likeliest; of equals the latest, which is what "but" usually answers.
            best = max(near, key=lambda at: (shared[at], scores[at], at), default=None)
            chosen = chosen if best is None else [*chosen, best]
    elif (against := _contradicted(props, index, targets)) is not None:
        marker, basis = against.word, "cue"
        # It turns against what the other speaker said, not against the speaker's own words just before.
        kept = [at for at in chosen if targets[at] not in (index - 1, against.target)]
        chosen = [*kept, targets.index(against.target)]
    elif stance.kind != "agree" and (against := _denied(props, index, targets)) is not None:
        marker, basis = against.word, "contradiction"
        chosen = [*(at for at in chosen if not others[at]), targets.index(against.target)]
    return Answer(stance, before, marker, basis, chosen)


def _opening_against(props: list[Proposition], index: int, stance: Stance) -> str | None:
    """The word with which a turn opens against the one before ("but", "no", "wrong"), if it does (spec/000)."""
    own = props[index]
    if index == 0 or props[index - 1].turn == own.turn or props[index - 1].speaker == own.speaker:
        return None
    if stance.kind == "agree":
        return None
    opening = next((word for word in own.opening.split() if word in _REFUSING), None)
    if opening is not None:
        return opening
    if stance.kind == "deny":
        return stance.phrase
    said = [word.text.lower() for word in own.words[:8]]
    if said[:1] == ["no"] and said[1:2] == [","]:
        return "no"
    if said[:1] in (["if"], ["when"]):
        return None  # "if that is wrong" leaves it open
    if said[:1] in (["that"], ["it"], ["this"]) and _NEGATIONS & set(said[1:4]):
        return f"{said[0]} is not"
    return next((word for word in said if word in _REBUTTING), None)


def _answered(props: list[Proposition], index: int) -> Proposition | None:
    """What is answered where nobody is named: the last statement of another speaker who argues."""
    own = props[index]
    others = (p for p in reversed(props[:index]) if p.speaker != own.speaker and not p.presides)
    return next(others, None)


class _Contradicted(NamedTuple):
    word: str
    target: int


def _contradicted(props: list[Proposition], index: int, targets: Sequence[int]) -> _Contradicted | None:
    """What another speaker said that a proposition opening with "but" takes up again, if the words show it."""
    own, before = props[index], props[index - 1] if index else None
    word = next((word for word in own.opening.split() if word in _TURNING), None)
    if word is None or before is None or before.turn != own.turn:
        return None
    shared = {at: len(own.content & props[at].content) for at in targets if props[at].speaker != own.speaker}
    best = max(shared, key=lambda at: (shared[at], at), default=None)
    if best is None or shared[best] < 2 or shared[best] <= len(own.content & before.content):
        return None
    return _Contradicted(word, best)


def _denied(props: list[Proposition], index: int, targets: Sequence[int]) -> _Contradicted | None:
    """What another speaker said that cannot be so if this is: what shares most words with it, the latest of equals."""
    own = props[index]
    best: tuple[int, int, str] | None = None
    for at in targets:
        if props[at].speaker == own.speaker or own.presides or props[at].presides:
            continue
        found = contradiction(own, props[at])
        if found is not None and (best is None or (found.shared, at) > best[:2]):
            best = (found.shared, at, found.reason)
    return None if best is None else _Contradicted(best[2], best[1])


def _denies_itself(stance: Stance, marker: str) -> bool:
    return stance.kind != "deny" or stance.here or marker != stance.phrase
