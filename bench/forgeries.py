"""Kinds of forgeries of a derivation's certificate. Every one recomputes the hashes; the clever ones much more."""

from __future__ import annotations

import copy
import json
from typing import Any

from forging import KINDS, Choice, Document, below, by_id, kind, regrow, remove, roots, told, unread_writes
from planvow.contract.checking.verdict import CONSISTENT, FAITHFUL, REEXECUTED

__all__ = ["KINDS"]

# What the document itself gives away.


@kind("a hash is left as it was", CONSISTENT, "hash")
def _stale(d: Document, c: Choice) -> None:
    c.of(d["steps"])["command"].append("more")
    d["keep the hashes"] = True


@kind("the hash of the inputs is zeroed", CONSISTENT, "hash")
def _inputs_hash(d: Document, c: Choice) -> None:
    from planvow.contract.checking.check import certificate_hash

    d["inputs_hash"] = "0" * 64
    d["hash"] = certificate_hash(d)
    d["keep the hashes"] = True


@kind("a later version", CONSISTENT, "form")
def _version(d: Document, c: Choice) -> None:
    d["format"] = c.of(["certificate/3", "certificate/20", "certificate"])


@kind("a field of another type", CONSISTENT, "form")
def _type(d: Document, c: Choice) -> None:
    d[c.of(["planner", "asked", "initial", "root", "nodes", "steps", "proof"])] = c.of([None, 3, "x"])


@kind("a field that is not in the form", CONSISTENT, "form")
def _field(d: Document, c: Choice) -> None:
    c.of([d, d["asked"], c.of(d["nodes"]), c.of(d["steps"])])["trust_me"] = True


@kind("a step is left out", CONSISTENT, "order")
def _step_out(d: Document, c: Choice) -> None:
    d["steps"].remove(c.of(d["steps"]))


@kind("two steps change places", CONSISTENT, "order")
def _steps_swapped(d: Document, c: Choice) -> None:
    i = c.number(len(d["steps"]) - 1)
    d["steps"][i], d["steps"][i + 1] = d["steps"][i + 1], d["steps"][i]


@kind("a step is done twice", CONSISTENT, "order")
def _step_twice(d: Document, c: Choice) -> None:
    d["steps"].insert(0, copy.deepcopy(c.of(d["steps"])))


@kind("a step runs another command than its node", CONSISTENT, "order")
def _step_renamed(d: Document, c: Choice) -> None:
    c.of(d["steps"])["command"][0] = "do_nothing"


@kind("a task loses a child", CONSISTENT, "decomposition", "order")
def _child_out(d: Document, c: Choice) -> None:
    children = c.of(n for n in d["nodes"] if n["children"])["children"]
    children.pop(c.number(len(children)))


@kind("a node has two parents", CONSISTENT, "decomposition")
def _two_parents(d: Document, c: Choice) -> None:
    c.of(d["nodes"])["children"].append(c.of(d["root"]))


@kind("the tree leads back to itself", CONSISTENT, "decomposition")
def _cycle(d: Document, c: Choice) -> None:
    top = c.of(n for n in d["nodes"] if n["children"])
    inside = [i for i in below(d, top["id"]) if i != top["id"]]
    by_id(d)[c.of(sorted(inside))]["children"].append(top["id"])


@kind("a task has no method", CONSISTENT, "decomposition")
def _no_method(d: Document, c: Choice) -> None:
    c.of(n for n in d["nodes"] if n["kind"] == "task")["call"] = None


@kind("an item of the agenda has no node", CONSISTENT, "decomposition")
def _root_out(d: Document, c: Choice) -> None:
    d["root"].pop(c.number(len(d["root"])))


@kind("a node stands for another item than was asked", CONSISTENT, "decomposition", "goals")
def _root_changed(d: Document, c: Choice) -> None:
    c.of(node for _, node in roots(d))["item"] = ["something", "easier"]


