"""Plans and what proves them, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planvow.adapters.cli.frame.paragraphs import counted, facts, folded
from planvow.adapters.cli.viewing.words import SHORT_HASH, call, compact, numbered, times, tree
from planvow.contract.certificate.build import verify

Document = Mapping[str, Any]


def certificate(document: Document, width: int | None) -> Iterator[str]:
    """A certificate: whose, for what, the plan with its times, how tasks were broken down, and whether it holds."""
    verdict = verify(document)
    said = f"accepted ({verdict.level})" if verdict.accepted else f"REJECTED: {verdict.fault}"
    yield f"certificate {document['hash'][:SHORT_HASH]}: {counted(len(document['steps']), 'step')}"
    planner, domain = document.get("planner") or {}, document.get("domain") or {}
    asked = document.get("asked") or {}
    agenda = ", ".join(call(entry["item"]) for entry in asked.get("agenda", ()))
    yield facts(
        {
            "checker": said,
            "not proved": "; ".join(verdict.not_proved),
            "planner": f"{planner.get('id', '')} {planner.get('version', '')}".strip(),
            "domain": domain.get("name") if isinstance(domain, Mapping) else domain,
            "asked": agenda or compact(asked.get("goal") or ""),
        },
        width,
    )
    if document.get("kind") == "contract":  # of a planner whose steps call tools: no commands, no tree
        yield from steps(document["steps"], width)
        return
    yield ""
    commands = [(call(step["command"]), times(step.get("start"), step.get("end"))) for step in document["steps"]]
    yield from numbered([f"{text}  {when}".rstrip() for text, when in commands], width)
    nodes = {node["id"]: node for node in document["nodes"]}
    top = document.get("root", [])
    if top:
        yield ""
        yield from _derivation(nodes, top, width, lambda node: (node.get("call") or {}).get("method"))


def result(document: Document, width: int | None) -> Iterator[str]:
    """What `planvow plan --json` prints for a Python problem."""
    plan = document["plan"]
    yield f"plan: {document['status']}, {counted(len(plan), 'step')}"
    numbers = document.get("statistics", {})
    counts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in sorted(numbers.items()))
    yield facts({"reason": document.get("reason"), "cost": document.get("cost"), "search": counts}, width)
    yield ""
    when = {entry["node_id"]: entry for entry in document.get("time_allocations", ())}
    timed = [times(entry["earliest_start"], entry["earliest_end"]) for entry in when.values()]
    timed += [""] * (len(plan) - len(timed))
    yield from numbered([f"{call(step)}  {span}".rstrip() for step, span in zip(plan, timed, strict=False)], width)
    nodes = {node["id"]: node for node in document.get("tree", ())}
    if nodes:
        yield ""
        yield from _derivation(nodes, nodes[0]["children"], width, lambda node: node.get("method"))


def _derivation(nodes: Mapping[int, Document], top: Sequence[int], width: int | None, method: Any) -> Iterator[str]:
    def label(node: int) -> str:
        how = method(nodes[node])
        return call(nodes[node]["item"]) + (f"  [{how}]" if how else "")

    yield from tree(lambda node: nodes[node].get("children", ()), label, top, width)


def hddl_result(document: Document, width: int | None) -> Iterator[str]:
    """What `planvow plan --json` prints for an HDDL problem."""
    actions = document.get("actions") or []
    found = f"{document['status']}, {counted(len(actions), 'action')}"
    yield f"HDDL plan of {document['problem']} in {document['domain']}: {found}"
    verified = document.get("verified")
    checked = "" if verified is None else f"the verifier {'accepts' if verified else 'REJECTS'} it"
    named = {"reason": document.get("reason"), "cost": document.get("cost"), "search": document.get("search")}
    yield facts({**named, "verified": checked, "plan": (document.get("plan_hash") or "")[:SHORT_HASH]}, width)
    yield ""
    yield from numbered([call(action) for action in actions], width)


def hddl_text(text: str, width: int | None) -> Iterator[str]:
    """A plan in the form of the planning competitions."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    actions: dict[str, list[str]] = {}
    methods: list[tuple[str, str]] = []
    for line in lines[1:]:
        if line.startswith("<=="):
            break
        number, _, rest = line.partition(" ")
        if rest and "->" in rest:
            methods.append((number, rest))
        elif number.isdigit():
            actions[number] = rest.split()
    yield f"HDDL plan: {counted(len(actions), 'action')}, {counted(len(methods), 'task')} broken down"
    yield ""
    yield from numbered([call(words) for words in actions.values()], width)
    if methods:
        yield ""
        for number, rest in methods:
            task, _, how = rest.partition("->")
            yield folded(f"{number}: {call(task.split())} by {' '.join(how.split())}", width, indent=2, hanging=6)


