"""Word lists written as text: easier to read and to review than a column of quoted strings."""


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def word_pairs(pairs: str) -> frozenset[tuple[str, str]]:
    """Return pairs of words from text such as "control group, margin of"."""
    return frozenset((first, second) for first, second in (pair.split() for pair in pairs.split(",")))
