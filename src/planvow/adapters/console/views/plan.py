"""A plan as a tree, a table, a chart and a graph, with what is known about each node; made from its certificate.

A certificate holds the derivation and what every step read and wrote, so a plan from elsewhere is shown like one made
here. Reasons (why this method, what was refused) and windows come beside it, where somebody has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planvow.adapters.console.views.charts import Chart, Graph, chart_of, graph_of
from planvow.adapters.console.views.texts import counted, cut, fact_text, item_text, ticks_text, value_text

OPEN_BELOW = 2000
"""A tree of so many nodes is shown closed."""
DEEPEST = 48
"""Levels that are drawn one inside the other; what is deeper stands below each other, with its depth."""
_MOMENTS = ("start_time", "end_time", "not_before", "deadline")
_VERDICTS = {
    "not_applicable": "does not apply", "lacks_capability": "was left out", "tried_and_failed": "was tried and failed",
    "dearer": "was tried", "not_tried": "was not tried", "applies": "applies as well",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TreeRow:
    """A node of the tree with what is below it."""

    node_id: int
    kind: str
    text: str
    method: str
    refused: int
    children: tuple[int, ...]
    depth: int
    step: int = 0
    """Its place in the plan, where that is not the place it has among the steps of the tree; else 0."""


@dataclass(frozen=True, kw_only=True)
class Tree:
    """The tree, and where each node's reasons are."""

    events: tuple[tuple[str, TreeRow], ...]
    """Rows as they are written: one that opens a level, a leaf, or the end of a level. A plan may be of any depth."""
    size: int
    address: Callable[[int], str]

    @property
    def is_open(self) -> bool:
        return self.size < OPEN_BELOW


@dataclass(frozen=True, kw_only=True)
class StepRow:
    """A step of the plan."""

    number: int
    node_id: int
    text: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    after: tuple[int, ...]
    time: str


@dataclass(frozen=True, kw_only=True)
class Other:
    """A method that was not taken."""

    method: str
    verdict: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class NodeView:
    """What is known about one node: why it is there, what it read and wrote, what was refused."""

    node_id: int
    text: str
    kind: str
    method: str
    why: str
    others: tuple[Other, ...]
    path: tuple[tuple[int, str], ...]
    reads: tuple[str, ...]
    scans: tuple[str, ...]
    writes: tuple[str, ...]
    step: int | None
    time: str
    told: str


@dataclass(frozen=True, kw_only=True)
class PlanView:
    """The page of a plan."""

    title: str
    status: str
    planner: str
    domain: str
    tree: Tree | None
    steps: tuple[StepRow, ...]
    chart: Chart | None
    graph: Graph | None
    nodes: Mapping[int, NodeView]
    cost: str
    certificate_hash: str
    order_note: str

    @property
    def counts(self) -> str:
        nodes = f", {counted(self.tree.size, 'node')}" if self.tree else ""
        return counted(len(self.steps), "step") + nodes


def plan_view(
    certificate: Mapping[str, Any],
    *,
    decisions: Sequence[Mapping[str, Any]] = (),
    order: Sequence[Sequence[Any]] | None = None,
    times: Sequence[Mapping[str, Any]] = (),
    address: Callable[[int], str],
) -> PlanView:
    """Return the page of a plan from its certificate, and what else is known about it."""
    nodes = _rows(certificate.get("nodes"))
    steps = _rows(certificate.get("steps"))
    chosen = {int(row["node_id"]): row for row in decisions if isinstance(row.get("node_id"), int)}
    edges, note = (_causal(steps), True) if order is None else ([tuple(edge) for edge in order], False)
    windows = {row.get("node_id"): row for row in times}
    views = _nodes(nodes, steps, chosen)
    named = _steps(steps, edges)
    planner, domain = _mapping(certificate.get("planner")), _mapping(certificate.get("domain"))
    return PlanView(
        title=_title(certificate),
        status=str(certificate.get("status") or "solved"),
        planner=f"{planner.get('id', '?')} {planner.get('version', '')}".strip(),
        domain=str(domain.get("name") or ""),
        tree=_tree(certificate, nodes, chosen, address) if nodes else None,
        steps=named,
        chart=chart_of(steps, windows, address),
        graph=graph_of([row.text for row in named], edges, [row.node_id for row in named], address),
        nodes=views,
        cost="",
        certificate_hash=str(certificate.get("hash") or ""),
        order_note="from what the steps themselves read and write; stated relations are not in the certificate's steps"
        if note
        else "",
    )


