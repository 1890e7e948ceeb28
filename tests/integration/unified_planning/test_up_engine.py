"""The engines as users of unified-planning meet them: chosen by kind, with exact statuses, the same in every run."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from threading import Thread

import pytest
from unified_planning.engines.results import FailedValidationReason, ValidationResultStatus
from unified_planning.engines.results import PlanGenerationResultStatus as Status
from unified_planning.environment import Environment
from unified_planning.exceptions import UPNoSuitableEngineAvailableException, UPUsageError
from unified_planning.io import PDDLReader
from unified_planning.model.htn import HierarchicalProblem, Method
from unified_planning.plans import ActionInstance, SequentialPlan, TimeTriggeredPlan
from unified_planning.plans.hierarchical_plan import Decomposition, HierarchicalPlan, MethodInstance
from unified_planning.shortcuts import (
    And,
    AnytimePlanner,
    Equals,
    Exists,
    InstantaneousAction,
    OneshotPlanner,
    PlanValidator,
    Replanner,
    Variable,
    get_environment,
)
from unified_planning.test.examples.hierarchical import get_example_problems

from command_line import planvow, planvow_process
from planvow.adapters.machine.modules import load_module
from planvow.adapters.unified_planning import certify, explain, prove_unsolvable, register, to_hddl
from planvow.adapters.unified_planning.problems.errors import UpPlanError
from planvow.errors import InputError
from planvow.hddl.verify.no_plan import check_no_plan
from up_problems import BY_FEATURE, Thing, World

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def engines():
    get_environment().credits_stream = None
    register()


@pytest.fixture(scope="module")
def examples():
    return get_example_problems()


@pytest.fixture
def preferred():
    factory = get_environment().factory
    before = list(factory.preference_list)
    register(prefer=True)
    yield factory
    factory.preference_list = before


def solved(problem, **options):
    with OneshotPlanner(name="planvow", params=options) as planner:
        return planner.solve(problem)


def words(plan):
    return [str(action) for action in plan.action_plan.actions]


def test_the_factory_chooses_planvow_by_the_kind_of_the_problem(examples, preferred):
    problem = examples["htn-go"].problem
    with OneshotPlanner(problem_kind=problem.kind) as planner:
        assert planner.name == "planvow"
        result = planner.solve(problem)
    assert result.status is Status.SOLVED_SATISFICING
    with AnytimePlanner(problem_kind=problem.kind, anytime_guarantee="INCREASING_QUALITY") as planner:
        assert planner.name == "planvow"
    with PlanValidator(problem_kind=problem.kind, plan_kind=result.plan.kind) as validator:
        assert validator.name == "planvow"
        assert validator.validate(problem, result.plan)
    with Replanner(problem=problem) as replanner:
        assert replanner.name == "planvow-replanner"


def test_the_factory_leaves_problems_of_other_kinds_to_other_engines(examples, preferred):
    temporal = examples["htn-go-temporal"].problem.kind
    preferred.preference_list = ["planvow", "planvow-replanner"]
    with pytest.raises(UPNoSuitableEngineAvailableException):
        OneshotPlanner(problem_kind=temporal)


def test_registering_twice_changes_nothing():
    factory = get_environment().factory
    before = list(factory.preference_list)
    register()
    assert factory.preference_list == before


def test_the_plan_has_the_action_instances_of_its_leaves_and_the_identifiers_of_the_problem(examples):
    problem = examples["htn-go"].problem
    result = solved(problem)
    assert words(result.plan)[:3] == ["move(l1, l2)", "move(l2, l3)", "move(l3, l4)"]
    leaves = {id(action) for _, action in result.plan.actions()}
    assert leaves == {id(action) for action in result.plan.action_plan.actions}
    assert list(result.plan.decomposition.subtasks) == ["go_l4", "go_final"]
    assert len(result.metrics["plan_hash"]) == 64
    assert all(isinstance(value, str) for value in result.metrics.values())


def test_variables_that_only_a_precondition_knows_are_given_their_values():
    problem = BY_FEATURE["EXISTENTIAL_CONDITIONS"][0]().problem
    world = World()
    near = world.flag("near", x=Thing, y=Thing)
    method = world.method("hidden", y=Thing, z=Thing)
    method.add_precondition(near(method.y, method.z))
    world.set(near, world.saw, world.b)
    world.to_do(world.a)
    (_, instance) = solved(world.problem).plan.methods()[0]
    assert [str(value) for value in instance.parameters] == ["a", "saw", "b"]
    assert solved(problem).plan is not None


def test_statuses_are_exact():
    world = World()
    world.method().add_precondition(world.ready(world.problem.method("by_use").x))
    world.to_do(world.a)
    impossible = solved(world.problem)
    assert (impossible.status, impossible.plan) == (Status.UNSOLVABLE_PROVEN, None)
    assert "there is no plan" in impossible.log_messages[0].message
    spent = solved(BY_FEATURE["OBJECT_FLUENTS"][0]().problem, max_iterations=1)
    assert (spent.status, spent.plan) == (Status.UNSOLVABLE_INCOMPLETELY, None)
    with OneshotPlanner(name="planvow") as planner:
        late = planner.solve(_tower(14), timeout=0)
    assert (late.status, late.plan) == (Status.TIMEOUT, None)


def test_running_out_of_memory_is_memout():
    result = solved(_tower(14), max_memory_mb=1)
    assert (result.status, result.plan) == (Status.MEMOUT, None)


def _tower(size):
    """Return a problem whose task runs through all orders of so many things."""
    world = World()
    things = [world.problem.add_object(f"t{number}", Thing) for number in range(size)]
    world.use.add_precondition(world.ready(world.use.x))
    world.method()
    world.to_do(*things)
    return world.problem


def test_an_option_that_is_not_known_is_refused_with_the_near_one():
    with pytest.raises(InputError, match="no option 'serach'") as refused:
        OneshotPlanner(name="planvow", params={"serach": "auto"})
    assert "search" in refused.value.hint


def test_what_is_ignored_is_said(examples):
    with OneshotPlanner(name="planvow") as planner, pytest.warns(UserWarning, match="does not use heuristic"):
        planner.solve(examples["htn-go"].problem, heuristic=lambda state: 0)


def test_the_output_stream_hears_what_goes_on(examples):
    stream = io.StringIO()
    with OneshotPlanner(name="planvow") as planner:
        planner.solve(examples["htn-go"].problem, output_stream=stream)
    assert stream.getvalue().startswith("planvow: translated: 2 methods, 1 actions\n")
    assert stream.getvalue().endswith("SOLVED_SATISFICING: 5 actions, quality 5, verified\n")


def test_an_anytime_planner_gives_better_plans_until_the_best_is_proved():
    problem = BY_FEATURE["ACTIONS_COST"][0]().problem
    with AnytimePlanner(name="planvow") as planner:
        results = list(planner.get_solutions(problem))
    *between, last = results
    assert {result.status for result in between} == {Status.INTERMEDIATE}
    qualities = [int(result.metrics["quality"]) for result in between]
    assert qualities == [5, 2]
    assert (last.status, last.metrics["quality"]) == (Status.SOLVED_OPTIMALLY, "2")
    with AnytimePlanner(name="planvow", params={"improve": 1}) as planner:
        *_, unproved = planner.get_solutions(problem)
    assert (unproved.status, unproved.metrics["quality"]) == (Status.SOLVED_SATISFICING, "5")


def test_a_replanner_goes_on_from_what_has_changed(examples):
    problem = examples["htn-go"].problem
    connected, (l1, l2, l3) = problem.fluent("connected"), map(problem.object, ("l1", "l2", "l3"))
    with Replanner(name="planvow-replanner", problem=problem) as replanner:
        assert len(words(replanner.resolve().plan)) == 5
        replanner.update_initial_value(problem.fluent("loc"), l3)
        assert words(replanner.resolve().plan) == ["move(l3, l4)", "move(l4, l3)", "move(l3, l2)"]
        replanner.add_goal(problem.fluent("loc")().Equals(l1))
        assert words(replanner.resolve().plan)[-1] == "move(l2, l1)"
        replanner.remove_goal(problem.fluent("loc")().Equals(l1))
        assert words(replanner.resolve().plan)[-1] == "move(l3, l2)"
        replanner.remove_action("move")
        assert replanner.resolve().status is Status.UNSOLVABLE_PROVEN
        replanner.add_action(problem.action("move"))
        replanner.update_initial_value(connected(l3, l2), False)
        assert replanner.resolve().status is Status.UNSOLVABLE_PROVEN
    assert len(words(solved(problem).plan)) == 5, "the problem itself must stay as it was"


def test_a_replanner_refuses_what_it_cannot_change(examples):
    problem = examples["htn-go"].problem
    replanner = get_environment().factory.engine("planvow-replanner")(problem)
    with pytest.raises(UPUsageError, match="no action fly"):
        replanner.remove_action("fly")
    with pytest.raises(UPUsageError, match="no goal"):
        replanner.remove_goal(problem.fluent("loc")().Equals(problem.object("l1")))
    replanner.remove_action("move")
    with pytest.raises(UPUsageError, match="only the same one"):
        replanner.add_action(InstantaneousAction("move"))
    replanner.add_action(InstantaneousAction("fly"))
    with pytest.raises(UPUsageError, match="able to handle"):
        type(replanner)(get_example_problems()["htn-go-temporal"].problem)


def judged(problem, plan):
    with PlanValidator(name="planvow") as validator:
        return validator.validate(problem, plan)


def rebuilt(plan, change):
    """Return a copy of a plan whose method instances `change(instance)` may replace."""

    def copy(node):
        if isinstance(node, ActionInstance):
            return node
        parts = {name: copy(part) for name, part in node.decomposition.subtasks.items()}
        return change(MethodInstance(node.method, node.parameters, Decomposition(parts)))

    parts = {name: copy(part) for name, part in plan.decomposition.subtasks.items()}
    return HierarchicalPlan(plan.action_plan, Decomposition(parts))


def test_the_validator_accepts_the_plans_of_the_examples(examples):
    case = examples["htn-go"]
    for plan in case.valid_plans:
        assert judged(case.problem, plan).status is ValidationResultStatus.VALID


def test_the_validator_says_what_is_wrong(examples):
    case = examples["htn-go"]
    problem, plan = case.problem, case.valid_plans[0]
    actions = plan.action_plan.actions
    backwards = HierarchicalPlan(SequentialPlan(actions[::-1]), plan.decomposition)
    result = judged(problem, backwards)
    assert result.reason is FailedValidationReason.INAPPLICABLE_ACTION
    assert result.inapplicable_action is actions[-1]

    shorter = HierarchicalPlan(SequentialPlan(actions[:-1]), plan.decomposition)
    assert "is not in the sequence of actions" in judged(problem, shorter).log_messages[0].message

    half = HierarchicalPlan(plan.action_plan, Decomposition({"go_l4": plan.decomposition.subtasks["go_l4"]}))
    assert "leaves out the subtask go_final" in judged(problem, half).log_messages[0].message

    unreachable = problem.clone()
    unreachable.add_goal(problem.fluent("loc")().Equals(problem.object("l4")))
    assert judged(unreachable, plan).reason is FailedValidationReason.UNSATISFIED_GOALS


def test_the_validator_holds_methods_to_the_values_that_the_plan_gives_their_variables(examples):
    case = examples["htn-go"]
    problem, plan = case.problem, case.valid_plans[0]
    l1, l4 = (problem.environment.expression_manager.ObjectExp(problem.object(name)) for name in ("l1", "l4"))

    def elsewhere(instance):
        if instance.method.name == "go-noop" and instance.parameters[0] == l4:
            return MethodInstance(instance.method, (l1,), instance.decomposition)
        return instance

    result = judged(problem, rebuilt(plan, elsewhere))
    assert result.status is ValidationResultStatus.INVALID
    assert "(go l1) where (go l4) was expected" in result.log_messages[0].message


def test_the_validator_reads_sequences_that_some_engine_gave_times(examples):
    case = examples["htn-go"]
    actions = case.valid_plans[0].action_plan.actions
    forwards, backwards = range(5), range(4, -1, -1)
    for times, status in ((forwards, ValidationResultStatus.VALID), (backwards, ValidationResultStatus.INVALID)):
        timed = TimeTriggeredPlan([(Fraction(time), action, None) for time, action in zip(times, actions)])
        plan = HierarchicalPlan(timed, case.valid_plans[0].decomposition)
        assert judged(case.problem, plan).status is status


def test_the_validator_tells_subtasks_apart_that_look_alike():
    problem = HierarchicalProblem("thrice")
    act = InstantaneousAction("act")
    problem.add_action(act)
    network = problem.task_network
    first, _, third = (network.add_subtask(act, ident=name) for name in ("first", "second", "third"))
    network.set_ordered(first, third)
    instances = [ActionInstance(act) for _ in range(3)]

    def taken_for(*names):
        return HierarchicalPlan(SequentialPlan(instances), Decomposition(dict(zip(names, instances))))

    assert judged(problem, taken_for("first", "second", "third"))
    assert judged(problem, taken_for("second", "first", "third"))
    assert not judged(problem, taken_for("second", "third", "first"))


def test_a_hidden_variable_of_a_plan_must_satisfy_its_precondition():
    problem = HierarchicalProblem("hidden")
    world = World()
    method = world.method("hidden", z=Thing)
    method.add_precondition(world.ready(method.z))
    world.set(world.ready, world.b)
    world.to_do(world.a)
    problem = world.problem
    plan = solved(problem).plan
    manager = problem.environment.expression_manager
    a, b = manager.ObjectExp(world.a), manager.ObjectExp(world.b)
    assert plan.methods()[0][1].parameters == (a, b)
    wrong = rebuilt(plan, lambda instance: MethodInstance(instance.method, (a, a), instance.decomposition))
    result = judged(problem, wrong)
    assert result.status is ValidationResultStatus.INVALID
    assert "(ready a) is false" in result.log_messages[0].message


def test_any_plan_gets_a_certificate_and_a_wrong_one_gets_none(examples):
    case = examples["htn-go"]
    assert certify(case.problem, case.valid_plans[0]).verify().accepted
    backwards = SequentialPlan(case.valid_plans[0].action_plan.actions[::-1])
    with pytest.raises(UpPlanError, match="a wrong plan has no certificate"):
        certify(case.problem, HierarchicalPlan(backwards, case.valid_plans[0].decomposition))


def test_plans_and_dead_ends_are_explained_and_proved(examples):
    problem = examples["htn-go"].problem.clone()
    assert "go-noop does not apply: (loc l4) is false" in explain(problem)
    assert prove_unsolvable(problem) is None
    problem.set_initial_value(problem.fluent("connected")(problem.object("l2"), problem.object("l3")), False)
    assert "go-noop: (loc l4) is false" in explain(problem)
    proof = prove_unsolvable(problem)
    assert check_no_plan(to_hddl(problem).problem, proof)


def test_a_plan_that_a_plain_search_does_not_come_to_is_told_task_by_task():
    problem = load_module(ROOT / "examples" / "up_delivery.py").problem
    told = explain(problem)
    assert "- (deliver book hill) by by_van: " in told
    assert "it applies at the beginning: (lies book depot)" in told


def test_problems_that_unified_planning_reads_from_hddl_are_planned(tmp_path):
    files = [str(ROOT / "examples" / "hddl" / name) for name in ("tea-domain.hddl", "tea-problem.hddl")]
    problem = PDDLReader().parse_problem(*files)
    result = solved(problem)
    assert result.status is Status.SOLVED_SATISFICING
    assert judged(problem, result.plan)


PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:2]
from unified_planning.model.htn import HierarchicalProblem
from unified_planning.shortcuts import AnytimePlanner, get_environment, InstantaneousAction
from planvow.adapters.unified_planning import register, to_hddl
from up_problems import BY_FEATURE, random_problem
get_environment().credits_stream = None
register()
for _ in range(int(sys.argv[2])):
    HierarchicalProblem().task_network.add_subtask(InstantaneousAction("a"))  # moves the counter of identifiers
for problem in [BY_FEATURE["TASK_ORDER_PARTIAL"][0]().problem, BY_FEATURE["OBJECT_FLUENTS"][0]().problem,
                *map(random_problem, range(6))]:
    made = to_hddl(problem)
    print(made.domain_text, made.problem_text)
    with AnytimePlanner(name="planvow") as planner:
        for result in planner.get_solutions(problem):
            print(result.status.name, sorted(result.metrics.items()), result.plan and result.plan.action_plan)
"""


