"""Cutting a sentence into the propositions it asserts.

A sentence is cut where a new main clause with its own subject begins (", and we ...", "; they ...", a comma
splice) and where a reason or a concession is given ("because ..."). Conditions stay with what they condition,
and "I think that" stays with what is thought: people mark arguments that way. Each piece then loses the
connectives, forms of address and punctuation around it. With a tree the cuts follow it; without one they follow
commas, conjunctions and the words after them.
"""

from collections.abc import Iterator

from planvow.debate.claims.trimming import Clause, trim
from planvow.debate.words.words import Sentence, children_of, has_tree, root_of, subtree
from planvow.debate.words.wordsets import word_set

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})
_GROUNDS = word_set("because since although though whereas")
_CLAUSE_OPENERS = word_set(
    """
    i we you he she it they this that these those there the my our your his her their its a an
    """
)
_BREAKS = frozenset({";", "--", "—"})
_JOINTS = frozenset({"–", "-"})
_JOINING = frozenset({"and", "but", "so", "or", "yet"})
_REASONS = frozenset({"because", "although", "whereas"})
_TURNING = frozenset({"however", "nevertheless", "nonetheless"})
_SUBJECT_PRONOUNS = frozenset({"i", "we", "you", "he", "she", "they", "it"})
MIN_WORDS = 3
_SUBJECT_WORDS = 7  # how far the verb may be from the conjunction in front of its subject


def clauses_of(words: Sentence) -> list[Clause]:
    """The pieces of a sentence in text order; a sentence without words has none."""
    cuts = _tree_cuts(words) if has_tree(words) else _surface_cuts(words)
    turns = _turns(words)
    pieces = []
    left = 0
    for cut in [*sorted({*cuts, *turns}), len(words)]:  # text order
        if _is_idiom(words, cut):
            continue
        if cut - left >= MIN_WORDS or cut == len(words) or cut in turns:
            pieces.append((left, cut))
            left = cut
    if len(pieces) > 1 and _size(words, *pieces[-1]) < MIN_WORDS:
        pieces[-2:] = [(pieces[-2][0], pieces[-1][1])]
    clauses = [trim(words, first, after) for first, after in pieces]
    return [clause for clause in clauses if clause.after > clause.first]


def _is_idiom(words: Sentence, cut: int) -> bool:
    """ "There is no question but that fees rose" is one statement; "but that is wrong" is another."""
    ahead = words[cut : cut + 3]
    return (
        len(ahead) == 3
        and [word.text.lower() for word in ahead[:2]] == ["but", "that"]
        and ahead[2].pos not in ("AUX", "VERB", "PART")
    )


def _size(words: Sentence, first: int, after: int) -> int:
    return sum(1 for word in words[first:after] if word.pos != "PUNCT")


def _tree_cuts(words: Sentence) -> set[int]:
    children = children_of(words)
    root = root_of(words)
    mains = {root}
    cuts = set()
    for index, word in enumerate(words):  # heads of coordination come before their conjuncts
        if word.pos == "PUNCT" and _breaks(words, index):
            if _has_clause(words, 0, index) and _has_clause(words, index + 1, len(words)):
                cuts.add(index + 1)
            continue
        if index == root or word.pos not in ("VERB", "AUX", "ADJ", "NOUN"):
            continue
        if not any(words[child].dep in _SUBJECTS for child in children[index]):
            continue
        if word.dep == "conj" and word.head in mains:
            mains.add(index)
            cuts.add(_left_edge(words, children, index))
        elif word.dep == "advcl":
            mark = next((words[c].text.lower() for c in children[index] if words[c].dep == "mark"), "")
            edge = _left_edge(words, children, index)
            if mark in _GROUNDS:
                cuts.add(edge)
                after = subtree(children, index)[-1] + 1
                if edge <= 1 and after < len(words) and words[after].text == ",":
                    cuts.add(after + 1)
        elif word.dep in ("ccomp", "parataxis") and word.head in mains and index < word.head:
            after = subtree(children, index)[-1] + 1
            if (
                after < len(words)
                and words[after].text in (",", ";", "--", ":")
                and _has_clause(words, after + 1, len(words))
            ):
                mains.add(index)
                cuts.add(after + 1)
        elif word.dep == "parataxis" and word.head in mains:
            cuts.add(_left_edge(words, children, index))
    return {cut for cut in cuts if 0 < cut < len(words)}