def contract_plan(document: Document, width: int | None) -> Iterator[str]:
    """A plan of any planner: its steps with parameters and what they wait for."""
    plan = document.get("plan", document)
    made = {**(plan.get("metadata") or {}), **(document.get("metadata") or {})}
    by = f" by {made['planner']} {made.get('planner_version', '')}".rstrip() if made.get("planner") else ""
    yield f"plan{by}: {counted(len(plan['steps']), 'step')}"
    yield from steps(plan["steps"], width)


def steps(planned: Sequence[Document], width: int | None) -> Iterator[str]:
    """The steps of a plan, one a line."""
    yield ""
    for step in planned:
        after = f"  after {', '.join(step['depends_on'])}" if step.get("depends_on") else ""
        given = compact(step["params"]) if step.get("params") else ""
        yield folded(f"{step['step_id']}  {step['skill']}  {given}{after}".rstrip(), width, indent=2, hanging=6)


def planner_error(document: Document, width: int | None) -> Iterator[str]:
    """An answer that is an error."""
    error = document["error"]
    yield f"no plan: {error['code']}"
    yield facts({name: error.get(name) for name in ("message", "place", "hint", "retryable")}, width)


def goal_plan(document: Document, width: int | None) -> Iterator[str]:
    """What `planvow goal --json` prints: calls of tools, and why each."""
    actions = {action["action_id"]: action for action in document["actions"]}
    yield f"goal plan: {document['status']}, {counted(len(actions), 'call')}"
    yield facts(
        {"reason": document.get("reason"), "warnings": "; ".join(map(compact, document.get("warnings", ())))}, width
    )
    yield ""
    for number, name in enumerate(document["execution_order"], start=1):
        action = actions[name]
        why = (document.get("why") or {}).get(name)
        yield folded(f"{number}. {action['tool']}  {compact(action['args'])}", width, indent=2, hanging=5)
        if why:
            yield folded(f"because {why}", width, indent=5)


def request(document: Document, width: int | None) -> Iterator[str]:
    """What was asked, as a certificate is held against it."""
    planner = document["planner"]
    yield f"request to {planner['id']} {planner['version']}: {counted(len(document['asked']['agenda']), 'item')}"
    facts_given = counted(len(document["facts"]), "fact")
    yield facts({"domain": document["domain"]["name"], "state": facts_given}, width)
    yield ""
    yield from numbered([call(entry["item"]) for entry in document["asked"]["agenda"]], width)


def no_plan(document: Document, width: int | None) -> Iterator[str]:
    """A proof that an HDDL problem has no plan. Its two files are needed to check it."""
    yield f"proof that {document['problem']} in {document['domain']} has no plan"
    lists = [counted(len(document[name]), name[:-1]) for name in ("facts", "calls", "states") if document.get(name)]
    yield facts(
        {
            "nothing else can occur": ", ".join(lists),
            "hash": document["hash"][:SHORT_HASH],
            "not checked here": "planvow verify DOMAIN.hddl PROBLEM.hddl PROOF.json",
        },
        width,
    )


def tools(document: Document, width: int | None) -> Iterator[str]:
    """A manifest of tools: what each takes, needs and brings about."""
    yield f"manifest: {counted(len(document['tools']), 'tool')}"
    for tool in document["tools"]:
        yield folded(
            f"{tool['name']}({', '.join(tool['input_schema'].get('properties', ()))})", width, indent=2, hanging=6
        )
        for word in ("requires", "effects", "produces"):
            if tool.get(word):
                yield folded(f"{word} {'; '.join(tool[word])}", width, indent=6, hanging=8)
