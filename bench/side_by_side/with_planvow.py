from effects import FOLDER, really, was_it_done

from planvow import Agent, Domain, State
from planvow.agent import tool

shop = Domain("shop")


@shop.command
def reserve(state):
    state.reserved = True
    return state


@shop.command
def charge(state):
    state.charged = True
    return state


@shop.command
def ship(state):
    state.shipped = True
    return state


@shop.method(task="order")
def by_card(state):
    return [("reserve",), ("charge",), ("ship",)]


def doing(name):
    return tool(lambda: really(name), name=name, was_it_done=lambda call: was_it_done(name))


tools = {name: doing(name) for name in shop.commands}
agent = Agent(shop, tools=tools, ledger=str(FOLDER / "planvow.db"))
run = agent.run([("order",)], State(), run_id="order")
print(run.status)
