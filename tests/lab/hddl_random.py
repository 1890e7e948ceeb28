"""Random small HDDL texts from a list of small numbers, so that hypothesis or a counter can drive them."""

from __future__ import annotations


class Numbers:
    """A deterministic stream of small numbers from a seed."""

    def __init__(self, seed: int) -> None:
        self._value = seed * 2654435761 + 12345

    def below(self, limit: int) -> int:
        self._value = (self._value * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self._value >> 33) % limit

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]


def random_texts(seed: int, *, partial: bool, recursive: bool) -> tuple[str, str]:
    """Return the texts of a domain and a problem. Without `recursive`, tasks only call tasks declared later."""
    numbers = Numbers(seed)
    predicates = [("p", 0), ("q", 1), ("r", 1), ("s", 2)]
    actions = [("a0", 0), ("a1", 1), ("a2", 2), ("a3", 1)]
    tasks = [("t0", 0), ("t1", 1), ("t2", 1)]
    lines = [
        "(define (domain d) (:requirements :typing :hierarchy)",
        "(:types x y - object)",
        "(:constants c - x)",
        "(:predicates",
    ]
    lines += [f"({name} {' '.join(f'?v{i}' for i in range(arity))})" for name, arity in predicates]
    lines.append(")")
    lines += [f"(:task {name} :parameters ({_typed(numbers, arity)}))" for name, arity in tasks]
    count = 0
    for index, (name, arity) in enumerate(tasks):
        for _ in range(1 + numbers.below(3)):
            callable_tasks = tasks if recursive else tasks[index + 1 :]
            lines.append(_method(numbers, f"m{count}", name, arity, actions + callable_tasks * 2, predicates, partial))
            count += 1
    for name, arity in actions:
        variables = [f"?v{i}" for i in range(arity)]
        lines.append(f"(:action {name} :parameters ({_typed(numbers, arity)})")
        lines.append(f" :precondition {_formula(numbers, predicates, variables, 2)}")
        lines.append(f" :effect (and {_effects(numbers, predicates, variables)}))")
    lines.append(")")
    problem = ["(define (problem i) (:domain d) (:objects o1 - x o2 - y)"]
    arguments = ["c", "o1", "o2"]
    subtasks = [_call(numbers, numbers.pick(tasks + actions), arguments) for _ in range(1 + numbers.below(3))]
    kind = ":subtasks" if partial and numbers.chance(70) else ":ordered-subtasks"
    problem.append(f"(:htn {kind} (and {' '.join(subtasks)}))")
    facts = [_atom(numbers, numbers.pick(predicates), arguments) for _ in range(3 + numbers.below(4))]
    problem.append(f"(:init {' '.join(facts)})")
    if numbers.chance(50):
        problem.append(f"(:goal {_formula(numbers, predicates, arguments, 1)})")
    problem.append(")")
    return "\n".join(lines), "\n".join(problem)


def _typed(numbers: Numbers, arity: int) -> str:
    return " ".join(f"?v{i} - {numbers.pick(['object', 'object', 'x'])}" for i in range(arity))


def _method(numbers, name, task, arity, callables, predicates, partial) -> str:
    extra = numbers.below(2)
    variables = [f"?v{i}" for i in range(arity + extra)]
    subtasks = [_call(numbers, numbers.pick(callables), [*variables, "c"]) for _ in range(numbers.below(4))]
    text = (
        f"(:method {name} :parameters ({_typed(numbers, arity + extra)}) :task ({task} {' '.join(variables[:arity])})"
    )
    if numbers.chance(50):
        text += f" :precondition {_formula(numbers, predicates, variables, 1)}"
    if partial and len(subtasks) > 1 and numbers.chance(70):
        labelled = " ".join(f"(l{i} {subtask})" for i, subtask in enumerate(subtasks))
        text += f" :subtasks (and {labelled})"
        if numbers.chance(50):
            text += " :ordering (and (< l0 l1))"
    else:
        text += f" :ordered-subtasks (and {' '.join(subtasks)})"
    if extra and numbers.chance(20):
        text += f" :constraints (and (not (= {variables[-1]} c)))"
    return text + ")"


def _call(numbers, target, terms) -> str:
    name, arity = target
    return f"({' '.join([name, *(numbers.pick(terms) for _ in range(arity))])})"


def _atom(numbers, predicate, terms) -> str:
    return _call(numbers, predicate, terms or ["c"])


def _formula(numbers, predicates, variables, depth) -> str:
    terms = [*variables, "c"]
    roll = numbers.below(100)
    if depth == 0 or roll < 45:
        atom = _atom(numbers, numbers.pick(predicates), terms)
        return f"(not {atom})" if numbers.chance(30) else atom
    if roll < 70:
        parts = [_formula(numbers, predicates, variables, depth - 1) for _ in range(1 + numbers.below(3))]
        return f"(and {' '.join(parts)})"
    if roll < 80:
        parts = [_formula(numbers, predicates, variables, depth - 1) for _ in range(2)]
        return f"(or {' '.join(parts)})"
    if roll < 86:
        quantifier = numbers.pick(["forall", "exists"])
        return f"({quantifier} (?z - x) {_formula(numbers, predicates, [*variables, '?z'], depth - 1)})"
    if roll < 92 and variables:
        return f"(= {numbers.pick(variables)} {numbers.pick(terms)})"
    return "()"


def _effects(numbers, predicates, variables) -> str:
    parts = []
    for _ in range(1 + numbers.below(3)):
        atom = _atom(numbers, numbers.pick(predicates), [*variables, "c"])
        literal = f"(not {atom})" if numbers.chance(40) else atom
        if numbers.chance(12):
            literal = f"(when {_formula(numbers, predicates, variables, 1)} {literal})"
        parts.append(literal)
    return " ".join(parts)