@pytest.mark.slow
def test_the_answer_depends_neither_on_the_hash_seed_nor_on_what_else_the_process_did():
    printed = set()
    for seed, others in (("0", "0"), ("1", "3"), ("4711", "20")):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", PROGRAM, str(ROOT / "tests" / "lab"), others]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr[-2000:]
        printed.add(done.stdout)
    assert len(printed) == 1


@pytest.mark.slow
def test_after_install_unified_planning_finds_the_engines_by_itself(tmp_path):
    first = planvow(tmp_path, "up", "install", "project")
    assert (first.returncode, first.stdout) == (0, "wrote project/up.ini\n"), first.stderr
    written = (tmp_path / "project" / "up.ini").read_text("utf-8")
    assert planvow(tmp_path, "up", "install", "project").stdout == "project/up.ini names planvow already\n"
    assert planvow(tmp_path, "up", "install", "--print").stdout.strip() == written.strip()
    script = tmp_path / "project" / "script.py"
    script.write_text(
        "from unified_planning.shortcuts import get_environment\n"
        "engines = get_environment().factory.engines\n"
        "print('planvow' in engines, 'planvow-replanner' in engines)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout == "True True\n", done.stderr


def test_install_keeps_what_the_file_says_already(tmp_path):
    (tmp_path / "up.ini").write_text("# ours\n[global]\nengine_preference_list: tamer\n", encoding="utf-8")
    planvow(tmp_path, "up", "install")
    text = (tmp_path / "up.ini").read_text("utf-8")
    assert text.startswith("# ours\n[global]\nengine_preference_list: tamer\n\n[engine planvow]\n")
    environment = Environment()
    environment.factory.configure_from_file(str(tmp_path / "up.ini"))
    assert "planvow" in environment.factory.engines


def test_install_writes_for_all_scripts_of_a_user_when_asked(tmp_path):
    done = planvow(tmp_path, "up", "install", "--home", HOME=str(tmp_path / "me"))
    assert (tmp_path / "me" / "up.ini").is_file(), done.stderr
    both = planvow(tmp_path, "up", "install", "--home", "here", HOME=str(tmp_path / "me"))
    assert both.returncode == 2


def test_the_command_writes_hddl_that_every_other_command_takes(tmp_path):
    file = ROOT / "examples" / "up_delivery.py"
    done = planvow(tmp_path, "up", "hddl", file, "--out", "delivery")
    assert done.stdout.splitlines() == ["delivery/domain.hddl", "delivery/problem.hddl"], done.stderr
    files = ("delivery/domain.hddl", "delivery/problem.hddl")
    assert planvow(tmp_path, "plan", *files, "--plan-out", "plan").returncode == 0
    assert planvow(tmp_path, "verify", *files, "plan").returncode == 0
    wrong = planvow(tmp_path, "up", "hddl", file, "--name", "nothing")
    assert wrong.returncode == 2
    assert "declares no 'nothing'" in wrong.stderr


def test_a_file_that_plans_its_problem_itself_finds_planvow_when_it_is_written_as_hddl(tmp_path):
    script = """
from unified_planning.shortcuts import OneshotPlanner
from unified_planning.test.examples import get_example_problems
problem = get_example_problems()["htn-go"].problem
with OneshotPlanner(name="planvow") as planner:
    assert planner.solve(problem).plan
"""
    (tmp_path / "mine.py").write_text(script, "utf-8")
    done = planvow_process(tmp_path, "up", "hddl", "mine.py")  # engines known to this process tell nothing
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "problem.hddl").is_file()


