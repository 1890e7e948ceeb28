"""Methods as generated Python: nested loops over indexes that yield one decomposition after the other.

For every task one generator function is written, compiled and kept. It tries the methods in the order of the file;
for each it binds the variables that are still free by walking the index of some positive literal, cheapest expected
fan-out first, and tests every other condition as soon as its variables are bound. Literals of the subtasks that
must hold at once (see `lookahead`) take part in the join. Loops over fluent facts walk a copy: the state changes
while the generator sleeps, and is restored before it is asked again.

    def expand(p0, p1):                      # get_to(?v, ?l)
        for v2 in tuple(index_at_0.get(p0, ())):
            if (v2, p1) in rigid_road:
                yield 7, (drive[p0, v2, p1],)

Before a third loop inside two others the function yields None, so that whoever asks can count and stop a join that
finds nothing. The text is ours and contains only numbers and generated names: nothing of a file's text reaches `exec`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import EQUAL, Junction, Literal, Member, Quantified, Residual, bits, variables_of

Names: TypeAlias = dict[int, str]
"""The text that stands for each bound variable."""

FREE_LOOPS = 2
"""Nested loops that run without a sign of life."""
MAX_NESTING = 16
"""Loops and tests in one function before the rest moves to a function of its own (Python nests 20 blocks)."""


class Rule(NamedTuple):
    """What one stretch of nested loops is written from.

    `head` are the terms given by the caller and `given` the objects they may be; `domains` has the objects of all
    variables. The loops end in `yield number, result`.
    """

    number: int
    head: tuple[int, ...]
    given: tuple[int, ...]
    domains: tuple[int, ...]
    literals: tuple[Literal, ...]
    formulas: tuple[Residual, ...]


class Store(Protocol):
    """Where joins find facts: one table per predicate, and indexes by bound positions."""

    tables: list[dict[Any, None]]

    def index(self, predicate: int, bound: tuple[int, ...]) -> dict[Any, Any]: ...


RULE = 50
"""Units of work that writing and compiling one rule counts as when a deadline is asked."""


class Joiner:
    """Writes and compiles the generators of one problem over one store.

    Predicates past those of the problem are tasks (see `grounding`). With `copies`, loops over facts that change walk
    a copy.
    """

    def __init__(self, problem: NormalProblem, store: Store, *, copies: bool = True) -> None:
        self._problem = problem
        self._store = store
        self._copies = copies
        self._domains = (*problem.predicate_domains, *problem.task_domains)
        self._is_rigid = (*problem.is_rigid, *(False for _ in problem.task_names))
        self.names: dict[str, Any] = {}
        """What the generated text may refer to."""
        self._mask_names: dict[int, int] = {}
        self._fan_outs: dict[tuple[int, tuple[int, ...]], float] = {}
        self.parts = 0

    def generator(self, rules: Sequence[Rule], result: Callable[[Rule, Names], str]) -> Callable[..., Iterator[Any]]:
        """Return a generator function from the objects of the heads, all of one length, to (rule number, result)."""
        writer = _Writer(self)
        arity = len(rules[0].head) if rules else 0
        writer.line(0, f"def expand({', '.join(f'p{i}' for i in range(arity)) if rules else '*_'}):")
        for rule in rules:
            self._problem.deadline.spend(RULE)
            self._write_rule(writer, rule, result)
        writer.line(1, "if False: yield")
        return writer.compiled("expand")

    def tester(self, formulas: Sequence[Residual], variables: int) -> Callable[..., bool]:
        """Return a function from the objects of variables 0… to whether all formulas hold."""
        writer = _Writer(self)
        names = {i: f"p{i}" for i in range(variables)}
        writer.line(0, f"def holds({', '.join(names.values())}):")
        text = " and ".join(self._formula(formula, names) for formula in formulas) or "True"
        writer.line(1, f"return bool({text})")
        return writer.compiled("holds")

    def _write_rule(self, writer: _Writer, rule: Rule, result: Callable[[Rule, Names], str]) -> None:
        names: Names = {}
        depth = 1
        for position, term in enumerate(rule.head):
            if term < 0:
                writer.line(depth, f"if p{position} == {~term}:")
                depth += 1
            elif term in names:
                writer.line(depth, f"if p{position} == {names[term]}:")
                depth += 1
            else:
                names[term] = f"p{position}"
                if rule.given[position] & ~rule.domains[term]:
                    writer.line(depth, f"if p{position} in {self._set(rule.domains[term])}:")
                    depth += 1
        literals, formulas = list(rule.literals), list(rule.formulas)
        while True:
            depth = self._write_tests(writer, depth, literals, formulas, names)
            free = [v for v in range(len(rule.domains)) if v not in names]
            if not free:
                break
            if writer.loops >= FREE_LOOPS:
                writer.line(depth, "yield None")
            depth = self._write_binding(writer, depth, literals, free, rule.domains, names)
            if depth > MAX_NESTING:
                depth = writer.outsource(depth, names)
        writer.line(depth, f"yield {rule.number}, {result(rule, names)}")
        writer.end_rule()

    def _write_tests(
        self, writer: _Writer, depth: int, literals: list[Literal], formulas: list[Residual], names: Names
    ) -> int:
        """Write one `if` with all conditions whose variables are bound, and take them off the lists."""
        ready = [literal for literal in literals if all(t < 0 or t in names for t in literal.terms)]
        tests = [self._formula(literal, names) for literal in ready]
        done = [formula for formula in formulas if variables_of(formula) <= names.keys()]
        tests += [self._formula(formula, names) for formula in done]
        literals[:] = [literal for literal in literals if literal not in ready]
        formulas[:] = [formula for formula in formulas if formula not in done]
        if not tests:
            return depth
        writer.line(depth, f"if {' and '.join(tests)}:")
        return depth + 1

    def _write_binding(
        self,
        writer: _Writer,
        depth: int,
        literals: list[Literal],
        free: list[int],
        domains: tuple[int, ...],
        names: Names,
    ) -> int:
        """Write the loop or assignment that binds the next variable(s) with the least expected fan-out."""
        best: tuple[float, int] | None = None
        for index, literal in enumerate(literals):
            if literal.positive:
                cost = self._fan_out(literal, names)
                if cost < (best[0] if best else float("inf")):
                    best = (cost, index)
        sizes = [domains[variable].bit_count() for variable in free]
        if best is None or (best[0] > 3 * min(sizes) and literals[best[1]].predicate != EQUAL):
            variable = free[sizes.index(min(sizes))]
            names[variable] = f"v{variable}"
            writer.line(depth, f"for v{variable} in {self._tuple(domains[variable])}:")
            return depth + 1
        literal = literals.pop(best[1])
        if literal.predicate == EQUAL:
            left, right = literal.terms
            variable, other = (left, right) if left >= 0 and left not in names else (right, left)
            writer.line(depth, f"v{variable} = {self._name(other, names)}")
            names[variable] = f"v{variable}"
            new = [variable]
        else:
            depth, new = self._write_walk(writer, depth, literal, names)
        declared = self._domains[literal.predicate] if literal.predicate != EQUAL else ()
        tests = []
        for variable in new:
            given = declared[literal.terms.index(variable)] if declared else -1
            if given & ~domains[variable]:
                tests.append(f"v{variable} in {self._set(domains[variable])}")
        if tests:
            writer.line(depth, f"if {' and '.join(tests)}:")
            depth += 1
        return depth

    def _write_walk(self, writer: _Writer, depth: int, literal: Literal, names: Names) -> tuple[int, list[int]]:
        """Write the loop over the facts of a positive literal that agree with what is bound."""
        bound = tuple(i for i, term in enumerate(literal.terms) if term < 0 or term in names)
        loose = [i for i in range(len(literal.terms)) if i not in bound]
        targets, new, repeats = [], [], []
        for position in loose:
            variable = literal.terms[position]
            if variable in new:
                repeats.append(f"w{position} == v{variable}")
                targets.append(f"w{position}")
            else:
                new.append(variable)
                targets.append(f"v{variable}")
        if bound:
            key = self.key([literal.terms[i] for i in bound], names)
            walked = f"{self._index(literal.predicate, bound)}.get({key}, ())"
        else:
            walked = self._facts_of(literal.predicate)
        if self._copies and not self._is_rigid[literal.predicate]:
            walked = f"tuple({walked})"
        writer.line(depth, f"for {', '.join(targets)} in {walked}:")
        depth += 1
        if repeats:
            writer.line(depth, f"if {' and '.join(repeats)}:")
            depth += 1
        for variable in new:
            names[variable] = f"v{variable}"
        return depth, new

    def _fan_out(self, literal: Literal, names: Names) -> float:
        """Estimate how many bindings the facts of the initial state give a literal."""
        if literal.predicate == EQUAL:
            return 0.5 if any(t < 0 or t in names for t in literal.terms) else float("inf")
        bound = tuple(i for i, term in enumerate(literal.terms) if term < 0 or term in names)
        shape = (literal.predicate, bound)
        if shape not in self._fan_outs:
            self._fan_outs[shape] = self._estimate(*shape)
        return self._fan_outs[shape]

    def _estimate(self, predicate: int, bound: tuple[int, ...]) -> float:
        if predicate >= len(self._problem.predicates):
            return 2.0 if bound else 100.0
        facts = self._problem.init[predicate]
        groups = len({tuple(fact[i] for i in bound) for fact in facts}) if bound else 1
        average = len(facts) / groups if groups else 1.0
        return average + (0.0 if bound else 1.0) + (0.0 if self._is_rigid[predicate] else 0.1)

    def _formula(self, formula: Residual, names: Names) -> str:
        """Return a Python expression for a formula whose variables all have names."""
        match formula:
            case Literal(predicate=predicate, terms=terms, positive=positive):
                if predicate == EQUAL:
                    left, right = (self._name(term, names) for term in terms)
                    return f"{left} {'==' if positive else '!='} {right}"
                return f"{self.key(terms, names)} {'in' if positive else 'not in'} {self._facts_of(predicate)}"
            case Member(term=term, objects=objects):
                return f"{self._name(term, names)} in {self._set(objects)}"
            case Junction(is_and=is_and, parts=parts):
                glue = " and " if is_and else " or "
                return f"({glue.join(self._formula(part, names) for part in parts)})" if parts else str(is_and)
            case Quantified(is_all=is_all, variable=variable, objects=objects, body=body):
                inner = self._formula(body, {**names, variable: f"q{variable}"})
                return f"{'all' if is_all else 'any'}({inner} for q{variable} in {self._tuple(objects)})"
        raise TypeError(formula)

    def _name(self, term: int, names: Names) -> str:
        return names[term] if term >= 0 else str(~term)

    def key(self, terms: Sequence[int], names: Names) -> str:
        """Return the text of the key (see `facts`) of some terms."""
        texts = [self._name(term, names) for term in terms]
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"

    def _facts_of(self, predicate: int) -> str:
        return self.given(f"facts_{predicate}", self._store.tables[predicate])

    def _index(self, predicate: int, bound: tuple[int, ...]) -> str:
        name = f"index_{predicate}_{'_'.join(map(str, bound))}"
        return self.given(name, self._store.index(predicate, bound))

    def _set(self, mask: int) -> str:
        return self.given(f"set_{self._mask_number(mask)}", frozenset(bits(mask)))

    def _tuple(self, mask: int) -> str:
        return self.given(f"tuple_{self._mask_number(mask)}", tuple(bits(mask)))

    def given(self, name: str, value: Any) -> str:
        """Let the generated text refer to a value by a name."""
        self.names.setdefault(name, value)
        return name

    def _mask_number(self, mask: int) -> int:
        return self._mask_names.setdefault(mask, len(self._mask_names))


class _Writer:
    """The lines of one generated function; a deep nest of loops continues in a function of its own."""

    def __init__(self, joiner: Joiner) -> None:
        self._joiner = joiner
        self._functions: list[list[str]] = [[]]
        self.loops = 0
        """Loops open at the current place."""
        self._current = 0

    def line(self, depth: int, text: str) -> None:
        self._functions[self._current].append("    " * depth + text)
        self.loops += text.startswith("for ")

    def outsource(self, depth: int, names: Names) -> int:
        """Continue in a new generator function with the bound names as parameters."""
        name = f"part_{self._joiner.parts}"
        self._joiner.parts += 1
        arguments = ", ".join(dict.fromkeys(names.values()))
        self.line(depth, f"yield from {name}({arguments})")
        self._current = len(self._functions)
        self._functions.append([])
        self.line(0, f"def {name}({arguments}):")
        return 1

    def end_rule(self) -> None:
        self._current = 0
        self.loops = 0

    def compiled(self, name: str) -> Callable[..., Any]:
        text = "\n".join(line for function in self._functions for line in function)
        exec(compile(text, "<planvow methods>", "exec"), self._joiner.names)
        function: Callable[..., Any] = self._joiner.names.pop(name)
        return function
