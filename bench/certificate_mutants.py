"""Single mutations of plan certificates, and a brute-force oracle of the conditions one of version 1 must keep.

Mutations are chosen by hashes, so every run makes the same ones. The oracle is written to be obviously right and slow:
it walks back through the steps for every read and flattens the tree anew for every goal.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from planvow.contract.checking.check import certificate_hash

Document = dict[str, Any]


class Choice:
    """Deterministic choices: the n-th is derived from the seed and n."""

    def __init__(self, *seed: object) -> None:
        self._seed = repr(seed)
        self._count = 0

    def number(self, below: int) -> int:
        self._count += 1
        digest = hashlib.sha256(f"{self._seed}:{self._count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % max(1, below)

    def of(self, rows: Iterable[Any]) -> Any:
        """Return one of several; LookupError where there is none."""
        rows = list(rows)
        return rows[self.number(len(rows))]


def mutants(document: Document, count: int, *, rehash: bool, seed: object = 0) -> Iterator[tuple[str, Document]]:
    """Yield so many single mutations as (what was done, mutant), re-hashed or with the stale hash."""
    original = json.dumps(document, sort_keys=True)
    made = attempt = 0
    while made < count:
        attempt += 1
        choice = Choice(seed, original[:200], len(original), attempt)
        name, mutate = choice.of(MUTATIONS)
        mutant = copy.deepcopy(document)
        try:
            mutate(mutant, choice)
        except (IndexError, KeyError, TypeError):
            continue  # nothing of that kind in this certificate
        if json.dumps(mutant, sort_keys=True) == original:
            continue
        if rehash:
            mutant["hash"] = certificate_hash(mutant)
        made += 1
        yield name, mutant


def _drop_step(d: Document, c: Choice) -> None:
    d["steps"].pop(c.number(len(d["steps"])))


def _swap_steps(d: Document, c: Choice) -> None:
    i, j = c.number(len(d["steps"])), c.number(len(d["steps"]))
    d["steps"][i], d["steps"][j] = d["steps"][j], d["steps"][i]


def _duplicate_step(d: Document, c: Choice) -> None:
    i = c.number(len(d["steps"]))
    d["steps"].insert(i, copy.deepcopy(d["steps"][i]))


def _change_triple(field: str) -> Callable[[Document, Choice], None]:
    def mutate(d: Document, c: Choice) -> None:
        rows = c.of([s for s in d["steps"] if s[field]])[field]
        triple = c.of(rows)
        if len(triple) == 3 and c.number(4) == 0:
            del triple[2]
        elif len(triple) == 3:
            triple[2] = _other(triple[2], d, c)
        else:
            triple.append("something")

    return mutate


def _drop_triple(field: str) -> Callable[[Document, Choice], None]:
    def mutate(d: Document, c: Choice) -> None:
        rows = c.of([s for s in d["steps"] if s[field]])[field]
        rows.pop(c.number(len(rows)))

    return mutate


def _rename_triple(field: str) -> Callable[[Document, Choice], None]:
    def mutate(d: Document, c: Choice) -> None:
        triple = c.of(c.of([s for s in d["steps"] if s[field]])[field])
        triple[1] = _other(triple[1], d, c)

    return mutate


def _move_write(d: Document, c: Choice) -> None:
    source = c.of([s for s in d["steps"] if s["writes"]])
    triple = source["writes"].pop(c.number(len(source["writes"])))
    c.of(d["steps"])["writes"].append(triple)


def _change_initial(d: Document, c: Choice) -> None:
    triple = c.of(d["initial"])
    triple[2:] = [_other(triple[2] if len(triple) == 3 else None, d, c)]


def _drop_initial(d: Document, c: Choice) -> None:
    d["initial"].pop(c.number(len(d["initial"])))


def _repeat_initial(d: Document, c: Choice) -> None:
    d["initial"].append(list(c.of(d["initial"])))


def _shift_time(d: Document, c: Choice) -> None:
    point = c.of(sorted(d["time"]["schedule"]))
    d["time"]["schedule"][point] += c.of([-7, -1, 1, 7, 1_000_000_000])


def _drop_time(d: Document, c: Choice) -> None:
    del d["time"]["schedule"][c.of(sorted(d["time"]["schedule"]))]


def _change_bound(d: Document, c: Choice) -> None:
    row = c.of(d["time"]["constraints"])
    side = c.of([2, 3])
    row[side] = (row[side] or 0) + c.of([-5, -1, 1, 5])


def _change_goal(d: Document, c: Choice) -> None:
    triple = c.of(c.of([g for g in d["goals"] if g["triples"]])["triples"])
    triple[2:] = [_other(triple[2] if len(triple) == 3 else None, d, c)]


def _drop_goal(d: Document, c: Choice) -> None:
    d["goals"].pop(c.number(len(d["goals"])))


def _move_goal(d: Document, c: Choice) -> None:
    c.of(d["goals"])["node"] = c.of(d["nodes"])["id"]


def _drop_child(d: Document, c: Choice) -> None:
    node = c.of([n for n in d["nodes"] if n["children"]])
    node["children"].pop(c.number(len(node["children"])))


def _move_child(d: Document, c: Choice) -> None:
    source = c.of([n for n in d["nodes"] if n["children"]])
    child = source["children"].pop(c.number(len(source["children"])))
    target = c.of(d["nodes"])["children"]
    target.insert(c.number(len(target) + 1), child)


def _swap_children(d: Document, c: Choice) -> None:
    children = c.of([n for n in d["nodes"] if len(n["children"]) > 1])["children"]
    i = c.number(len(children) - 1)
    children[i], children[i + 1] = children[i + 1], children[i]


def _change_node(field: str, values: list[Any]) -> Callable[[Document, Choice], None]:
    def mutate(d: Document, c: Choice) -> None:
        c.of(d["nodes"])[field] = c.of(values)

    return mutate


def _change_item(d: Document, c: Choice) -> None:
    node = c.of(d["nodes"])
    node["item"] = c.of(d["nodes"])["item"] if c.number(2) else ["unheard_of"]


def _drop_node(d: Document, c: Choice) -> None:
    d["nodes"].pop(c.number(len(d["nodes"])))


def _change_agenda(d: Document, c: Choice) -> None:
    if c.number(2):
        d["agenda"].pop(c.number(len(d["agenda"])))
    else:
        d["agenda"].append(["and_more"])


def _swap_roots(d: Document, c: Choice) -> None:
    i = c.number(len(d["root"]) - 1)
    d["root"][i], d["root"][i + 1] = d["root"][i + 1], d["root"][i]


def _wrong_type(d: Document, c: Choice) -> None:
    """Put a value of another type somewhere: most such documents are no certificates at all."""
    place: Any = d
    while True:
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        key = c.of(keys)
        if not isinstance(place[key], dict | list) or not place[key] or c.number(5) == 0:
            place[key] = c.of([None, True, -1, "x", [], {}, [[]], {"x": 1}])
            return
        place = place[key]


def _other(value: Any, d: Document, c: Choice) -> Any:
    """Another value that occurs in the certificate, or a new one."""
    seen = [t[2] for s in d["steps"] for t in (*s["reads"], *s["writes"]) if len(t) == 3 and t[2] != value]
    return c.of(seen) if seen and c.number(3) else "somewhere else"


MUTATIONS: list[tuple[str, Callable[[Document, Choice], None]]] = [
    ("drop step", _drop_step),
    ("swap steps", _swap_steps),
    ("duplicate step", _duplicate_step),
    ("change read", _change_triple("reads")),
    ("change write", _change_triple("writes")),
    ("drop read", _drop_triple("reads")),
    ("drop write", _drop_triple("writes")),
    ("rename read", _rename_triple("reads")),
    ("rename write", _rename_triple("writes")),
    ("move write", _move_write),
    ("change initial", _change_initial),
    ("drop initial", _drop_initial),
    ("repeat initial", _repeat_initial),
    ("shift time", _shift_time),
    ("drop time", _drop_time),
    ("change bound", _change_bound),
    ("change goal", _change_goal),
    ("drop goal", _drop_goal),
    ("move goal", _move_goal),
    ("drop child", _drop_child),
    ("move child", _move_child),
    ("swap children", _swap_children),
    ("change method", _change_node("method", [None, "some_other_way"])),
    ("change kind", _change_node("kind", ["task", "goal", "multigoal", "sequence", "command"])),
    ("change id", _change_node("id", [0, 1, 2, 99_999])),
    ("change item", _change_item),
    ("drop node", _drop_node),
    ("change agenda", _change_agenda),
    ("swap roots", _swap_roots),
    ("wrong type", _wrong_type),
]


def oracle(d: Document) -> bool:
    """Whether a well-formed certificate keeps every condition but the hash."""
    leaves = _leaves_if_a_tree(d)
    return (
        leaves is not None
        and [s["node"] for s in d["steps"]] == [n["id"] for n in leaves]
        and [s["command"] for s in d["steps"]] == [n["item"] for n in leaves]
        and _reads_supported(d)
        and _goals_hold(d)
        and _times_kept(d)
    )


def _leaves_if_a_tree(d: Document) -> list[Any] | None:
    by_id = {n["id"]: n for n in d["nodes"]}
    mentioned = [*d["root"], *(child for n in d["nodes"] for child in n["children"])]
    if len(by_id) != len(d["nodes"]) or sorted(mentioned) != sorted(by_id):
        return None
    visited: list[Any] = []

    def visit(ids: list[int]) -> None:
        for i in ids:
            visited.append(by_id[i])
            visit(by_id[i]["children"])

    visit(d["root"])
    if len(visited) != len(by_id) or [by_id[i]["item"] for i in d["root"]] != d["agenda"]:
        return None
    for node in d["nodes"]:
        if node["kind"] == "command" and (node["children"] or node["method"] is not None):
            return None
        if node["kind"] == "task" and node["method"] is None:
            return None
        if node["kind"] == "sequence" and node["method"] is not None:
            return None
        if node["kind"] in ("goal", "multigoal") and node["children"] and node["method"] is None:
            return None
    return [n for n in visited if n["kind"] == "command"]


def _known(d: Document, done: int, key: list[Any]) -> list[Any]:
    """What is known of a key after so many steps: [value], [] for no value, or ["unknown", "twice"]."""
    for step in reversed(d["steps"][:done]):
        for triple in reversed(step["writes"]):
            if triple[:2] == key:
                return list(triple[2:])
    for triple in d["initial"]:
        if triple[:2] == key:
            return list(triple[2:])
    return ["unknown", "twice"]


def _reads_supported(d: Document) -> bool:
    keys = [json.dumps(t[:2]) for t in d["initial"]]
    return len(set(keys)) == len(keys) and all(
        _known(d, k, triple[:2]) == triple[2:] for k, step in enumerate(d["steps"]) for triple in step["reads"]
    )


def _goals_hold(d: Document) -> bool:
    by_id = {n["id"]: n for n in d["nodes"]}

    def leaves_of(ids: list[int]) -> list[int]:
        return [i for n in ids for i in ([n] if by_id[n]["kind"] == "command" else leaves_of(by_id[n]["children"]))]

    def done_after(target: int) -> int:
        """Steps done when the target's subtree is done: all leaves of what stands left of it, and its own."""

        def walk(ids: list[int]) -> tuple[int, bool]:
            total = 0
            for n in ids:
                if n == target:
                    return total + len(leaves_of([n])), True
                count, found = walk(by_id[n]["children"])
                if found:
                    return total + count, True
                total += len(leaves_of([n]))
            return total, False

        return walk(d["root"])[0]

    wanting = {n["id"] for n in d["nodes"] if n["kind"] in ("goal", "multigoal")}
    if {g["node"] for g in d["goals"]} != wanting:
        return False
    for goal in d["goals"]:
        item = by_id[goal["node"]]["item"]
        named = ([item["goal"]] if "goal" in item else item.get("multigoal")) if isinstance(item, dict) else None
        if named != goal["triples"]:
            return False
        for triple in goal["triples"]:
            found = _known(d, done_after(goal["node"]), triple[:2])
            if ([] if found == ["unknown", "twice"] else found) != triple[2:]:
                return False
    return True


def _times_kept(d: Document) -> bool:
    if d["time"] is None:
        return True
    at = d["time"]["schedule"]
    if any(f"{s['node']}.{side}" not in at for s in d["steps"] for side in ("start", "end")):
        return False
    return all(
        u in at and v in at and (lo is None or at[v] - at[u] >= lo) and (hi is None or at[v] - at[u] <= hi)
        for u, v, lo, hi, _ in d["time"]["constraints"]
    )
