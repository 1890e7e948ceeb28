"""Kinds of forgeries of the certificates of contract plans: tools, parameters, data flow, limits, who planned."""

from __future__ import annotations

import copy
from collections.abc import Callable

from forging import Choice, Document, Forge, kind
from planvow.contract.checking.verdict import CONSISTENT, FAITHFUL, REEXECUTED


def contract(name: str, level: str, *named: str) -> Callable[[Forge], Forge]:
    return kind(name, level, *named, subject="contract")


@contract("a tool that the manifest does not have", CONSISTENT, "manifest", "derivation")
def _skill(d: Document, c: Choice) -> None:
    if d["asked"]["tool_manifest"] is None:
        raise LookupError
    c.of(d["steps"])["skill"] = c.of(["rm_rf", "wire_money"])


@contract("a tool is taken out of the manifest", CONSISTENT, "manifest")
def _manifest_less(d: Document, c: Choice) -> None:
    used = c.of(d["steps"])["skill"]
    d["asked"]["tool_manifest"] = [row for row in d["asked"]["tool_manifest"] if row["skill_id"] != used]


@contract("a parameter that the tool's schema refuses", CONSISTENT, "params")
def _param_type(d: Document, c: Choice) -> None:
    schemas = {row["skill_id"]: row.get("input_schema") for row in d["asked"]["tool_manifest"]}
    step = c.of(s for s in d["steps"] if schemas.get(s["skill"]) and s["params"])
    name = c.of(sorted(step["params"]))
    step["params"][name] = c.of([[], {"x": 1}])


@contract("a placeholder that nothing fills", CONSISTENT, "data flow")
def _placeholder(d: Document, c: Choice) -> None:
    d["derivation"] = None
    c.of(d["steps"])["params"]["extra"] = c.of(["{{nobody.output}}", "{{}}"])
    d["asked"]["tool_manifest"] = None


@contract("a placeholder names what may not have run", CONSISTENT, "data flow")
def _flow(d: Document, c: Choice) -> None:
    step = c.of(s for s in d["steps"] if s["depends_on"] and "{{" in str(s["params"]))
    step["depends_on"] = []


@contract("steps wait for one another", CONSISTENT, "dependencies")
def _waiting(d: Document, c: Choice) -> None:
    step = c.of(s for s in d["steps"] if s["depends_on"])
    other = next(s for s in d["steps"] if s["step_id"] == step["depends_on"][0])
    other["depends_on"] = [*other["depends_on"], step["step_id"]]


@contract("a step waits for nobody", CONSISTENT, "dependencies")
def _nobody(d: Document, c: Choice) -> None:
    c.of(d["steps"])["depends_on"].append(c.of(["nobody", "s999"]))


@contract("two steps have one name", CONSISTENT, "steps")
def _name(d: Document, c: Choice) -> None:
    field = c.of(["step_id", "output_key"])
    first, second = d["steps"][0], c.of(d["steps"][1:])
    second[field] = first[field]


@contract("another status of the plan", CONSISTENT, "status")
def _status(d: Document, c: Choice) -> None:
    d["status"] = c.of(["satisfied", "blessed"])


@contract("the limits are not those of the request", CONSISTENT, "budgets")
def _limits(d: Document, c: Choice) -> None:
    d["budgets"]["max_steps"] = 10**6 + c.number(99)


@contract("more steps than the request allows", CONSISTENT, "budgets")
def _too_many(d: Document, c: Choice) -> None:
    d["asked"]["extra"]["max_steps"] = d["budgets"]["max_steps"] = c.number(len(d["steps"]))


@contract("the derivation of another plan", CONSISTENT, "derivation")
def _derivation(d: Document, c: Choice) -> None:
    inner = d["derivation"]
    inner["steps"][c.number(len(inner["steps"]))]["command"][0] = "another"


@contract("a step is not what the derivation says", CONSISTENT, "derivation")
def _not_derived(d: Document, c: Choice) -> None:
    if d["derivation"] is None:
        raise LookupError
    params = c.of(s for s in d["steps"] if s["params"])["params"]
    params[c.of(sorted(params))] = "somewhere nicer"


@contract("another goal", FAITHFUL, "goal")
def _goal(d: Document, c: Choice) -> None:
    d["asked"]["goal"] += c.of([" please", "!"])


@contract("somebody else asked", FAITHFUL, "agent_id")
def _agent(d: Document, c: Choice) -> None:
    d["asked"]["agent_id"] = c.of(["mallory", "root"])


@contract("the manifest has more tools", FAITHFUL, "tool_manifest")
def _manifest_more(d: Document, c: Choice) -> None:
    if d["asked"]["tool_manifest"] is None:
        d["asked"]["tool_manifest"] = [{"skill_id": s["skill"]} for s in {s["skill"]: s for s in d["steps"]}.values()]
    else:
        d["asked"]["tool_manifest"].append({"skill_id": f"spare_{c.number(99)}"})


@contract("a tool's schema is loosened", FAITHFUL, "tool_manifest")
def _schema(d: Document, c: Choice) -> None:
    c.of(row for row in d["asked"]["tool_manifest"] if row.get("input_schema"))["input_schema"] = {"type": "object"}


@contract("the request allows more", FAITHFUL, "extra")
def _more(d: Document, c: Choice) -> None:
    d["asked"]["extra"]["max_steps"] = d["budgets"]["max_steps"] = 10**6 + c.number(99)


@contract("what was to be known is left out", FAITHFUL, "context_summary", "memory_snippets")
def _context(d: Document, c: Choice) -> None:
    d["asked"]["context_summary"] = f"everything is allowed {c.number(99)}"


@contract("another planner of the plan", REEXECUTED, "planner")
def _planner(d: Document, c: Choice) -> None:
    d["planner"][c.of(["id", "version"])] = "9.9.9"


@contract("the plan has another parameter", REEXECUTED, "plan", "derivation", "params")
def _param(d: Document, c: Choice) -> None:
    d["derivation"] = None
    c.of(d["steps"])["params"]["quietly"] = c.number(99)


@contract("the plan has a step more", REEXECUTED, "plan", "derivation")
def _more_steps(d: Document, c: Choice) -> None:
    d["derivation"] = None
    step = copy.deepcopy(c.of(d["steps"]))
    step.update(step_id=f"again{c.number(9)}", output_key="again")
    d["steps"].append(step)


@contract("the plan has a step less", REEXECUTED, "plan", "derivation")
def _fewer_steps(d: Document, c: Choice) -> None:
    if len(d["steps"]) < 2:
        raise LookupError
    d["derivation"] = None
    d["steps"].pop()


@contract("errors are handled otherwise", REEXECUTED, "plan")
def _on_error(d: Document, c: Choice) -> None:
    step = c.of(d["steps"])
    step["on_error"] = "continue" if step["on_error"] != "continue" else "abort"


@contract("the derivation is left out", REEXECUTED, "derivation")
def _no_derivation(d: Document, c: Choice) -> None:
    if d["derivation"] is None:
        raise LookupError
    d["derivation"] = None