@kind("a goal stands there as a task, so that nobody looks whether it holds", CONSISTENT, "decomposition")
def _goal_as_task(d: Document, c: Choice) -> None:
    c.of(n for n in d["nodes"] if n["call"] and isinstance(n["item"], dict))["kind"] = "task"


@kind("a sequence loses an item", CONSISTENT, "decomposition")
def _sequence(d: Document, c: Choice) -> None:
    node = c.of(n for n in d["nodes"] if n["kind"] == "sequence" and n["children"])
    remove(d, c.of(node["children"]))


@kind("a step reads another value", CONSISTENT, "reads", "initial")
def _read_value(d: Document, c: Choice) -> None:
    c.of(t for s in d["steps"] for t in s["reads"])[2:] = ["whatever is needed"]


@kind("a step reads what nothing gives", CONSISTENT, "reads")
def _read_invented(d: Document, c: Choice) -> None:
    c.of(d["steps"])["reads"].append(["blessing", "pope", True])


@kind("a method reads another value", CONSISTENT, "reads", "initial")
def _method_read(d: Document, c: Choice) -> None:
    c.of(t for n in d["nodes"] if n["call"] for t in n["call"]["reads"])[2:] = ["whatever is needed"]


@kind("a fact is hidden from who looks through all of them", CONSISTENT, "reads")
def _hidden(d: Document, c: Choice) -> None:
    calls = [n["call"] for n in d["nodes"] if n["call"] and n["call"]["scans"]]
    call, triple = c.of((k, t) for k in calls for t in k["reads"] if t[0] in k["scans"] and len(t) == 3)
    call["reads"].remove(triple)


@kind("a write changes that something relies on", CONSISTENT, "reads", "goals")
def _write_relied(d: Document, c: Choice) -> None:
    latest: dict[str, Any] = {}
    relied = []
    for step in d["steps"]:
        relied += [latest[json.dumps(t[:2])] for t in step["reads"] if json.dumps(t[:2]) in latest]
        latest |= {json.dumps(t[:2]): t for t in step["writes"]}
    c.of(relied)[2:] = ["nothing of the kind"]


@kind("an initial fact changes", CONSISTENT, "initial")
def _fact(d: Document, c: Choice) -> None:
    c.of(t for t in d["initial"] if len(t) == 3)[2] = "helpful"


@kind("an initial fact is added", CONSISTENT, "initial")
def _fact_added(d: Document, c: Choice) -> None:
    d["initial"].append(["helped", f"by {c.number(99)}", True])
    d["proof"]["places"].append(c.number(d["asked"]["state"]["size"] + 1))


@kind("an initial fact is taken away", CONSISTENT, "initial", "reads")
def _fact_out(d: Document, c: Choice) -> None:
    place = c.number(len(d["initial"]))
    d["initial"].pop(place)
    d["proof"]["places"].pop(place)


@kind("a fact is said to be absent", CONSISTENT, "initial", "reads", "goals")
def _absent(d: Document, c: Choice) -> None:
    place = c.of(i for i, t in enumerate(d["initial"]) if len(t) == 3)
    del d["initial"][place][2]
    d["proof"]["places"][place] = None


@kind("a fact stands at another place of the tree", CONSISTENT, "initial")
def _place(d: Document, c: Choice) -> None:
    at = c.of(i for i, place in enumerate(d["proof"]["places"]) if place is not None)
    d["proof"]["places"][at] += c.of([-1, 1, 1000])


@kind("a hash of the proof changes", CONSISTENT, "initial")
def _proof_hash(d: Document, c: Choice) -> None:
    at = c.number(len(d["proof"]["hashes"]))
    d["proof"]["hashes"][at] = c.of(["00" * 32, "", "zz"])


@kind("another root hash", CONSISTENT, "initial")
def _root_hash(d: Document, c: Choice) -> None:
    d["asked"]["state"]["root"] = c.of(["ab" * 32, "", "0"])


