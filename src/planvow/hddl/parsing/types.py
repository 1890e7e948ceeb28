"""The `:types` section: a hierarchy in which every type leads up to `object`.

A type that is only ever named as somebody's parent counts as declared. A type declared on several lines is below all
the parents named there.
"""

from __future__ import annotations

from planvow.hddl.language.formula import ROOT_TYPE
from planvow.hddl.language.model import Type
from planvow.hddl.language.reader import Group, Node, Symbol
from planvow.hddl.parsing.context import Context, Names, with_dashes_apart


def read_types(context: Context, sections: list[Group]) -> tuple[tuple[Type, ...], Names]:
    """Return the declared types and the namespace of types, `object` included."""
    lists = [with_dashes_apart(section[1:]) for section in sections]
    items = [item for section in lists for item in section]
    with context.inside(":types"):
        names = Names("type", [ROOT_TYPE])
        for word in _type_words(context, items, declared=True):
            if word.lower() != ROOT_TYPE:
                names.add(word)
        for word in _type_words(context, items, declared=False):
            if names.get(word) is None:
                names.add(word)
        parents: dict[str, dict[str, None]] = {}
        where: dict[str, int] = {}
        for word, above in [pair for section in lists for pair in context.typed_list(section, names, "a type")]:
            name = context.find(names, word)
            if name in parents:
                context.remark(f"type {name!r} is declared twice", word.at)
            parents.setdefault(name, {}).update(dict.fromkeys(above))
            where.setdefault(name, word.at)
        for parent in [parent for found in parents.values() for parent in found]:
            parents.setdefault(parent, {ROOT_TYPE: None})
        if any(above != ROOT_TYPE for above in parents.pop(ROOT_TYPE, ())):
            context.remark(f"{ROOT_TYPE} is above all types; what is said to be above it is left out", where[ROOT_TYPE])
        _refuse_circles(context, parents, where)
    return tuple(
        Type(name=name, parents=_above(found), at=where.get(name, 0)) for name, found in parents.items()
    ), names


def _type_words(context: Context, items: list[Node], *, declared: bool) -> list[Symbol]:
    """Return the types that are declared, or those that are named as parents (after a `-`)."""
    words: list[Symbol] = []
    for index, item in enumerate(items):
        is_parent = index > 0 and items[index - 1] == "-"
        if isinstance(item, Symbol):
            words += [item] if item != "-" and is_parent != declared else []
        elif not declared:
            words += [context.symbol(inner, "a type") for inner in item[1:]]
    return words


def _above(parents: dict[str, None]) -> tuple[str, ...]:
    named = tuple(name for name in parents if name != ROOT_TYPE)
    return named or (ROOT_TYPE,)


def _refuse_circles(context: Context, parents: dict[str, dict[str, None]], where: dict[str, int]) -> None:
    """Raise when a type is above itself, naming the circle. Peels off types whose parents are all settled."""
    open_types = dict(parents)
    while open_types:
        settled = [name for name, above in open_types.items() if not any(parent in open_types for parent in above)]
        if not settled:
            break
        for name in settled:
            del open_types[name]
    if not open_types:
        return
    name = next(iter(open_types))
    path = [name]
    while len(set(path)) == len(path):
        path.append(next(parent for parent in open_types[path[-1]] if parent in open_types))
    circle = path[path.index(path[-1]) :]
    hint = "take the parent away from one of them"
    raise context.meaning(f"types run in a circle: {' - '.join(circle)}", where[circle[0]], hint)
