"""The gist of a sentence: what it names and one thing to do with that, where every other word says nothing.

"It has come to my attention that we need a folder named audit" names a folder and says that one is needed; each word
beside is known to carry nothing. Such a sentence is put in the plainest words ("create a folder named audit") and read
by the grammar like any other, so whatever is doubtful there stays doubtful. One word that is not known, and nothing is
said: a list of words that may be left out is safe only while it is closed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from planvow.goals.grammar.chart import Chart
from planvow.goals.grammar.tokens import COMMA, MOST_TOKENS, QUOTED, STOP, tokens_of
from planvow.goals.grammar.verbs import QUERIES
from planvow.goals.rephrase.glue import (
    ABOUT_MACHINE,
    AFTER_NAMES,
    ASKING_ABOUT,
    ASKS,
    COMMANDS,
    COPIES,
    CREATES,
    DELETES,
    FROM,
    GLUE,
    INTO,
    LISTS,
    MACHINE,
    MOVES,
    OPENS,
    PASSIVE,
    PHRASES,
    QUESTION,
    READS,
    RENAMES,
    STATEMENT,
    STATES,
    TAKES,
    WISHES,
)  # fmt: skip

OPEN, FILE, FOLDER, PLACE, TEXT, WORD, BREAK = "open", "file", "folder", "place", "text", "word", "break"
_words_that_show = frozenset({"show", "display", "view", "present"})
PLACING = frozenset({"in", "into", "inside", "onto", "from", "under", "within", "off"})
_SYMBOLS = ((OPEN, "known"), (FILE, "gistfile"), (FOLDER, "gistfolder"), (PLACE, "gistplace"))


@dataclass(frozen=True)
class Piece:
    """A name, a text in quotes or a word, and how it was said."""

    kind: str
    said: str
    start: int = 0
    end: int = 0


def pieces_of(sentence: str, chart_of: Callable[[str], Chart]) -> tuple[Piece, ...]:
    """Cut a sentence into the things it names and the words between them."""
    tokens = tokens_of(sentence)
    if len(tokens) > MOST_TOKENS:
        return ()
    chart = chart_of(sentence)
    found, at = [], 0
    while at < len(tokens):
        ends = [(edge.end, kind) for kind, symbol in _SYMBOLS for edge in chart.at(symbol, at)]
        end, kind = max(ends, default=(at + 1, WORD), key=lambda pair: pair[0])
        said = sentence[tokens[at].start : tokens[end - 1].end]
        if kind == OPEN and said.casefold() in GLUE:  # "so" is a name, too
            kind, end, said = WORD, at + 1, sentence[tokens[at].start : tokens[at].end]
        if kind == FOLDER and said.split()[-1].casefold() in COMMANDS | GLUE:  # "directory listing"
            kind, end, said = WORD, at + 1, sentence[tokens[at].start : tokens[at].end]
        if not ends and tokens[at].kind in (COMMA, STOP):
            kind = BREAK
        elif not ends and tokens[at].kind == QUOTED:
            kind = TEXT
        words = said if kind != WORD else said.casefold().strip(":")
        found.append(Piece(kind, words, tokens[at].start, tokens[end - 1].end))
        at = end
    return tuple(found)


def _asked_about(sentence: str) -> str | None:
    """Return what a sentence asks of the machine: `how much battery i've got left`, `show disk space and memory`."""
    names = [match[0] for match in MACHINE.finditer(sentence)]
    words = re.findall(r"[\w']+", MACHINE.sub(" ", sentence).casefold())
    fits = names and ASKING_ABOUT.intersection(words) and all(word in GLUE or word in ABOUT_MACHINE for word in words)
    if not fits or set(words) <= {"what", "is", "what's", "whats"}:  # "what is memory?" asks for a meaning
        return None
    return " and ".join(f"what is the {name}" for name in names)


_NAMES_OF = {name for name, more in QUERIES.items() for name in (name, *more.split(", "))} - {
    "day",
    "space",
    "room",
    "hour",
}


def _asked_alone(sentence: str) -> str | None:
    """Return several questions that are only named: `ip, disk space and memory`. One alone is no wish."""
    names = re.split(r"\s*(?:,|&|\+|\band\b|\bplus\b)\s*", re.sub(r"[.!;]+ go$", "", sentence.casefold()))
    names = [re.sub(r"^(?:my|the|current|our) ", "", name) for name in names if name]
    several = len(names) > 1 and len({*names}) == len(names) and {*names} <= _NAMES_OF
    return " and ".join(f"what is the {name}" for name in names) if several else None


def gist(text: str, chart_of: Callable[[str], Chart]) -> Iterator[str]:
    """Yield a sentence in the plainest words, if it says one thing only."""
    sentence = PHRASES.sub(" ", text)
    sentence = " ".join(sentence.split()).strip(" ,.!?:;")
    asked_about = _asked_about(sentence)
    asked_about = asked_about or _asked_alone(sentence)
    if asked_about is not None:
        yield asked_about
    if not sentence or STATEMENT.match(sentence):
        return
    pieces = pieces_of(sentence, chart_of)
    kinds = {piece.kind for piece in pieces} - {WORD, BREAK}
    words = [piece.said for piece in pieces if piece.kind == WORD]
    asked = ASKS.search(text) is not None
    if not kinds or not _joins(pieces) or not _ends_names(pieces):
        return
    asks_about = QUESTION.match(sentence) is not None
    if kinds == {OPEN} and not asks_about:
        yield from _opened(pieces, words, asked=asked)
    elif kinds and kinds <= {FILE, FOLDER, PLACE} and not _dangles(pieces):
        for way in (_shown,) if asks_about else (_moved, _renamed, _deleted, _created, _shown):
            yield from way(pieces, words)


def _joins(pieces: tuple[Piece, ...]) -> bool:
    """Say whether each joint stands between two parts that name something."""
    named = [number for number, piece in enumerate(pieces) if piece.kind not in (WORD, BREAK)]
    joints = [number for number, piece in enumerate(pieces) if piece.said in ("and", "then", "plus", "&")]
    return not joints or (
        named[0] < joints[0] and joints[-1] < named[-1] and not any(b - a == 1 for a, b in pairwise(joints))
    )


def _ends_names(pieces: tuple[Piece, ...]) -> bool:
    """Say whether it is clear where each name without quotes ends: not in `a folder called delete me`."""
    for piece, after in pairwise(pieces):
        is_bare = piece.kind in (FILE, FOLDER) and not re.search(r"\"|\.\w+$", piece.said)
        if is_bare and after.kind == WORD and after.said not in AFTER_NAMES:
            return False
    return True


def _dangles(pieces: tuple[Piece, ...]) -> bool:
    """Say whether a place is spoken of that is not named: `in it`."""
    for number, piece in enumerate(pieces):
        if piece.kind == WORD and piece.said in PLACING:
            after = next((p for p in pieces[number + 1 :] if p.said not in ("the", "my", "our", "a")), None)
            if after is None or after.kind in (WORD, BREAK):
                return True
    return False


def _only(words: list[str], *allowed: frozenset[str]) -> bool:
    return all(word in GLUE or any(word in some for some in allowed) for word in words)


def _says(words: list[str], cues: frozenset[str]) -> bool:
    return not cues.isdisjoint(words)


def _orders(words: list[str], verbs: frozenset[str]) -> bool:
    """Say whether a verb orders something: as it stands, or as what shall have been done."""
    said = verbs.intersection(words)
    return any(not re.search(r"(?:ed|made|built|sent|brought|ing)$", verb) for verb in said) or (
        bool(said) and _says(words, PASSIVE)
    )


def _opened(pieces: tuple[Piece, ...], words: list[str], *, asked: bool) -> Iterator[str]:
    """`get the calculator out`, `throw teams up on the monitor`."""
    if not _only(words, OPENS, STATES, WISHES, frozenset({"in", "with"})):
        return
    if not (asked or _says(words, OPENS) or _says(words, WISHES)):
        return
    things = [piece.said for piece in pieces if piece.kind == OPEN]
    inside = [before.said for before, piece in pairwise(pieces) if piece.kind == OPEN]
    if _says(words, frozenset({"with", "in"})) and not (len(things) == 2 and inside[-1:] in (["in"], ["with"])):
        return
    if any(a.kind == b.kind == OPEN for a, b in pairwise(pieces)) or "of" in words or {"look", "up"} <= {*words}:
        return
    if not (asked or _says(words, WISHES) or _says(words, OPENS - _words_that_show)):
        return
    yield "open " + (f"{things[0]} in {things[1]}" if _says(words, frozenset({"with", "in"})) else " and ".join(things))


def _roles(pieces: tuple[Piece, ...]) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """Return what is spoken of, where it comes from and where it goes."""
    objects: list[Piece] = []
    sources: list[Piece] = []
    targets: list[Piece] = []
    prep = ""
    for piece in pieces:
        if piece.kind == WORD:
            prep = piece.said if piece.said in FROM or piece.said in INTO else "" if piece.said not in GLUE else prep
        elif piece.kind != BREAK:
            where = sources if prep in FROM else targets if prep in INTO else objects
            where.append(piece)
            prep = ""
    return objects, sources, targets


def _moved(pieces: tuple[Piece, ...], words: list[str]) -> Iterator[str]:
    """`bring essay.odt from downloads to documents`, `take a duplicate of form.pdf and put it in documents`."""
    copies = _orders(words, COPIES)
    if not _only(words, MOVES, COPIES, FROM, INTO, TAKES) or not (copies or _orders(words, MOVES)):
        return
    objects, sources, targets = _roles(pieces)
    if not objects or len(targets) != 1 or len(sources) > 1 or any(piece.kind == PLACE for piece in objects):
        return
    if targets[0].kind == FILE or (sources and sources[0].kind == FILE):
        return
    source = f" from {sources[0].said}" if sources else ""
    verb = "copy" if copies else "move"
    yield f"{verb} {' and '.join(piece.said for piece in objects)}{source} to {targets[0].said}"


def _renamed(pieces: tuple[Piece, ...], words: list[str]) -> Iterator[str]:
    """`turn the name main.js into app.js`."""
    named = [piece for piece in pieces if piece.kind in (FILE, FOLDER)]
    linked = _says(words, frozenset({"to", "into", "as", "be", "called", "named", "name", "becomes", "become", "in"}))
    if (
        len(named) == 2
        and linked
        and re.fullmatch(r"\S+", named[1].said)
        and _orders(words, RENAMES)
        and _only(words, RENAMES, INTO, WISHES)
    ):
        new = re.sub(r"^(?:the |a )?(?:new )?(?:file |folder )?(?:name |called |named )?", "", named[1].said)
        yield f"rename {named[0].said} to {new}"


def _deleted(pieces: tuple[Piece, ...], words: list[str]) -> Iterator[str]:
    """`folder called x, kill it`."""
    if not _orders(words, DELETES) or not _only(words, DELETES, FROM, INTO):
        return
    named = [piece for piece in pieces if piece.kind in (FILE, FOLDER)]
    places = [piece for piece in pieces if piece.kind == PLACE]
    if len(named) == 1 and len(places) < 2:
        yield f"delete {named[0].said}" + (f" in {places[0].said}" if places else "")


def _created(pieces: tuple[Piece, ...], words: list[str]) -> Iterator[str]:
    """`hereby I ask for the creation of the folder contracts`, `desktop needs a folder named inbox`."""
    if not (_orders(words, CREATES) or _says(words, WISHES)) or not _only(words, CREATES, WISHES, INTO, TAKES):
        return
    named = [piece for piece in pieces if piece.kind in (FILE, FOLDER)]
    places = [piece for piece in pieces if piece.kind == PLACE]
    if len(named) != 1 or len(places) > 1 or "it" in words:
        return
    name = named[0].said
    if not _says(words, CREATES) and not re.match(r"(?:a|an|another|new)\b", name, re.I):
        return
    if _says(words, frozenset({"creation", "created", "made", "built"})):  # what is yet to be made is not there
        name = re.sub(r"^the (?=.*\b(?:file|folder|directory)\b)", "a ", name, flags=re.I)
    yield f"create {name}" + (f" in {places[0].said}" if places else "")


def _shown(pieces: tuple[Piece, ...], words: list[str]) -> Iterator[str]:
    """`how does the file intro.txt read`, `the files in pictures, list them`."""
    named = [piece for piece in pieces if piece.kind not in (WORD, BREAK)]
    if len(named) == 1 and named[0].kind == FILE:
        if _says(words, READS) and _only(words, READS, WISHES, INTO) and not {"read", "to", "me"} <= set(words):
            yield f"read {named[0].said}"
    elif (
        len(named) == 1
        and named[0].said.casefold() not in ("documents", "my documents")
        and _says(words, LISTS)
        and _only(words, LISTS, WISHES, INTO)
    ):
        yield f"list the files in {named[0].said}"
