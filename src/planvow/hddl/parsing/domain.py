"""The sections of a domain → `HddlDomain`."""

from __future__ import annotations

from dataclasses import dataclass

from planvow.hddl.language.formula import Formula, Parameter
from planvow.hddl.language.model import (
    Action,
    Effect,
    Function,
    HddlDomain,
    HddlMethod,
    Increase,
    Object,
    Predicate,
    Task,
)
from planvow.hddl.language.reader import Group, Node, Symbol
from planvow.hddl.parsing.context import Context, Names
from planvow.hddl.parsing.formulas import FormulaParser, Vocabulary, conjunction
from planvow.hddl.parsing.networks import NETWORK_WORDS, NetworkParser
from planvow.hddl.parsing.types import read_types

_REQUIREMENTS = frozenset(
    f":{word}"
    for word in [
        "strips",
        "typing",
        "negative-preconditions",
        "disjunctive-preconditions",
        "equality",
        "existential-preconditions",
        "universal-preconditions",
        "quantified-preconditions",
        "universal-effects",
        "conditional-effects",
        "action-costs",
        "adl",
        "hierarchy",
        "htn",
        "method-preconditions",
        "typeof-predicate",
    ]
)


def read_requirements(context: Context, sections: list[Group]) -> tuple[str, ...]:
    """Return the requirements as written; unknown ones are remarked on, none changes what is accepted."""
    words = [context.symbol(item, "a requirement") for section in sections for item in section[1:]]
    for word in words:
        if word.lower() not in _REQUIREMENTS:
            context.remark(f"requirement {str(word)!r} is not known here", word.at)
    return tuple(dict.fromkeys(str(word) for word in words))


@dataclass
class _Signature:
    """A named thing with parameters, before its body is read."""

    name: str
    parameters: tuple[Parameter, ...]
    section: Group
    pairs: list[tuple[str, Symbol, Node]]


