"""A calculator with a mistake in it."""


def add(a, b):
    """Return the sum."""
    return a - b


def double(a):
    """Return twice the number."""
    return add(a, a)
