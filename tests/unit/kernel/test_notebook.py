"""What notebooks show: HTML that is whole, escaped, folded where it is long, and of no theme."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from planvow import Budgets, Domain, State, plan, refuse
from planvow.hddl import parse_domain, parse_problem
from planvow.hddl.solve.entry import solve
from planvow.notebook.html import chart, tree

LAMPS = """(define (domain lamps) (:requirements :hierarchy :typing) (:types lamp)
 (:predicates (on ?l - lamp)) (:task light :parameters (?l - lamp))
 (:method m :parameters (?l - lamp) :task (light ?l) :ordered-subtasks (and (switch ?l)))
 (:action switch :parameters (?l - lamp) :effect (on ?l)))"""
LIT = """(define (problem p) (:domain lamps) (:objects a b - lamp)
 (:htn :ordered-subtasks (and (light a) (light b))) (:init))"""


class Whole(HTMLParser):
    """Notes what is open, and what is closed that was not."""

    VOID = ("line", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.deepest = 0
        self.folded = 0

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.deepest = max(self.deepest, len(self.open))
        self.folded += tag == "details" and "open" not in dict(attributes)

    def handle_startendtag(self, tag, attributes):
        assert tag in self.VOID

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def looked_through(html: str) -> Whole:
    whole = Whole()
    whole.feed(html)
    whole.close()
    assert whole.open == []
    assert not re.search(r"(?:^|[;{ ])(?:color|background|fill): ?#(?:000|111|fff|FFF)", html)
    return whole


def many(count: int, *, group: int) -> Domain:
    domain = Domain("many")

    @domain.command(duration="PT1M30S")
    def do(state, number):
        state.done[number] = True
        return state

    @domain.method(task="all")
    def everything(state):
        return [("some", at) for at in range(0, count, group)]

    @domain.method(task="some")
    def some(state, at):
        return [("do", number) for number in range(at, min(count, at + group))]

    return domain


def html_of(result) -> str:
    return result._repr_mimebundle_()["text/html"]


def test_a_plan_shows_its_tree_its_times_and_its_reasons():
    html = html_of(plan(many(3, group=3), State(done={}), [("all",)]))
    looked_through(html)
    assert "solved: 3 steps" in html
    assert "<summary>all()  [everything]</summary>" in html
    assert "1 min 30 s" in html
    assert "PT" not in re.sub(r"<pre.*?</pre>", "", html, flags=re.DOTALL)


@pytest.mark.parametrize("group", [50, 5000])
def test_five_thousand_steps_are_folded_and_small(group):
    result = plan(many(5000, group=group), State(done={}), [("all",)], budgets=Budgets(max_iterations=50_000))
    html = html_of(result)
    assert looked_through(html).folded > 40
    assert len(html) < 2_000_000


def test_a_tree_of_any_depth_nests_no_deeper_than_browsers_do():
    html = tree(0, str, lambda at: [at + 1] if at < 3000 else [], 3001)
    assert looked_through(html).deepest < 120
    assert "<div>3000</div>" in html


def test_what_users_wrote_is_escaped():
    domain = Domain("odd")

    @domain.command
    def say(state, what):
        state.said[what] = "</div><script>alert(1)</script>"
        return state

    result = plan(domain, State(said={}), [("say", "<b>&")])
    for html in (html_of(result), result.final_state._repr_html_(), result.certificate()._repr_html_()):
        looked_through(html)
        assert "<script>" not in html
        assert "<b>&" not in html


def test_failures_states_certificates_and_outcomes_show_themselves():
    domain = Domain("no")

    @domain.method(task="go")
    def never(state):
        return refuse("the road is closed")

    failed = html_of(plan(domain, State(at={"ann": "home"}), [("go",)]))
    looked_through(failed)
    assert "the road is closed" in failed
    state = State(at={"ann": "home"}, rain=True)._repr_html_()
    looked_through(state)
    assert "<td>at</td><td>ann</td><td>home</td>" in state
    lamps = parse_domain(LAMPS)
    outcome = solve(lamps, parse_problem(LIT, lamps))
    looked_through(outcome._repr_html_())
    assert "(switch b)" in outcome._repr_html_()
    certificate = plan(many(3, group=3), State(done={}), [("all",)]).certificate()
    looked_through(certificate._repr_html_())
    assert "accepted by the checker" in certificate._repr_html_()


def test_an_empty_chart_is_no_error():
    looked_through(chart([], 0, [(0, "0 s")]))
