"""Files below a root: what is read, what is written, and every way out that is shut."""

from __future__ import annotations

import hashlib
import os

import pytest

from planvow.cassette.errors import FileChangedError, PathRefusedError
from planvow.cassette.files.below_root import Root, checked_parts

BAD_PATHS = [
    "", "/etc/passwd", "../x", "a/../x", "a/./x", "./a", "a//b", "a/", "/", ".", "..", "a\\b", "C:/x", "a\x00b", "a\nb",
    "cafe\u0301", "a" * 5000, "a/" + "b" * 300, "\ud800", "a\u202eb", 7,
]  # fmt: skip


@pytest.fixture
def root(tmp_path):
    inside = tmp_path / "repo"
    (inside / "sub").mkdir(parents=True)
    (inside / "sub/a.txt").write_text("hello")
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "repo-evil").mkdir()
    (tmp_path / "repo-evil/x").write_text("prefix")
    with Root(inside) as opened:
        yield opened


@pytest.mark.parametrize("path", BAD_PATHS, ids=ascii)
def test_a_bad_path_is_refused_as_text(root, path):
    with pytest.raises(PathRefusedError):
        checked_parts(path)
    with pytest.raises(PathRefusedError):
        root.read(path)
    with pytest.raises(PathRefusedError):
        root.write(path, b"x", token="t")


def test_a_file_is_read_and_its_size_is_limited(root):
    assert root.read("sub/a.txt") == b"hello"
    assert root.read("sub/a.txt", max_bytes=5) == b"hello"
    with pytest.raises(PathRefusedError, match="5 bytes"):
        root.read("sub/a.txt", max_bytes=4)


@pytest.mark.parametrize("link", ["link", "sub/link", "way/secret", "way/deep"])
def test_a_symbolic_link_is_never_followed(root, link):
    os.symlink(root.path.parent / "secret", root.path / "link")
    os.symlink("../../secret", root.path / "sub/link")
    os.symlink(root.path.parent, root.path / "way")
    with pytest.raises(PathRefusedError):
        root.read(link)
    with pytest.raises(PathRefusedError):
        root.write(link, b"x", token="t")
    assert (root.path.parent / "secret").read_text() == "secret"
    assert not (root.path.parent / "deep").exists()


def test_a_link_that_stays_inside_is_refused_too(root):
    os.symlink("a.txt", root.path / "sub/same")
    with pytest.raises(PathRefusedError, match="symbolic link"):
        root.read("sub/same")


def test_pipes_folders_and_devices_are_not_files(root):
    os.mkfifo(root.path / "pipe")
    for path in ("pipe", "sub"):
        with pytest.raises(PathRefusedError):
            root.read(path)
        with pytest.raises(PathRefusedError):
            root.write(path, b"x", token="t")


def test_a_write_is_atomic_keeps_the_mode_and_reports_both_hashes(root):
    os.chmod(root.path / "sub/a.txt", 0o750)
    done = root.write("sub/a.txt", b"new", token="job/1/1")
    assert (root.path / "sub/a.txt").read_bytes() == b"new"
    assert done.before_sha256 == hashlib.sha256(b"hello").hexdigest()
    assert done.after_sha256 == hashlib.sha256(b"new").hexdigest()
    assert (root.path / "sub/a.txt").stat().st_mode & 0o777 == 0o750
    assert os.listdir(root.path / "sub") == ["a.txt"]


def test_a_write_makes_the_folders_it_needs(root):
    done = root.write("new/deeper/file.txt", b"x", token="t")
    assert done.before_sha256 is None
    assert (root.path / "new/deeper/file.txt").read_bytes() == b"x"


def test_a_change_fails_when_the_file_is_not_as_expected(root):
    with pytest.raises(FileChangedError):
        root.change("sub/a.txt", lambda old: old + b"!", token="t", expected_sha256="0" * 64)
    with pytest.raises(FileChangedError):
        root.change("sub/missing.txt", lambda old: old, token="t")
    good = hashlib.sha256(b"hello").hexdigest()
    root.change("sub/a.txt", lambda old: old + b"!", token="t", expected_sha256=good)
    assert root.read("sub/a.txt") == b"hello!"


def test_a_failed_change_leaves_the_file_and_no_rubbish(root):
    def boom(_old: bytes) -> bytes:
        raise RuntimeError("boom")

    with pytest.raises(RuntimeError):
        root.change("sub/a.txt", boom, token="t")
    assert root.read("sub/a.txt") == b"hello"
    assert os.listdir(root.path / "sub") == ["a.txt"]


@pytest.mark.parametrize(
    "path",
    [
        ".git/hooks/pre-commit", ".planvow/cassette.db", "planvow.toml", "vendor/lib/.git/hooks/post-checkout",
        "sub/.git", "a/b/.planvow/x", "sub/planvow.toml", ".github/workflows/x.yml", "sub/Jenkinsfile",
        ".gitlab-ci.yml", ".GIT/config", "Planvow.TOML", ".git./config", "git~1/config", ".ssh/authorized_keys",
        "GITHUB~1/workflows/x.yml", "PLANVO~1.TOM", "planvo~1/x", "sub/TOOLS~1.TOM", "jenkin~2",
        ".git::$INDEX_ALLOCATION/config", "planvow.toml:stream",
    ],
)  # fmt: skip
def test_what_decides_keeps_history_or_runs_later_is_not_written_at_any_depth(root, path):
    with pytest.raises(PathRefusedError, match="nothing is written"):
        root.write(path, b"x", token="t")
    assert sorted(os.listdir(root.path)) == ["sub"]
    assert os.listdir(root.path / "sub") == ["a.txt"]


@pytest.mark.parametrize(
    "path", ["sub/.gitignore", "gitlab-ci.yml", "github/x", "planvow.tom", "my.git/x", "notes~1", "sub/ab:c"]
)
def test_names_that_only_look_alike_are_written(root, path):
    root.write(path, b"x", token="t")
    assert root.read(path) == b"x"


@pytest.mark.parametrize("path", ["data", "data/x", "data-wal", "Data/x"])
def test_a_closed_path_is_closed_with_what_lies_below_and_what_belongs_to_it(root, path):
    with Root(root.path, closed=["data"]) as closed:
        with pytest.raises(PathRefusedError, match="nothing is written"):
            closed.write(path, b"x", token="t")
        closed.write("database", b"x", token="t")


def test_a_missing_root_is_refused(tmp_path):
    with pytest.raises(PathRefusedError):
        Root(tmp_path / "nowhere")
