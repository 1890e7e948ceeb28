"""Reading domains and problems."""

from __future__ import annotations

import pytest

from planvow.hddl import load_domain, parse_domain, parse_problem
from planvow.hddl.language.errors import HddlError, HddlLimitError, HddlMeaningError, HddlNameError, HddlSyntaxError
from planvow.hddl.language.formula import TRUE, And, Atom, Equal, Exists, ForAll, Imply, Not, Or, Parameter, SortOf
from planvow.hddl.language.model import Effect

KITCHEN = """
; a small kitchen
(define (domain Kitchen)
  (:requirements :typing :hierarchy)
  (:predicates (in ?d - Drink ?c - vessel) (clean ?c - vessel) (hot ?d - Drink))
  (:action Pour :parameters (?d - Drink ?c - Cup) :precondition (and (CLEAN ?c) (not (in ?d ?c)))
    :effect (and (in ?d ?c) (not (clean ?c))))
  (:types Tea coffee - drink cup bowl - vessel)
  (:action boil :parameters (?d - drink) :effect (hot ?d))
  (:constants assam - tea)
  (:task Serve :parameters (?d - drink))
  (:method with-cup :parameters (?d - drink ?c - cup) :task (serve ?d)
    :precondition ()
    :subtasks (and (p (pour ?d ?c)) (b (boil ?d)))
    :ordering (< b p)
    :constraints (and (not (= ?d assam)) (sortof ?d - coffee)))
  (:types bowl - vessel)
)
"""


def domain_with(*sections: str, types: str = "a b - c") -> str:
    return f"(define (domain d) (:types {types}) (:predicates (p ?x - c) (q)) {' '.join(sections)})"


def test_sections_may_stand_in_any_order_and_repeat():
    domain = parse_domain(KITCHEN)
    assert [t.name for t in domain.types] == ["Tea", "coffee", "cup", "bowl", "drink", "vessel"]
    assert [a.name for a in domain.actions] == ["Pour", "boil"]
    assert "type 'bowl' is declared twice" in [r.text for r in domain.remarks]


def test_references_take_the_spelling_of_the_declaration():
    domain = parse_domain(KITCHEN)
    pour = domain.action_named["Pour"]
    assert pour.precondition == And((Atom("clean", ("?c",)), Not(Atom("in", ("?d", "?c")))))
    assert pour.parameters[1] == Parameter("?c", ("cup",))
    assert domain.methods[0].task == "Serve"
    assert domain.methods[0].network.subtasks[0].task == "Pour"


def test_ordering_and_constraints_of_a_method():
    network = parse_domain(KITCHEN).methods[0].network
    assert network.ordering == ((1, 0),)
    assert network.topological_order == (1, 0)
    assert network.is_totally_ordered
    assert network.constraint == And((Not(Equal("?d", "assam")), SortOf("?d", "coffee")))


def test_a_node_knows_its_place():
    domain = parse_domain(KITCHEN, file="kitchen.hddl")
    assert str(domain.source.place(domain.actions[0].at)) == "kitchen.hddl:6:3"


def test_two_names_that_differ_only_in_case_stay_apart():
    domain = parse_domain("(define (domain d) (:predicates (p ?x) (P ?x)) (:action a :parameters (?x) :effect (P ?x)))")
    assert domain.actions[0].effects[0].atom.predicate == "P"


def test_an_object_may_have_the_name_of_a_type():
    domain = parse_domain(domain_with("(:constants a - a)"))
    problem = parse_problem("(define (problem x) (:domain d) (:objects b - b) (:init (p a) (p b)))", domain)
    assert problem.objects_of == {"a": ("a",), "b": ("b",), "c": ("a", "b"), "object": ("a", "b")}


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("()", TRUE),
        ("(and)", TRUE),
        ("(or (q) (not (q)))", Or((Atom("q"), Not(Atom("q"))))),
        ("(imply (q) (p ?x))", Imply(Atom("q"), Atom("p", ("?x",)))),
        ("(forall (?y - c) (p ?y))", ForAll((Parameter("?y", ("c",)),), Atom("p", ("?y",)))),
        ("(exists (?y - (either a b)) (= ?x ?y))", Exists((Parameter("?y", ("a", "b")),), Equal("?x", "?y"))),
    ],
)
def test_formulas(text, formula):
    domain = parse_domain(domain_with(f"(:action act :parameters (?x - c) :precondition {text})"))
    assert domain.actions[0].precondition == formula


