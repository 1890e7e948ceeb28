"""A search path on which only the programs stand that every machine has: what `scripts/check` may rely on.

Where somebody has MiniZinc, a quick test that calls it passes, and fails for the next one, who has not. So quick
tests find nothing but these, whatever is installed; a test that needs more is marked `long`.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

BASIC = (
    *(
        "awk",
        "bash",
        "cat",
        "chmod",
        "cp",
        "cut",
        "dash",
        "date",
        "dirname",
        "echo",
        "env",
        "false",
        "find",
        "git",
        "grep",
    ),
    *("head", "id", "kill", "ln", "ls", "mkdir", "mktemp", "mv", "printf", "ps", "pwd", "readlink", "rm", "sed", "sh"),
    *("sleep", "sort", "tail", "tee", "test", "touch", "tr", "true", "uname", "wc", "xargs"),
)


def basic_path(folder: Path) -> str:
    """Return a search path: the running Python's own programs, and this folder with links to the basic ones."""
    for name in BASIC:
        if program := shutil.which(name):
            (folder / name).symlink_to(program)
    return os.pathsep.join((str(Path(sys.executable).parent), str(folder)))