@kind("the state has another size", CONSISTENT, "initial")
def _size(d: Document, c: Choice) -> None:
    d["asked"]["state"]["size"] = c.number(len([t for t in d["initial"] if len(t) == 3]))


@kind("another status", CONSISTENT, "status")
def _status(d: Document, c: Choice) -> None:
    d["status"] = "satisfied" if d["steps"] else "solved"


@kind("more was searched than the limit allows", CONSISTENT, "budgets")
def _limit(d: Document, c: Choice) -> None:
    d["asked"]["budgets"]["max_iterations"] = c.number(len(d["nodes"]))


@kind("the plan is deeper than the limit allows", CONSISTENT, "budgets")
def _too_deep(d: Document, c: Choice) -> None:
    c.of(n for n in d["nodes"] if n["children"])
    d["asked"]["budgets"]["max_depth"] = 1


@kind("a forbidden command is in the plan", CONSISTENT, "blacklist")
def _forbidden(d: Document, c: Choice) -> None:
    d["asked"]["blacklist"] = [copy.deepcopy(c.of(d["steps"])["command"])]


@kind("the times are gone", CONSISTENT, "schedule")
def _no_times(d: Document, c: Choice) -> None:
    told(d, "deadline")
    d["asked"]["time"] = None
    for step in d["steps"]:
        step.update(start=None, end=None, duration=None, entities=[])
    for node in d["nodes"]:
        node["span"] = None


@kind("a step takes less time than its duration", CONSISTENT, "duration")
def _short(d: Document, c: Choice) -> None:
    step = c.of(s for s in d["steps"] if s["end"] - s["start"] > 0)
    step["end"] = step["start"] + c.number(step["end"] - step["start"])
    if any(node["id"] == step["node"] and node["told"].get("duration") for node in d["nodes"]):
        step["end"] = step["start"]


@kind("a step begins before the one it follows has ended", CONSISTENT, "schedule", "causality", "relation", "entities")
def _early(d: Document, c: Choice) -> None:
    steps = d["steps"]
    if d["asked"]["time"]["ordering"] != "sequential":
        raise LookupError
    place = c.of(
        k for k in range(1, len(steps)) if steps[k]["start"] > 0 and steps[k - 1]["end"] > steps[k - 1]["start"]
    )
    move = steps[place]["start"] - steps[place - 1]["end"] + 1
    steps[place]["start"] -= move
    steps[place]["end"] -= move


@kind("the schedule misses a deadline", CONSISTENT, "deadline")
def _late(d: Document, c: Choice) -> None:
    row, node = told(d, "deadline")
    last = node["span"][1] if node["span"] else next(s["end"] for s in d["steps"] if s["node"] == node["id"])
    row["told"]["deadline"] = node["told"]["deadline"] = last - 1 - c.number(5)


@kind("the schedule misses the horizon", CONSISTENT, "deadline")
def _horizon(d: Document, c: Choice) -> None:
    d["asked"]["time"]["horizon"] = max(s["end"] for s in d["steps"]) - 1 - c.number(5)


@kind("the schedule breaks a relation", CONSISTENT, "relation")
def _relation(d: Document, c: Choice) -> None:
    rows = [r for n in d["nodes"] if n["call"] for r in n["call"]["relations"]]
    rows += [r for n in d["nodes"] for r in n["told"].get("relations", ())]
    relation = c.of(r for r in rows if r[0] == "before")
    relation[0] = c.of(["equals", "during", "sometime"])
    for row, node in roots(d):
        row["told"] = copy.deepcopy(node["told"])


@kind("a relation is about what is not there", CONSISTENT, "relation")
def _relation_nowhere(d: Document, c: Choice) -> None:
    rows = [r for n in d["nodes"] if n["call"] for r in n["call"]["relations"]]
    c.of(rows)[1 + c.number(2)] = "nobody"


