"""Words in pieces, as BERT models of English read: lower case, no accents, the longest known piece first."""

import unicodedata
from collections.abc import Iterator, Mapping

LONGEST_WORD = 100
_IDEOGRAPHS = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FA1F))


class WordPieces:
    """Turns a text into the numbers of its pieces, with the marks of a beginning and an end around them."""

    def __init__(self, vocabulary: Mapping[str, int], *, most: int) -> None:
        self._vocabulary = vocabulary
        self._most = most
        self._unknown = vocabulary["[UNK]"]
        self._begin, self._end = vocabulary["[CLS]"], vocabulary["[SEP]"]

    def numbers(self, text: str) -> list[int]:
        """The numbers of at most `most` pieces, both marks counted."""
        found = [self._begin]
        for word in split_words(text):
            found.extend(self._pieces(word))
            if len(found) >= self._most:
                break
        return [*found[: self._most - 1], self._end]

    def _pieces(self, word: str) -> list[int]:
        if len(word) > LONGEST_WORD:
            return [self._unknown]
        pieces, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._vocabulary.get(mark + word[start:end])
                if number is not None:
                    pieces.append(number)
                    start = end
                    break
            else:
                return [self._unknown]  # a word with a part that nobody knows is unknown as a whole
        return pieces


def split_words(text: str) -> Iterator[str]:
    """Words and marks, each mark by itself."""
    plain = unicodedata.normalize("NFD", "".join(map(_cleaned, text)).lower())
    word = ""
    for character in plain:
        if unicodedata.category(character) == "Mn":
            continue
        if character.isspace() or _stands_alone(character):
            if word:
                yield word
            word = ""
            if not character.isspace():
                yield character
        else:
            word += character
    if word:
        yield word


def _cleaned(character: str) -> str:
    if character.isspace():
        return " "
    control = character in ("\0", "\ufffd") or unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co", "Cs")
    return "" if control else character


def _stands_alone(character: str) -> bool:
    if character.isascii():
        return character.isprintable() and not character.isalnum()
    code = ord(character)
    return unicodedata.category(character).startswith("P") or any(low <= code <= high for low, high in _IDEOGRAPHS)
