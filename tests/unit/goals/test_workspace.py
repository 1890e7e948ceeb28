"""The file tools on real files: what they do, what they skip, and that nothing leads out of the workspace."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from planvow.cassette.errors import FileChangedError, PathRefusedError
from planvow.goals.run.copying import MAX_DEPTH
from planvow.goals.run.idempotence import DONE_BEFORE
from planvow.goals.run.workspace import FILE_TOOLS, SKIPPED, Workspace


@pytest.fixture
def place(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret")
    root = tmp_path / "w"
    root.mkdir()
    return Workspace(root)


attempts = count(1)


def run(place, tool, path, token=None, step=None, **args):
    here = {key: str(place.root / value) if key == "destination" else value for key, value in args.items()}
    call = {"path": str(place.root / path), **here}
    return place.run(f"files.{tool}", call, token or f"t{next(attempts)}", step=step)


def test_a_folder_is_made_with_its_parents_and_once(place):
    assert run(place, "create_folder", "a/b")["status"] == "done"
    assert (place.root / "a/b").is_dir()
    assert run(place, "create_folder", "a/b") == SKIPPED
    (place.root / "f").write_text("")
    with pytest.raises(FileChangedError):
        run(place, "create_folder", "f")
    with pytest.raises(PathRefusedError):
        run(place, "create_folder", "no/parents", parents=False)


def test_a_file_is_made_once_and_never_overwritten(place):
    assert run(place, "create_file", "a/n.txt", content="hello")["status"] == "done"
    assert (place.root / "a/n.txt").read_text() == "hello"
    assert run(place, "create_file", "a/n.txt", content="hello") == SKIPPED
    assert run(place, "create_file", "a/n.txt", content="") == SKIPPED
    with pytest.raises(FileChangedError):
        run(place, "create_file", "a/n.txt", content="other")
    assert (place.root / "a/n.txt").read_text() == "hello"


def test_write_append_read_and_list(place):
    assert run(place, "write", "n.txt", content="one\n")["status"] == "done"
    assert run(place, "write", "n.txt", content="one\n") == SKIPPED
    assert run(place, "append", "n.txt", content="two\n")["status"] == "done"
    assert run(place, "read", "n.txt")["content"] == "one\ntwo\n"
    run(place, "create_folder", "d")
    assert run(place, "list", "")["names"] == ["d", "n.txt"]
    assert run(place, "list", "d")["names"] == []
    with pytest.raises(PathRefusedError):
        run(place, "read", "none.txt")


def test_what_is_deleted_can_be_found_in_the_trash(place):
    (place.root / "n.txt").write_text("keep me")
    done = run(place, "delete_file", "n.txt", token="t7")
    assert not (place.root / "n.txt").exists()
    assert (place.root / done["moved_to"]).read_text() == "keep me"
    assert ".planvow/trash/t7/" in done["moved_to"]
    assert run(place, "delete_file", "n.txt") == SKIPPED


def test_a_folder_that_holds_something_is_only_deleted_when_that_was_asked_for(place):
    (place.root / "d/e").mkdir(parents=True)
    with pytest.raises(FileChangedError):
        run(place, "delete_folder", "d", recursive=False)
    done = run(place, "delete_folder", "d", recursive=True)
    assert (place.root / done["moved_to"] / "e").is_dir()
    assert run(place, "delete_folder", "d") == SKIPPED


def test_a_tool_for_files_deletes_no_folder_and_the_other_way_round(place):
    (place.root / "d").mkdir()
    (place.root / "f").write_text("")
    with pytest.raises(FileChangedError):
        run(place, "delete_file", "d")
    with pytest.raises(FileChangedError):
        run(place, "delete_folder", "f")
    assert sorted(p.name for p in place.root.iterdir()) == ["d", "f"]


def test_rename_and_move(place):
    (place.root / "a.txt").write_text("a")
    (place.root / "d").mkdir()
    assert run(place, "rename", "a.txt", new_name="b.txt")["moved_to"] == "b.txt"
    assert run(place, "rename", "a.txt", new_name="b.txt") == SKIPPED
    assert run(place, "move", "b.txt", destination="d")["moved_to"] == "d/b.txt"
    assert (place.root / "d/b.txt").read_text() == "a"
    (place.root / "c.txt").write_text("c")
    with pytest.raises(FileChangedError):
        run(place, "move", "c.txt", destination="d/b.txt")
    assert (place.root / "d/b.txt").read_text() == "a"
    with pytest.raises(FileChangedError):
        run(place, "move", "gone.txt", destination="e")


def test_files_and_folders_are_copied_and_nothing_is_replaced(place):
    (place.root / "d/e").mkdir(parents=True)
    (place.root / "d/e/x").write_text("x")
    os.chmod(place.root / "d/e/x", 0o640)
    assert run(place, "copy", "d", destination="c")["entries"] == 2
    assert (place.root / "c/e/x").read_text() == "x"
    assert (place.root / "c/e/x").stat().st_mode & 0o777 == 0o640
    assert run(place, "copy", "d/e/x", destination="y")["status"] == "done"
    assert run(place, "copy", "d/e/x", destination="y") == SKIPPED
    (place.root / "y").write_text("other")
    with pytest.raises(FileChangedError):
        run(place, "copy", "d/e/x", destination="y")
    (place.root / "taken").write_text("")
    with pytest.raises(FileChangedError):
        run(place, "copy", "d", destination="taken")
    with pytest.raises(PathRefusedError):
        run(place, "copy", "d", destination="d/e/f")


def test_a_folder_that_cannot_be_copied_whole_is_not_copied_at_all(place):
    deep = place.root / "d"
    for _ in range(MAX_DEPTH + 1):
        deep = deep / "x"
    deep.mkdir(parents=True)
    with pytest.raises(PathRefusedError):
        run(place, "copy", "d", destination="c")
    (place.root / "pipes").mkdir()
    os.mkfifo(place.root / "pipes/p")
    with pytest.raises(PathRefusedError):
        run(place, "copy", "pipes", destination="c")
    assert not (place.root / "c").exists()
    assert list((place.root / ".planvow/staging").iterdir()) == []


def test_links_inside_a_copied_folder_stay_links(place):
    (place.root / "d").mkdir()
    os.symlink("../../outside/secret.txt", place.root / "d/link")
    run(place, "copy", "d", destination="c")
    assert os.readlink(place.root / "c/link") == "../../outside/secret.txt"


ARGS = {"content": "x", "new_name": "n", "destination": "there"}


@pytest.mark.parametrize("tool", [tool.removeprefix("files.") for tool in FILE_TOOLS])
@pytest.mark.parametrize("path", ["way/secret.txt", "way"])
def test_no_tool_follows_a_link_out_of_the_workspace(place, tool, path):
    outside = place.root.parent / "outside"
    os.symlink(outside, place.root / "way")
    try:
        run(place, tool, path, **ARGS)
    except (FileChangedError, PathRefusedError):
        pass
    else:  # the link itself may be moved or put into the trash; what it points to may not
        assert path == "way"
        assert tool in ("delete_file", "rename", "move")
    assert [p.name for p in outside.iterdir()] == ["secret.txt"]
    assert (outside / "secret.txt").read_text() == "secret"


@pytest.mark.parametrize("tool", ["move", "copy"])
def test_nothing_is_put_behind_a_link(place, tool):
    os.symlink(place.root.parent / "outside", place.root / "way")
    (place.root / "n.txt").write_text("n")
    (place.root / "d").mkdir()
    for path in ("n.txt", "d"):
        with pytest.raises((FileChangedError, PathRefusedError)):
            run(place, tool, path, destination="way/new")
    assert [p.name for p in (place.root.parent / "outside").iterdir()] == ["secret.txt"]


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/w", "../outside/secret.txt", "a/../../x", ".planvow/x", ".git/hooks/x"]
)
def test_paths_outside_and_folders_of_ours_are_refused(place, path):
    with pytest.raises(PathRefusedError):
        place.run("files.create_file", {"path": f"{place.root}/{path}" if path[0] != "/" else path}, "t1")


def test_a_call_can_be_checked_before_it_is_made(place):
    place.check("files.list", {"path": str(place.root)})
    place.check("files.copy", {"path": f"{place.root}/a", "destination": f"{place.root}/b"})
    for args in ({"path": "/etc/x"}, {"path": f"{place.root}/a", "destination": "/etc/x"}, {"path": str(place.root)}):
        with pytest.raises(PathRefusedError):
            place.check("files.copy", args)


def test_a_trash_that_is_a_link_is_not_used(place):
    os.symlink(place.root.parent / "outside", place.root / ".planvow")
    (place.root / "n.txt").write_text("n")
    with pytest.raises(PathRefusedError):
        run(place, "delete_file", "n.txt")
    assert (place.root / "n.txt").exists()


def test_a_folder_exchanged_for_a_link_while_it_is_copied_leads_nowhere(place):
    """A racer swaps an inner folder for a link to the secret, again and again, while copies are made."""
    (place.root / "d/inner").mkdir(parents=True)
    (place.root / "d/inner/plain.txt").write_text("plain")
    stop = threading.Event()

    def race():
        inner, aside = place.root / "d/inner", place.root / "aside"
        while not stop.is_set():
            os.rename(inner, aside)
            os.symlink(place.root.parent / "outside", inner)
            os.unlink(inner)
            os.rename(aside, inner)

    racer = threading.Thread(target=race)
    racer.start()
    try:
        for number in range(150):
            try:
                run(place, "copy", "d", token=f"t{number}", destination=f"copy{number}")
            except (FileChangedError, PathRefusedError):
                continue
    finally:
        stop.set()
        racer.join()
    found = [Path(folder, name) for folder, _, names in os.walk(place.root) for name in names]
    assert {path.read_text() for path in found if path.name == "plain.txt"} == {"plain"}
    assert not [path for path in found if path.name == "secret.txt"]


def test_a_second_attempt_at_an_append_recognises_the_first(place):
    (place.root / "log").write_text("one\n")
    os.chmod(place.root / "log", 0o640)
    run(place, "append", "log", step="job.1", content="two\n")
    run(place, "append", "log", step="job.2", content="two\n")
    assert run(place, "append", "log", step="job.1", content="two\n") == DONE_BEFORE
    assert (place.root / "log").read_text() == "one\ntwo\ntwo\n"
    assert (place.root / "log").stat().st_mode & 0o777 == 0o640


def test_an_attempt_that_died_just_before_its_append_is_made_up_for(place, monkeypatch):
    (place.root / "log").write_text("one\n")
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", raise_after(2))  # the staged file gets its name, the log does not
        with pytest.raises(KeyboardInterrupt):
            run(place, "append", "log", step="job.1", content="two\n")
    assert (place.root / "log").read_text() == "one\n"
    run(place, "append", "log", step="job.2", content="between\n")
    assert run(place, "append", "log", step="job.1", content="two\n")["status"] == "done"
    assert (place.root / "log").read_text() == "one\nbetween\ntwo\n"
    assert [p.name for p in place.root.iterdir() if p.name != ".planvow"] == ["log"]


def raise_after(calls):
    left, rename = count(calls, -1), os.rename

    def dying(*args, **kwargs):
        if next(left) == 1:
            raise KeyboardInterrupt
        return rename(*args, **kwargs)

    return dying


def test_appends_at_the_same_time_are_all_kept(place):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: run(place, "append", "log", content=f"{number}\n"), range(40)))
    assert sorted(map(int, (place.root / "log").read_text().split())) == list(range(40))


def test_a_second_attempt_neither_moves_nor_copies_a_folder_into_itself(place):
    (place.root / "d/e").mkdir(parents=True)
    assert run(place, "copy", "d", step="job.1", destination="c")["status"] == "done"
    assert run(place, "copy", "d", step="job.1", destination="c") == DONE_BEFORE
    assert [p.name for p in (place.root / "c").iterdir()] == ["e"]
    assert run(place, "move", "c", step="job.2", destination="m")["status"] == "done"
    assert run(place, "move", "c", step="job.2", destination="m") == DONE_BEFORE
    assert [p.name for p in (place.root / "m").iterdir()] == ["e"]
