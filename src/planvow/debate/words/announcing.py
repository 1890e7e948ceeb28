"""Words that only announce what is said: "I just want to say that", "what I would say is", "the fact of the matter is".

They wish nothing and foretell nothing, so they are taken off, and what they announce is the claim.
"""

from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

_ADVERBS = word_set("just only also really simply still again maybe")
_WISHES = (
    ("want", "to"),
    ("wanted", "to"),
    ("would", "like", "to"),
    ("'d", "like", "to"),
    ("have", "to"),
    ("need", "to"),
)
_MODALS = word_set("would 'd will 'll can could might must may")
_SAYING = word_set("say add mention note stress repeat emphasize emphasise")
_TELLING = word_set("tell remind assure")
_HEARERS = word_set("you everyone everybody people folks viewers")
_TRUTHS = word_set("fact truth reality")
_JOINING = word_set("and but so well now")
_FEWEST_LEFT = 3


def announced_from(words: Sentence) -> int:
    """Where what a sentence announces begins, past a word that joins it to the one before; 0 where it does not."""
    joined = next((at for at, word in enumerate(words) if word.text.lower() not in _JOINING and word.text != ","), 0)
    size = announcement_length(words, joined, len(words))
    return joined + size if size else 0


def announcement_length(words: Sentence, first: int, after: int) -> int:
    """How many words at `first` announce a clause that follows; 0 where they do not, or none follows."""
    lowered = [word.text.lower().replace("’", "'") for word in words[first:after]]
    size = _spoken(lowered) or _cleft(lowered) or _truth(lowered)
    if not size or size >= len(lowered) or lowered[size] not in ("that", ",", ":"):
        return 0
    size += 1
    rest = words[first + size : after]
    if len(rest) < _FEWEST_LEFT or not any(word.pos in ("VERB", "AUX") for word in rest[1:]):
        return 0
    return size if rest[0].pos not in ("VERB", "AUX") else 0  # "I can say that is ..."


def _spoken(lowered: list[str]) -> int:
    """ "I (just) want to (also) say", "I would add", "let me remind you"."""
    places = [at for at, lower in enumerate(lowered[:10]) if lower not in _ADVERBS]
    plain = [lowered[at] for at in places]
    if plain[:2] == ["let", "me"]:
        begin = 2
    elif plain[:1] in (["i"], ["we"]):
        wish = next((len(wish) for wish in _WISHES if tuple(plain[1 : 1 + len(wish)]) == wish), 0)
        begin = 1 + (wish or bool(_MODALS & set(plain[1:2])))
    else:
        return 0
    if begin == 1:
        return 0
    said = plain[begin : begin + 2]
    if _SAYING & set(said[:1]):
        return places[begin] + 1
    if said in (["point", "out"], ["make", "clear"]) or (
        len(said) == 2 and said[0] in _TELLING and said[1] in _HEARERS
    ):
        return places[begin + 1] + 1
    return 0


def _cleft(lowered: list[str]) -> int:
    """ "What I would say is", "what I am saying is"."""
    if lowered[:2] not in (["what", "i"], ["what", "we"]):
        return 0
    at = next((at for at in range(3, min(7, len(lowered))) if lowered[at] in ("is", "'s")), 0)
    return at + 1 if at and lowered[at - 1] in _SAYING | {"saying"} else 0


def _truth(lowered: list[str]) -> int:
    """ "The truth is", "the fact of the matter is"."""
    if lowered[:1] != ["the"] or not _TRUTHS & set(lowered[1:2]):
        return 0
    at = 5 if lowered[2:5] == ["of", "the", "matter"] else 2
    return at + 1 if lowered[at : at + 1] == ["is"] else 0
