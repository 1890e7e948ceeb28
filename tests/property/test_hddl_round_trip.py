"""Reading a written HDDL file gives the same model."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hddl_instances import instances, load_problem, needs_ipc
from planvow.hddl import parse_domain, parse_problem
from planvow.hddl.language.formula import TRUE, And, Atom, Equal, Exists, ForAll, Imply, Not, Or, Parameter, SortOf
from planvow.hddl.language.model import (
    Action,
    Effect,
    Function,
    FunctionValue,
    HddlDomain,
    HddlMethod,
    HddlProblem,
    Increase,
    InitialNetwork,
    Metric,
    Object,
    Predicate,
    Subtask,
    Task,
    TaskNetwork,
    Type,
)
from planvow.hddl.language.writer import write_domain, write_problem

TYPES = ("Vehicle", "truck", "place")
VARIABLES = ("?x", "?Y", "?z-1")
CONSTANTS = ("Depot", "o1")
PREDICATES = {"at": 2, "Free": 1, "done": 0}
TASKS = {"deliver": 1, "Rest": 0, "move": 2}

types = st.lists(st.sampled_from((*TYPES, "object")), min_size=1, max_size=2, unique=True).map(tuple)
terms = st.sampled_from((*VARIABLES, *CONSTANTS))


def parameters(names=VARIABLES):
    return st.tuples(*(types.map(lambda t, n=name: Parameter(n, t)) for name in names))


def calls(table, make, of=terms):
    return st.sampled_from(sorted(table)).flatmap(
        lambda name: st.tuples(*[of] * table[name]).map(lambda arguments: make(name, arguments))
    )


atoms = calls(PREDICATES, Atom)
equalities = st.builds(Equal, terms, terms)
inner_parameters = st.lists(st.sampled_from(("?u", "?v")), min_size=1, max_size=2, unique=True).flatmap(parameters)
formulas = st.recursive(
    atoms | equalities,
    lambda part: st.one_of(
        st.builds(Not, part),
        st.builds(And, st.lists(part, max_size=3).map(tuple)),
        st.builds(Or, st.lists(part, max_size=3).map(tuple)),
        st.builds(Imply, part, part),
        st.builds(ForAll, inner_parameters, part),
        st.builds(Exists, inner_parameters, part),
    ),
    max_leaves=6,
)
constraints = st.recursive(
    equalities | st.builds(SortOf, terms, st.sampled_from(TYPES)),
    lambda part: st.builds(Not, part) | st.builds(And, st.lists(part, max_size=3).map(tuple)),
    max_leaves=4,
)
effects = st.builds(
    Effect, atom=atoms, is_delete=st.booleans(), parameters=st.just(()) | inner_parameters, condition=formulas
)
costs = st.builds(
    Increase,
    function=st.just(Atom("total-cost")),
    amount=st.integers(0, 99) | st.floats(0.001, 1e9) | st.just(Atom("far", ("?x", "Depot"))),
)


@st.composite
def networks(draw, of=terms):
    subtasks = draw(st.lists(calls(TASKS, lambda n, a: Subtask(task=n, arguments=a), of), max_size=4).map(tuple))
    size = len(subtasks)
    forward = [(i, j) for i in range(size) for j in range(i + 1, size)]
    chosen = tuple(draw(st.lists(st.sampled_from(forward), unique=True))) if forward else ()
    is_sequence = draw(st.booleans())
    sequence = tuple((i, i + 1) for i in range(size - 1)) if is_sequence else ()
    return TaskNetwork(
        subtasks=subtasks,
        ordering=tuple(dict.fromkeys((*sequence, *chosen))),
        is_sequence=is_sequence,
        constraint=draw(st.just(TRUE) | constraints),
    )


methods = st.builds(
    HddlMethod,
    name=st.sampled_from(("m1", "M-2")),
    task=st.just("deliver"),
    arguments=terms.map(lambda t: (t,)),
    parameters=parameters(),
    precondition=formulas,
    network=networks(),
)
domains = st.builds(
    HddlDomain,
    name=st.just("Made"),
    requirements=st.just((":typing", ":hierarchy")),
    types=st.just((Type(name="Vehicle"), Type(name="truck", parents=("Vehicle", "place")), Type(name="place"))),
    constants=types.map(lambda t: tuple(Object(name=name, types=t) for name in CONSTANTS)),
    predicates=st.tuples(
        *(
            parameters(VARIABLES[:size]).map(lambda p, n=name: Predicate(name=n, parameters=p))
            for name, size in PREDICATES.items()
        )
    ),
    functions=st.just(
        (Function(name="total-cost"), Function(name="far", parameters=(Parameter("?a"), Parameter("?b"))))
    ),
    tasks=parameters(VARIABLES[:1]).map(lambda p: (Task(name="deliver", parameters=p), Task(name="Rest"))),
    methods=st.lists(methods, max_size=3).map(tuple),
    actions=st.builds(
        Action,
        name=st.just("move"),
        parameters=parameters(VARIABLES[:2]),
        precondition=st.just(TRUE),
        effects=st.just(()),
        costs=st.just(()),
    ).map(lambda a: (a,)),
)


def ground(table):
    return calls(table, Atom, st.sampled_from((*CONSTANTS, "Thing")))


@st.composite
def problems(draw):
    domain = draw(domains)
    body = Action(
        name="act",
        parameters=draw(parameters()),
        precondition=draw(formulas),
        effects=tuple(draw(st.lists(effects, max_size=3))),
        costs=tuple(draw(st.lists(costs, max_size=2))),
    )
    domain = HddlDomain(**{**vars(domain), "actions": (*domain.actions, body)})
    return HddlProblem(
        name="p",
        domain=domain,
        objects=(Object(name="Thing", types=draw(types)),),
        init=tuple(dict.fromkeys(draw(st.lists(ground(PREDICATES), max_size=6)))),
        values=(FunctionValue(function=Atom("far", ("Depot", "o1")), value=draw(st.integers(0, 9) | st.just(0.25))),),
        initial=draw(st.none() | st.builds(InitialNetwork, parameters=parameters(), network=networks())),
        goal=draw(st.just(TRUE) | ground(PREDICATES) | st.builds(Not, ground(PREDICATES))),
        metric=draw(st.none() | st.just(Metric(direction="minimize", function=Atom("total-cost")))),
    )


@settings(max_examples=150, deadline=None)
@given(problems())
def test_a_written_problem_reads_as_the_same_problem(problem):
    domain = parse_domain(write_domain(problem.domain))
    assert domain == problem.domain
    again = parse_problem(write_problem(problem), domain)
    assert again == problem
    assert write_problem(again) == write_problem(problem)


@needs_ipc
def test_every_shared_domain_and_problem_survives_writing_and_reading():
    count = 0
    for domain_file, problem_file in instances():
        problem = load_problem(domain_file, problem_file)
        domain = parse_domain(write_domain(problem.domain))
        assert domain == problem.domain, domain_file
        assert parse_problem(write_problem(problem), domain) == problem, problem_file
        count += 1
    assert count == 463
