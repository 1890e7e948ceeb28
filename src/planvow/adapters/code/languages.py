"""The languages whose definitions can be sections, one entry each.

An entry names the files, the package with the grammar, and a query over its syntax trees. What the query captures:
`@definition` is the piece, `@name` its name; `@owner` stands before the name (a Go method's type); `@part` marks a
piece that is one with a namesake that follows it (an overload, the getter of a pair). `around` are patterns of nodes
that only wrap a definition (`export …`), `before` nodes that stand before one and belong to it (decorators),
`comments` nodes that may stand between and belong to none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planvow.governed.sections.readers import Reader


@dataclass(frozen=True, kw_only=True)
class Language:
    """What it takes to read one language. `version` grows when the entry changes so that other sections come out."""

    name: str
    version: int
    suffixes: tuple[str, ...]
    package: str
    grammar: Callable[[], object]
    query: str
    around: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    comments: tuple[str, ...] = ("comment",)

    def reader(self) -> Reader:
        """Return the reader of this language, or raise MissingExtraError."""
        from planvow.adapters.code.tree_sitter_reader import reader_of  # tree-sitter is loaded when it is wanted

        return reader_of(self)


_TYPESCRIPT = """
[
  (function_declaration name: (_) @name)
  (generator_function_declaration name: (_) @name)
  (class_declaration name: (_) @name)
  (abstract_class_declaration name: (_) @name)
  (interface_declaration name: (_) @name)
  (type_alias_declaration name: (_) @name)
  (enum_declaration name: (_) @name)
  (internal_module name: (_) @name)
  (module name: (_) @name)
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (class)])
  (export_statement "default" @name value: [(arrow_function) (function_expression) (class)])
] @definition

(class_body [
  (method_definition name: (_) @name)
  (abstract_method_signature name: (_) @name)
  (public_field_definition name: (_) @name value: [(arrow_function) (function_expression) (class)])
] @definition)

[
  (function_signature name: (_) @name)
  (method_signature name: (_) @name)
] @definition @part

(class_body (method_definition ["get" "set"] name: (_) @name) @definition @part)
"""

_TYPESCRIPT_AROUND = (
    "export_statement",
    "ambient_declaration",
    "expression_statement (internal_module)",
    "lexical_declaration (variable_declarator value: [(arrow_function) (function_expression) (class)])",
    "variable_declaration (variable_declarator value: [(arrow_function) (function_expression) (class)])",
)

_GO = """
[
  (function_declaration name: (_) @name)
  (type_spec name: (_) @name)
  (type_alias name: (_) @name)
  (method_elem name: (_) @name)
] @definition

(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (pointer_type (type_identifier) @owner)
    (generic_type type: (_) @owner)
    (pointer_type (generic_type type: (_) @owner))
  ]))
  name: (_) @name) @definition
"""


def _go() -> object:
    import tree_sitter_go

    return tree_sitter_go.language()


def _tsx() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_tsx()


def _typescript() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_typescript()


LANGUAGES: Mapping[str, Language] = {
    language.name: language
    for language in (
        Language(
            name="go",
            version=1,
            suffixes=(".go",),
            package="tree-sitter-go",
            grammar=_go,
            query=_GO,
            around=("type_declaration",),
        ),
        Language(
            name="tsx",
            version=1,
            suffixes=(".tsx",),
            package="tree-sitter-typescript",
            grammar=_tsx,
            query=_TYPESCRIPT,
            around=_TYPESCRIPT_AROUND,
            before=("decorator",),
        ),
        Language(
            name="typescript",
            version=1,
            suffixes=(".ts", ".mts", ".cts"),
            package="tree-sitter-typescript",
            grammar=_typescript,
            query=_TYPESCRIPT,
            around=_TYPESCRIPT_AROUND,
            before=("decorator",),
        ),
    )
}


def section_languages() -> Mapping[str, Language]:
    """Return the languages that are offered to section indexes (the hook `section_languages`)."""
    return LANGUAGES
