"""How much a command may use before it is ended."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Hard limits of one run, beside its wall clock.

    The kernel holds each process to `cpu_seconds`, `memory_mb` of data, `file_mb` for each file and `open_files`; all
    processes together are watched for `processes` and `memory_mb`. `scratch_mb` is the size of each temporary folder.
    """

    cpu_seconds: int = 600
    memory_mb: int = 4096
    file_mb: int = 1024
    open_files: int = 4096
    processes: int = 512
    scratch_mb: int = 1024
