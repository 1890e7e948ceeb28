"""Whatever text is given, the reader answers with a model or with an error that has a place; never anything else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planvow.hddl import parse_domain, parse_plan, parse_problem, verify_plan
from planvow.hddl.language.errors import HddlError

DOMAIN = """(define (domain rig) ; everything once
 (:requirements :typing :hierarchy :action-costs)
 (:types truck - vehicle vehicle place - object)
 (:constants hub - place)
 (:predicates (at ?v - vehicle ?p - (either place vehicle)) (ok))
 (:functions (total-cost) - number (far ?a ?b - place) - number)
 (:task go :parameters (?v - vehicle ?p - place))
 (:method m :parameters (?v - vehicle ?p ?q - place) :task (go ?v ?p)
  :precondition (and (at ?v ?q) (not (= ?p ?q)) (imply (ok) (exists (?w - truck) (at ?w ?q))))
  :subtasks (and (a (drive ?v ?q ?p)) (b (go ?v ?p))) :ordering (and (< a b)) :constraints (and (sortof ?v - truck)))
 (:method stay :parameters (?v - vehicle ?p - place) :task (go ?v ?p) :precondition (at ?v ?p) :ordered-subtasks ())
 (:action drive :parameters (?v - vehicle ?a ?b - place) :precondition (or (at ?v ?a) (ok))
  :effect (and (at ?v ?b) (not (at ?v ?a)) (forall (?w - truck) (when (ok) (not (ok))))
   (increase (total-cost) (far ?a ?b)))))
"""
PROBLEM = """(define (problem one) (:domain rig) (:requirements :typing) (:objects t1 - truck yard - place)
 (:htn :parameters (?x - place) :subtasks (and (r (go t1 ?x))) :ordering () :constraints (not (= ?x hub)))
 (:init (at t1 hub) (= (far hub yard) 3) (= (total-cost) 0) (not (ok)))
 (:goal (forall (?v - truck) (at ?v yard))) (:metric minimize (total-cost)))
"""
PLAN = "==>\n1 drive t1 hub yard\nroot 2\n2 go t1 yard -> m 1 3\n3 go t1 yard -> stay\n<==\n"
RIG = parse_domain(DOMAIN)
ONE = parse_problem(PROBLEM, RIG)
PIECES = sorted(
    {word for text in (DOMAIN, PROBLEM, PLAN) for word in text.replace("(", " ( ").replace(")", " ) ").split()}
)


def answers(read, text: str) -> bool:
    try:
        read(text)
    except HddlError as error:
        return not (error.place and str(error))  # an error without its place counts as an answer that is wrong
    return True


def mangled(text: str, seed: int) -> str:
    chance = random.Random(seed)
    tokens = text.replace("(", " ( ").replace(")", " ) ").split(" ")
    for _ in range(chance.randint(1, 3)):
        position = chance.randrange(len(tokens))
        kind = chance.randrange(4)
        if kind == 0:
            del tokens[position]
        elif kind == 1:
            tokens.insert(position, chance.choice(PIECES))
        elif kind == 2:
            tokens[position] = chance.choice(PIECES)
        else:
            other = chance.randrange(len(tokens))
            tokens[position], tokens[other] = tokens[other], tokens[position]
    return " ".join(tokens)


def test_the_unharmed_texts_are_good():
    assert verify_plan(ONE, parse_plan(PLAN)).accepted


@pytest.mark.parametrize(("text", "read"), [(DOMAIN, parse_domain), (PROBLEM, lambda t: parse_problem(t, RIG))])
def test_mangled_files_are_read_or_refused_with_a_place(text, read):
    good = sum(answers(read, mangled(text, seed)) for seed in range(1_500))
    assert 0 < good < 1_500


def test_cut_off_files_are_refused():
    for end in range(len(DOMAIN.rstrip()) - 1):
        assert not answers(parse_domain, DOMAIN[:end])


def test_mangled_plans_are_judged_or_refused():
    seen = set()
    for seed in range(1_500):
        text = "\n".join(" ".join(line.split()) for line in mangled(PLAN.replace("\n", " \n "), seed).split("\n"))
        try:
            seen.add(verify_plan(ONE, parse_plan(text)).fault)
        except HddlError:
            seen.add("format")
    assert len(seen) >= 4, seen


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("()?-:;=<> \n\tabc\x00é\u2028"), max_size=200))
def test_any_text_is_refused_or_read(text):
    answers(parse_domain, text)
    answers(lambda t: parse_problem(t, RIG), text)
    answers(parse_plan, text)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused(data):
    assert not answers(parse_domain, data.decode("latin-1"))
