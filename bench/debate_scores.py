"""Scores of found against wanted, for the debate benches."""

from collections.abc import Sequence


def f1(hits: float, predicted: float, gold: float) -> float:
    return 2 * hits / (predicted + gold) if predicted + gold else 0.0


def binary_f1(pairs: Sequence[tuple[bool, bool]]) -> float:
    return f1(sum(p and g for p, g in pairs), sum(p for p, _ in pairs), sum(g for _, g in pairs))


def macro_f1(pairs: Sequence[tuple[bool, bool]]) -> float:
    return (binary_f1(pairs) + binary_f1([(not p, not g) for p, g in pairs])) / 2


def average_precision(scored: Sequence[tuple[float, bool]]) -> float:
    """Ties count in the worst order, so that a constant score earns nothing."""
    hits, total = 0, 0.0
    for rank, (_, gold) in enumerate(sorted(scored, key=lambda pair: (-pair[0], pair[1])), 1):
        if gold:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0
