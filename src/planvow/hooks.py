"""What lower layers need from higher ones: functions that the higher ones offer under a name.

Imports go downwards only, yet `Domain.check()` wants the room that reads source and `Result.certificate()` the
contract. Whoever offers such a function declares it among the entry points of the group `planvow.hooks`; it is imported
when it is first asked for, so it is found whichever package was imported.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from planvow.errors import HookMissingError

GROUP = "planvow.hooks"


@cache
def hook(name: str) -> Callable[..., Any]:
    """Return the function that is offered under a name; planvow's own comes before any other."""
    from importlib.metadata import entry_points  # as dear as all the rest of a short command

    found = sorted(  # independent of the order on disk
        entry_points(group=GROUP, name=name),
        key=lambda point: (point.dist is None or point.dist.name != "planvow", point.value),
    )
    if not found:
        raise HookMissingError(
            f"nothing is installed that offers {name!r}",
            hint="install planvow (pip install .): being on the path is not enough, its metadata names what it offers",
        )
    function: Callable[..., Any] = found[0].load()
    return function
