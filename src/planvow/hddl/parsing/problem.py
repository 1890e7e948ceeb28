"""The sections of a problem → `HddlProblem`. The initial state is read in one tight loop: most of a large file."""

from __future__ import annotations

from planvow.hddl.language.formula import TRUE, Atom, Formula, Parameter
from planvow.hddl.language.model import FunctionValue, HddlDomain, HddlProblem, InitialNetwork, Metric, Object
from planvow.hddl.language.reader import Group, Node, Symbol
from planvow.hddl.parsing.context import Context, Names
from planvow.hddl.parsing.domain import read_requirements
from planvow.hddl.parsing.formulas import FormulaParser, Vocabulary, conjunction
from planvow.hddl.parsing.networks import NETWORK_WORDS, NetworkParser

_NO_VARIABLES = Names("variable")


class ProblemParser:
    """Reads one problem over its domain."""

    def __init__(self, context: Context, domain: HddlDomain, name: str, sections: dict[str, list[Group]]) -> None:
        self.context = context
        self.domain = domain
        self.name = name
        self.sections = sections
        self.types = Names("type", domain.supertypes)

    def problem(self) -> HddlProblem:
        """Read everything."""
        context, domain = self.context, self.domain
        self._check_domain_name()
        objects = self._objects()
        self.words = Vocabulary(
            types=self.types,
            objects=Names("object", (*(c.name for c in domain.constants), *objects)),
            predicates=Names("predicate", (p.name for p in domain.predicates)),
            functions=Names("function", (f.name for f in domain.functions)),
            arity={p.name: len(p.parameters) for p in domain.predicates},
            function_arity={f.name: len(f.parameters) for f in domain.functions},
        )
        self.formulas = FormulaParser(context, self.words)
        init, values = self._init()
        return HddlProblem(
            name=self.name,
            domain=domain,
            requirements=read_requirements(context, self.sections[":requirements"]),
            objects=tuple(objects.values()),
            init=init,
            values=values,
            initial=self._initial_network(),
            goal=self._goal(),
            metric=self._metric(),
            remarks=tuple(context.remarks),
            source=context.source,
        )

    def _check_domain_name(self) -> None:
        for section in self.sections[":domain"]:
            word = self.context.symbol(section[1] if len(section) == 2 else None, "the name of the domain", section.at)
            if word.lower() != self.domain.name.lower():
                self.context.remark(
                    f"this problem names the domain {word}, it is read with {self.domain.name}", word.at
                )

    def _objects(self) -> dict[str, Object]:
        found: dict[str, Object] = {}
        constants = Names("object", (c.name for c in self.domain.constants))
        for section in self.sections[":objects"]:
            with self.context.inside(":objects"):
                for index, item in enumerate(section):
                    spelt = constants.get(item) if isinstance(item, Symbol) else None
                    if spelt is not None and isinstance(item, Symbol) and section[index - 1] != "-":
                        section[index] = _respelt(item, spelt)  # a constant named again keeps its first spelling
                self.context.objects(section[1:], self.types, found)
        return found

    def _init(self) -> tuple[tuple[Atom, ...], tuple[FunctionValue, ...]]:
        facts: dict[Atom, None] = {}
        values: dict[Atom, FunctionValue] = {}
        predicates, objects, arity = self.words.predicates.exact, self.words.objects.exact, self.words.arity
        for section in self.sections[":init"]:
            nodes: list[Node] = section[1:]
            if len(nodes) == 1 and isinstance(nodes[0], Group) and str(next(iter(nodes[0]), "")).lower() == "and":
                nodes = nodes[0][1:]
            with self.context.inside(":init"):
                for group in nodes:
                    self.context.deadline.spend()
                    try:
                        predicate = predicates[group[0]]  # type: ignore[index]
                        arguments = tuple([objects[word] for word in group[1:]])  # type: ignore[index]
                        if len(arguments) != arity[predicate]:
                            raise KeyError
                    except (KeyError, IndexError, TypeError):  # anything but a plain fact spelt as declared
                        self._unusual(group, facts, values)
                        continue
                    facts[Atom(predicate, arguments, at=group.at)] = None
        return tuple(facts), tuple(values.values())

    def _unusual(self, node: Node, facts: dict[Atom, None], values: dict[Atom, FunctionValue]) -> None:
        """Read a value, a negative fact, a fact spelt in another case, or raise for what is none of these."""
        group = self.context.group(node, "a fact such as (at truck depot)")
        word = self.context.head(group, "a predicate")
        if word == "=":
            if len(group) != 3:
                raise self.context.syntax("expected (= (function …) number)", group.at)
            function = self.formulas.function(group[1], _NO_VARIABLES, group.at)
            value = self.context.number(group[2], group.at)
            if value < 0 and function.predicate in self._added():
                raise self.formulas.below_zero(group.at)
            given = values.setdefault(function, FunctionValue(function=function, value=value, at=group.at))
            if given.value != value:
                called = f"({' '.join((function.predicate, *function.arguments))})"
                raise self.context.meaning(f"{called} is {value} here and {given.value} above", group.at)
        elif word.lower() == "not" and "not" not in self.words.predicates.exact:
            if len(group) != 2:
                raise self.context.syntax("expected (not (fact))", group.at)
            self.formulas.atom(self.context.group(group[1], "a fact"), _NO_VARIABLES)
        elif word.lower() == "at" and len(group) == 3 and isinstance(group[2], Group):
            raise self.context.unsupported("timed initial literals are not supported", group.at)
        else:
            facts[self.formulas.atom(group, _NO_VARIABLES)] = None

    def _added(self) -> set[str]:
        """Return the functions whose values are costs of actions."""
        costs = [cost.amount for action in self.domain.actions for cost in action.costs]
        return {amount.predicate for amount in costs if isinstance(amount, Atom)}

    def _initial_network(self) -> InitialNetwork | None:
        sections = self.sections[":htn"]
        if not sections:
            return None
        if len(sections) > 1:
            raise self.context.syntax("expected one :htn section, found another", sections[1].at)
        section = sections[0]
        tasks = {task.name: len(task.parameters) for task in self.domain.tasks}
        tasks.update({action.name: len(action.parameters) for action in self.domain.actions})
        networks = NetworkParser(self.formulas, Names("task or action", tasks), tasks)
        parameters: tuple[Parameter, ...] = ()
        pairs = []
        with self.context.inside(":htn"):
            for key, word, node in self.context.keywords(section[1:], (":parameters", *NETWORK_WORDS), section):
                if key == ":parameters":
                    parameters = self.context.parameters(node, self.types)
                else:
                    pairs.append((key, word, node))
            variables = Names("variable", (p.name for p in parameters))
            network = networks.network(pairs, variables, section.at)
        return InitialNetwork(parameters=parameters, network=network, at=section.at)

    def _goal(self) -> Formula:
        parts: list[Formula] = []
        for section in self.sections[":goal"]:
            with self.context.inside(":goal"):
                if len(section) > 2:
                    raise self.context.syntax(
                        "expected one formula, found several", section.at, "join them with (and …)"
                    )
                parts += [self.formulas.formula(node, _NO_VARIABLES) for node in section[1:]]
        return conjunction(parts, 0) if parts else TRUE

    def _metric(self) -> Metric | None:
        metric = None
        for section in self.sections[":metric"]:
            with self.context.inside(":metric"):
                word = self.context.symbol(
                    section[1] if len(section) == 3 else None, "minimize or maximize", section.at
                )
                if word.lower() not in ("minimize", "maximize"):
                    raise self.context.expected("minimize or maximize", word, word.at)
                function = self.formulas.metric(section[2], section.at)
                metric = Metric(direction=word.lower(), function=function, at=section.at)
        return metric


def _respelt(word: Symbol, spelling: str) -> Symbol:
    symbol = Symbol(spelling)
    symbol.at = word.at
    return symbol