class DomainParser:
    def __init__(self, context: Context, name: str, sections: dict[str, list[Group]]) -> None:
        self.context = context
        self.name = name
        self.sections = sections
        self.types, self.type_names = read_types(context, sections[":types"])

    def domain(self) -> HddlDomain:
        context, sections = self.context, self.sections
        constants: dict[str, Object] = {}
        for section in sections[":constants"]:
            with context.inside(":constants"):
                context.objects(section[1:], self.type_names, constants)
        predicates = self._predicates()
        functions = self._functions()
        words = Vocabulary(
            types=self.type_names,
            objects=Names("object", constants),
            predicates=Names("predicate", predicates),
            functions=Names("function", functions),
            arity={p.name: len(p.parameters) for p in predicates.values()},
            function_arity={f.name: len(f.parameters) for f in functions.values()},
        )
        formulas = FormulaParser(context, words)
        tasks = self._signatures(":task", (":parameters", ":precondition", ":effect"), {})
        actions = self._signatures(":action", (":parameters", ":precondition", ":effect"), tasks)
        both = {**tasks, **actions}
        networks = NetworkParser(
            formulas, Names("task or action", both), {k: len(s.parameters) for k, s in both.items()}
        )
        return HddlDomain(
            name=self.name,
            requirements=read_requirements(context, sections[":requirements"]),
            types=self.types,
            constants=tuple(constants.values()),
            predicates=tuple(predicates.values()),
            functions=tuple(functions.values()),
            tasks=tuple(self._task(signature) for signature in tasks.values()),
            actions=tuple(self._action(signature, formulas) for signature in actions.values()),
            methods=self._methods(Names("task", tasks), networks),
            remarks=tuple(context.remarks),
            source=context.source,
        )

    def _predicates(self) -> dict[str, Predicate]:
        found: dict[str, Predicate] = {}
        for section in self.sections[":predicates"]:
            with self.context.inside(":predicates"):
                for node in section[1:]:
                    group = self.context.group(node, "a predicate such as (at ?x)")
                    word = self.context.new_name(next(iter(group), None), "the name of a predicate", group.at)
                    if word == "=":
                        self.context.remark("equality is built in and need not be declared", word.at)
                        continue
                    predicate = Predicate(name=str(word), parameters=self._positional(group), at=group.at)
                    before = found.setdefault(str(word), predicate)
                    if [p.types for p in before.parameters] != [p.types for p in predicate.parameters]:
                        raise self.context.twice("predicate", word, word.at, before.at)
                    if before is not predicate:
                        self.context.remark(f"predicate {str(word)!r} is declared twice", word.at)
        return found

    def _positional(self, group: Group) -> tuple[Parameter, ...]:
        """Read the parameters of a predicate or a function, whose names carry no meaning and may repeat."""
        declared = self.context.typed_list(group[1:], self.type_names, "a variable")
        for name, _ in declared:
            if name[0] != "?":
                raise self.context.expected("a variable such as ?x", name, name.at)
        return tuple(Parameter(str(name), its_types, at=name.at) for name, its_types in declared)

    def _functions(self) -> dict[str, Function]:
        found: dict[str, Function] = {}
        for section in self.sections[":functions"]:
            with self.context.inside(":functions"):
                items = iter(section[1:])
                for node in items:
                    if node == "-":  # the result type of what stands before it
                        result = self.context.symbol(next(items, None), "number", node.at)
                        if result.lower() != "number":
                            hint = "use a predicate with one more argument"
                            message = f"functions whose values are objects (- {result}) are not supported"
                            raise self.context.unsupported(message, result.at, hint)
                        continue
                    group = self.context.group(node, "a function such as (total-cost)")
                    word = self.context.new_name(next(iter(group), None), "the name of a function", group.at)
                    if word in found:
                        raise self.context.twice("function", word, word.at, found[word].at)
                    found[str(word)] = Function(name=str(word), parameters=self._positional(group), at=group.at)
        return found

    def _signatures(self, key: str, known: tuple[str, ...], others: dict[str, _Signature]) -> dict[str, _Signature]:
        found: dict[str, _Signature] = {}
        for section in self.sections[key]:
            signature = self._signature(section, key[1:], known)
            kind, name, at = key[1:], signature.name, section[1].at
            if name in others:
                raise self.context.taken(f"the {kind} {name!r} has the name of a task", at, others[name].section.at)
            if name in found:
                raise self.context.twice(kind, name, at, found[name].section.at)
            found[signature.name] = signature
        return found

    def _signature(self, section: Group, kind: str, known: tuple[str, ...]) -> _Signature:
        context = self.context
        name = str(context.new_name(section[1] if len(section) > 1 else None, f"the name of the {kind}", section.end))
        with context.inside(f"{kind} {name!r}"):
            parameters: tuple[Parameter, ...] = ()
            rest = []
            for key, word, node in context.keywords(section[2:], known, section):
                if key == ":parameters":
                    with context.inside(":parameters"):
                        parameters = context.parameters(node, self.type_names)
                else:
                    rest.append((key, word, node))
        return _Signature(name, parameters, section, rest)

    def _task(self, signature: _Signature) -> Task:
        for key, word, node in signature.pairs:
            if node:
                self.context.remark(f"{key} of task {signature.name!r} has no meaning and is left out", word.at)
        return Task(name=signature.name, parameters=signature.parameters, at=signature.section.at)

    def _action(self, signature: _Signature, formulas: FormulaParser) -> Action:
        variables = Names("variable", (p.name for p in signature.parameters))
        conditions: list[Formula] = []
        effects: list[Effect] = []
        costs: list[Increase] = []
        with self.context.inside(f"action {signature.name!r}"):
            for key, word, node in signature.pairs:
                with self.context.inside(str(word)):
                    if key == ":precondition":
                        conditions.append(formulas.formula(node, variables))
                    else:
                        more, increases = formulas.effects(node, variables)
                        effects += more
                        costs += increases
        return Action(
            name=signature.name,
            parameters=signature.parameters,
            precondition=conjunction(conditions, signature.section.at),
            effects=tuple(effects),
            costs=tuple(costs),
            at=signature.section.at,
        )

    def _methods(self, tasks: Names, networks: NetworkParser) -> tuple[HddlMethod, ...]:
        known = (":parameters", ":task", ":precondition", *NETWORK_WORDS)
        methods: list[HddlMethod] = []
        names: set[str] = set()
        for section in self.sections[":method"]:
            signature = self._signature(section, "method", known)
            if signature.name in names:
                self.context.remark(f"method {signature.name!r} is declared twice", section.at)
            names.add(signature.name)
            with self.context.inside(f"method {signature.name!r}"):
                methods.append(self._method(signature, tasks, networks))
        return tuple(methods)

    def _method(self, signature: _Signature, tasks: Names, networks: NetworkParser) -> HddlMethod:
        context, formulas = self.context, networks.formulas
        variables = Names("variable", (p.name for p in signature.parameters))
        heads = [node for key, _, node in signature.pairs if key == ":task"]
        if len(heads) != 1:
            raise context.syntax(
                f"expected one :task (the task this decomposes), found {len(heads)}", signature.section.at
            )
        with context.inside(":task"):
            head = context.group(heads[0], "a task such as (deliver ?x)")
            word = context.head(head, "a task")
            if tasks.get(word) is None and networks.tasks.get(word) is not None:
                raise context.meaning(f"expected a compound task, found the action {str(word)!r}", word.at)
            task = context.find(tasks, word)
            context.check_arity("task", task, len(head) - 1, networks.arity[task], head.at)
            arguments = tuple(formulas.term(item, variables) for item in head[1:])
        conditions: list[Formula] = []
        for key, _, node in signature.pairs:
            if key == ":precondition":
                with context.inside(":precondition"):
                    conditions.append(formulas.formula(node, variables))
        at = signature.section.at
        return HddlMethod(
            name=signature.name,
            task=task,
            arguments=arguments,
            parameters=signature.parameters,
            precondition=conjunction(conditions, at),
            network=networks.network([pair for pair in signature.pairs if pair[0] in NETWORK_WORDS], variables, at),
            at=at,
        )
