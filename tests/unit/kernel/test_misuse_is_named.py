"""What people get wrong when they call the engine: each slip is an InputError that names the place."""

import dataclasses
import functools
import json

import pytest

from planvow import Budgets, Domain, MultiGoal, State, plan, plans, refuse, replan
from planvow.beliefs import BeliefManager, Persona
from planvow.errors import InputError
from planvow.kernel import run_lazy_lookahead
from planvow.kernel.domain.entities import Entity
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.errors import DomainError, WrongArgumentsError
from planvow.kernel.search.problem import Options, Problem
from planvow.kernel.search.scoring import Scores
from planvow.kernel.time.timing import Timing
from planvow.temporal import before


def kitchen(*relations):
    domain = Domain("kitchen")
    domain.command(duration=5)(_command("wash"))
    domain.command(duration=5)(_command("dry"))
    domain.method(task="dishes", name="both")(lambda state: [("wash",), ("dry",), *relations])
    return domain


def _command(name):
    def model(state):
        return state

    model.__name__ = name
    return model


def message(*todo, relations=(), **options):
    with pytest.raises(InputError) as raised:
        plan(kitchen(*relations), State(), list(todo) or [("dishes",)], **options)
    return str(raised.value)


def test_a_relation_about_an_item_that_is_not_there_is_an_error():
    said = message(relations=(before("wash", "dray"),), time=Timing(ordering="concurrent"))
    assert "dishes(): before(wash, dray) is about 'dray'" in said
    assert "did you mean 'dry'?" in said


def test_a_relation_about_a_place_beyond_the_decomposition_is_an_error():
    assert "is about 7" in message(relations=(before(0, 7),))


def test_a_relation_in_the_metadata_of_an_agenda_item_must_find_its_sibling():
    assert message(attach_metadata(("wash",), {"after": "nothing"})).startswith("agenda: before(nothing, self)")


def test_a_relation_to_a_later_sibling_is_no_error():
    todo = [attach_metadata(("dry",), {"after": ("wash",)}), ("wash",)]
    result = plan(kitchen(), State(), todo, time=Timing(ordering="concurrent"))
    assert [allocation.start for allocation in result.time_allocations] == [5, 0]


@pytest.mark.parametrize("key", ["deadline", "start_time", "end_time", "not_before"])
def test_a_wrong_time_is_named_with_its_key_and_its_item(key):
    assert message(attach_metadata(("wash",), {key: "2 hours"})).startswith(f"{key} of wash(): not an ISO-8601")


def test_a_wrong_horizon_is_named():
    with pytest.raises(InputError, match=r"^horizon: not an ISO-8601"):
        Timing(horizon="soon")


@pytest.mark.parametrize("entities", ["oven", ("oven",), 3, Entity(entity_id="a", type="oven")])
def test_entities_are_a_list_of_entities(entities):
    with pytest.raises(InputError, match=r"^entities: entities are a list of Entity"):
        Timing(entities=entities)


def test_two_entities_cannot_have_one_id():
    with pytest.raises(InputError, match="two entities are called 'oven'"):
        Timing(entities=[Entity(entity_id="oven", type="oven"), Entity(entity_id="oven", type="stove")])


@pytest.mark.parametrize("wrong", [5, "PT5M"])
def test_temporal_constraints_are_a_dictionary(wrong):
    with pytest.raises(InputError, match=r"^temporal_constraints: expected a dictionary"):
        attach_metadata(("wash",), wrong)


def test_a_budget_given_as_an_option_says_where_it_belongs():
    assert "write budgets=Budgets(max_iterations=…)" in message(max_iterations=3)


def test_an_unknown_option_is_named_with_the_nearest_one():
    assert "did you mean 'selection'?" in message(selektion="cost")


@pytest.mark.parametrize(("option", "value"), [("budgets", {"max_iterations": 3}), ("time", "PT2H")])
def test_an_option_of_a_wrong_type_is_named(option, value):
    assert message(**{option: value}).startswith(f"{option}: ")


@pytest.mark.parametrize("limit", [0, -1, True, 1.5])
def test_plans_wants_a_limit_of_at_least_one(limit):
    with pytest.raises(InputError, match=r"^limit: "):
        list(plans(kitchen(), State(), [("dishes",)], limit=limit))


def test_acting_wants_at_least_one_try():
    with pytest.raises(InputError, match=r"^max_tries: "):
        run_lazy_lookahead(kitchen(), State(), [("dishes",)], max_tries=0)


