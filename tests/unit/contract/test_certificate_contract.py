"""Certificates of contract plans: any planner's steps against tools, schemas, data flow, limits and the request."""

from __future__ import annotations

import json

import pytest

from planvow import Domain, State
from planvow.contract import StubPlanner, default_registry
from planvow.contract.certificate.faithful import check_against_request
from planvow.contract.certificate.of_contract import certify_plan, check_by_asking
from planvow.contract.certificate.reexecute import check_by_running
from planvow.contract.checking.check import certificate_hash, check_certificate, inputs_hash
from planvow.contract.interface.interface import PlannerOutput
from planvow.contract.plan.plan import step_data
from planvow.contract.planners.htn import TaskPlanner
from planvow.governed.compile.contract_planner import GovernedPlanner
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.working_tree import open_working_tree

TEXTS = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
MANIFEST = [{"skill_id": "read"}, {"skill_id": "say", "input_schema": TEXTS}]
REQUEST = {"agent_id": "a", "goal": "read it out", "tool_manifest": MANIFEST, "max_steps": 3}


class Modelled:
    """A planner whose plans a model makes: the structure is the same every time, the words are not."""

    planner_id, version = "modelled", "1.0.0"

    def __init__(self, words="hello"):
        self.words = words

    def get_determinism_mode(self):
        return "structural"

    def plan(self, agent_id, goal, *rest, **more):
        steps = [
            step_data("read", {}, step_id="s1", output_key="page"),
            step_data("say", {"text": f"{self.words}: {{{{page.text}}}}"}, step_id="s2", depends_on=["s1"]),
        ]
        return PlannerOutput(plan={"steps": steps}, metadata={"model": "m-1"}, deterministic=False)


def certified():
    return json.loads(certify_plan(Modelled(), **REQUEST).canonical_bytes())


def sealed(document):
    document["inputs_hash"] = inputs_hash(document)
    document["hash"] = certificate_hash(document)
    return document


def test_a_model_made_plan_reaches_every_level_with_other_words():
    document = certified()
    assert document["planner"] == {"id": "modelled", "version": "1.0.0", "determinism": "structural", "model": "m-1"}
    assert document["budgets"] == {"max_steps": 3}
    assert check_certificate(document).fault is None
    assert check_against_request(document, REQUEST).fault is None
    assert check_by_asking(document, Modelled("good evening")).fault is None


@pytest.mark.parametrize(
    ("condition", "change"),
    [
        ("manifest", lambda d: d["steps"][0].update(skill="shout")),
        ("params", lambda d: d["steps"][1]["params"].update(text=3)),
        ("params", lambda d: d["steps"][1]["params"].clear()),
        ("data flow", lambda d: d["steps"][1].update(depends_on=[])),
        ("data flow", lambda d: d["steps"][1]["params"].update(text="x {{nobody.y}}")),
        ("dependencies", lambda d: d["steps"][0].update(depends_on=["s2"])),
        ("dependencies", lambda d: d["steps"][0].update(depends_on=["s9"])),
        ("steps", lambda d: d["steps"][1].update(output_key="page")),
        ("budgets", lambda d: d["budgets"].update(max_steps=99)),
        ("budgets", lambda d: (d["budgets"].update(max_steps=1), d["asked"]["extra"].update(max_steps=1))),
        ("status", lambda d: d.update(status="satisfied")),
    ],
)
def test_what_the_document_shows_to_be_wrong_is_named(condition, change):
    document = certified()
    change(document)
    assert check_certificate(sealed(document)).fault.condition == condition


def test_what_was_not_asked_is_named():
    document = certified()
    document["asked"]["goal"] = "read it out twice"
    assert check_certificate(sealed(document)).accepted
    assert check_against_request(document, REQUEST).fault.condition == "goal"


def test_what_the_planner_does_not_give_is_named():
    document = certified()
    document["steps"][0]["on_error"] = "continue"
    assert check_by_asking(sealed(document), Modelled()).fault.condition == "plan"
    document = certified()
    assert check_by_asking(document, StubPlanner()).fault.condition == "planner"


def test_the_form_keeps_room_for_what_steps_need_do_and_give():
    document = certified()
    document["steps"][0].update(requires=["online"], effects=["page_read"], produces={"type": "object"})
    assert check_certificate(sealed(document)).fault is None
    document["steps"][0]["requires"] = "online"
    assert check_certificate(sealed(document)).fault.condition == "form"


def test_a_searched_plan_has_its_derivation_inside():
    domain = Domain("doors")

    @domain.command
    def unlock(state, door):
        state.locked[door] = False
        return state

    planner = TaskPlanner(domain=domain, state=State(locked={"front": True}))
    document = json.loads(certify_plan(planner, agent_id="a", goal='[["unlock", "front"]]').canonical_bytes())
    assert document["derivation"]["steps"][0]["command"] == ["unlock", "front"]
    assert check_certificate(document).fault is None
    assert check_by_asking(document, planner).fault is None
    assert check_by_running(document, domain).fault is None
    document["steps"][0]["params"]["door"] = "back"
    assert check_certificate(sealed(document)).fault.condition == "derivation"


def test_every_built_in_planner_is_certified():
    registry = default_registry()
    for planner_id, goal in (("stub", "Say hello"), ("goal", "open youtube")):
        planner = registry.create(planner_id)
        document = json.loads(certify_plan(planner, agent_id="a", goal=goal).canonical_bytes())
        assert check_certificate(document).fault is None
        assert check_by_asking(document, planner).fault is None


def test_a_governed_plan_is_certified(tmp_path):
    (tmp_path / "README.md").write_text("# Tea\n", encoding="utf-8")
    with open_working_tree(tmp_path, data_folder=tmp_path / ".planvow", writable=True) as tree:
        build_index(tmp_path, tree.sections)
    request = {
        "run_id": "r", "request_id": "q", "intent": "review", "budgets": {"max_steps": 5, "max_bytes": 1000},
        "inputs": {"files": ["README.md"], "notes": ["look"], "ops": []},
    }  # fmt: skip
    planner = GovernedPlanner(repo_root=tmp_path)
    made = certify_plan(planner, agent_id="a", goal="review", request=request)
    document = json.loads(made.canonical_bytes())
    assert document["budgets"] == {"max_steps": 5, "max_bytes": 1000}
    assert check_certificate(document).fault is None
    assert check_by_asking(document, planner).fault is None