def test_nested_effects_are_flattened():
    text = "(and (q) (forall (?y - a) (when (p ?y) (and (not (p ?y)) (when (q) (p ?x))))))"
    domain = parse_domain(domain_with(f"(:action act :parameters (?x - c) :effect {text})"))
    y = (Parameter("?y", ("a",)),)
    p = Atom("p", ("?y",))
    assert domain.actions[0].effects == (
        Effect(atom=Atom("q")),
        Effect(atom=p, is_delete=True, parameters=y, condition=p),
        Effect(atom=Atom("p", ("?x",)), parameters=y, condition=And((p, Atom("q")))),
    )


def test_costs_values_and_metric():
    domain = parse_domain(
        "(define (domain d) (:predicates (r ?x)) (:functions (total-cost) - number (far ?x) - number)"
        "(:action go :parameters (?x) :effect (and (increase (total-cost) (far ?x)) (increase (total-cost) 2.5))))"
    )
    assert [cost.amount for cost in domain.actions[0].costs] == [Atom("far", ("?x",)), 2.5]
    problem = parse_problem(
        "(define (problem x) (:domain d) (:objects o) (:init (= (total-cost) 0) (= (far o) 7))"
        "(:metric minimize (total-cost)))",
        domain,
    )
    assert [(v.function.arguments, v.value) for v in problem.values] == [((), 0), (("o",), 7)]
    assert problem.metric is not None
    assert problem.initial is None


@pytest.mark.parametrize("word", [":ordered-subtasks", ":ordered-tasks"])
def test_ordered_subtasks_are_a_sequence(word):
    domain = parse_domain(domain_with(f"(:action n) (:task t) (:method m :task (t) {word} (and (n) (n) (l (t))))"))
    assert domain.methods[0].network.ordering == ((0, 1), (1, 2))
    assert domain.methods[0].network.is_sequence


@pytest.mark.parametrize("word", [":subtasks", ":tasks"])
def test_plain_subtasks_are_unordered_and_may_be_one_or_none(word):
    domain = parse_domain(
        domain_with(f"(:action n) (:task t) (:method m :task (t) {word} (n)) (:method k :task (t) {word} ())")
    )
    assert [len(m.network.subtasks) for m in domain.methods] == [1, 0]


@pytest.mark.parametrize(
    ("section", "error", "message"),
    [
        ("(:action x :parameters (?y - §d))", HddlNameError, "expected a declared type, found 'd'"),
        ("(:action x :precondition §(q q))", HddlMeaningError, "predicate 'q' takes 0 arguments, found 1"),
        ("(:action x :precondition (§qq))", HddlNameError, "expected a declared predicate, found 'qq'"),
        ("(:action x :effect (p §?z))", HddlNameError, "expected a declared variable, found '?z'"),
        ("(:action x §:effects (q))", HddlSyntaxError, "found ':effects'"),
        ("(:action x :effect§)", HddlSyntaxError, "expected something after :effect"),
        ("(§:methud m)", HddlSyntaxError, "found ':methud'"),
        ("(:task t) (:method m :task (§u))", HddlNameError, "expected a declared task, found 'u'"),
        ("(:task t) (:method m :task (t) :subtasks (§go))", HddlNameError, "found 'go'"),
        ("(:task t) §(:method m)", HddlSyntaxError, "expected one :task"),
        ("(:task t) (:task §t)", HddlNameError, "task 't' is declared twice"),
        ("(:task t) (:method m :task (t) :ordering (< §a b))", HddlMeaningError, "the label of a subtask"),
        ("(:action x :precondition §(not))", HddlSyntaxError, "expected one part after not, found 0"),
        ("(:constants §- a)", HddlSyntaxError, "expected the name of an object before -"),
    ],
)
def test_faults_are_placed_and_explained(section, error, message):
    marked = domain_with(section)
    with pytest.raises(error) as caught:
        parse_domain(marked.replace("§", ""), file="d.hddl")
    assert message in caught.value.message
    assert caught.value.place == f"d.hddl:1:{marked.index('§') + 1}"
    assert "\n  1 | " in caught.value.message


def test_a_misspelt_name_gets_a_hint():
    with pytest.raises(HddlNameError) as caught:
        parse_domain(KITCHEN.replace("(hot ?d))\n  (:constants", "(hott ?d))\n  (:constants"))
    assert caught.value.hint == "did you mean 'hot'?"
    assert "in action 'boil', :effect" in caught.value.message


def test_a_dash_may_stick_to_its_type():
    domain = parse_domain("(define (domain d) (:types a b -c) (:predicates (p ?x -a ?y -(either a b))))")
    assert [(t.name, t.parents) for t in domain.types] == [("a", ("c",)), ("b", ("c",)), ("c", ("object",))]
    assert [p.types for p in domain.predicates[0].parameters] == [("a",), ("a", "b")]


