"""Words that say the opposite of each other: who answers one with the other turns against what was said."""

from planvow.debate.words.words import Sentence, Word

_PAIRS = """
big/small large/small great/small high/low tall/short long/short wide/narrow deep/shallow warm/cold hot/cold warm/cool
cheap/expensive cheap/dear rich/poor strong/weak safe/dangerous clean/dirty clean/polluted more/less more/fewer
many/few better/worse best/worst good/bad good/poor best/poor new/old young/old modern/outdated fast/slow early/late
open/closed open/close full/empty healthy/ill healthy/sick light/heavy easy/hard simple/complicated near/far rise/fall
rise/drop rise/decline grow/shrink grow/decline increase/decrease increase/reduce raise/cut raise/lower add/cut
gain/lose win/lose earn/lose earn/waste save/waste profit/loss surplus/deficit invest/waste success/failure
succeed/fail work/fail pass/fail help/hurt help/harm help/distract save/destroy save/kill build/destroy create/destroy
protect/harm begin/end start/stop buy/sell give/take hire/fire join/leave come/leave enter/leave return/leave
accept/reject support/oppose allow/ban legal/illegal fair/unfair true/false right/wrong honest/dishonest
stable/unstable certain/uncertain live/die birth/death war/peace friend/enemy freedom/oppression hope/fear love/hate
remember/forget always/never improve/worsen improve/decline advance/retreat expand/shrink empower/abolish
guilty/innocent public/private strengthen/weaken
"""
OPPOSITES: dict[str, set[str]] = {}
for _pair in _PAIRS.split():
    _one, _other = _pair.split("/")
    OPPOSITES.setdefault(_one, set()).add(_other)
    OPPOSITES.setdefault(_other, set()).add(_one)


def say_opposites(source: Sentence, target: Sentence) -> bool:
    """Whether a word of one sentence is the opposite of a word of the other ("warm", "colder")."""
    theirs = {form for word in target for form in word_forms(word)}
    return any(not theirs.isdisjoint(OPPOSITES.get(form, ())) for word in source for form in word_forms(word))


def word_forms(word: Word) -> tuple[str, ...]:
    """A word, its lemma, and what is left without "-er" and "-est"."""
    lower = word.text.lower()
    bare = next((lower.removesuffix(end) for end in ("est", "er") if lower.endswith(end) and len(lower) > 5), lower)
    doubled = bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] else bare
    return lower, word.lemma.lower(), bare, doubled, f"{bare[:-1]}y" if bare.endswith("i") else bare
