"""Which versions make which kind of document, read from what is installed: never written down here.

A planner says its own version. A document's version is the number in its tag ("certificate/1"); the tags are looked
for in the source itself, so a tag that is raised is a version that moved.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import planvow
from planvow.adapters.language.choice import load_language
from planvow.contract import default_registry

_TAG = re.compile(r"""["']([a-z][a-z-]*)/(\d+)["']""")


def planner(planner_id: str) -> str:
    """Return a planner and its version, without what was given to it when it was made."""
    return f"{planner_id} {default_registry().create(planner_id).version.partition('+')[0]}"


def document(name: str) -> str:
    """Return a document's tag with the highest number that the source has for it."""
    return f"{name}/{_tags()[name]}"


def language(name: str) -> str:
    """Return a language back-end of the debate application with its version and that of its weights."""
    return load_language(name).version


@cache
def _tags() -> dict[str, int]:
    found: dict[str, int] = {}
    for path in sorted(Path(planvow.__file__).parent.rglob("*.py")):
        for name, number in _TAG.findall(path.read_text(encoding="utf-8")):
            found[name] = max(found.get(name, 0), int(number))
    return found


def _made_by(*parts: tuple[Callable[[str], str], str]) -> Callable[[], tuple[str, ...]]:
    return lambda: tuple(read(name) for read, name in parts)


PLANNERS = ("stub", "htn", "hddl", "goal", "tools", "governed")
SCHEMAS = ("certificate", "debate", "planvow-golden", "planvow-recording", "planvow-run")
KINDS: dict[str, Callable[[], tuple[str, ...]]] = {
    "canonical value": lambda: ("RFC 8785",),  # has no version of its own: it never changes
    "text key": _made_by((document, "debate"), (document, "llm")),
    "trace": _made_by((planner, "htn")),
    "htn plan": _made_by((planner, "htn")),
    "solution graph": _made_by((planner, "htn")),
    "picture": _made_by((document, "picture")),
    "explanation": _made_by((planner, "htn")),
    "repair": _made_by((planner, "htn")),
    "scores": _made_by((document, "scores"), (planner, "htn")),
    "certificate": _made_by((document, "certificate"), (planner, "htn")),
    "hddl plan": _made_by((planner, "hddl")),
    "hddl text": _made_by((planner, "hddl")),
    "hddl explanation": _made_by((planner, "hddl"), (planner, "htn")),  # the engine explains
    "hddl certificate": _made_by(
        (document, "certificate"), (document, "hddl-plan"), (planner, "hddl"), (planner, "htn")
    ),
    "hddl proof": _made_by((document, "planvow-no-plan"), (planner, "hddl")),
    "stub plan": _made_by((document, "planvow-golden"), (planner, "stub")),
    "contract plan": _made_by((document, "plan"), (planner, "stub")),
    "contract hashes": _made_by(
        (document, "plan"), (document, "planner-input"), (planner, "stub"), (planner, "htn"), (planner, "hddl")
    ),
    "recording": _made_by((document, "planvow-recording"), (planner, "stub")),
    "planner report": _made_by((document, "planner-report"), (planner, "stub")),
    "run": _made_by((document, "planvow-run"), (planner, "stub")),
    "prompt": _made_by((document, "plan-steps"), (document, "planvow-recording")),
    "planners": _made_by(*((planner, name) for name in PLANNERS)),
    "goal plan": _made_by((planner, "goal")),
    "tool manifest": _made_by((document, "planvow-tools"), (document, "planvow-tool-review")),
    "tool plan": _made_by((planner, "tools"), (document, "planvow-tools")),
    "governed plan": _made_by((planner, "governed"), (document, "plan"), (document, "index")),
    "section index": _made_by((document, "index")),
    "ledger export": _made_by((document, "planvow-bundle"), (document, "seal"), (planner, "stub")),
    "ledger archive": _made_by((document, "planvow-archive"), (document, "checkpoint")),
    "ledger export, governed": _made_by((document, "planvow-bundle"), (document, "index"), (planner, "governed")),
    "ledger export, htn": _made_by((document, "planvow-bundle"), (planner, "htn")),
    "receipts of goals": _made_by((planner, "goal")),
    "receipts of governed plans": _made_by((planner, "governed"), (document, "index")),
    "agent run": _made_by((document, "agent-run"), (document, "agent-asked"), (planner, "htn")),
    "service answer": _made_by(
        (planner, "htn"), (planner, "goal"), (planner, "tools"), (planner, "hddl"), (planner, "stub")
    ),
    "batch": _made_by((document, "planvow-batch"), (document, "batch-item"), (planner, "hddl"), (planner, "goal")),
    "tokens": _made_by((document, "planvow-tokens")),
    "question to a model": _made_by(
        (document, "plan-steps"), (document, "tool-statements"), (document, "agenda"), (document, "method")
    ),
    "tool policy": _made_by((document, "planvow-tool-policy"), (document, "imported-tool")),
    "agent run by a planner": _made_by((document, "agent-goal"), (document, "agent-run"), (planner, "tools")),
    "proof": _made_by((document, "seal")),
    "debate": _made_by((document, "debate"), (language, "lite")),
    "debate report": _made_by((document, "debate-report"), (document, "debate"), (language, "lite")),
    "debate with spaCy": _made_by((document, "debate"), (language, "spacy")),
    "debate review": _made_by((document, "planvow-debate-review")),
    "facts": _made_by((document, "planvow-facts")),
    "debate weights": _made_by((document, "planvow-debate-weights"), (language, "lite")),
    "schema": _made_by(*((document, name) for name in SCHEMAS)),
}