def test_what_a_file_of_problems_raises_is_told_with_its_line_and_that_it_runs_is_said(tmp_path):
    (tmp_path / "broken.py").write_text("def problem():\n    raise ValueError('no van')\n")
    wrong = planvow(tmp_path, "up", "hddl", "broken.py")
    assert wrong.returncode == 2
    assert "INVALID_INPUT broken.py:2: ValueError: no van" in wrong.stderr
    assert "it is executed" in " ".join(planvow(tmp_path, "up", "hddl", "--help").stdout.split())


def test_the_module_for_upstream_offers_what_the_table_of_engines_names():
    from planvow.adapters.unified_planning import upstream
    from planvow.adapters.unified_planning.registering import ENGINES

    assert {name for _, name in ENGINES.values()} == set(upstream.__all__)


def test_an_action_that_would_give_a_fluent_two_values_cannot_be_done():
    world = World()
    holds = world.place("holds", world.saw)
    both = world.action("both", x=Thing, y=Thing)
    both.add_effect(holds, both.x)
    both.add_effect(holds, both.y, world.ready(both.x))
    world.set(world.ready, world.a)
    method = Method("two", x=Thing, y=Thing)
    method.set_task(world.work, method.x)
    method.add_subtask(both, method.x, method.y)
    world.problem.add_method(method)
    world.to_do(world.a)
    assert words(solved(world.problem).plan) == ["both(a, a)"]
    world.problem.add_goal(Equals(holds, world.b))
    assert solved(world.problem).status is Status.UNSOLVABLE_PROVEN


