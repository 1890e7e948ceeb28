"""Chunks on a Ray cluster: bytes go out, lines come back. Ray tries again what a lost machine had."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any

from planvow.adapters.batch.pools import one_by_one
from planvow.errors import InputError, MissingExtraError
from planvow.service.batch.answering import Line, Means, answer_chunk

AUTO = "auto"
LOOPBACK = "127.0.0.2"
"""Where a cluster of this machine alone listens: Ray takes 127.0.0.1 for an address that others can reach."""
RETRIES = 8
"""How often Ray starts a chunk again whose process or machine was lost, before its inputs are tried apart."""
CHUNKS_PER_CPU = 4
CONNECT_SECONDS = 10


class RayWorkers:
    """The processes of a Ray cluster; `auto` finds one that runs here, or starts one of this machine alone."""

    def __init__(self, means: Means, address: str) -> None:
        self._ray = ray = _ray()
        self._started = not ray.is_initialized()
        if self._started:
            _connect(ray, address)
        self._means = ray.put(means)
        self._answer = ray.remote(max_retries=RETRIES, num_cpus=1)(answer_chunk)
        self.at_once = max(1, int(CHUNKS_PER_CPU * ray.cluster_resources().get("CPU", 1)))

    def submit(self, chunk: bytes) -> Callable[[], list[Line]]:
        """Hand a chunk over; see `Workers`."""
        reference = self._answer.remote(self._means, chunk)
        return lambda: self._result(reference, chunk)

    def _result(self, reference: Any, chunk: bytes) -> list[Line]:
        lines = self._got(reference)
        return one_by_one(chunk, self._alone) if lines is None else lines

    def _alone(self, chunk: bytes) -> list[Line] | None:
        return self._got(self._answer.remote(self._means, chunk))

    def _got(self, reference: Any) -> list[Line] | None:
        """Return the lines, or None where the process was lost too often."""
        errors = self._ray.exceptions
        try:
            lines: list[Line] = self._ray.get(reference)
        except errors.RayTaskError as error:
            raise error.cause from None
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.ObjectLostError, errors.NodeDiedError):
            return None
        return lines

    def close(self) -> None:
        """Leave the cluster; one that was started for this batch ends."""
        if self._started:
            self._ray.shutdown()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # planvow reports nothing to anybody
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingExtraError("ray", extra="cluster", purpose="planvow batch --ray") from None
    return ray


def _connect(ray: Any, address: str) -> None:
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address != AUTO:
        host = _reached(address)
        if host.startswith("127."):  # whoever asks must be seen where the others are
            quiet["_node_ip_address"] = host
    try:
        ray.init(address=address, **quiet)
    except ConnectionError as error:
        if address != AUTO:
            raise _nobody(address, error) from None
        ray.init(address="local", include_dashboard=False, **quiet | {"_node_ip_address": LOOPBACK})


def _reached(address: str) -> str:
    """Return the host of an address where somebody listens: Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
    except (OSError, ValueError, OverflowError) as error:
        raise _nobody(address, error) from None
    return host


def _nobody(address: str, error: Exception) -> InputError:
    hint = "give HOST:PORT of the head node; ray status shows whether one is there; --ray auto takes this machine's"
    return InputError(f"no Ray cluster answers: {error}", place=address, hint=hint)
