"""The shop of shop.json as a real MCP server, which refuses what is called in the wrong order.

    python examples/tools/shop_server.py               over standard input and output
    python examples/tools/shop_server.py --port 8765    over HTTP, at http://127.0.0.1:8765/mcp

With SHOP_TOKEN in its environment it signs nobody in without it. Needs the extra [mcp].
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TypedDict

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

server = MCPServer("shop")
LOOKS = ToolAnnotations(read_only_hint=True)
TWICE = ToolAnnotations(idempotent_hint=True)
KEY = "planvow/idempotency-key"


class Customer(TypedDict):
    customer_id: str


class Item(TypedDict):
    item_id: str


class Order(TypedDict):
    order_id: str


class Paid(TypedDict):
    receipt_id: str


class Invoiced(TypedDict):
    invoice_id: str


class Parcel(TypedDict):
    parcel_id: str


class Tracked(TypedDict):
    tracking_url: str


class Shop:
    """What is so in the shop."""

    def __init__(self) -> None:
        self.is_open = False
        self.orders: dict[str, str] = {}
        self.filled: set[str] = set()
        self.addressed: set[str] = set()
        self.made: dict[str, str] = {}

    def need(self, holds: bool, what: str) -> None:
        if not holds:
            raise ToolError(what)

    def order(self, order_id: str, status: str) -> None:
        self.need(order_id in self.orders, f"there is no order {order_id}")
        self.need(self.orders[order_id] == status, f"order {order_id} is {self.orders[order_id]}, not {status}")


shop = Shop()


@server.tool(annotations=TWICE)
def sign_in() -> str:
    """Open a session for the shop."""
    shop.need(os.environ.get("SHOP_TOKEN", "right") == "right", f"wrong token {os.environ.get('SHOP_TOKEN')}")
    shop.is_open = True
    return "welcome"


@server.tool()
def sign_out() -> str:
    """Close the session."""
    shop.is_open = False
    return "bye"


@server.tool(annotations=LOOKS)
def find_customer(email: str) -> Customer:
    """Look a customer up by e-mail address."""
    return {"customer_id": f"c-{email.partition('@')[0]}"}


@server.tool(annotations=LOOKS)
def list_items() -> Item:
    """List what is in stock."""
    return {"item_id": "i-lamp"}


@server.tool()
def create_order(customer_id: str, context: Context) -> Order:
    """Start an order for a customer."""
    shop.need(shop.is_open, "nobody has signed in")
    key = (context.request_context.meta or {}).get(KEY, "")
    if key not in shop.made:  # the same key again is the same order
        shop.made[key] = f"o-{customer_id}-{len(shop.orders) + 1}"
        shop.orders[shop.made[key]] = "open"
    return {"order_id": shop.made[key]}


@server.tool()
def add_item(order_id: str, item_id: str) -> str:
    """Put an item into an open order."""
    shop.order(order_id, "open")
    shop.filled.add(order_id)
    return f"{item_id} is in {order_id}"


@server.tool(annotations=TWICE)
def set_address(order_id: str, address: str) -> str:
    """Say where an order goes."""
    shop.order(order_id, "open")
    shop.addressed.add(order_id)
    return f"{order_id} goes to {address}"


@server.tool()
def pay_by_card(order_id: str) -> Paid:
    """Pay an order with the stored card."""
    return {"receipt_id": f"r-{_paid(order_id)}"}


@server.tool()
def pay_by_invoice(order_id: str) -> Invoiced:
    """Pay an order later, by invoice."""
    return {"invoice_id": f"v-{_paid(order_id)}"}


def _paid(order_id: str) -> str:
    shop.need(shop.is_open, "nobody has signed in")
    shop.order(order_id, "open")
    shop.need(order_id in shop.filled, f"order {order_id} is empty")
    shop.orders[order_id] = "paid"
    return order_id


@server.tool()
def ship_order(order_id: str) -> Parcel:
    """Hand a paid order to the carrier."""
    shop.order(order_id, "paid")
    shop.need(order_id in shop.addressed, f"order {order_id} has no address")
    shop.orders[order_id] = "shipped"
    return {"parcel_id": f"p-{order_id}"}


@server.tool(annotations=LOOKS)
def track_parcel(parcel_id: str) -> Tracked:
    """Say where a parcel is."""
    return {"tracking_url": f"https://carrier.example.org/{parcel_id}"}


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def cancel_order(order_id: str) -> str:
    """Cancel an order."""
    shop.orders[order_id] = "cancelled"
    return f"{order_id} is cancelled"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int)
    port = parser.parse_args().port
    if port is None:
        server.run("stdio")
    else:
        print(f"http://127.0.0.1:{port}/mcp", file=sys.stderr)
        server.run("streamable-http", host="127.0.0.1", port=port)


if __name__ == "__main__":
    main()