def contract_view(plan: Mapping[str, Any], planner: str, title: str, why: Mapping[str, Any]) -> PlanView:
    """Return the page of a plan that has steps and no derivation: of tools, governed requests, or from elsewhere."""
    steps = _rows(plan.get("steps"))
    names = [str(step.get("step_id") or step.get("id") or number) for number, step in enumerate(steps, start=1)]
    place = {name: number for number, name in enumerate(names)}
    edges = [
        (place[before], number, "after", "")
        for number, step in enumerate(steps)
        for before in step.get("depends_on") or ()
        if before in place
    ]
    texts = [
        item_text([step.get("skill") or step.get("op"), *_mapping(step.get("params") or step.get("refs")).values()])
        for step in steps
    ]
    rows = tuple(
        StepRow(
            number=number + 1,
            node_id=number + 1,
            text=text,
            reads=(),
            writes=(),
            after=tuple(before + 1 for before, after, _, _ in edges if after == number),
            time="",
        )
        for number, text in enumerate(texts)
    )
    nodes = {
        row.node_id: NodeView(
            node_id=row.node_id,
            text=row.text,
            kind="step",
            method="",
            why=str(why.get(names[row.number - 1], "")),
            others=(),
            path=(),
            reads=(),
            scans=(),
            writes=(),
            step=row.number,
            time="",
            told="",
        )
        for row in rows
    }
    return PlanView(
        title=title,
        status="solved",
        planner=planner,
        domain="",
        tree=None,
        steps=rows,
        chart=None,
        graph=graph_of(texts, edges, [row.node_id for row in rows], lambda node: f"#step-{node}"),
        nodes=nodes,
        cost="",
        certificate_hash="",
        order_note="as the plan says: which step waits for which",
    )


def _title(certificate: Mapping[str, Any]) -> str:
    asked = _mapping(certificate.get("asked") or certificate.get("request"))
    agenda = asked.get("agenda")
    if isinstance(agenda, list):
        return cut(", ".join(item_text(_mapping(row).get("item", row)) for row in agenda)) or "nothing to do"
    return cut(str(asked.get("goal") or certificate.get("kind") or "plan"))


def _rows(value: Any) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _tree(
    certificate: Mapping[str, Any],
    nodes: list[Mapping[str, Any]],
    chosen: Mapping[int, Mapping[str, Any]],
    address: Callable[[int], str],
) -> Tree:
    known = {int(node["id"]): node for node in nodes}
    events: list[tuple[str, TreeRow]] = []
    places = {step.get("node"): number for number, step in enumerate(_rows(certificate.get("steps")), start=1)}
    stack = [("row", top, 0) for top in reversed(certificate.get("root") or ()) if top in known]
    while stack:
        what, node_id, depth = stack.pop()
        row = _row(known[node_id], chosen, depth)
        if what == "close":
            events.append(("close", row))
            continue
        below = [("row", child, depth + 1) for child in row.children if child in known]
        opens = bool(below) and depth < DEEPEST
        events.append(("open" if opens else "leaf", row))
        if opens:
            stack.append(("close", node_id, depth))
        stack.extend(reversed(below))
    walked = [places[row.node_id] for what, row in events if what == "leaf" and row.node_id in places]
    if walked != sorted(walked):
        events = [(what, replace(row, step=places.get(row.node_id, 0))) for what, row in events]
    return Tree(events=tuple(events), size=len(nodes), address=address)


def _row(node: Mapping[str, Any], chosen: Mapping[int, Mapping[str, Any]], depth: int) -> TreeRow:
    decision = chosen.get(int(node["id"]), {})
    others = decision.get("alternatives") or ()
    return TreeRow(
        node_id=int(node["id"]),
        kind=str(node.get("kind")),
        text=item_text(node.get("item")),
        method=str(_mapping(node.get("call")).get("method") or ""),
        refused=sum(other.get("verdict") not in ("not_tried", "applies") for other in others),
        children=tuple(node.get("children") or ()),
        depth=depth,
    )


