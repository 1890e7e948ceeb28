"""Random domains whose commands are lists of reads and writes, and the order of their plans by brute force.

Whatever a command writes is made of everything it has read before, so that a step that is moved past another one it
depends on leaves a different state. The second opinion runs the same lists on plain dictionaries, notes every touch
and compares every pair of steps; it shares nothing with the code it checks.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, field

from planvow import Domain, State, refuse
from planvow.kernel import attach_metadata
from planvow.kernel.domain.domain import Command, Method

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
    above: set = field(default_factory=set)
    """Those of the reads that methods above the step have read."""

    def read(self, table, subject):
        """Note a read, unless it is of what this very call has written."""
        if (table, subject) not in self.writes:
            self.reads.add((table, subject))


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
            touched.read(table, subject)
            answer = {"get": held.get(subject), "in": subject in held, "has": (subject in held, held.get(subject))}
            seen = mixed(seen, answer[kind])
        elif kind in ("len", "first", "sorted"):
            touched.read(table, None)
            if kind != "len":
                touched.walks.add(table)
            answer = {"len": len(held), "first": next(iter(held), None), "sorted": sorted(held.items())}
            seen = mixed(seen, answer[kind])
        elif kind == "scalar":
            touched.read("day", "")
            seen = mixed(seen, world["day"])
        elif kind == "defined":
            touched.read("extra", "")
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
        touched.read(table, subject)
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
        touched.read("notes", subject)
        touched.writes.add(("notes", subject))
        world["notes"][subject] = [*world["notes"][subject], mixed(seen)]
    elif kind == "make":
        touched.writes.add(("extra", subject if "extra" in world else None))
        world.setdefault("extra", {})[subject] = mixed(seen)
    elif kind == "drop":
        touched.read("extra", "")
        if world.pop("extra", None) is not None:
            touched.writes.add(("extra", None))
    return seen


class RandomOrder:
    """One random problem; `domain`, `state` and `todo` are for planvow.

    A timed one has durations, deadlines, shared robots, reads and writes at the start or the end of a command, and
    methods that lead nowhere before those that do. One that is `simple` beside has nothing but durations and the clock.
    """

    def __init__(self, seed, *, timed=False, simple=False):
        chance = random.Random(seed)
        self.commands, self.looks, self._simple = {}, {}, simple
        self.domain = Domain(f"random {seed}")
        wild = chance.random() < 0.5  # otherwise places only, so that much may run side by side
        for i in range(chance.randint(2, 6)):
            self.commands[f"c{i}"] = self._operations(chance, wild)
            self._declare_command(chance, f"c{i}", timed)
        self.domain.command(lambda state: refuse("never"), name="never")
        self._timed, self._tasks = timed, 0
        depth = chance.randint(1, 3)
        self.todo = [self._item(chance, depth) for _ in range(chance.randint(1, 3))]
        self.start = {
            **{table: {s: i for i, s in enumerate(SUBJECTS) if chance.random() < 0.6} for table in TABLES},
            "day": 0,
            "notes": {s: [] for s in SUBJECTS},
        }
        self.state = State({k: {**v} if isinstance(v, dict) else v for k, v in self.start.items()})

    def _operations(self, chance, wild):
        kinds = [*READING, *WRITING] if wild else ["get", "in", "set", "set", "pop", "append"]
        count = chance.randint(0, 3)
        return [(chance.choice(kinds), chance.choice(TABLES), chance.choice(SUBJECTS)) for _ in range(count)]

    def _declare_command(self, chance, name, timed):
        def model(state):
            return run_on_state(state, name, self.commands[name])

        options = {"ordered": chance.random() < 0.05}
        if timed:
            options["duration"] = chance.choice([0, 1, 5, 10])
            for side in () if self._simple else ("conditions", "effects"):
                moments = {table: chance.choice(["start", "end"]) for table in TABLES if chance.random() < 0.2}
                options[side] = moments
        self.domain.command(model, name=name, **options)

    def _item(self, chance, depth):
        item = self._bare_item(chance, depth)
        if not self._timed or chance.random() < 0.5:
            return item
        if self._simple:
            return attach_metadata(item, self._clock(chance, is_command=item[0].startswith("c")))
        temporal = {"deadline": chance.randint(5, 40)} if chance.random() < 0.3 else None
        needs = {"type": "robot", "amount": chance.choice([1, 1, 2])} if chance.random() < 0.5 else None
        return attach_metadata(item, temporal, needs if item[0].startswith("c") else None)

    def _clock(self, chance, *, is_command):
        said = {}
        if chance.random() < 0.3:
            said["deadline"] = chance.randint(5, 60)
        if chance.random() < 0.3:
            said["not_before"] = chance.randint(0, 20)
        if is_command and chance.random() < 0.3:
            said["duration"] = chance.choice([3, [2, 6], [4, None], "PT0.000007S"])
        return said

    def _bare_item(self, chance, depth):
        if depth == 0 or chance.random() < 0.4:
            return (chance.choice([*self.commands]),)
        self._tasks += 1
        task = f"t{self._tasks}"
        for number in range(1 + (chance.random() < 0.3)):
            self._declare_method(chance, task, f"{task}m{number}", depth)
        return (task,)

    def _declare_method(self, chance, task, name, depth):
        children = [self._item(chance, depth - 1) for _ in range(chance.randint(1, 3))]
        count = chance.choice([0, 0, 1, 2])
        looks = [(chance.choice(READING[:6]), chance.choice(TABLES), chance.choice(SUBJECTS)) for _ in range(count)]
        self.looks[name] = looks
        several = chance.random() < 0.3  # a generator whose first answer leads nowhere

        def method(state):
            for kind, table, subject in looks:
                read_from_state(state, kind, table, subject)
            if several:
                return (part for part in ([*children, ("never",)], children))
            return children

        self.domain.method(task=task, name=name)(method)

    def touches(self, trail):
        """Return what each step touched, with the reads of the methods above it, and where order of subjects counts."""
        world = {k: {**v} if isinstance(v, dict) else v for k, v in self.start.items()}
        above = {0: set()}
        steps, inserters, pairs = [], {}, set()
        for node_id, (parent_id, item, how, _) in enumerate(trail, start=1):
            touched = Touched()
            if isinstance(how, Method):
                run_on_dictionaries(world, touched, "", self.looks[how.name])
                above[node_id] = above[parent_id] | touched.reads
            elif isinstance(how, Command):
                run_on_dictionaries(world, touched, item[0], self.commands[item[0]])
            for table in touched.walks:
                line = inserters.get(table, [])
                pairs |= {(i, j) for i in line for j in line if i < j}
            if isinstance(how, Command):
                touched.above = above[parent_id]
                touched.reads |= touched.above
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

    def schedule_faults(self, result):
        """Return the pairs of steps that overlap, or change places, in time although they meet."""
        steps, _ = self.touches(result.trail)
        faults = []
        for j, (b, second) in enumerate(steps):
            for i, (a, first) in enumerate(steps[:j]):
                earlier, later = result.time_allocations[i], result.time_allocations[j]
                if first.ordered or second.ordered:
                    meetings = [(earlier.end, later.start)]
                else:
                    meetings = [
                        (moment(earlier, how_a, table), moment(later, how_b, other_table, first=True))
                        for (table, subject), how_a, is_write in accesses(a, first)
                        for (other_table, other), how_b, also_write in accesses(b, second)
                        if (is_write or also_write) and _meet((table, subject), (other_table, other))
                    ]
                faults += [(i, j) for end, start in meetings if end > start]
        return faults


def accesses(touched, command):
    """Yield each place a step touches, at which moments that is, and whether it writes there."""
    for place in touched.reads:
        yield place, {} if place in touched.above else command.conditions, False
    for place in touched.writes:
        yield place, command.effects, True


def moment(allocation, moments, table, *, first=False):
    side = moments.get(table, "start" if first else "end")
    return allocation.start if side == "start" else allocation.end


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