@kind("an entity does what it cannot", CONSISTENT, "entities")
def _unable(d: Document, c: Choice) -> None:
    step = c.of(s for s in d["steps"] if s["entities"])
    step["entities"][0] = "a stranger"


@kind("an entity is left out", CONSISTENT, "entities")
def _no_entity(d: Document, c: Choice) -> None:
    c.of(s for s in d["steps"] if s["entities"])["entities"].clear()


@kind("a step runs beside one that it needs", CONSISTENT, "causality", "relation", "entities", "schedule")
def _beside(d: Document, c: Choice) -> None:
    d["asked"]["time"]["ordering"] = "causal"
    written = {json.dumps(t[:2]): s for s in d["steps"] for t in s["writes"]}
    pairs = [
        (written[json.dumps(t[:2])], s)
        for s in d["steps"]
        for t in s["reads"]
        if json.dumps(t[:2]) in written
        and d["steps"].index(written[json.dumps(t[:2])]) < d["steps"].index(s)
        and written[json.dumps(t[:2])]["end"] > written[json.dumps(t[:2])]["start"]
    ]
    first, second = c.of(pairs)
    move = second["start"] - first["start"]
    second["start"] -= move
    second["end"] -= move


@kind("a task ends before what is in it", CONSISTENT, "schedule", "duration", "relation")
def _span(d: Document, c: Choice) -> None:
    node = c.of(n for n in d["nodes"] if n["span"] and n["children"])
    last = max(s["end"] for s in d["steps"] if s["node"] in below(d, node["id"]))
    node["span"][1] = last - 1 - c.number(3)


# What only whoever asked can tell.


@kind("a deadline is dropped", FAITHFUL, "agenda")
def _deadline_out(d: Document, c: Choice) -> None:
    row, node = told(d, "deadline")
    del row["told"]["deadline"], node["told"]["deadline"]


@kind("a deadline is loosened", FAITHFUL, "agenda")
def _deadline_later(d: Document, c: Choice) -> None:
    row, node = told(d, "deadline")
    row["told"]["deadline"] = node["told"]["deadline"] = row["told"]["deadline"] + 1 + c.number(10**6)


@kind("a time before which nothing may begin is dropped", FAITHFUL, "agenda")
def _not_before(d: Document, c: Choice) -> None:
    row, node = told(d, "not_before")
    del row["told"]["not_before"], node["told"]["not_before"]


@kind("a relation between items of the agenda is dropped", FAITHFUL, "agenda")
def _own_relation(d: Document, c: Choice) -> None:
    row, node = told(d, "relations")
    del row["told"]["relations"], node["told"]["relations"]
    if not node["told"] and node["children"]:
        node["span"] = None


@kind("the last item of the agenda is removed everywhere", FAITHFUL, "agenda")
def _goal_out(d: Document, c: Choice) -> None:
    if len(d["root"]) < 2:
        raise LookupError
    remove(d, d["root"][-1])
    d["asked"]["agenda"].pop()
    d["status"] = "solved" if d["steps"] else "satisfied"


@kind("an item is added to the agenda", FAITHFUL, "agenda")
def _item_added(d: Document, c: Choice) -> None:
    held = c.of(t for t in d["initial"] if len(t) == 3 and t[0][0] != "#")
    if any(t[:2] == held[:2] for s in d["steps"] for t in s["writes"]):
        raise LookupError
    node = {
        "id": 10**6,
        "kind": "goal",
        "item": {"goal": list(held)},
        "told": {},
        "call": None,
        "children": [],
        "span": None,
    }
    d["nodes"].append(node)
    d["root"].append(node["id"])
    d["asked"]["agenda"].append({"item": node["item"], "told": {}})


