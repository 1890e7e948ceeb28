"""A small repository and its substrate, on both kinds."""

from __future__ import annotations

import pytest

from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.interface import KINDS
from planvow.governed.substrate.working_tree import open_working_tree

GUIDE = "# Guide\n\nWelcome.\n\n## Install\n\nRun it.\nTwice.\n\n## Use\n\nCall it.\n"
CODE = 'def add(a, b):\n    """Sum."""\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n'


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def root(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/guide.md").write_text(GUIDE)
    (tmp_path / "calc.py").write_text(CODE)
    (tmp_path / "README.txt").write_text("hello\n")
    return tmp_path


@pytest.fixture
def tree(root, kind):
    """An open, writable working tree whose index is built."""
    with open_working_tree(root, kind=kind, data_folder=root / ".planvow", writable=True) as opened:
        build_index(root, opened.sections)
        yield opened
