"""Hosts made of network namespaces: one with PostgreSQL, the others with workers, a wire that can be pulled.

Each host has a network, a name and a cable of its own; the cables meet in a bridge on the database's host. None of
them leads outside. The addresses are of the block that is set aside for examples (RFC 5737).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from fault_command import Command, Verdict, combined
from fault_proxy import IMPATIENT
from planvow.adapters.databases.opening import open_ledger
from postgres_server import PostgresServer

NETWORK = "192.0.2"
LOOK_SECONDS = 0.02


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@cache
def lacking() -> str | None:
    """Return what keeps this machine from having hosts, or None; tried by making one."""
    if shutil.which("ip") is None or shutil.which("nsenter") is None:
        return "no `ip` or `nsenter`"
    with suppress(subprocess.CalledProcessError):
        name = f"planvow-probe-{os.getpid()}"
        _ip("netns", "add", name)
        _ip("netns", "del", name)
        return None
    return "`ip netns add` is not allowed"


needs_hosts = pytest.mark.skipif(lacking() is not None, reason=f"no network namespaces here: {lacking()}")


@dataclass(frozen=True)
class Host:
    """A namespace with a cable."""

    name: str
    address: str

    def inside(self, *words: str) -> list[str]:
        """Return a command that runs on this host, under the host's name, in the process that was asked for it."""
        named = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.name]
        return ["nsenter", f"--net=/run/netns/{self.name}", *named, *words]

    def pull_the_cable(self) -> None:
        _ip("-n", self.name, "link", "set", "cable", "down")

    def is_connected(self) -> bool:
        """Say whether this host still believes in a connection."""
        listed = ["nsenter", f"--net=/run/netns/{self.name}", "ss", "--no-header", "--tcp", "state", "established"]
        return bool(subprocess.run(listed, check=True, capture_output=True).stdout.strip())

    def plug_it_in(self) -> None:
        _ip("-n", self.name, "link", "set", "cable", "up")


@contextmanager
def network(count: int) -> Iterator[list[Host]]:
    """Make hosts that can reach one another and nothing else; the first is the one with the bridge."""
    hosts = [Host(f"planvow-{os.getpid()}-{number}", f"{NETWORK}.{number + 1}") for number in range(count)]
    first = hosts[0]
    try:
        for host in hosts:
            _ip("netns", "add", host.name)
            _ip("-n", host.name, "link", "set", "lo", "up")
        _ip("-n", first.name, "link", "add", "cable", "type", "bridge")
        for number, host in enumerate(hosts[1:], 1):
            plug = f"plug{number}"
            _ip("-n", first.name, "link", "add", plug, "type", "veth", "peer", "name", "cable", "netns", host.name)
            _ip("-n", first.name, "link", "set", plug, "master", "cable", "up")
        for host in hosts:
            _ip("-n", host.name, "address", "add", f"{host.address}/24", "dev", "cable")
            host.plug_it_in()
        yield hosts
    finally:
        for host in hosts:
            with suppress(subprocess.CalledProcessError):
                _ip("netns", "del", host.name)


@contextmanager
def working_hosts(
    folder: Path, *, hosts: int, jobs: int, steps: int, **task: str
) -> Iterator[tuple[list[Host], list[Command]]]:
    """A PostgreSQL on a host of its own with jobs in it, and the command for each of the other hosts."""
    with network(hosts + 1) as (database, *others):
        server = PostgresServer(at=database.address, inside=database.inside())
        try:
            commands = [_command(server, database, host, folder / host.name) for host in others]
            commands[-1].task |= task
            commands[0].post(jobs=jobs, steps=steps)
            yield others, commands
        finally:
            server.remove()


def _command(server: PostgresServer, database: Host, host: Host, folder: Path) -> Command:
    folder.mkdir()
    far = f"postgresql://postgres@{database.address}/postgres?{IMPATIENT.replace(' ', '&')}"
    near = f"postgresql:///postgres?host={server.folder}&user=postgres"
    return Command(far, lambda: open_ledger(near), folder, workers=2, inside=host.inside())


def work_cut_off(hosts: list[Host], commands: list[Command], *, before: int) -> tuple[Verdict, list[int]]:
    """Let all hosts work, pull the last one's cable until the others have done everything, and plug it in again.

    Every worker ends `before` steps and is held inside the next until the cable is pulled: so all hosts have their
    share, however quick the others are, and what the last one does then cannot arrive. The cable stays out until its
    connections are given up, or what was sent into them would be sent again. Returns the verdict over all hosts, and
    how many completions each has acknowledged.
    """
    gates = [command.folder / "gate" for command in commands]
    for gate in gates:
        gate.write_text(str(before))
    processes = [command.start() for command in commands]
    try:
        _until(commands, lambda: all(c.begun() == (before + 1) * c.workers for c in commands))
        hosts[-1].pull_the_cable()
        for gate in gates:
            gate.unlink()
        _until(commands, lambda: not commands[0].open_steps() and not hosts[-1].is_connected())
    finally:
        for gate in gates:
            gate.unlink(missing_ok=True)
        hosts[-1].plug_it_in()
        for command, process in zip(commands, processes, strict=True):
            command.end(process)
    return combined(commands, commands[0].folder.parent), [len(command.acks) for command in commands]


def _until(commands: list[Command], come: Callable[[], object]) -> None:
    while not come():
        time.sleep(LOOK_SECONDS)
        for command in commands:
            command.listen()