@kind("everybody gets another name", FAITHFUL, "agenda", "state", "domain")
def _renamed(d: Document, c: Choice) -> None:
    words = sorted({t[1] for t in d["initial"] if isinstance(t[1], str) and len(t[1]) > 2 and t[0][0] != "#"})
    old = c.of(words)
    parts = {name: d[name] for name in ("asked", "initial", "nodes", "steps")}
    d.update(json.loads(json.dumps(parts).replace(f'"{old}"', '"mallory"')))
    regrow(d)


@kind("a helpful fact is added, and the last step it saves is deleted", FAITHFUL, "state")
def _helped(d: Document, c: Choice) -> None:
    step = d["steps"][-1]
    parent = next(n for n in d["nodes"] if step["node"] in n["children"])
    if len(parent["children"]) < 2:
        raise LookupError
    remove(d, step["node"])
    kept = {json.dumps(t[:2]): t for t in d["initial"]}
    earlier = {json.dumps(t[:2]) for s in d["steps"] for t in s["writes"]}
    for triple in step["writes"]:
        if json.dumps(triple[:2]) not in earlier:
            kept[json.dumps(triple[:2])] = triple
    d["initial"] = list(kept.values())
    d["initial"].append(["helped", "yes", True])
    regrow(d)


@kind("the state is made to fit the initial facts", FAITHFUL, "state")
def _state(d: Document, c: Choice) -> None:
    unread = [t for t in d["initial"] if len(t) == 3 and t[0] != "#table"]
    d["initial"].append(["spare", c.of(unread)[0], c.number(1000)])
    regrow(d)


@kind("the facts of a predicate stand in another order", FAITHFUL, "state")
def _order(d: Document, c: Choice) -> None:
    scans = {name for n in d["nodes"] if n["call"] for name in n["call"]["scans"]}
    scans |= {name for s in d["steps"] for name in s["scans"]}
    name = c.of(sorted(p for p in scans if sum(t[0] == p and len(t) == 3 for t in d["initial"]) > 1))
    at = [i for i, t in enumerate(d["initial"]) if t[0] == name and len(t) == 3]
    for rows in (d["initial"], d["proof"]["places"]):
        rows[at[0]], rows[at[1]] = rows[at[1]], rows[at[0]]


@kind("a step is quicker than the domain says", FAITHFUL, "duration")
def _duration(d: Document, c: Choice) -> None:
    nodes = by_id(d)
    step = c.of(s for s in d["steps"] if s["duration"]["ticks"] and not nodes[s["node"]]["told"].get("duration"))
    step["duration"]["ticks"] = [0, None]


@kind("a duration is there that the domain does not give", FAITHFUL, "duration")
def _duration_added(d: Document, c: Choice) -> None:
    c.of(s for s in d["steps"] if s["duration"] and s["duration"]["ticks"] is None)["duration"]["ticks"] = [0, 0]


@kind("the limits are loosened", FAITHFUL, "budgets")
def _budgets(d: Document, c: Choice) -> None:
    d["asked"]["budgets"]["max_iterations"] = 10**9 + c.number(99)


@kind("another planner", FAITHFUL, "planner")
def _planner(d: Document, c: Choice) -> None:
    d["planner"] = {"id": c.of(["oracle", "htn2"]), "version": d["planner"]["version"]}


@kind("another version of the planner", FAITHFUL, "planner")
def _planner_version(d: Document, c: Choice) -> None:
    d["planner"]["version"] = c.of(["99.0.0", "0.0.1"])


@kind("another domain", FAITHFUL, "domain")
def _domain(d: Document, c: Choice) -> None:
    d["domain"]["name"] = c.of(["safe_domain", "audited"])


@kind("another source of the domain", FAITHFUL, "domain")
def _source(d: Document, c: Choice) -> None:
    d["domain"]["source"] = c.of(["ab" * 32, "unknown"])


@kind("steps may overlap", FAITHFUL, "time")
def _ordering(d: Document, c: Choice) -> None:
    time = d["asked"]["time"]
    time["ordering"] = "causal" if time["ordering"] == "sequential" else "sequential"
    if time["ordering"] == "sequential":
        raise LookupError


