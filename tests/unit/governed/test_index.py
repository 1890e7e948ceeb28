"""Building the index on both substrates: same hash, nothing lost, only what changed is looked at."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from planvow.clock import LogicalClock
from planvow.errors import InputError
from planvow.governed.errors import BrokenIndexError, UnreadableFileError
from planvow.governed.sections.config import GovernedConfig, config_from, load_config
from planvow.governed.sections.readers import MARKDOWN
from planvow.governed.sections.sections import extract_records, index_hash
from planvow.governed.substrate.index import build_index, check_index
from planvow.governed.substrate.interface import IndexedFile, default_path, open_substrate
from planvow.governed.substrate.records import FileRecord, Symbol
from planvow.governed.substrate.working_tree import REMEMBERED_PIECES, open_working_tree

VERSION_1 = """
DROP TABLE sections; DROP TABLE files;
CREATE TABLE files (file_path TEXT PRIMARY KEY, file_hash TEXT NOT NULL, stamp TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sections (
  section_id TEXT NOT NULL, record TEXT NOT NULL, file_path TEXT NOT NULL, PRIMARY KEY (section_id, record)
) WITHOUT ROWID;
CREATE INDEX sections_by_file ON sections (file_path);
PRAGMA user_version = 1;
"""
KILLED_WRITE = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 2")
connection.execute("BEGIN IMMEDIATE")
connection.execute("DELETE FROM sections")
connection.executemany("INSERT INTO sections VALUES (?, ?)", [(str(i), "x" * 3000) for i in range(100)])
os.kill(os.getpid(), signal.SIGKILL)
"""
FAR_FUTURE = LogicalClock(start_ms=4_000_000_000_000)


def paths(tree):
    return sorted(tree.sections.files())


def test_two_builds_give_the_same_hash_on_both_substrates(root):
    hashes = set()
    for kind in ("sqlite", "jsonl", "sqlite", "jsonl"):
        substrate = open_substrate(kind, default_path(root / ".planvow", kind), writable=True)
        hashes.add(build_index(root, substrate).index_hash)
        substrate.close()
    assert len(hashes) == 1


def test_an_incremental_build_gives_the_index_of_a_full_one(tree, root, tmp_path):
    (root / "docs/guide.md").write_text("# New\n")
    (root / "calc.py").unlink()
    (root / "more.md").write_text("# More\n")
    report = build_index(root, tree.sections, incremental=True)
    assert (report.extracted, report.kept, report.removed) == (2, 1, 1)
    assert build_index(root, tree.sections).index_hash == report.index_hash


def test_an_incremental_build_does_not_read_files_that_were_not_touched(tree, root):
    build_index(root, tree.sections, clock=FAR_FUTURE)
    location = root / "README.txt"
    before = location.stat()
    real_open = open
    opened = []

    def noting_open(path, *args, **kwargs):
        opened.append(os.path.basename(path))
        return real_open(path, *args, **kwargs)

    import planvow.governed.substrate.index as index

    index.open = noting_open
    try:
        assert build_index(root, tree.sections, incremental=True, clock=FAR_FUTURE).kept == 3
        assert opened == []
        os.utime(location, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
        build_index(root, tree.sections, incremental=True, clock=FAR_FUTURE)
        assert opened == ["README.txt"]
    finally:
        del index.open


def test_an_edit_that_keeps_size_and_time_is_found_when_the_times_cannot_tell(tree, root):
    location = root / "README.txt"
    before = location.stat()
    location.write_text("HELLO\n")
    os.utime(location, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert build_index(root, tree.sections, incremental=True).extracted == 1


def test_rebuilding_keeps_symbols(tree, root):
    from planvow.governed.substrate.symbols import add_symbol

    section = tree.file_section("README.txt")
    add_symbol(tree.symbols, tree.sections, tree.text, symbol_id="@DOC/r", section_id=section.section_id,
               default_slice="head(1)", now="t")  # fmt: skip
    (root / "README.txt").write_text("changed\n")
    build_index(root, tree.sections)
    assert [s.symbol_id for s in tree.symbols.symbols()] == ["@DOC/r"]


def test_verify_holds_after_a_build_and_names_what_changed_since(tree, root):
    assert check_index(root, tree.sections).holds
    (root / "docs/guide.md").write_text("# Other\n")
    (root / "new.md").write_text("x\n")
    check = check_index(root, tree.sections)
    assert not check.holds
    assert check.changed_files == ("docs/guide.md", "new.md")


def test_folders_of_tools_and_our_own_data_are_not_indexed(tree, root):
    for folder in (".git", "node_modules", ".venv", "sub/__pycache__", ".planvow"):
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "x.md").write_text("x\n")
    (root / "image.png").write_bytes(b"\x89PNG")
    build_index(root, tree.sections)
    assert paths(tree) == ["README.txt", "calc.py", "docs/guide.md"]


def test_include_and_exclude_come_from_the_configuration(tree, root):
    (root / "planvow.toml").write_text('[sections]\ninclude = ["*.md", "*.py"]\nexclude = ["docs/**"]\n')
    build_index(root, tree.sections, config=load_config(root))
    assert paths(tree) == ["calc.py"]


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ({"sections": {"includes": []}}, "includes"),
        ({"sections": {"include": "x"}}, "include"),
        ({"sections": {"include": [1]}}, "include"),
        ({"run_test": {"commands": {"t": "rm -rf"}}}, "commands"),
        ({"run_test": {"timeout_seconds": 0}}, "timeout"),
        ({"data": 3}, "data"),
        ({"data": {"folder": ""}}, "folder"),
        ({"data": {"folder": "/var/elsewhere"}}, "folder"),
        ({"data": {"folder": "../elsewhere"}}, "folder"),
        ({"run_test": {"uncontained": "yes"}}, "uncontained"),
        ({"run_test": {"limits": {"proceses": 3}}}, "[run_test.limits] proceses"),
        ({"run_test": {"limits": {"processes": 0}}}, "[run_test.limits] processes"),
        ({"run_test": {"environment": ["PGPASSWORD"]}}, "environment"),
        ({"run_test": {"environment": ["PLANVOW_CASSETTE"]}}, "environment"),
        ({"run_test": {"environment": ["PLANVOW_SECRET_SHOP2"]}}, "environment"),
        ({"run_test": {"readable": ["tools"]}}, "readable"),
        ({"run_test": {"readable": ["/"]}}, "readable"),
        ({"write": {"allow": [3]}}, "[write] allow"),
        ({"intent": {"k": {"steps": []}}}, "[intent]"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_place(written, place):
    with pytest.raises(InputError) as caught:
        config_from(written)
    assert place in caught.value.place


def test_a_file_that_is_not_utf8_fails_a_strict_build_and_nothing_is_stored(tree, root):
    before = tree.sections.meta()
    (root / "bad.txt").write_bytes(b"ok\xff")
    with pytest.raises(UnreadableFileError, match=r"bad\.txt.*byte 2"):
        build_index(root, tree.sections, strict=True)
    with pytest.raises(UnreadableFileError, match=r"bad\.txt.*byte 2"):
        build_index(root, tree.sections, config=GovernedConfig(strict=True))
    assert tree.sections.meta() == before


def test_a_build_goes_on_past_what_it_cannot_read_and_lists_it(tree, root):
    before = tree.sections.meta()
    (root / "bad.txt").write_bytes(b"\xff")
    (root / "large.txt").write_text("x" * 1001)
    (root / "zebra.txt").write_text("read\n")
    report = build_index(root, tree.sections, config=GovernedConfig(max_file_bytes=1000))
    assert report.skipped == (
        ("bad.txt", "byte 0 is not UTF-8"),
        ("large.txt", "it has 1001 bytes, at most 1000 are read"),
    )
    assert report.file_count == before.file_count + 1
    assert tree.file_section("zebra.txt").line_end == 1


def test_a_file_that_grew_too_large_leaves_the_index_at_the_next_incremental_build(tree, root):
    small = GovernedConfig(max_file_bytes=1000)
    build_index(root, tree.sections, config=small)
    (root / "README.txt").write_text("x" * 1001)
    report = build_index(root, tree.sections, config=small, incremental=True)
    assert [path for path, _ in report.skipped] == ["README.txt"]
    assert "README.txt" not in tree.sections.files()
    assert check_index(root, tree.sections, config=small).holds


def test_an_index_has_a_size_that_a_tree_cannot_exceed(tree, root):
    size = sum(len((root / path).read_bytes()) for path in tree.sections.files())
    build_index(root, tree.sections, config=GovernedConfig(max_total_bytes=size))
    with pytest.raises(UnreadableFileError, match="max_total_bytes"):
        build_index(root, tree.sections, config=GovernedConfig(max_total_bytes=size - 1))
    with pytest.raises(UnreadableFileError, match="max_total_bytes"):
        build_index(root, tree.sections, config=GovernedConfig(max_total_bytes=size - 1), incremental=True)


def test_a_link_that_leaves_the_root_is_refused_and_one_that_stays_is_passed_over(tree, root, tmp_path_factory):
    (root / "same.md").symlink_to(root / "docs/guide.md")
    build_index(root, tree.sections)
    assert "same.md" not in tree.sections.files()
    outside = tmp_path_factory.mktemp("outside") / "secret.md"
    outside.write_text("secret\n")
    (root / "out.md").symlink_to(outside)
    assert build_index(root, tree.sections).skipped == (("out.md", "it is a link that leaves the root"),)
    with pytest.raises(UnreadableFileError, match="leaves the root"):
        build_index(root, tree.sections, strict=True)


def test_a_damaged_index_is_reported_with_what_to_do(root, kind):
    path = default_path(root / ".planvow", kind)
    if kind == "sqlite":
        path.parent.mkdir()
        path.write_bytes(b"not a database at all, but long enough to look like one" * 40)
    else:
        path.mkdir(parents=True)
        (path / "sections.jsonl").write_text("{}\n")
    with pytest.raises(BrokenIndexError):
        open_substrate(kind, path).sections()


def test_an_index_of_an_older_version_is_made_anew_and_keeps_its_symbols(root):
    path = default_path(root / ".planvow", "sqlite")
    symbol = Symbol(symbol_id="@DOC/a", target_ref="x", default_slice=None, anchor_file="a.md", anchor_heading=(),
                    created_at="t", updated_at="t")  # fmt: skip
    with closing(open_substrate("sqlite", path, writable=True)) as substrate:
        expected = build_index(root, substrate).index_hash
        substrate.add_symbol(symbol)
    with closing(sqlite3.connect(path)) as older:
        older.executescript(VERSION_1)
    with pytest.raises(BrokenIndexError, match="version 3") as refused:
        open_substrate("sqlite", path)
    assert refused.value.hint == "run: planvow cortex sections build"
    with closing(open_substrate("sqlite", path, writable=True)) as again:
        assert build_index(root, again, incremental=True).index_hash == expected
        assert again.symbols() == [symbol]


def test_text_files_of_an_older_version_are_made_anew_and_keep_their_symbols(root):
    path = default_path(root / ".planvow", "jsonl")
    symbol = Symbol(symbol_id="@DOC/a", target_ref="x", default_slice=None, anchor_file="a.md", anchor_heading=(),
                    created_at="t", updated_at="t")  # fmt: skip
    with closing(open_substrate("jsonl", path, writable=True)) as substrate:
        expected = build_index(root, substrate).index_hash
        substrate.add_symbol(symbol)
    for name in ("meta.json", "sections.jsonl", "files.jsonl"):
        records = [json.loads(line) for line in (path / name).read_text().splitlines()]
        kept = [{key: value for key, value in r.items() if key not in ("index", "reader")} for r in records]
        (path / name).write_text("".join(json.dumps(record) + "\n" for record in kept))
    with pytest.raises(BrokenIndexError, match=r"version index/2 \(found index/1\)") as refused:
        open_substrate("jsonl", path)
    assert refused.value.hint == "run: planvow cortex sections build"
    with closing(open_substrate("jsonl", path, writable=True)) as again:
        assert again.sections() == []
        assert build_index(root, again, incremental=True).index_hash == expected
        assert again.symbols() == [symbol]


def test_definitions_that_share_their_lines_share_an_id_and_are_all_there(root, kind):
    (root / "docs/guide.md").write_text("# Only\n")
    with closing(open_substrate(kind, default_path(root / ".planvow", kind), writable=True)) as substrate:
        build_index(root, substrate)
        whole, heading = substrate.sections("docs/guide.md")
        assert whole.section_id == heading.section_id
        assert substrate.section(whole.section_id) == whole


def test_another_reader_reads_a_file_again_that_nobody_touched(tree, root):
    without = GovernedConfig(readers=("markdown",))
    before = build_index(root, tree.sections, clock=FAR_FUTURE)
    other = build_index(root, tree.sections, config=without, incremental=True, clock=FAR_FUTURE)
    assert (other.extracted, other.kept) == (1, 2)
    assert other.readers == {"file/1": 2, "markdown/1": 1}
    assert other.index_hash != before.index_hash
    assert other.index_hash == build_index(root, tree.sections, config=without).index_hash
    assert not check_index(root, tree.sections).holds


def test_a_build_tells_how_far_it_is(tree, root):
    told = []
    build_index(root, tree.sections, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_write_that_was_killed_is_taken_back_by_the_next_reader(root):
    path = default_path(root / ".planvow", "sqlite")
    with closing(open_substrate("sqlite", path, writable=True)) as substrate:
        built = build_index(root, substrate).index_hash
    with closing(open_substrate("sqlite", path)) as open_all_along:
        killed = subprocess.run([sys.executable, "-c", KILLED_WRITE, path], check=False)
        assert killed.returncode == -signal.SIGKILL
        assert path.with_name("index.db-journal").stat().st_size > 0
        assert not open_all_along.is_current()
        with closing(open_substrate("sqlite", path)) as reader:
            assert index_hash(reader.records()) == reader.meta().index_hash == built


def test_opening_a_missing_substrate_for_reading_creates_nothing(root, kind):
    before = sorted(root.rglob("*"))
    substrate = open_substrate(kind, default_path(root / ".planvow", kind))
    assert substrate.meta().section_count == 0
    assert substrate.sections() == []
    substrate.close()
    assert sorted(root.rglob("*")) == before


def test_the_hash_of_a_text_index_is_that_of_its_records_even_after_an_edit(root):
    path = default_path(root / ".planvow", "jsonl")
    substrate = open_substrate("jsonl", path, writable=True)
    built = build_index(root, substrate).index_hash
    assert open_substrate("jsonl", path).meta().index_hash == built
    lines = (path / "sections.jsonl").read_text().splitlines()
    (path / "sections.jsonl").write_text("\n".join(lines[:-1]) + "\n")
    assert open_substrate("jsonl", path).meta().index_hash != built


def test_of_two_builds_at_once_the_slower_one_takes_nothing_away(root, kind):
    path = default_path(root / ".planvow", kind)
    with closing(open_substrate(kind, path, writable=True)) as slow, closing(open_substrate(kind, path)) as reader:
        build_index(root, slow)
        slow.sections()  # what is stored now is remembered
        (root / "first.md").write_text("# First\n")
        (root / "docs/guide.md").write_text("# Changed\n")
        with closing(open_substrate(kind, path, writable=True)) as fast:
            build_index(root, fast, incremental=True)
        (root / "second.md").write_text("# Second\n")
        record = FileRecord(file_path="second.md", file_hash="x", stamp="x", reader="markdown/1")
        slow.replace({"second.md": IndexedFile(record, extract_records("second.md", "# Second\n", MARKDOWN))}, [],
                     everything=False, built_at_ms=0)  # fmt: skip
        assert not reader.is_current()
    with closing(open_substrate(kind, path, writable=True)) as after:
        assert check_index(root, after).holds


def test_data_kept_inside_the_repository_is_not_indexed(root, kind):
    substrate = open_substrate(kind, default_path(root / "docs/data", kind), writable=True)
    before = build_index(root, substrate).index_hash
    (root / "docs/data/more.json").write_text("{}")
    assert build_index(root, substrate).index_hash == before
    assert check_index(root, substrate).holds


def test_a_tree_that_is_kept_open_sees_what_a_new_build_found(tree, root):
    assert tree.indexed_lines("new.md") is None
    (root / "new.md").write_text("x\n")
    build_index(root, tree.sections)
    assert tree.indexed_lines("new.md") == 1


@pytest.mark.long
def test_a_tree_that_is_kept_open_remembers_no_more_than_it_has_room_for(root, kind):
    (root / "long.txt").write_text("x" * 3 * REMEMBERED_PIECES)
    with open_working_tree(root, kind=kind, data_folder=root / ".planvow", writable=True) as tree:
        build_index(root, tree.sections)
    with open_working_tree(root, kind=kind, data_folder=root / ".planvow") as tree:
        section = tree.file_section("long.txt")
        for end in range(1, 3 * REMEMBERED_PIECES):
            tree.expand(section, f"chars[0:{end}]")
            assert tree.indexed_lines(f"missing-{end}.md") is None
            assert tree.symbols.symbol(f"@missing-{end}") is None
        held = [len(read.pieces) for read in tree._files.values()]
        assert 0 < max(held) <= REMEMBERED_PIECES
        assert list(tree._whole_files) == ["long.txt"]
        assert len(tree.symbols._symbols) == 0


@pytest.mark.parametrize("what", ["pipe", "device", "folder", "large"])
def test_settings_that_a_repository_brought_along_are_a_file_of_some_size(tmp_path, what):
    settings = tmp_path / "planvow.toml"
    if what == "pipe":
        os.mkfifo(settings)
    elif what == "device":
        settings.symlink_to("/dev/zero")
    elif what == "folder":
        settings.mkdir()
    else:
        settings.write_bytes(b"#" * ((1 << 20) + 1))
    with pytest.raises(InputError) as raised:
        load_config(tmp_path)
    assert raised.value.place == "planvow.toml"


def test_settings_may_be_a_link_to_where_they_are_kept(tmp_path):
    (tmp_path / "kept.toml").write_text("[sections]\nstrict = true\n")
    (tmp_path / "planvow.toml").symlink_to("kept.toml")
    assert load_config(tmp_path).strict
