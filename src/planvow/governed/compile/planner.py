"""The planner of seed 002: a request in, plan_output out, nothing executed and nothing written.

It finds the repository's settings, index and symbols, and hands the request to the compiler. An index that is opened
once serves many requests and is opened anew when its files, or planvow.toml, change.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from planvow.errors import InputError, expect
from planvow.governed.compile.compiler import compile_request
from planvow.governed.compile.intent_tables import SHIPPED
from planvow.governed.compile.intents import Intents, intents_from
from planvow.governed.sections.config import CONFIG_NAME, GovernedConfig, load_config
from planvow.governed.substrate.interface import default_path, file_state, open_substrate
from planvow.governed.substrate.working_tree import WorkingTree

DEFAULT_SUBSTRATE = "sqlite"


class _Opened(NamedTuple):
    config_state: Any
    config: GovernedConfig
    tree: WorkingTree
    intents: Intents


def _folder(path: str | Path) -> Path:
    expect(path, (str, Path), "repo_root", "a path")
    try:
        found = Path(path).absolute()
        is_folder = found.is_dir()
    except (OSError, ValueError) as error:
        raise InputError(f"not a path: {getattr(error, 'strerror', None) or error}", place="repo_root") from None
    if not is_folder:
        raise InputError("there is no such folder", place=str(found))
    return found


class RequestPlanner:
    """Compiles governed requests against the index of a repository.

    `repo_root` defaults to the current folder, `substrate_db` to the index in its data folder, `symbols_db` to the
    same store; for the jsonl substrate both are folders. `intents` stand above the ones planvow.toml defines, and
    those above the shipped ones.

    >>> plan = RequestPlanner("notes").plan_request(request)
    >>> [step["op"] for step in plan["steps"]]
    ['READ_SECTION']
    """

    def __init__(
        self,
        repo_root: str | Path | None = None,
        substrate_db: str | Path | None = None,
        symbols_db: str | Path | None = None,
        *,
        intents: Intents | None = None,
    ) -> None:
        self._root = repo_root
        self._substrate_db = substrate_db
        self._symbols_db = symbols_db
        self._intents = intents
        self._open: dict[tuple[Path, str], _Opened] = {}

    def plan_request(
        self,
        request: Any,
        *,
        repo_root: str | Path | None = None,
        substrate: str = DEFAULT_SUBSTRATE,
        allow_unresolved: bool = False,
    ) -> dict[str, Any]:
        """Return plan_output for a request, or raise PlannerError, SymbolError or SectionError."""
        expect(substrate, str, "substrate", "sqlite or jsonl")
        opened = self._opened(_folder(repo_root or self._root or Path.cwd()), substrate)
        return compile_request(
            request,
            opened.tree,
            policy=opened.config.policy,
            expand=opened.intents.expand,
            allow_unresolved=allow_unresolved,
        )

    def close(self) -> None:
        """Let go of the opened indexes."""
        for opened in self._open.values():
            opened.tree.close()
        self._open.clear()

    def __enter__(self) -> RequestPlanner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _opened(self, root: Path, kind: str) -> _Opened:
        known = self._open.get((root, kind))
        config_state = file_state(root / CONFIG_NAME)
        if known is not None and known.config_state == config_state:
            config = known.config
        elif root.is_dir():
            config = load_config(root)
        else:
            raise InputError("there is no such folder", place=str(root))
        if known is not None and known.config is config and known.tree.is_current():
            return known
        sections_path = Path(self._substrate_db or default_path(config.data_in(root), kind))
        symbols_path = Path(self._symbols_db or sections_path)
        if known is not None:
            known.tree.close()
        sections = open_substrate(kind, sections_path)
        symbols = sections if symbols_path == sections_path else open_substrate(kind, symbols_path)
        intents = Intents(intents_from(SHIPPED), intents_from(config.intents), self._intents or Intents())
        opened = _Opened(config_state, config, WorkingTree(root, sections, symbols), intents)
        self._open[root, kind] = opened
        return opened