@kind("the horizon is dropped", FAITHFUL, "time")
def _no_horizon(d: Document, c: Choice) -> None:
    if d["asked"]["time"]["horizon"] is None:
        raise LookupError
    d["asked"]["time"]["horizon"] = c.of([None, d["asked"]["time"]["horizon"] + 1])


@kind("an entity is invented", FAITHFUL, "time")
def _entity(d: Document, c: Choice) -> None:
    d["asked"]["time"]["entities"].append({"entity_id": f"helper {c.number(99)}", "type": "hand", "capabilities": []})


@kind("an entity can do more", FAITHFUL, "time")
def _able(d: Document, c: Choice) -> None:
    c.of(d["asked"]["time"]["entities"])["capabilities"].append("everything")


@kind("the actor can do more", FAITHFUL, "capabilities")
def _capabilities(d: Document, c: Choice) -> None:
    given = d["asked"]["capabilities"]
    d["asked"]["capabilities"] = c.of([None, [*given, "flying"]]) if given is not None else ["flying"]


@kind("what was forbidden is allowed", FAITHFUL, "blacklist")
def _allowed(d: Document, c: Choice) -> None:
    d["asked"]["blacklist"].pop(c.number(len(d["asked"]["blacklist"])))


@kind("a predicate is said not to matter", FAITHFUL, "ignored_predicates")
def _ignored(d: Document, c: Choice) -> None:
    step = c.of(s for s in d["steps"] if s["writes"])
    d["asked"]["ignored_predicates"] = {str(step["command"][0]): [step["writes"][0][0]]}


@kind("the search was another", FAITHFUL, "selection", "optimal", "loop_guard", "scores", "propagators")
def _search(d: Document, c: Choice) -> None:
    name, value = c.of([("selection", "learned"), ("optimal", "cost"), ("loop_guard", "off"), ("scores", "ab" * 32)])
    d["asked"][name] = value if d["asked"][name] != value else "other"


# What only running it again shows.


@kind("a method is called by another name", REEXECUTED, "re-execution")
def _method(d: Document, c: Choice) -> None:
    c.of(n for n in d["nodes"] if n["call"])["call"]["method"] = c.of(["a_better_way", "in_order", "split_multigoal"])


@kind("a method is said to have given another item", REEXECUTED, "re-execution")
def _argument(d: Document, c: Choice) -> None:
    nodes = by_id(d)
    parents = {child: n for n in d["nodes"] for child in n["children"]}
    step = c.of(s for s in d["steps"] if s["node"] in parents and parents[s["node"]]["call"])
    step["command"] = nodes[step["node"]]["item"] = [*step["command"], "and more"]


@kind("a step is left out of a decomposition", REEXECUTED, "re-execution")
def _skipped(d: Document, c: Choice) -> None:
    parents = {child: n for n in d["nodes"] for child in n["children"]}
    needed = {json.dumps(t[:2]) for s in d["steps"] for t in s["reads"]}
    needed |= {json.dumps(t[:2]) for n in d["nodes"] if n["call"] for t in n["call"]["reads"]}
    wanted = json.dumps([n["item"] for n in d["nodes"] if n["kind"] in ("goal", "multigoal")])
    step = c.of(
        s
        for s in d["steps"]
        if s["node"] in parents
        and parents[s["node"]]["call"]
        and not parents[s["node"]]["call"]["relations"]
        and not any(json.dumps(t[:2]) in needed or f'"{t[0]}"' in wanted for t in s["writes"])
    )
    remove(d, step["node"])