def test_repeated_sections_of_types_do_not_run_into_each_other():
    domain = parse_domain("(define (domain d) (:types a) (:types b - c))")
    assert [(t.name, t.parents[0]) for t in domain.types] == [("a", "object"), ("b", "c"), ("c", "object")]


def test_types_in_a_circle_are_refused():
    with pytest.raises(HddlMeaningError, match="types run in a circle: a - b - c - a"):
        parse_domain("(define (domain d) (:types x - a a - b b - c c - a))")


def test_an_ordering_in_a_circle_is_refused():
    section = (
        "(:action n) (:task t) (:method m :task (t) :subtasks (and (k (n)) (l (n))) :ordering (and (< k l) (< l k)))"
    )
    with pytest.raises(HddlMeaningError, match="the ordering runs in a circle"):
        parse_domain(domain_with(section))


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", HddlSyntaxError),
        ("(", HddlSyntaxError),
        (")", HddlSyntaxError),
        ("word", HddlSyntaxError),
        ("(define (domain d)", HddlSyntaxError),
        ("(define (domain d)))", HddlSyntaxError),
        ("(define (problem p))", HddlSyntaxError),
        ("(define (domain d)) (define (domain d))", HddlSyntaxError),
        ("(define (domain d) (:predicates (p \x00)))", HddlSyntaxError),
        ("(" * 100_000, HddlLimitError),
        ("(define (domain d) (:action a :precondition " + "(not " * 1000 + ")" * 1000 + "))", HddlLimitError),
        (" " * 20_000_001, HddlLimitError),
        ("(define (domain d) (:types " + "a " * 3_000_000 + "))", HddlLimitError),
    ],
    ids=[
        "empty",
        "open",
        "close",
        "word",
        "cut",
        "extra",
        "problem",
        "two",
        "binary",
        "deep",
        "deep-formula",
        "huge",
        "many",
    ],
)
def test_what_is_no_domain_is_refused_without_a_traceback(text, error):
    with pytest.raises(error):
        parse_domain(text)


def test_a_problem_with_unknown_names_is_refused():
    domain = parse_domain(domain_with("(:action n)"))
    with pytest.raises(HddlNameError, match="expected a declared object, found 'nobody'"):
        parse_problem("(define (problem x) (:domain d) (:objects o - a) (:init (p nobody)))", domain)
    with pytest.raises(HddlError, match="predicate 'p' takes 1 argument, found 2"):
        parse_problem("(define (problem x) (:domain d) (:objects o - a) (:init (p o o)))", domain)


def with_constraint(text: str) -> str:
    return f"(:task t :parameters (?x)) (:method m :parameters (?x) :task (t ?x) :constraints {text})"


