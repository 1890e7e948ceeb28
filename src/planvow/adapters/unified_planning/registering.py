"""How unified-planning comes to know the engines: by a call, or by a file that it reads when it starts."""

from __future__ import annotations

from typing import Any

ENGINES = {
    "planvow": ("planvow.adapters.unified_planning.engine", "PlanvowEngine"),
    "planvow-replanner": ("planvow.adapters.unified_planning.replanner", "PlanvowReplanner"),
}
"""Engine → the module and the class, as unified-planning's own table has them."""


def register(environment: Any = None, *, prefer: bool = False) -> None:
    """Make the engines known to an environment (the global one, when none is given), once.

    unified-planning takes the first engine of its list that fits; with `prefer` ours are asked before all others.
    """
    from unified_planning.environment import get_environment

    factory = get_environment(environment).factory
    for name, (module, class_name) in ENGINES.items():
        if name not in factory.engines:
            factory.add_engine(name, module, class_name)
    if prefer:
        factory.preference_list = [*ENGINES, *(name for name in factory.preference_list if name not in ENGINES)]


def ini_text() -> str:
    """Return the sections of `up.ini` that name the engines."""
    return "\n".join(
        f"[engine {name}]\nmodule_name: {module}\nclass_name: {class_name}\n"
        for name, (module, class_name) in ENGINES.items()
    )


def with_engines(text: str) -> str:
    """Return the text of an `up.ini` with the engines in it: unchanged when they are there already."""
    if all(f"[engine {name}]" in text for name in ENGINES):
        return text
    return f"{text.rstrip()}\n\n{ini_text()}" if text.strip() else ini_text()
