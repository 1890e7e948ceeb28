import sqlite3
from typing import TypedDict

from effects import FOLDER, ORDER, really
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph


class Order(TypedDict, total=False):
    reserve: str
    charge: str
    ship: str


builder = StateGraph(Order)
for name in ORDER:
    builder.add_node(f"do_{name}", lambda state, name=name: {name: really(name)})
builder.add_edge(START, "do_reserve")
builder.add_edge("do_reserve", "do_charge")
builder.add_edge("do_charge", "do_ship")
builder.add_edge("do_ship", END)
graph = builder.compile(SqliteSaver(sqlite3.connect(FOLDER / "langgraph.db", check_same_thread=False)))
config = {"configurable": {"thread_id": "order"}}
begun = graph.get_state(config).next
end = graph.invoke(None if begun else {}, config, durability="sync")
print("solved" if "ship" in end else "stuck")