def test_a_variable_is_itself_again_after_a_quantifier_over_one_of_its_name():
    world = World()
    v = Variable("v", Thing)
    world.method().add_precondition(Exists(And(Exists(world.ready(v), v), world.done(v)), v))
    world.set(world.ready, world.b)
    world.set(world.done, world.saw)
    world.to_do(world.a)
    assert words(solved(world.problem).plan) == ["use(a)"]


@pytest.mark.parametrize(
    ("params", "timeout", "place"),
    [({"improve": -1}, None, "improve"), ({"improve": "much"}, None, "improve"), ({}, -1, "timeout"),
     ({"improve": True}, None, "improve"), ({"max_memory_mb": "500"}, None, "max_memory_mb"),
     ({"max_memory_mb": 0}, None, "max_memory_mb"),
     ({}, float("nan"), "timeout"),
     ({"search": "fast"}, None, "search"), ({"max_iterations": "5"}, None, "max_iterations"),
     ({"serach": "auto"}, None, "params")],
)  # fmt: skip
def test_an_option_that_makes_no_sense_is_refused_by_its_name_in_unified_planning(params, timeout, place):
    problem = load_module(ROOT / "examples" / "up_delivery.py").problem
    with pytest.raises(InputError) as refused, OneshotPlanner(name="planvow", params=params) as planner:
        planner.solve(problem, timeout=timeout)
    assert refused.value.place == place


def test_a_limit_on_memory_outside_the_main_thread_is_refused_by_its_name():
    problem = load_module(ROOT / "examples" / "up_delivery.py").problem
    refused = []

    def ask():
        with OneshotPlanner(name="planvow", params={"max_memory_mb": 4_000}) as planner:
            try:
                planner.solve(problem)
            except InputError as error:
                refused.append(error)

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    assert [error.place for error in refused] == ["max_memory_mb"]
    assert "main thread" in refused[0].message