@pytest.mark.parametrize(
    "options", [{"requires": "mine"}, {"cost": "3"}, {"cost": True}, {"duration": "5 minutes"}, {"duration": [5, 3]}]
)
def test_a_command_is_declared_with_values_that_make_sense(options):
    with pytest.raises(InputError, match=r"^dig: "):
        Domain("mine").command(name="dig", **options)(lambda state: state)


def test_capabilities_are_no_text():
    assert message(capabilities="mine").startswith("capabilities: capabilities are a list of names, got 'mine'")
    with pytest.raises(InputError, match=r"write \['mine'\] for a single one"):
        Persona(persona_id="ann", capabilities="mine")


def test_a_persona_of_a_kind_can_have_more_capabilities():
    assert Persona.human("ann", capabilities=["fly"]).capabilities == Persona.human("ann").capabilities | {"fly"}


def test_a_belief_manager_says_what_it_wants():
    with pytest.raises(InputError, match="the facts must be a planvow State"):
        BeliefManager(3)
    world = BeliefManager()
    with pytest.raises(InputError, match="a Persona is registered, got str"):
        world.register("ann")
    with pytest.raises(InputError, match="an observation needs predicate and value"):
        world.observe("ann", {"subject": "door"})
    with pytest.raises(InputError, match="did you mean 'confidence'"):
        world.observe("ann", {"subject": "door", "predicate": "open", "value": True, "confidenc": 1})


def test_budgets_can_still_be_none():
    assert plan(kitchen(), State(), [("dishes",)], budgets=None).problem.budgets == Budgets()


def test_the_options_a_type_checker_sees_are_those_a_problem_has():
    fields = {field.name for field in dataclasses.fields(Problem)} - {"domain", "state", "todo"}
    assert set(Options.__annotations__) == {*fields, "time"}


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ((None, State(), 1), "result"),
        (("solved", State(), 1), "result"),
        ((plan(kitchen(), State(), [("wash",)]), None, 1), "state"),
        ((plan(kitchen(), State(), [("wash",)]), State(), "1"), "fail_node_id"),
        ((plan(kitchen(), State(), [("wash",)]), State(), None), "fail_node_id"),
        ((plan(kitchen(), State(), [("wash",)]), State(), True), "fail_node_id"),
        ((plan(kitchen(), State(), [("wash",)]), State(), 0), "fail_node_id"),
        ((plan(kitchen(), State(), [("wash",)]), State(), 2), "fail_node_id"),
    ],
    ids=str,
)
def test_a_repair_says_what_it_wants(arguments, place):
    with pytest.raises(InputError) as error:
        replan(*arguments)
    assert (error.value.place, bool(error.value.hint)) == (place, True)


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({"confidense": 0.5}, "did you mean 'confidence'"),
        ({"colour": "red"}, "known: confidence, timestamp"),
        ({"confidence": "high"}, "from 0 to 1"),
        ({"confidence": True}, "from 0 to 1"),
        (["fact"], "metadata is a dictionary"),
    ],
    ids=str,
)
def test_unknown_metadata_of_a_triple_is_named(metadata, said):
    with pytest.raises(InputError) as error:
        State().set_predicate("door", "is_open", True, metadata)
    assert said in str(error.value)


def test_scores_go_out_as_data_and_come_in_again():
    learned = plan(kitchen(), State(), [("dishes",)], selection="learned").scores
    again = Scores.from_dict(json.loads(json.dumps(learned.as_dict())))
    assert again.content_hash == learned.content_hash
    assert plan(kitchen(), State(), [("dishes",)], selection="learned", scores=again).success


@pytest.mark.parametrize(
    ("change", "place"),
    [({"bumps": None}, "scores.bumps"), ({"wins": []}, "scores.wins"), ({"tries": {"m": "x"}}, "scores.tries.m")],
)
def test_damaged_scores_are_named(change, place):
    data = plan(kitchen(), State(), [("dishes",)], selection="learned").scores.as_dict()
    with pytest.raises(InputError) as caught:
        Scores.from_dict({**data, **change})
    assert caught.value.place == place
    with pytest.raises(InputError, match=r"scores are a Scores, got dict"):
        plan(kitchen(), State(), [("dishes",)], selection="learned", scores=data)


def test_two_commands_of_one_name_are_refused_as_two_methods_are():
    domain = Domain("house")
    domain.command(name="go")(lambda state: state)
    with pytest.raises(DomainError, match="two commands are called 'go'"):
        domain.command(name="go")(lambda state: None)
    assert plan(domain, State(), [("go",)]).success


def test_a_cost_larger_than_any_float_is_a_cost_and_no_traceback():
    domain = Domain("house")
    domain.command(name="go", cost=10**400)(lambda state: state)
    assert plan(domain, State(), [("go",)], optimal="cost").cost == 10**400


