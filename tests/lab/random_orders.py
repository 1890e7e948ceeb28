"""Random domains whose commands are lists of reads and writes, and the order of their plans by brute force.

Whatever a command writes is made of everything it has read before, so that a step that is moved past another one it
depends on leaves a different state. The second opinion runs the same lists on plain dictionaries, notes every touch
and compares every pair of steps; it shares nothing with the code it checks.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, field

from planvow import Domain, State
from planvow.kernel.domain import Command, Method

TABLES = ("at", "load", "seen")
SUBJECTS = ("a", "b", "c")
READING = ("get", "in", "has", "len", "first", "sorted", "scalar", "defined")
WRITING = ("set", "set", "set", "insert", "pop", "clear", "assign", "set_scalar", "append", "via_copy", "make", "drop")


@dataclass
class Touched:
    """What one call touched: pairs (predicate, subject), or (predicate, None) for all of it."""

    reads: set = field(default_factory=set)
    writes: set = field(default_factory=set)
    walks: set = field(default_factory=set)
    births: set = field(default_factory=set)


def mixed(*parts) -> int:
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:4], "big")


def run_on_state(state, name, operations):
    """Run a list of operations as a planvow command; return the state."""
    seen = name
    for kind, table, subject in operations:
        if kind in READING:
            seen = mixed(seen, read_from_state(state, kind, table, subject))
        elif kind in ("set", "insert"):
            getattr(state, table)[subject] = mixed(seen)
        elif kind == "pop":
            seen = mixed(seen, getattr(state, table).pop(subject, None))
        elif kind == "clear":
            getattr(state, table).clear()
        elif kind == "assign":
            setattr(state, table, {subject: mixed(seen)})
        elif kind == "set_scalar":
            state.day = mixed(seen)
        elif kind == "append":
            state.notes[subject].append(mixed(seen))
        elif kind == "via_copy":
            state = state.copy()
            getattr(state, table)[subject] = mixed(seen)
        elif kind == "make":
            state.set_predicate(subject, "extra", mixed(seen))
        elif kind == "drop" and "extra" in state:
            del state.extra
    return state


def read_from_state(state, kind, table, subject):
    if kind in ("scalar", "defined"):
        return state.day if kind == "scalar" else hasattr(state, "extra")
    held = getattr(state, table)
    return {
        "get": lambda: held.get(subject),
        "in": lambda: subject in held,
        "has": lambda: (state.has(subject, table), state.get_predicate(subject, table)),
        "len": lambda: len(held),
        "first": lambda: next(iter(held), None),
        "sorted": lambda: sorted(held.items()),
    }[kind]()


def run_on_dictionaries(world, touched, name, operations):
    """The same on `{"at": {...}, "day": 0, …}`, noting every touch."""
    seen = name
    for kind, table, subject in operations:
        held = world[table]
        if kind in ("get", "in", "has"):
            touched.reads.add((table, subject))
            answer = {"get": held.get(subject), "in": subject in held, "has": (subject in held, held.get(subject))}
            seen = mixed(seen, answer[kind])
        elif kind in ("len", "first", "sorted"):
            touched.reads.add((table, None))
            if kind != "len":
                touched.walks.add(table)
            answer = {"len": len(held), "first": next(iter(held), None), "sorted": sorted(held.items())}
            seen = mixed(seen, answer[kind])
        elif kind == "scalar":
            touched.reads.add(("day", ""))
            seen = mixed(seen, world["day"])
        elif kind == "defined":
            touched.reads.add(("extra", ""))
            seen = mixed(seen, "extra" in world)
        else:
            seen = _write(world, touched, seen, kind, table, subject)


def _write(world, touched, seen, kind, table, subject):
    held = world[table]
    if kind in ("set", "insert", "via_copy"):
        touched.writes.add((table, subject))
        if subject not in held:
            touched.births.add(table)
        held[subject] = mixed(seen)
    elif kind == "pop":
        touched.reads.add((table, subject))
        if subject in held:
            touched.writes.add((table, subject))
        seen = mixed(seen, held.pop(subject, None))
    elif kind in ("clear", "assign"):
        touched.writes.add((table, None))
        held.clear()
        if kind == "assign":
            held[subject] = mixed(seen)
    elif kind == "set_scalar":
        touched.writes.add(("day", ""))
        world["day"] = mixed(seen)
    elif kind == "append":
        touched.reads.add(("notes", subject))
        touched.writes.add(("notes", subject))
        world["notes"][subject] = [*world["notes"][subject], mixed(seen)]
    elif kind == "make":
        touched.writes.add(("extra", subject if "extra" in world else None))
        world.setdefault("extra", {})[subject] = mixed(seen)
    elif kind == "drop":
        touched.reads.add(("extra", ""))
        if world.pop("extra", None) is not None:
            touched.writes.add(("extra", None))
    return seen


class RandomOrder:
    """One random problem; `domain`, `state` and `todo` are for planvow."""

    def __init__(self, seed, *, timed=False):
        chance = random.Random(seed)
        self.commands, self.methods = {}, {}
        self.ignores = {}
        self.domain = Domain(f"random {seed}")
        wild = chance.random() < 0.5  # otherwise places only, so that much may run side by side
        for i in range(chance.randint(2, 6)):
            name = f"c{i}"
            self.commands[name] = self._operations(chance, wild)
            self._declare_command(chance, name, timed)
        depth = chance.randint(1, 3)
        self.todo = [self._task(chance, depth) for _ in range(chance.randint(1, 3))]
        self.start = {
            **{table: {s: i for i, s in enumerate(SUBJECTS) if chance.random() < 0.6} for table in TABLES},
            "day": 0,
            "notes": {s: [] for s in SUBJECTS},
        }
        self.state = State({k: {**v} if isinstance(v, dict) else v for k, v in self.start.items()})

    def _operations(self, chance, wild):
        kinds = [*READING, *WRITING] if wild else ["get", "in", "set", "set", "pop", "append"]
        return [
            (chance.choice(kinds), chance.choice(TABLES), chance.choice(SUBJECTS)) for _ in range(chance.randint(0, 3))
        ]

    def _declare_command(self, chance, name, timed):
        def model(state):
            return run_on_state(state, name, self.commands[name])

        options = {"ordered": chance.random() < 0.05}
        if timed:
            options["duration"] = chance.choice([0, 1, 5, 10])
        self.domain.command(model, name=name, **options)

    def _task(self, chance, depth):
        if depth == 0 or chance.random() < 0.4:
            return (chance.choice([*self.commands]),)
        name = f"t{len(self.methods)}"
        self.methods[name] = []
        children = [self._task(chance, depth - 1) for _ in range(chance.randint(1, 3))]
        looks = [
            (chance.choice(READING[:6]), chance.choice(TABLES), chance.choice(SUBJECTS))
            for _ in range(chance.choice([0, 0, 1, 2]))
        ]
        self.methods[name] = looks

        def method(state):
            for kind, table, subject in looks:
                read_from_state(state, kind, table, subject)
            if chance_of_generator:
                return (part for part in [children])
            return children

        chance_of_generator = chance.random() < 0.3
        self.domain.method(task=name, name=f"m_{name}")(method)
        return (name,)

    def touches(self, trail):
        """Return what each step touched, with the reads of the methods above it, and where order of subjects counts."""
        world = {k: {**v} if isinstance(v, dict) else v for k, v in self.start.items()}
        above = {0: set()}
        steps, inserters, pairs = [], {}, set()
        for node_id, (parent_id, item, how, _) in enumerate(trail, start=1):
            touched = Touched()
            if isinstance(how, Method):
                run_on_dictionaries(world, touched, "", self.methods[item[0]])
                above[node_id] = above[parent_id] | touched.reads
            elif isinstance(how, Command):
                run_on_dictionaries(world, touched, item[0], self.commands[item[0]])
            for table in touched.walks:
                line = inserters.get(table, [])
                pairs |= {(i, j) for i in line for j in line if i < j}
            if isinstance(how, Command):
                touched.reads |= above[parent_id]
                for table, subject in touched.writes:
                    if subject is None:
                        inserters.pop(table, None)
                for table in touched.births:
                    if (table, None) not in touched.writes:
                        inserters.setdefault(table, []).append(len(steps))
                steps.append((touched, how))
        return steps, pairs

    def before(self, trail):
        """Return, by brute force, for each step the set of all that must come before it."""
        steps, pairs = self.touches(trail)
        before = [set() for _ in steps]
        for j in range(len(steps)):
            for i in range(j):
                if (i, j) in pairs or conflict(steps[i], steps[j]):
                    before[j] |= {i} | before[i]
        return before


def conflict(one, other) -> bool:
    """Say whether two steps may not run side by side, nor change places."""
    (a, first), (b, second) = one, other
    if first.ordered or second.ordered:
        return True
    return any(_meet(w, x) for w in a.writes for x in b.reads | b.writes) or any(
        _meet(w, x) for w in b.writes for x in a.reads
    )


def _meet(a, b) -> bool:
    return a[0] == b[0] and (a[1] == b[1] or a[1] is None or b[1] is None)
