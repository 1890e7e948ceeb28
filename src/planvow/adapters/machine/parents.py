"""Processes that end with whoever started them."""

from __future__ import annotations

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """End this process, whatever it is at, when the one that started it is gone: who was killed could not do it."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="planvow-parent", daemon=True).start()