def test_what_is_only_given_by_name_is_no_argument_of_an_item():
    domain = Domain("house")

    @domain.command
    def go(state, there, *, quickly=False):
        return state

    with pytest.raises(WrongArgumentsError) as caught:
        plan(domain, State(), [("go", "home", True)])
    assert caught.value.hint == "write ('go', there)"


@pytest.mark.parametrize("wrong", ["first", "last", "in a list", "after a refusal"])
def test_the_method_is_named_that_gave_an_item_the_wrong_arguments(wrong):
    domain = Domain("house")

    @domain.command
    def go(state, there):
        return state

    @domain.method(task="fetch")
    def by_foot(state, what):
        bad, good = ("go",), ("go", "home")
        return {"first": [bad], "last": [good, ("rest",), bad], "in a list": [good, [good, bad]]}.get(
            wrong, [("try", what)]
        )

    @domain.method(task="rest")
    def sit_down(state):
        return []

    @domain.method(task="try")
    def in_vain(state, what):
        return refuse("no")

    @domain.method(task="fetch")
    def by_bus(state, what):
        return [("go", "home"), ("go",)]

    with pytest.raises(WrongArgumentsError) as caught:
        plan(domain, State(), [("fetch", "tea")])
    assert caught.value.place == f"an item that {'by_bus' if wrong == 'after a refusal' else 'by_foot'} gave"


def untimed(*items):
    domain = Domain("kitchen")
    domain.command(_command("wash"))
    domain.command(_command("dry"))
    domain.method(task="dishes", name="both")(lambda state: list(items))
    return domain


@pytest.mark.parametrize(
    ("item", "spoken"),
    [
        (attach_metadata(("dry",), {"deadline": "PT1M"}), "dry() speaks of times"),
        (attach_metadata(("dry",), None, {"type": "towel"}), "dry() speaks of entities"),
        (attach_metadata(("dry",), {"deadln": 1}, {"type": "towel"}), "dry() speaks of times and entities"),
        (before("wash", "dry"), "before(wash, dry) speaks of times"),
    ],
)
def test_times_in_a_plan_without_times_are_refused_instead_of_passed_over(item, spoken):
    with pytest.raises(InputError, match="this plan has no times") as raised:
        plan(untimed(("wash",), ("dry",), item), State(), [("dishes",)])
    assert str(raised.value).startswith(f"dishes(): {spoken}")
    assert "Timing(...)" in raised.value.hint


def test_times_in_an_agenda_without_times_are_refused():
    with pytest.raises(InputError, match=r"agenda: wash\(\) speaks of times"):
        plan(untimed(), State(), [attach_metadata(("wash",), {"duration": "PT5M", "deadline": "PT1M"})])
    timed = plan(
        untimed(), State(), [attach_metadata(("wash",), {"duration": "PT5M", "deadline": "PT1M"})], time=Timing()
    )
    assert not timed.success


def _holds_itself():
    inner = []
    inner.append(inner)
    return inner


def _nested(depth):
    return [_nested(depth - 1)] if depth else 1


@pytest.mark.parametrize("value", [_holds_itself(), {"a": _holds_itself()}, _nested(900), (_holds_itself(),)])
def test_a_value_that_contains_itself_is_named(value):
    with pytest.raises(InputError, match="it contains itself, or is nested too deeply"):
        State(at={"ann": value})
    with pytest.raises(InputError, match="it contains itself, or is nested too deeply"):
        plan(kitchen(), State(), [("dishes", value)])


@pytest.mark.parametrize("item", [(1,), (True, "wash"), (("wash",), 5), (("wash",), None)])
def test_what_a_method_gives_for_an_item_and_is_none_is_named(item):
    with pytest.raises(InputError, match="is not an item: an item is a tuple"):
        plan(untimed(item), State(), [("dishes",)])


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: State(5), "made from predicates by name, got 5"),
        (lambda: State({5: {"a": 1}}), "the name of a predicate is a text, got 5"),
        (lambda: MultiGoal(5), "made from a dictionary, got 5"),
        (lambda: untimed().command(5), "a command is a function, got 5"),
        (lambda: untimed().method(task="dishes")(5), "a method is a function, got 5"),
        (lambda: untimed().command(functools.partial(print)), "a command needs a name"),
    ],
)
def test_what_cannot_be_made_of_something_else_is_named(made, said):
    with pytest.raises(InputError, match=said):
        made()


def test_a_reason_that_is_no_text_is_shown_as_its_text():
    domain = untimed()
    domain.method(task="rest")(lambda state: refuse(KeyError("bed")))
    assert "'bed'" in plan(domain, State(), [("rest",)]).explain_text()
