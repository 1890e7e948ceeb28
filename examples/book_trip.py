"""An agent that books a trip over three flaky services: a flight, a hotel and a car, over HTTP.

    python examples/book_trip.py
    planvow agent run examples/book_trip.py --run-id trip

The services are played by a small server in this file: one is down now and then, one has no room, one books and then
answers too late. The agent tries again where that does no harm, takes the other hotel, looks whether a booking happened
where nobody knows, and never books anything twice.
"""

import json
import threading
from collections import Counter
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from typing import ClassVar
from urllib.request import urlopen

from planvow import Agent, Domain, State, make_problem
from planvow.agent import http_tool
from planvow.retry import Backoff


class FlakyServices(BaseHTTPRequestHandler):
    """Books what it is asked for under the caller's key, in its own unreliable way."""

    booked: ClassVar[dict[str, str]] = {}
    asked: ClassVar[Counter[str]] = Counter()

    def do_GET(self) -> None:  # was this booked?
        self._answer(200, {"booked": self.path.rsplit("/", 1)[-1] in self.booked})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kind, what = self.path.strip("/").split("/")
        key = self.headers["Idempotency-Key"]
        self.asked[kind] += 1
        if kind == "flight" and self.asked[kind] < 3:
            return self._answer(503, {"error": "try again"})
        if kind == "hotel" and what == "grand":
            return self._answer(409, {"error": "no room left"})
        self.booked[key] = f"{kind} {what}"
        if kind == "car":
            sleep(1.5)  # the car is booked, and nobody hears of it in time
        return self._answer(200, {"booking": f"{kind}-{what}"})

    def _answer(self, status: int, body: dict) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with suppress(BrokenPipeError):  # the caller has hung up
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), FlakyServices)
threading.Thread(target=server.serve_forever, daemon=True).start()
HERE = f"http://127.0.0.1:{server.server_address[1]}"

trip = Domain("trip")


@trip.command
def book_flight(state, city):
    state.flight = city
    return state


@trip.command
def book_hotel(state, name):
    state.bed = name
    return state


@trip.command
def book_car(state, city):
    state.car = city
    return state


@trip.method(task="stay")
def in_comfort(state, city):
    return [("book_hotel", "grand")]


@trip.method(task="stay")
def for_little(state, city):
    return [("book_hotel", "hostel")]


@trip.method(task="travel")
def there_and_around(state, city):
    return [("book_flight", city), ("stay", city), ("book_car", city)]


def was_booked(call):
    with urlopen(f"{HERE}/bookings/{call.idempotency_key}", timeout=5) as answer:
        return json.load(answer)["booked"]


booking = partial(http_tool, method="POST", was_it_done=was_booked)
tools = {
    # The key makes a second call harmless, says the airline: so it may be called again.
    "book_flight": booking(
        "book_flight", url=f"{HERE}/flight/{{city}}", idempotent=True, backoff=Backoff(base_ms=10, max_ms=50)
    ),
    "book_hotel": booking("book_hotel", url=f"{HERE}/hotel/{{name}}"),
    "book_car": booking("book_car", url=f"{HERE}/car/{{city}}", timeout_seconds=0.5),
}
problem = make_problem(trip, State(flight=None, bed=None, car=None), [("travel", "oslo")])

if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        agent = Agent(trip, tools=tools, ledger=f"{folder}/trip.db")
        run = agent.run(problem.todo, problem.state, run_id="trip")
        print(run)
        print(agent.why("trip", run.steps[-1].number))
        print("booked:", ", ".join(FlakyServices.booked.values()))