@kind("a step is slipped into a decomposition", REEXECUTED, "re-execution")
def _slipped_in(d: Document, c: Choice) -> None:
    parent = c.of(n for n in d["nodes"] if n["call"] and not n["call"]["relations"] and n["kind"] == "task")
    if d["asked"]["time"] is not None:
        raise LookupError
    node = {"id": 10**6, "kind": "command", "item": ["wave"], "told": {}, "call": None, "children": [], "span": None}
    step: dict[str, Any] = {
        "node": 10**6,
        "command": ["wave"],
        "reads": [],
        "scans": [],
        "writes": [],
    }
    step |= {"duration": None, "entities": [], "start": None, "end": None}
    parent["children"].append(10**6)
    d["nodes"].append(node)
    inside = below(d, parent["id"])
    place = max((k for k, s in enumerate(d["steps"]) if s["node"] in inside), default=-1)
    if place < 0:
        raise LookupError
    d["steps"].insert(place + 1, step)


@kind("a step writes something more", REEXECUTED, "re-execution")
def _bonus(d: Document, c: Choice) -> None:
    predicate = c.of(t[0] for step in d["steps"] for t in step["writes"] if t[1] != "")  # one that is a table already
    c.of(d["steps"])["writes"].append([predicate, f"bonus {c.number(9)}", True])


@kind("a step hides what it writes", REEXECUTED, "re-execution")
def _write_out(d: Document, c: Choice) -> None:
    step, place = c.of(unread_writes(d))
    step["writes"].pop(place)


@kind("a step writes another value", REEXECUTED, "re-execution")
def _write_other(d: Document, c: Choice) -> None:
    step, place = c.of(unread_writes(d))
    step["writes"][place][2:] = ["a better value"]


@kind("a step hides what it reads", REEXECUTED, "re-execution")
def _read_out(d: Document, c: Choice) -> None:
    step = c.of(s for s in d["steps"] if any(t[0] not in s["scans"] for t in s["reads"]))
    step["reads"].remove(c.of(t for t in step["reads"] if t[0] not in step["scans"]))


@kind("a method hides what it reads", REEXECUTED, "re-execution")
def _method_read_out(d: Document, c: Choice) -> None:
    call = c.of(
        n["call"] for n in d["nodes"] if n["call"] and any(t[0] not in n["call"]["scans"] for t in n["call"]["reads"])
    )
    call["reads"].remove(c.of(t for t in call["reads"] if t[0] not in call["scans"]))


@kind("it is hidden that all of a predicate was looked through", REEXECUTED, "re-execution")
def _scan_out(d: Document, c: Choice) -> None:
    rows = [n["call"] for n in d["nodes"] if n["call"] and n["call"]["scans"]] + [s for s in d["steps"] if s["scans"]]
    scans = c.of(rows)["scans"]
    scans.pop(c.number(len(scans)))


@kind("another of several decompositions", REEXECUTED, "re-execution")
def _ordinal(d: Document, c: Choice) -> None:
    call = c.of(n["call"] for n in d["nodes"] if n["call"] and n["call"]["ordinal"] > 0)
    call["ordinal"] += c.of([-1, 1])


@kind("a relation that a method stated is dropped", REEXECUTED, "re-execution")
def _method_relation(d: Document, c: Choice) -> None:
    rows = c.of(n["call"]["relations"] for n in d["nodes"] if n["call"] and n["call"]["relations"])
    rows.pop(c.number(len(rows)))


@kind("a deadline that a method stated is dropped", REEXECUTED, "re-execution")
def _method_deadline(d: Document, c: Choice) -> None:
    inner = {child for n in d["nodes"] for child in n["children"]}
    node = c.of(n for n in d["nodes"] if n["id"] in inner and "deadline" in n["told"])
    if c.number(2):
        del node["told"]["deadline"]
    else:
        node["told"]["deadline"] += 1000


@kind("a helper that a method asked for is dropped", REEXECUTED, "re-execution")
def _method_entity(d: Document, c: Choice) -> None:
    node = c.of(n for n in d["nodes"] if n["told"].get("entities"))
    del node["told"]["entities"]
    next(s for s in d["steps"] if s["node"] == node["id"])["entities"] = []