@pytest.mark.parametrize(
    "section",
    [
        "(:method §:parameters () :task (t))",
        "(:action §:parameters ())",
        "(:task §?x)",
        "(:predicates (§?x))",
        "(:functions (§:f))",
    ],
)
def test_a_name_that_was_left_out_is_missed_where_it_should_stand(section):
    marked = domain_with(section)
    with pytest.raises(HddlSyntaxError, match=r"expected the name of (the|a) .*, found '[:?]") as caught:
        parse_domain(marked.replace("§", ""), file="d.hddl")
    assert caught.value.place == f"d.hddl:1:{marked.index('§') + 1}"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "a domain begins with (define (domain NAME), a problem with (define (problem NAME)"),
        ("{}", "a domain begins with (define (domain NAME), a problem with (define (problem NAME)"),
        ("((domain d))", "a domain begins with (define (domain NAME), a problem with (define (problem NAME)"),
        ("(define (domain d)))", "this ) is one too many, or a ( is missing before it"),
        ("(" * 300, "is a ) missing somewhere before?"),
        ("(define\x00", "save it as plain text in UTF-8"),
        (domain_with(types="a - b b - a"), "take the parent away from one of them"),
        (
            domain_with("(:action n) (:task t) (:method m :task (t) :subtasks (and (k (n)) (l (n))) :order (< k zz))"),
            "labels here: k, l",
        ),
        (domain_with("(:action n :precondition (!= n n))"), "that two things differ is written (not (= ?x ?y))"),
        (domain_with(with_constraint("(neq ?x ?x)")), "that two things differ is written (not (= ?x ?y))"),
        (domain_with(with_constraint("(q)")), "what looks at the state goes into :precondition"),
        (
            domain_with("(:action n :parameters (?x) :precondition (typeOf ?x a))"),
            "give the variable that type, or write (sortof ?x - type) in :constraints",
        ),
        (domain_with("(:action n :precondition (forall (?x) (p ?x) (q)))"), "join several into one with (and …)"),
        (
            domain_with("(:action n) (:task t) (:method m :task (t) :tasks (and (k (n)) (l (n))) :order (< k l k))"),
            "write (< first second) for each two that have an order, and join them with (and …)",
        ),
        (domain_with("(:action n :effect (far))"), "declare it in (:predicates …) of the domain"),
        (domain_with("(:action n :parameters (?x - zz))"), "declare it in (:types …) of the domain"),
        (domain_with("(:action n :parameters (?x) :effect (p x))"), "did you mean '?x'?"),
        (
            domain_with("(:action n :effect (p zz))"),
            "declare it in (:objects …) of the problem, or in (:constants …) where the domain names it",
        ),
        (domain_with("(:action n :effect (p ?zz))"), "declare it in :parameters, or around this by forall or exists"),
        (domain_with("(:action n :effect (increase (zz) 1))"), "declare it in (:functions …) of the domain"),
        (
            domain_with("(:method m :task (zz))"),
            "declare it in the domain: (:task NAME :parameters (…))",
        ),
        (
            domain_with("(:task t) (:method m :task (t) :tasks (zz))"),
            "declare it in the domain: (:task NAME :parameters (…)) or (:action NAME …)",
        ),
    ],
)
def test_a_fault_says_what_can_be_done_about_it(text, hint):
    with pytest.raises(HddlError) as caught:
        parse_domain(text, file="d.hddl")
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    "section",
    [
        "(:predicates §(r) (r ?z))",
        "(:functions §(f) (f))",
        "§(:action n) (:action n)",
        "§(:task n) (:action n)",
        "(:action n :parameters (§?x ?x))",
        "(:action n :effect (forall (§?x) (forall (?x) (q))))",
        "(:action n) (:task t) (:method m :task (t) :subtasks (and (k §(n)) (k (n))))",
    ],
)
def test_a_name_that_is_taken_says_where_it_was_first(section):
    marked = domain_with(section)
    with pytest.raises(HddlNameError) as caught:
        parse_domain(marked.replace("§", ""), file="d.hddl")
    assert caught.value.hint == f"the first one is at 1:{marked.index('§') + 1}: take one out or rename one"


def test_an_action_that_has_the_name_of_a_task_is_told_so():
    with pytest.raises(HddlNameError, match="the action 'n' has the name of a task"):
        parse_domain(domain_with("(:task n) (:action n)"))


def test_the_circle_of_an_ordering_is_named_and_nothing_else():
    section = """(:action n) (:task t) (:method m :task (t) :subtasks (and (j (n)) (k (n)) (l (n)) (o (n)))
      :ordering (and (< j k) (< k l) (< l k) (< l o)))"""
    with pytest.raises(HddlMeaningError, match=r"the ordering runs in a circle: k < l < k \(in") as caught:
        parse_domain(domain_with(section))
    assert caught.value.hint == "an order that holds is left when one of these is taken out"


def test_a_type_above_object_is_left_out_and_remarked_on():
    domain = parse_domain("(define (domain d) (:types a - object object - b))")
    assert [(t.name, t.parents) for t in domain.types] == [("a", ("object",)), ("b", ("object",))]
    assert [r.text for r in domain.remarks] == ["object is above all types; what is said to be above it is left out"]
    assert not parse_domain("(define (domain d) (:types a object - object))").remarks


def test_a_file_with_carriage_returns_alone_has_lines(tmp_path):
    path = tmp_path / "old.hddl"
    path.write_bytes(b"; old\r(define (domain d)\r (:predicates (p)); more\r (:action n :effect (pp)))")
    with pytest.raises(HddlNameError) as caught:
        load_domain(path)
    assert caught.value.place == f"{path}:4:22"
    path.write_bytes(path.read_bytes().replace(b"(pp)", b"(p)"))
    assert load_domain(path).actions[0].name == "n"


def test_a_byte_order_mark_before_a_text_is_no_word():
    assert parse_domain("\ufeff" + KITCHEN).name == "Kitchen"
    with pytest.raises(HddlSyntaxError, match="found an empty file"):
        parse_domain("\ufeff")
    with pytest.raises(HddlSyntaxError, match=r"expected \(, found"):
        parse_domain(" \ufeff" + KITCHEN)


def test_initial_facts_may_be_joined_by_and_in_any_case():
    domain = parse_domain(domain_with())
    text = "(define (problem p) (:domain d) (:objects x - a) (:init {}))"
    listed = parse_problem(text.format("(p x) (q)"), domain).init
    assert parse_problem(text.format("(and (p x) (q))"), domain).init == listed
    assert parse_problem(text.format("(AND (p x) (q))"), domain).init == listed
