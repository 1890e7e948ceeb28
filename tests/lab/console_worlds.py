"""Ledgers to look at in a browser, and names that try to be more than names."""

from __future__ import annotations

import json
from pathlib import Path

from planvow import Agent, Domain, State, refuse
from planvow.adapters.machine.debate_store import keep
from planvow.agent import ToolFailedError, tool
from planvow.debate import analyse, read_transcript
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.export.formats import export
from planvow.debate.words.lite import LiteParser

HOSTILE = (
    "<script>window.ran=1</script>",
    '"><img src=x onerror="window.ran=1">',
    "' onmouseover='window.ran=1",
    "javascript:window.ran=1",
    "\u202egnp.exe",
    "{{ 7*7 }}</textarea></title><svg onload=window.ran=1>",
)
START = {"open": {"shop": True}, "holder": {}, "told": {}}


def errands() -> Domain:
    """Return a domain in which things are bought, borrowed, handed over and written about."""
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
    def mail(state, who, text):
        state.told[who] = text
        return state

    @domain.method(task="bring")
    def from_the_shop(state, thing, who):
        return [("buy", thing), ("mail", who, f"your {thing} is here")]

    @domain.method(task="bring")
    def from_a_neighbour(state, thing, who):
        return [("borrow", thing), ("mail", who, f"a {thing} is here, on loan")]

    return domain


def closed(thing):
    raise ToolFailedError("the shop is closed", observed={"open": {"shop": False}})


def agent(ledger: Path, **tools) -> Agent:
    """Return an agent for errands; the shop turns out to be closed."""
    given = {"buy": closed, "borrow": lambda thing: {"from": "bob"}, "mail": lambda who, text: "sent"}
    return Agent(errands(), tools={**given, **tools}, ledger=str(ledger))


def asks(reason: str):
    """Return a tool that a person must agree to."""

    @tool(needs_approval=reason)
    def mail(who, text):
        return "sent"

    return mail


def fill(ledger: Path) -> None:
    """Put runs of several kinds into a ledger: done, held, given up, and with hostile names everywhere."""
    agent(ledger).run([("bring", "kettle", "bob")], State(**START), run_id="tuesday")
    agent(ledger, mail=asks("a letter leaves the house")).run(
        [("bring", "lamp", "ann")], State(**START), run_id="monday"
    )

    def out(thing):
        raise RuntimeError("the neighbour is out")

    agent(ledger, borrow=out).run([("bring", "cup", "ann")], State(**START), run_id="nightly")
    for number, text in enumerate(HOSTILE):

        def broken(thing, text=text):
            raise RuntimeError(text)

        tools = {"mail": asks(text)} if number % 2 else {"borrow": broken}
        agent(ledger, **tools).run([("bring", text, text)], State(**START), run_id=text)


TRAM = """MODERATOR: Good evening.

ANN: The tram line costs 310 million dollars. It carries 40,000 people a day. We should build it because the roads
are full. Harborview built a tram in 2015.

BOB: The tram does not carry 40,000 people a day. It carries 9,000 people a day. I believe that buses are enough.

ANN: That is not true. The buses lost 22 percent of their passengers in 2023.
"""
RADIO = """HOST: Welcome back.

CARA: The tram line costs 310 million dollars. That is more than the school budget of 120 million dollars.
"""


def hostile_talk() -> str:
    """Return a transcript in which speakers and what they say try to be more than words."""
    said = [f"{text} Taxes rose by {number + 3} percent in 2019." for number, text in enumerate(HOSTILE)]
    return json.dumps([{"speaker": text, "text": words} for text, words in zip(HOSTILE, said, strict=True)])


def keep_debate(root: Path, text: str, title: str) -> str:
    """Analyse a transcript and keep it as `planvow debate --keep` does; return its name."""
    result = analyse(read_transcript(text), ParsedLanguage(LiteParser()))
    return keep(root, export(result, "json", title=title), result.transcript.text)


def keep_debates(root: Path) -> dict[str, str]:
    """Keep two debates with a claim in common, and one that means harm; return their names."""
    found = {"tram": keep_debate(root, TRAM, "Tram debate"), "radio": keep_debate(root, RADIO, "Radio talk")}
    return {**found, "hostile": keep_debate(root, hostile_talk(), HOSTILE[1])}
