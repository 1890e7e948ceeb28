"""What an agent was asked, as a document that gives the same problem again in another process.

The problem that is planned is always the one read back from its document, so that what is planned is what is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from planvow.agent.errors import UnstorableError
from planvow.agent.loop.facts import about_data, state_data, state_from_data, tables_of
from planvow.agent.loop.times import agenda_data, agenda_item, timing_data, timing_from_data
from planvow.budgets import Budgets
from planvow.canonical import canonical_json, full_hash, to_jsonable
from planvow.contract.certificate.asked import timing_of
from planvow.contract.certificate.items import item_data, item_from_data
from planvow.errors import InputError, NotCanonicalError, did_you_mean
from planvow.kernel.domain.domain import Domain
from planvow.kernel.domain.terms import Annotated, Check, item_text, normal_item
from planvow.kernel.search.problem import Problem, make_problem
from planvow.kernel.search.table import as_goal
from planvow.kernel.time.timing import Timing
from planvow.kernel.world.state import State

FORMAT = "agent-asked/1"
OPTIONS = ("budgets", "selection", "blacklist", "capabilities", "loop_guard", "optimal", "max_cost", "time")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The documents of a problem: its agenda with the options, its facts, and the shape of its state.

    The ledger keeps facts as a set, so that states that differ little share what they have in common. Methods may walk
    through a state, so the order in which it was filled is kept beside it, where it is not the ledger's own.
    """

    asked: Mapping[str, Any]
    facts: Sequence[Any]
    shape: Mapping[str, Any]

    @classmethod
    def stored(cls, asked: Mapping[str, Any], facts: Sequence[Any], shape: Mapping[str, Any]) -> Asked:
        """Return what was asked from what the ledger keeps of it."""
        order = shape.get("order")
        rows = sorted(facts, key=canonical_json)
        return cls(asked=asked, facts=rows if order is None else [rows[place] for place in order], shape=shape)

    @property
    def state(self) -> State:
        """The state as any process reads it back."""
        return state_from_data(self.facts, self.shape["tables"], self.shape.get("about", ()))

    def problem(self, domain: Domain) -> Problem:
        """Return the problem as any process reads it back."""
        state = self.state
        items = [agenda_item(data) for data in self.asked["agenda"]]
        return make_problem(domain, state, items, **_options_from_data(self.asked["options"]))


def ask(todo: Iterable[Any], state: State, options: Mapping[str, Any]) -> Asked:
    """Return the documents of what is asked; refuse what would not come back as it is."""
    if not isinstance(state, State):
        raise InputError(f"the state must be a planvow State, got {type(state).__name__}", place="state")
    items = [_item(item, number) for number, item in enumerate(_listed(todo), start=1)]
    asked = {"format": FORMAT, "agenda": items, "options": _options_data(options)}
    facts = state_data(state)
    shape = {"tables": tables_of(state), "order": _order(facts), "about": about_data(state)}
    return Asked(asked=asked, facts=facts, shape=shape)


def _order(facts: Sequence[Any]) -> list[int] | None:
    """Return at which place of the sorted facts each fact stands; None if they are sorted already."""
    texts = [canonical_json(fact) for fact in facts]
    places = {text: place for place, text in enumerate(sorted(texts))}
    order = [places[text] for text in texts]
    return None if order == list(range(len(order))) else order


def options_of(problem: Problem) -> dict[str, Any]:
    """Return the options of a problem as an agent takes them."""
    return {
        "budgets": problem.budgets,
        "selection": problem.selection,
        "blacklist": problem.blacklist,
        "capabilities": problem.capabilities,
        "loop_guard": problem.loop_guard,
        "optimal": problem.optimal,
        "max_cost": problem.max_cost,
        "time": timing_of(problem),
    }


def asked_again(problem: Problem) -> Asked:
    """Return the documents of a problem that a repair came to."""
    todo = [as_goal(item.goal) if isinstance(item, Check) else item for item in problem.todo]
    return ask(todo, problem.state, options_of(problem))


def _listed(todo: Iterable[Any]) -> list[Any]:
    if isinstance(todo, str | Mapping) or (isinstance(todo, tuple) and todo and isinstance(todo[0], str)):
        raise InputError("the agenda is a list of items", place="agenda", hint=f"write [{todo!r}] for one item")
    if not isinstance(todo, Iterable):
        raise InputError("the agenda is a list of items", place="agenda")
    return list(todo)


def _item(item: Any, number: int) -> Any:
    plain = normal_item(item)
    data = agenda_data(plain)
    back = agenda_item(data)
    bare = plain.item if isinstance(plain, Annotated) else plain
    if (back.item if isinstance(back, Annotated) else back) != bare:
        hint = "use plain values, tuples, lists, dictionaries and sets of those"
        raise UnstorableError(f"{item_text(plain):.80} cannot be stored", place=f"item {number}", hint=hint)
    return to_jsonable(data)


def _options_data(options: Mapping[str, Any]) -> dict[str, Any]:
    for name in options:
        if name in {field.name for field in fields(Budgets)}:
            raise InputError(f"{name} is a budget", place=name, hint=f"write budgets=Budgets({name}=…)")
        if name not in OPTIONS:
            hint = did_you_mean(name, OPTIONS) or f"options are {', '.join(OPTIONS)}"
            raise InputError(f"an agent takes no option {name!r:.60}", place=name, hint=hint)
    data = dict(options)
    if data.get("budgets") is not None:
        data["budgets"] = vars(data["budgets"])
    if data.get("blacklist"):
        data["blacklist"] = sorted((item_data(normal_item(item)) for item in data["blacklist"]), key=full_hash)
    if isinstance(data.get("time"), Timing):
        data["time"] = timing_data(data["time"])
    if data.get("capabilities") is not None:
        data["capabilities"] = sorted(data["capabilities"])
    try:
        plain: dict[str, Any] = to_jsonable(
            {name: value for name, value in data.items() if value not in (None, frozenset())}
        )
    except NotCanonicalError as error:
        raise UnstorableError(f"an option cannot be stored: {error.message}", place=error.place) from None
    return plain


def _options_from_data(data: Mapping[str, Any]) -> dict[str, Any]:
    options = dict(data)
    if "budgets" in options:
        options["budgets"] = Budgets(**options["budgets"])
    if "blacklist" in options:
        options["blacklist"] = [item_from_data(item) for item in options["blacklist"]]
    if "time" in options:
        options["time"] = timing_from_data(options["time"])
    return options
