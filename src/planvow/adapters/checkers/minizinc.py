"""A second opinion on certificates from MiniZinc, a constraint solver that shares nothing with planvow.

The model `certificate.mzn` states every condition but the hash; this module only numbers what the certificate
names, hands the numbers over and reads the answer. It needs the `minizinc` package (extra `[verify]`) and the
MiniZinc program itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.certificate.form import well_formed
from planvow.errors import MissingExtraError
from planvow.verdict import Fault, Verdict

CONDITIONS = ("decomposition", "order", "reads", "goals", "schedule")
_KINDS = {"task": 1, "goal": 2, "multigoal": 3, "command": 4, "sequence": 5}
_ABSENT = 0


def check_with_minizinc(document: Any, *, solver: str = "gecode") -> Verdict:
    """Check a certificate with MiniZinc; raise MissingExtraError where it is not installed."""
    malformed = well_formed(document)
    if malformed is not None:
        return Verdict(checker="minizinc", faults=(malformed,))
    answer = _solve(certificate_data(document), solver)
    broken = next((name for name in CONDITIONS if answer.get(name) != "true"), None)
    fault = broken and Fault(condition=broken, place="certificate.mzn", message=f"the solver finds {broken} violated")
    return Verdict(checker="minizinc", faults=(fault,) if fault else ())


def model_text() -> str:
    """Return the MiniZinc model."""
    return files("planvow.adapters.checkers").joinpath("certificate.mzn").read_text(encoding="utf-8")


def data_text(data: Mapping[str, Any]) -> str:
    """Return the data in MiniZinc's own notation: its JSON reader cuts numbers off at 32 bits (seen in 2.6.4)."""
    return "".join(f"{name} = {_written(value)};\n" for name, value in data.items())


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _solve(data: Mapping[str, Any], solver: str) -> dict[str, str]:
    try:
        with warnings.catch_warnings():  # that the program is missing is said below
            warnings.simplefilter("ignore", RuntimeWarning)
            import minizinc
    except ImportError:
        raise MissingExtraError("minizinc", extra="verify", purpose="checking with MiniZinc") from None
    try:
        chosen = minizinc.Solver.lookup(solver) if minizinc.default_driver is not None else None
    except (minizinc.error.ConfigurationError, LookupError):
        chosen = None
    if chosen is None:
        raise _missing_program(solver)
    model = minizinc.Model()
    model.add_string(model_text())
    model.add_string(data_text(data))
    instance = minizinc.Instance(chosen, model)
    with warnings.catch_warnings():  # remarks of the solver library about its own files are not the user's business
        warnings.simplefilter("ignore", minizinc.error.MiniZincWarning)
        result = instance.solve()
    lines = str(result.solution).split("\n") if result.solution is not None else []
    return dict(line.split(" ", 1) for line in lines if " " in line)


def _missing_program(solver: str) -> MissingExtraError:
    error = MissingExtraError("minizinc", extra="verify", purpose="checking with MiniZinc")
    error.message = f"checking with MiniZinc needs the program minizinc with the solver {solver}, which was not found"
    error.hint = "install it (Debian: apt-get install minizinc) and put it on the PATH; --minizinc is optional"
    return error


