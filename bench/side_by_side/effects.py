"""What the agents do to the world, the same for all: three calls, each with a line in a file, and a plug to pull."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1])
ORDER = ["reserve", "charge", "ship"]


def really(name: str) -> str:
    """Do one thing for good; the first time `charge` is done, the power goes before anybody can note it."""
    with (FOLDER / "effects").open("a") as file:
        file.write(f"{name}\n")
        file.flush()
        os.fsync(file.fileno())
    plug = FOLDER / "plug"
    if name == "charge" and plug.exists():
        plug.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return f"{name}d"


def was_it_done(name: str) -> bool:
    """Look into the world."""
    file = FOLDER / "effects"
    return file.exists() and name in file.read_text().split()
