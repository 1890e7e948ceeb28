"""Word lists written as text: easier to read and to review than a column of quoted strings."""


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())
