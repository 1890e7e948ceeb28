"""Languages that are read through tree-sitter: what is found, who is said to have found it, and what is missing."""

from __future__ import annotations

import sys

import pytest

from planvow.adapters.code.languages import LANGUAGES
from planvow.errors import InputError, MissingExtraError
from planvow.governed.sections.config import GovernedConfig, config_from
from planvow.governed.sections.readers import Readers, readers_named
from planvow.governed.sections.sections import extract_sections
from planvow.governed.substrate.index import build_index, check_index

TYPESCRIPT = """\
import { B } from "./b";

/** Not part of it. */
@Component({ selector: "a" })
export class Cart<T> extends B {
  @Input() size = 1;
  onClick = (event: Event) => {
    return event;
  };
  add(a: string): void;
  // the second of three
  add(a: number): void;
  @logged
  add(a: unknown) {}
  get total() {
    return 1;
  }
  set total(value) {}
  "quoted name"() {}
}
export function over(a: string): void;
export function over(a: unknown) {
  function inner() {}
}
export const single = async () => {
  return { notNamed() {} };
},
  other = function () {};
export default () => 1;
declare module "shop" {
  interface Item { price(): number }
  namespace Tax.Rates { type Rate = number; enum Kind { A } }
}
"""

GO = """\
package shop

// Server is not part of this comment.
type Server struct {
	a int
}

type (
	ID   int
	Name = string
	Doer interface {
		Do(x int) error
	}
)

func (s *Server) Handle(w int) error {
	f := func() {}
	return f
}

func (s Server) Value() {}
func (l *List[T]) Push(x T) {}
func Map[T any](x T) {}
"""


def found(path, text, *readers):
    return [(s.heading, s.line_start + 1, s.line_end) for s in extract_sections(path, text, readers_named(readers))][1:]


def test_typescript_definitions_are_sections():
    assert found("a.ts", TYPESCRIPT, "typescript") == [
        ("Cart", 4, 20),
        ("Cart.onClick", 7, 9),
        ("Cart.add", 10, 14),
        ("Cart.total", 15, 18),
        ("Cart.quoted name", 19, 19),
        ("over", 21, 24),
        ("over.inner", 23, 23),
        ("single", 25, 27),
        ("other", 28, 28),
        ("default", 29, 29),
        ("shop", 30, 33),
        ("shop.Item", 31, 31),
        ("shop.Item.price", 31, 31),
        ("shop.Tax.Rates", 32, 32),
        ("shop.Tax.Rates.Rate", 32, 32),
        ("shop.Tax.Rates.Kind", 32, 32),
    ]


def test_go_definitions_are_sections_and_methods_belong_to_their_type():
    assert found("a.go", GO, "go") == [
        ("Server", 4, 6),
        ("ID", 9, 9),
        ("Name", 10, 10),
        ("Doer", 11, 13),
        ("Doer.Do", 12, 12),
        ("Server.Handle", 16, 19),
        ("Server.Value", 21, 21),
        ("List.Push", 22, 22),
        ("Map", 23, 23),
    ]


def test_tsx_is_read_with_its_own_grammar():
    text = "export function App() {\n  return <div onClick={() => 1}>hi</div>;\n}\n"
    assert found("a.tsx", text, "tsx", "typescript") == [("App", 1, 3)]


@pytest.mark.parametrize("text", ["", "\ufeffclass A {}\n", "class A {\n", "}}}} class A {}\n", "class A {}\n\x00"])
def test_broken_text_is_read_as_far_as_it_goes(text):
    assert found("a.ts", text, "typescript") in ([], [("A", 1, 1)])


@pytest.mark.long
def test_a_long_line_of_definitions_costs_no_more_than_it_is_long():
    text = "function f() {} " * 20_000
    assert len(found("a.ts", text, "typescript")) == 1  # all have one name and one place


def test_what_is_nested_too_deep_is_no_section():
    text = "function f() {\n" * 60 + "}\n" * 60
    assert [heading.count(".") for heading, *_ in found("a.ts", text, "typescript")] == list(range(20))


def test_the_reader_says_which_versions_it_is_made_of():
    reader = extract_sections("a.go", GO, readers_named(("go",)))[0].reader
    assert reader.startswith("go/1 (tree-sitter 0.")
    assert ", tree-sitter-go 0." in reader


def test_what_is_installed_decides_nothing_and_what_the_repository_names_does(root, tree):
    (root / "a.ts").write_text(TYPESCRIPT)
    plain = build_index(root, tree.sections)
    assert [s.reader for s in tree.sections.sections("a.ts")] == ["file/1"]
    code = config_from({"sections": {"readers": ["markdown", "python", "typescript"]}})
    read = build_index(root, tree.sections, config=code, incremental=True)
    assert read.index_hash != plain.index_hash
    assert len(tree.sections.sections("a.ts")) == 17
    assert check_index(root, tree.sections, config=code).holds
    assert not check_index(root, tree.sections).holds


def test_another_version_of_a_grammar_is_another_index(root, tree, monkeypatch):
    (root / "a.go").write_text(GO)
    code = config_from({"sections": {"readers": ["go"]}})
    before = build_index(root, tree.sections, config=code)
    import planvow.adapters.code.tree_sitter_reader as module

    real = module.version
    monkeypatch.setattr(module, "version", lambda name: "9.9.9" if name == "tree-sitter-go" else real(name))
    readers_named.cache_clear()
    after = build_index(root, tree.sections, config=code, incremental=True)
    readers_named.cache_clear()
    assert after.extracted == 1
    assert after.index_hash != before.index_hash


def test_the_endings_of_named_readers_are_indexed_without_being_asked_for():
    assert not GovernedConfig().wants("a.go")
    assert config_from({"sections": {"readers": ["go"]}}).wants("a.go")
    assert not config_from({"sections": {"readers": ["go"], "include": ["*.md"]}}).wants("a.go")


def test_a_reader_that_is_named_and_not_installed_stops_the_build_and_nothing_else(root, tree, monkeypatch):
    config = config_from({"sections": {"readers": ["markdown", "go"]}})
    before = tree.sections.meta()
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    readers_named.cache_clear()
    with pytest.raises(MissingExtraError) as refused:
        build_index(root, tree.sections, config=config)
    readers_named.cache_clear()
    assert refused.value.hint == "pip install 'planvow[code]'"
    assert tree.sections.meta() == before


@pytest.mark.parametrize("names", [["goo"], ["rust"]])
def test_an_unknown_reader_is_refused_with_the_known_ones(names):
    with pytest.raises(InputError, match="there is no reader") as refused:
        config_from({"sections": {"readers": names}})
    assert "go" in refused.value.hint
    assert refused.value.place == "planvow.toml: [sections] readers"


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_every_language_of_the_table_can_be_read_and_its_endings_are_its_own(name):
    reader = LANGUAGES[name].reader()
    assert reader.reader_id.startswith(f"{name}/{LANGUAGES[name].version} ")
    assert list(reader.find("", [])) == []
    for other in LANGUAGES.values():
        assert other.name == name or not set(other.suffixes) & set(reader.suffixes)
    assert all(Readers([reader]).reader_of(f"x{suffix}") is reader for suffix in reader.suffixes)
