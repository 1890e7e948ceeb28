"""Forms made from domains: what stands in them is the question, there and back."""

from __future__ import annotations

import json

import pytest

from planvow import Domain, State, make_problem
from planvow.adapters.console.views.facts import read_fact, written_fact
from planvow.adapters.console.views.forms import domain_form, form_question
from planvow.canonical import to_jsonable
from planvow.errors import InputError
from planvow.service.common.domains import whole


def shop():
    domain = Domain("shop")

    @domain.command
    def pay(state, who, cents):
        state.cash[who] -= cents
        return state

    @domain.method(task="buy")
    def at_once(state, who: str, cents: int, gift: bool):
        return [("pay", who, cents)]

    state = State(cash={"ann": 5, "007": 9}, is_open={"shop": True}, label={"shop": "12"}, at={("a", 1): "x"})
    return to_jsonable(whole("shop", make_problem(domain, state, [("buy", "ann", 3, False)])))


def filled(form):
    """Return what a browser sends for a form that nobody has touched."""
    sent = {"domain": form.name, **dict(form.extra)}
    for row in form.rows:
        sent |= {f"t{row.number}": row.task, f"k{row.number}": ",".join(field.kind for field in row.fields)}
        sent |= {field.name: field.value for field in row.fields}
    return sent | {field.name: field.value for _, fields in form.facts for field in fields}


def test_an_untouched_form_asks_the_domains_own_question():
    form = domain_form(shop(), "", "")
    assert [(row.task, [field.kind for field in row.fields]) for row in form.rows] == [
        ("buy", ["text", "number", "yes or no"])
    ]
    assert form.left_out == 1, "a subject that is no name cannot be asked about"
    assert form_question(shop(), filled(form)) == {
        "domain": "shop",
        "goal": '[["buy", "ann", 3, false]]',
        "facts": "",
    }


def test_changed_facts_keep_their_types_and_come_back_marked():
    sent = filled(domain_form(shop(), "", ""))
    names = {(name, field.label): field.name for name, fields in domain_form(shop(), "", "").facts for field in fields}
    sent |= {names["cash", "007"]: "3.5", names["is_open", "shop"]: "false", names["label", "shop"]: "13"}
    sent |= {"extra1": 'closed[shop] = {"since": 4}'}
    asked = form_question(shop(), sent)
    assert json.loads(asked["facts"]) == {
        "cash": {"007": 3.5}, "is_open": {"shop": False}, "label": {"shop": "13"}, "closed": {"shop": {"since": 4}},
    }  # fmt: skip
    again = domain_form(shop(), asked["goal"], asked["facts"])
    changed = [(name, field.label, field.value) for name, fields in again.facts for field in fields if field.is_changed]
    assert sorted(changed) == [("cash", "007", "3.5"), ("is_open", "shop", "false"), ("label", "shop", "13")]
    assert form_question(shop(), filled(again)) == asked


def test_tasks_are_added_and_left_out_and_what_is_no_number_is_refused():
    sent = filled(domain_form(shop(), "", ""))
    assert json.loads(form_question(shop(), {**sent, "add": "buy"})["goal"])[1] == ["buy", "", "", ""]
    assert form_question(shop(), {**sent, "drop": "0"})["goal"] == "[]"
    with pytest.raises(InputError, match="no number"):
        form_question(shop(), {**sent, "t0_1": "many"})
    goal = json.dumps([{"goal": ["cash", "ann", 1]}])
    kept = domain_form(shop(), goal, "")
    assert (kept.rows[0].task, form_question(shop(), filled(kept))["goal"]) == ("", goal)


@pytest.mark.parametrize(
    "fact", [["open", "shop", True], ["at", "ann", "the park"], ["at", "5", "7"], ["n", 5, [1, "a"]], ["open", "shop"]]
)
def test_facts_are_read_as_they_are_written(fact):
    assert read_fact(written_fact(fact), "x") == fact


@pytest.mark.parametrize("text", ["", "open", "open[shop]", "[shop] = 1", "= 3"])
def test_what_is_no_fact_says_how_one_is_written(text):
    with pytest.raises(InputError) as raised:
        read_fact(text, "fact1")
    assert "open[shop] = true" in raised.value.hint
