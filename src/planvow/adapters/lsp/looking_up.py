"""Answers about a name: where it is declared, where it is used, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planvow.adapters.lsp.desk import Desk, Document
from planvow.adapters.lsp.names import ACTION, FUNCTION, METHOD, OBJECT, PREDICATE, TASK, TYPE, VARIABLE, Name
from planvow.hddl.language.formula import Parameter
from planvow.hddl.lint.summary import Fact

Found = tuple[Document, Name]
_MOST_FACTS = 12


def name_at(document: Document, offset: int) -> Name | None:
    """Return the name that stands at an offset, or ends there."""
    return next((name for name in document.names if name.at <= offset <= name.end), None)


def declarations(desk: Desk, document: Document, name: Name) -> list[Found]:
    """Return where a name is declared: in its own text, or in the domain of the problem."""
    return [found for found in _everywhere(desk, document, name) if found[1].declares]


def occurrences(desk: Desk, document: Document, name: Name) -> list[Found]:
    """Return every place of a name in its domain and in the open problems of that."""
    return list(_everywhere(desk, document, name))


def _everywhere(desk: Desk, document: Document, name: Name) -> Iterator[Found]:
    texts = [document]
    if name.scope < 0:
        domain = desk.domain_of(document)
        texts += [domain] if domain is not None and domain is not document else []
        texts += [other for other in desk.problems_of(domain or document) if other is not document]
    for text in texts:
        yield from ((text, other) for other in text.names if _same(other, name))


def _same(one: Name, other: Name) -> bool:
    kinds = {one.kind, other.kind}
    alike = len(kinds) == 1 or kinds == {TASK, ACTION}
    return alike and one.scope == other.scope and one.text.lower() == other.text.lower()


def describe(desk: Desk, document: Document, name: Name) -> str | None:
    """Return what is known of a name, as Markdown."""
    declared = declarations(desk, document, name)
    if name.kind in (VARIABLE, OBJECT):
        types = [types for _, each in declared for types in each.types]
        return _code(f"{name.text} - {_either(types)}") if types else None
    domain = desk.domain_of(document)
    if domain is None or domain.domain is None:
        return None
    if name.kind == TYPE:
        above = next((up for key, up in domain.domain.supertypes.items() if key.lower() == name.text.lower()), None)
        return _code(" < ".join(above)) if above else None
    if name.kind in (TASK, ACTION):
        return _task(domain, name)
    for kind, listed in ((PREDICATE, domain.domain.predicates), (FUNCTION, domain.domain.functions)):
        for each in listed if name.kind == kind else ():
            if each.name.lower() == name.text.lower():
                return _code(f"({' '.join((each.name, _typed(each.parameters))).strip()})")
    for method in domain.domain.methods if name.kind == METHOD else ():
        if method.name.lower() == name.text.lower():
            steps = ", ".join(subtask.task for subtask in method.network.subtasks) or "nothing is left to do"
            return f"{_code(f'({method.name} {_typed(method.parameters)})')}\nA way to do `{method.task}`: {steps}."
    return None


def _task(document: Document, name: Name) -> str | None:
    summary, domain = document.summary, document.domain
    if summary is None or domain is None:
        return None
    for kind, listed in (("task", domain.tasks), ("action", domain.actions)):
        for each in listed:
            if each.name.lower() != name.text.lower():
                continue
            lines = [_code(f"({kind} {' '.join((each.name, _typed(each.parameters))).strip()})")]
            lines += _facts("Must find", summary.needs[each.name])
            lines += _facts("May make true", summary.adds[each.name])
            lines += _facts("May make false", summary.deletes[each.name])
            ways = [method.name for method in domain.methods_for.get(each.name, ())]
            lines += [f"Ways: {', '.join(f'`{way}`' for way in ways)}"] if ways else []
            return "\n\n".join(lines)
    return None


def _facts(title: str, facts: Iterable[Fact]) -> list[str]:
    texts = sorted(map(str, facts))
    if not texts:
        return []
    more = f" and {len(texts) - _MOST_FACTS} more" if len(texts) > _MOST_FACTS else ""
    return [f"{title}: " + ", ".join(f"`{text}`" for text in texts[:_MOST_FACTS]) + more]


def _typed(parameters: Iterable[Parameter]) -> str:
    return " ".join(f"{parameter.name} - {_either(parameter.types)}" for parameter in parameters)


def _either(types: Iterable[str]) -> str:
    names = list(dict.fromkeys(types))
    return names[0] if len(names) == 1 else f"(either {' '.join(names)})"


def _code(text: str) -> str:
    return f"```hddl\n{text}\n```"