def _steps(steps: list[Mapping[str, Any]], edges: Sequence[Sequence[Any]]) -> tuple[StepRow, ...]:
    after: dict[int, set[int]] = {}
    for edge in edges:
        after.setdefault(edge[1], set()).add(edge[0] + 1)
    return tuple(
        StepRow(
            number=number + 1,
            node_id=int(step.get("node") or number + 1),
            text=_step_text(step),
            reads=_facts(step.get("reads")),
            writes=_facts(step.get("writes")),
            after=tuple(sorted(after.get(number, ()))),
            time=_time(step),
        )
        for number, step in enumerate(steps)
    )


def _step_text(step: Mapping[str, Any]) -> str:
    if "command" in step:
        return item_text(step["command"])
    return item_text([step.get("skill") or step.get("op"), *_mapping(step.get("params")).values()])


def _facts(rows: Any) -> tuple[str, ...]:
    return tuple(fact_text(row) for row in rows or ())


def _time(step: Mapping[str, Any]) -> str:
    start, end = step.get("start"), step.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or (start == end == 0):
        return ""
    return f"{ticks_text(start)} – {ticks_text(end)}"


def _nodes(
    nodes: list[Mapping[str, Any]], steps: list[Mapping[str, Any]], chosen: Mapping[int, Mapping[str, Any]]
) -> dict[int, NodeView]:
    step_of = {step.get("node"): (number, step) for number, step in enumerate(steps, start=1)}
    above = {child: int(node["id"]) for node in nodes for child in node.get("children") or ()}
    texts = {int(node["id"]): item_text(node.get("item")) for node in nodes}
    made: dict[int, NodeView] = {}
    for node in nodes:
        node_id = int(node["id"])
        call, decision = _mapping(node.get("call")), chosen.get(node_id, {})
        number, step = step_of.get(node_id, (None, {}))
        source = step or call
        made[node_id] = NodeView(
            node_id=node_id,
            text=texts[node_id],
            kind=str(node.get("kind")),
            method=str(call.get("method") or ""),
            why=str(decision.get("why") or ""),
            others=tuple(_other(row) for row in decision.get("alternatives") or ()),
            path=tuple(_path(node_id, above, texts)),
            reads=_facts(source.get("reads")),
            scans=tuple(value_text(scan) for scan in source.get("scans") or ()),
            writes=_facts(source.get("writes")),
            step=number,
            time=_time(step),
            told=_told(_mapping(node.get("told"))),
        )
    return made


def _told(told: Mapping[str, Any]) -> str:
    def text(name: str, value: Any) -> str:
        return ticks_text(value) if name in _MOMENTS and isinstance(value, int) else value_text(value)

    return cut(", ".join(f"{name.replace('_', ' ')} {text(name, value)}" for name, value in told.items()))


def _path(node_id: int, above: Mapping[int, int], texts: Mapping[int, str]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    while node_id in above and len(found) < 100:
        node_id = above[node_id]
        found.append((node_id, texts.get(node_id, "")))
    return found[::-1]


def _other(row: Mapping[str, Any]) -> Other:
    way = f", way {row['way']} ({row.get('offers')})" if row.get("way") is not None else ""
    verdict = str(row.get("verdict"))
    return Other(
        method=f"{row.get('method')}{way}", verdict=_VERDICTS.get(verdict, verdict), reason=str(row.get("reason") or "")
    )


def _causal(steps: list[Mapping[str, Any]]) -> list[tuple[int, int, str, str]]:
    """Return which step comes before which by what they read and write: a fact's last writer, and its readers since."""
    writer: dict[str, int] = {}
    readers: dict[str, list[int]] = {}
    edges: dict[tuple[int, int], tuple[str, str]] = {}
    for number, step in enumerate(steps):
        for fact in step.get("reads") or ():
            key = value_text(list(fact[:2]))
            if key in writer:
                edges.setdefault((writer[key], number), ("reads", value_text(fact[0])))
            readers.setdefault(key, []).append(number)
        for fact in step.get("writes") or ():
            key = value_text(list(fact[:2]))
            for reader in readers.pop(key, ()):
                if reader != number:
                    edges.setdefault((reader, number), ("writes", value_text(fact[0])))
            if key in writer and writer[key] != number:
                edges.setdefault((writer[key], number), ("writes", value_text(fact[0])))
            writer[key] = number
    return [(before, after, why, about) for (before, after), (why, about) in edges.items()]