class _Numbers:
    """Gives equal things equal numbers, from 1 on."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def __call__(self, value: Any) -> int:
        return self._known.setdefault(canonical_json(value), len(self._known) + 1)


def certificate_data(document: Mapping[str, Any]) -> dict[str, Any]:
    """Number everything a well-formed certificate names: the data of `certificate.mzn`."""
    items = _Numbers()
    nodes: Sequence[Mapping[str, Any]] = document["nodes"]
    place = {node["id"]: i for i, node in reversed(list(enumerate(nodes, start=1)))}
    edges = [(0, child) for child in document["root"]]
    edges += [(i, child) for i, node in enumerate(nodes, start=1) for child in node["children"]]
    data: dict[str, Any] = {
        "N": len(nodes),
        "E": len(edges),
        "S": len(document["steps"]),
        "node_id": [node["id"] for node in nodes],
        "kind": [_KINDS[node["kind"]] for node in nodes],
        "has_method": [node["method"] is not None for node in nodes],
        "item": [items(node["item"]) for node in nodes],
        "edge_parent": [parent for parent, _ in edges],
        "edge_child": [place.get(child, 0) for _, child in edges],
        "A": len(document["agenda"]),
        "agenda": [items(item) for item in document["agenda"]],
        "step_node": [place.get(step["node"], 0) for step in document["steps"]],
        "step_item": [items(step["command"]) for step in document["steps"]],
    }
    variables, values = _Numbers(), _Numbers()
    data |= _triples("init", [(0, triple) for triple in document["initial"]], variables, values)
    data |= _triples("read", _with_step(document["steps"], "reads"), variables, values)
    data |= _triples("write", _with_step(document["steps"], "writes"), variables, values)
    return data | _goals(document, place, variables, values) | _times(document)


def _with_step(steps: Sequence[Mapping[str, Any]], field: str) -> list[tuple[int, Any]]:
    return [(k, triple) for k, step in enumerate(steps, start=1) for triple in step[field]]


def _triples(name: str, rows: list[tuple[int, Any]], variables: _Numbers, values: _Numbers) -> dict[str, Any]:
    data: dict[str, Any] = {
        name[0].upper(): len(rows),
        f"{name}_var": [variables(triple[:2]) for _, triple in rows],
        f"{name}_value": [_number(triple, values) for _, triple in rows],
    }
    if name != "init":
        data[f"{name}_step"] = [step for step, _ in rows]
    return data


def _number(triple: list[Any], values: _Numbers) -> int:
    return values(triple[2]) if len(triple) == 3 else _ABSENT


def _goals(document: Mapping[str, Any], place: dict[int, int], variables: _Numbers, values: _Numbers) -> dict[str, Any]:
    nodes = document["nodes"]
    goal_places = {node["id"]: place[node["id"]] for node in nodes if node["kind"] in ("goal", "multigoal")}
    rows = [(goal_places.get(goal["node"], 0), triple) for goal in document["goals"] for triple in goal["triples"]]
    rows += [(0, ["", ""]) for goal in document["goals"] if goal["node"] not in goal_places]
    stated: dict[int, bool] = {}
    for goal in document["goals"]:
        node = nodes[place[goal["node"]] - 1] if goal["node"] in place else None
        fits = node is not None and canonical_json(_wanted(node["item"])) == canonical_json(goal["triples"])
        stated[goal["node"]] = fits and stated.get(goal["node"], True)
    return {
        "G": len(rows),
        "goal_node": [node for node, _ in rows],
        "goal_var": [variables(triple[:2]) for _, triple in rows],
        "goal_value": [_number(triple, values) for _, triple in rows],
        "goal_stated": [stated.get(node["id"], False) for node in nodes],
    }


def _wanted(item: Any) -> Any:
    if not isinstance(item, dict):
        return None
    return [item["goal"]] if "goal" in item else item.get("multigoal")


def _times(document: Mapping[str, Any]) -> dict[str, Any]:
    time = document["time"] or {"constraints": [], "schedule": {}}
    points = {point: i for i, point in enumerate(sorted(time["schedule"]), start=1)}
    rows = time["constraints"]
    sides = [f"{step['node']}.{side}" for step in document["steps"] for side in ("start", "end")]
    return {
        "P": len(points),
        "time": [time["schedule"][point] for point in sorted(points)],
        "C": len(rows),
        "from_point": [points.get(row[0], 0) for row in rows],
        "to_point": [points.get(row[1], 0) for row in rows],
        "lo": [row[2] or 0 for row in rows],
        "has_lo": [row[2] is not None for row in rows],
        "hi": [row[3] or 0 for row in rows],
        "has_hi": [row[3] is not None for row in rows],
        "every_step_timed": document["time"] is None or all(side in points for side in sides),
    }
