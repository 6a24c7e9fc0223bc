"""What is delivered is what is tested: lock file, licence list and versions agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
AGAIN = "run scripts/supply and commit what it wrote"
# What the locked extras do not bring, as the script says.
DELIVERED = ("postgres", "documents")
NOT_OURS = ("package", "pip", "setuptools")  # the heading, and the installer
STRONG = re.compile(r"\b(AGPL|SSPL|BUSL|GPL-\d|Commons.Clause|Proprietary)\b", re.IGNORECASE)


def lines(name: str) -> list[str]:
    return (ROOT / name).read_text(encoding="utf-8").splitlines()


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(name: str) -> dict[str, str]:
    """Versions by package."""
    found = (re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", line) for line in lines(name))
    return {canonical(each[1]): each[2] for each in found if each}


def listed() -> dict[str, tuple[str, str]]:
    """Version and licence by package."""
    rows = (line.strip("| ").split(" | ") for line in lines("docs/licences.md"))
    return {canonical(row[0]): (row[1], row[2]) for row in rows if len(row) == 3}


def test_every_version_that_is_delivered_is_the_one_that_is_tested() -> None:
    tested = pinned("constraints.txt")
    assert {name: tested.get(name) for name in pinned("requirements.lock")} == pinned(
        "requirements.lock"
    ), AGAIN


def test_every_dependency_is_delivered() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(each for name in DELIVERED for each in extras[name])]
    names = {canonical(re.split(r"[\[<>=;~! ]", each)[0]) for each in wanted}
    assert names - set(pinned("requirements.lock")) == set(), AGAIN


def test_every_file_is_named_by_its_hash() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) == len(pinned("requirements.lock"))
    assert [each for each in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}\b", each)] == []


def test_the_licences_are_those_of_what_is_delivered() -> None:
    found = {name: version for name, (version, _) in listed().items() if name not in NOT_OURS}
    versions = pinned("requirements.lock")
    assert len(found) > 100
    assert found == {name: versions.get(name) for name in found}, AGAIN


def test_no_licence_binds_those_who_run_this() -> None:
    assert [name for name, (_, licence) in listed().items() if STRONG.search(licence)] == []
