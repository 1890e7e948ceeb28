"""Functions, models and domains as tools, and an agenda that is blamed for its own faults."""

from __future__ import annotations

import enum
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from planvow import Domain, refuse
from planvow.contract.plan.schema_check import schema_problems
from planvow.errors import InputError
from planvow.tools import agenda_schema, of_domain, of_functions, of_models, read_agenda


class Colour(enum.Enum):
    RED = "red"


class Seat(BaseModel):
    row: int
    side: Literal["left", "right"] = "left"


class Ticket(BaseModel):
    """A seat on a flight."""

    number: str
    seat: Seat


def book(flight: str, seat: Seat, colour: Colour = Colour.RED, count: Annotated[int, Field(ge=1)] = 1) -> Ticket:
    """Book a flight.

    More words.
    """


def test_a_signature_is_the_schema():
    (tool,) = of_functions([book])
    assert tool.description == "Book a flight."
    assert tool.required == ("flight", "seat")
    assert [*schema_problems({"flight": "x", "seat": {"row": 3}, "count": 2}, tool.input_schema)] == []
    wrong = {"flight": "x", "seat": {"row": "three"}, "count": 0, "colour": "blue", "more": 1}
    assert len([*schema_problems(wrong, tool.input_schema)]) == 4
    assert set(tool.output_schema["properties"]) == {"number", "seat"}


def test_a_model_is_a_tool_whose_arguments_are_its_fields():
    (tool,) = of_models([Ticket])
    assert (tool.name, tool.required) == ("Ticket", ("number", "seat"))


def test_a_model_that_says_nothing_of_itself_is_not_described_by_its_base():
    class Quiet(Ticket):
        pass

    (tool,) = of_models([Quiet])
    assert tool.description == ""


def test_what_has_no_schema_is_told():
    def anything(*parts):
        pass

    def strange(x: pytest.Item):
        pass

    with pytest.raises(InputError, match="by name"):
        of_functions([anything])
    with pytest.raises(InputError, match="no schema"):
        of_functions([strange])
    with pytest.raises(InputError, match="model"):
        of_models([int])


@pytest.fixture
def travel():
    domain = Domain("travel")

    @domain.command
    def walk(state, who, there):
        """Go on foot."""
        state.at[who] = there
        return state

    @domain.method(task="travel")
    def on_foot(state, who, there):
        return [("walk", who, there)] if there else refuse("nowhere")

    return domain


def test_a_domain_offers_its_commands_and_says_what_may_be_asked(travel):
    (tool,) = of_domain(travel)
    assert (tool.name, tool.description, tool.required) == ("walk", "Go on foot.", ("who", "there"))
    schema = agenda_schema(travel)
    good = [{"task": "travel", "arguments": {"who": "ann", "there": "park"}}]
    assert [*schema_problems(good, schema)] == []
    assert [*schema_problems([{"task": "fly", "arguments": {}}], schema)]
    assert read_agenda(travel, good) == [("travel", "ann", "park")]


@pytest.mark.parametrize(
    ("agenda", "place", "words"),
    [
        ([{"task": "travle", "arguments": {}}], "agenda[0].task", "travel"),
        ([{"task": "travel", "arguments": {"who": "ann"}}], "agenda[0].arguments", "takes who, there"),
        (
            [{"task": "travel", "arguments": {"who": "a", "there": "b", "how": "c"}}],
            "agenda[0].arguments.how",
            "not allowed",
        ),
        ("travel", "agenda", "list"),
        ([5], "agenda[0]", "object"),
    ],
)
def test_a_fault_in_an_agenda_is_blamed_on_the_agenda(travel, agenda, place, words):
    with pytest.raises(InputError) as caught:
        read_agenda(travel, agenda)
    assert caught.value.place.startswith(place)
    assert words in f"{caught.value.message} {caught.value.hint}"


def test_parameters_with_defaults_may_be_left_out_of_an_agenda():
    kitchen = Domain("kitchen")

    @kitchen.command
    def brew(state, cup, strength=3, sugar=0, *, note=""):
        return state

    [entry] = of_domain(kitchen)
    assert entry.input_schema["required"] == ["cup"]
    assert [*entry.input_schema["properties"]] == ["cup", "strength", "sugar"]  # a plan gives arguments by place
    asked = [{"task": "brew", "arguments": {"cup": "c1"}}, {"task": "brew", "arguments": {"cup": "c2", "sugar": 1}}]
    assert read_agenda(kitchen, asked) == [("brew", "c1"), ("brew", "c2", 3, 1)]
    with pytest.raises(InputError, match="cup"):
        read_agenda(kitchen, [{"task": "brew", "arguments": {"sugar": 1}}])