def _breaks(words: Sentence, index: int) -> bool:
    """A semicolon or a dash; a short one between letters only joins them ("a five-point plan")."""
    mark = words[index].text
    if mark in _JOINTS:
        spaced_before = index == 0 or words[index - 1].end < words[index].start
        return spaced_before and index + 1 < len(words) and words[index].end < words[index + 1].start
    return mark in _BREAKS


def _turns(words: Sentence) -> list[int]:
    """Where "however" and its like turn from one statement to another ("taxes fell, however, wages rose")."""
    lowered = [word.text.lower() for word in words]
    found = []
    for index in range(2, len(words) - 2):
        phrase = tuple(lowered[index : index + 4]) == ("on", "the", "other", "hand")
        if lowered[index] not in _TURNING and not phrase:
            continue
        after = index + (4 if phrase else 1)
        manner = lowered[after : after + 1][0] in _SUBJECT_PRONOUNS and len(words) - after < 4  # "however they like"
        if not manner and _states(words, 0, index) and _states(words, after, len(words)):
            found.append(index - 1 if words[index - 1].text in (",", ";", "--") else index)
    return found


def _states(words: Sentence, first: int, after: int) -> bool:
    """A subject and a finite verb after it, tree or not."""
    piece = [word for word in words[first:after] if word.pos != "PUNCT"]
    nominal = next((at for at, word in enumerate(piece) if word.pos in ("NOUN", "PROPN", "PRON")), None)
    if nominal is None:
        return False
    return any(word.tag in ("VBD", "VBP", "VBZ", "MD") for word in piece[nominal + 1 :])


def _left_edge(words: Sentence, children: list[list[int]], index: int) -> int:
    edge = subtree(children, index)[0]
    while edge > 0 and (words[edge - 1].dep == "cc" or words[edge - 1].text in (",", "--")):
        edge -= 1
    return edge


def _has_clause(words: Sentence, first: int, after: int) -> bool:
    piece = words[first:after]
    return any(word.dep in _SUBJECTS for word in piece) and any(word.pos in ("VERB", "AUX") for word in piece)


def _surface_cuts(words: Sentence) -> list[int]:
    lowered = [word.text.lower() for word in words]
    cuts = [*_after_ground(words, lowered)]
    for index in range(1, len(words) - 2):
        word = lowered[index]
        if word == ";" or (word == "--" and lowered[index + 1] in _CLAUSE_OPENERS):
            cuts.append(index + 1)
        elif (word in _REASONS and lowered[index + 1] != "of") or (
            word in _JOINING and _opens_clause(words, lowered, index)
        ):
            cuts.append(index)
    return cuts


def _after_ground(words: Sentence, lowered: list[str]) -> Iterator[int]:
    """ "Because the fee rose, families left": where the second statement begins."""
    if not lowered or lowered[0] not in _GROUNDS:
        return
    for index in range(3, len(words) - 2):
        if lowered[index] == "," and _states(words, 1, index) and _begins_statement(words, lowered, index + 1):
            yield index + 1
            return


def _begins_statement(words: Sentence, lowered: list[str], index: int) -> bool:
    return (lowered[index] in _CLAUSE_OPENERS and _verb_near(words, index + 1)) or _subject_and_verb(words, index)


def _opens_clause(words: Sentence, lowered: list[str], index: int) -> bool:
    """A conjunction with a subject and a verb after it: a pronoun, or after a comma any noun phrase."""
    following = lowered[index + 1]
    if lowered[index - 1] == ",":
        return _states(words, 0, index) and _begins_statement(words, lowered, index + 1)
    return following in ("i", "we", "they", "he", "she") and _verb_near(words, index + 2)


def _subject_and_verb(words: Sentence, index: int) -> bool:
    """A short noun phrase at `index` with a finite verb right after it ("wages rose", "the town council voted")."""
    nominal = False
    while index < len(words) and words[index].pos == "ADV":  # "and then he left"
        index += 1
    for word in words[index : index + _SUBJECT_WORDS]:
        if nominal and word.tag in ("VBD", "VBP", "VBZ", "MD"):
            return True
        if word.pos not in ("DET", "ADJ", "NOUN", "PROPN", "NUM", "PRON", "ADP"):
            return False
        nominal = word.pos in ("NOUN", "PROPN", "PRON")
    return False


def _verb_near(words: Sentence, index: int) -> bool:
    return any(word.tag in ("VBD", "VBP", "VBZ", "MD") or word.pos == "AUX" for word in words[index : index + 3])
