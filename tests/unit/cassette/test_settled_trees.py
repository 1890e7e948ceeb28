"""A second look at a tree: what a command left under a protected name is taken out, whatever else it did to it."""

from __future__ import annotations

import os

import pytest

from planvow.cassette.contained.tree import Tree, settle, survey
from planvow.cassette.contained.unsettled import remembered, settle_earlier

NOBODY = 65534


def as_somebody(action):
    """Run something in a child that is not root, for whom permissions count; return whether it was true."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.geteuid() == 0:
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            code = 0 if action() else 1
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("shut", [["sub"], ["sub/.git"], ["sub/.git/hooks"], ["sub/.git/hooks", "sub/.git", "sub"]])
def test_what_lies_in_folders_that_were_shut_is_taken_out_too(tmp_path, shut):
    root, quarantine = tmp_path / "tree", tmp_path / "data/quarantine"
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and folder.stat().st_mode & 0o777 == 0o700:
            folder.chmod(0o711)  # where the tests of root are kept
    (root / "sub").mkdir(parents=True)
    quarantine.parent.mkdir()
    for place in (tmp_path, root, root / "sub", quarantine.parent):
        place.chmod(0o777)

    def attacked():
        os.chdir(root)
        (root / "sub/mine").mkdir()
        before = survey(Tree(root=root))
        (root / "sub/mine/.git/hooks").mkdir(parents=True)
        (root / "sub/mine/.git/hooks/post-checkout").write_text("x")
        for path in shut:
            os.chmod(root / path.replace("sub", "sub/mine"), 0o500)
        settled = settle(Tree(root=root), before, quarantine)
        taken = (quarantine / "0-.git/hooks/post-checkout").exists()
        return settled == (["sub/mine/.git"], True) and taken and not (root / "sub/mine/.git").exists()

    assert as_somebody(attacked)


def test_what_cannot_be_taken_out_is_said_and_tried_again_by_the_next(tmp_path):
    root, quarantine, records = tmp_path / "tree", tmp_path / "data/quarantine/a", tmp_path / "data/unsettled"
    (root / "sub").mkdir(parents=True)
    (root / "planvow.toml").write_text("")
    tree = Tree(root=root)
    before = survey(tree)
    with remembered(records, "a", before):
        (root / "sub/.git").mkdir()
        quarantine.parent.mkdir(parents=True)
        quarantine.write_text("in the way")
        settled = settle(tree, before, quarantine)
        assert not settled.is_done
        assert any("cannot be taken out" in words for words in settled.wrong)
        assert settle_earlier(records, tree, tmp_path / "data/quarantine/b") == []  # "a" still runs
        assert (root / "sub/.git").exists()
    os.unlink(root / "planvow.toml")
    (root / "planvow.toml").write_text("written anew by a person")
    assert settle_earlier(records, tree, tmp_path / "data/quarantine/b") == ["sub/.git"]
    assert (tmp_path / "data/quarantine/b/0-.git").exists()
    assert (root / "planvow.toml").exists()
    assert list(records.iterdir()) == []
