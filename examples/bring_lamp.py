"""An agent that brings things to people: plan, run, fail, repair, resume, explain.

    planvow agent run examples/bring_lamp.py --run-id lamp
    planvow agent why lamp 2

The shop is closed, which the agent learns by trying; then it borrows the lamp from a neighbour.
"""

from planvow import Domain, State, make_problem, refuse
from planvow.agent import ToolFailedError, tool

domain = Domain("errands")


@domain.command
def buy(state, thing):
    if not state.open["shop"]:
        return refuse("the shop is closed")
    state.holder[thing] = "me"
    return state


@domain.command
def borrow(state, thing):
    state.holder[thing] = "me"
    return state


@domain.command
def hand_over(state, thing, who):
    if state.holder.get(thing) != "me":
        return refuse(f"I do not have the {thing}")
    state.holder[thing] = who
    return state


@domain.command
def mail(state, who, text):
    state.told[who] = text
    return state


@domain.method(task="bring")
def from_the_shop(state, thing, who):
    return [("buy", thing), ("hand_over", thing, who), ("mail", who, f"your {thing} is here")]


@domain.method(task="bring")
def from_a_neighbour(state, thing, who):
    return [("borrow", thing), ("hand_over", thing, who), ("mail", who, f"a {thing} is here, on loan")]


problem = make_problem(domain, State(open={"shop": True}, holder={}, told={}), [("bring", "lamp", "ann")])


def buy_really(thing):
    raise ToolFailedError("the shop is closed", observed={"open": {"shop": False}})


@tool(idempotent=True)  # asking twice for the same lamp does no harm
async def borrow_really(thing):
    return {"from": "bob", "thing": thing}


def hand_over_really(thing, who):
    return f"{who} has the {thing}"


@tool(was_it_done=lambda call: call.idempotency_key in outbox)
def mail_really(who, text, idempotency_key):
    outbox[idempotency_key] = (who, text)


outbox: dict[str, tuple[str, str]] = {}
tools = {"buy": buy_really, "borrow": borrow_really, "hand_over": hand_over_really, "mail": mail_really}
