"""Whether the rules that guard a ledger are still in force: its triggers, functions, constraints and rights.

What they must be follows from the migrations alone. A rule that is missing, that was changed or that somebody added is
a fault with its name. This says what holds now: a rule that was taken away and put back leaves no trace here, but
whatever was done meanwhile has to pass the hashes.
"""

from __future__ import annotations

from collections.abc import Iterator

from planvow.cassette.ledger.store import Store
from planvow.verdict import Fault

PLACE = "schema"


def check_schema(store: Store) -> Iterator[Fault]:
    """Yield every rule that is not as the migrations make it, and every right that goes too far."""
    expected, live = store.expected_schema(), store.live_schema()
    for name in sorted(expected.keys() | live.keys()):
        if name not in live:
            yield Fault(place=PLACE, message=f"{name} is missing")
        elif name not in expected:
            yield Fault(place=PLACE, message=f"{name} does not come from a migration")
        elif live[name] != expected[name]:
            yield Fault(place=PLACE, message=f"{name} is not as the migrations make it")
    for right in store.excessive_rights():
        yield Fault(place=PLACE, message=right)
