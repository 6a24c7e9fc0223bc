"""This machine: Python, libraries, space on disks, and the files that settings name."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import jinja2

from core import grammar
from core.errors import SettingsError
from core.language import sentences
from core.outages.disk_space import MB, too_little_space
from groundwire.doctor.finding import HealthFinding, NotTried, not_tried, ok, warning, wrong
from groundwire.doctor.patient import ROOT, Patient
from worker.entities.entities_file import read
from worker.prompting import templates

OLDEST, NEWEST = (3, 11), (3, 14)  # tried; pyproject.toml names the oldest
# Another version of one of these may behave differently; of the others that is seldom.
MAIN = (
    *("alembic", "atlassian-python-api", "bm25s", "celery", "chromadb", "cryptography", "httpx"),
    *("kombu", "lxml", "numpy", "openai", "psycopg", "pydantic", "pydantic-settings", "redis"),
    *("requests", "scikit-learn", "slack-bolt", "slack-sdk", "sqlalchemy", "sqlmodel", "uvicorn"),
)
_PINNED = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def python(_at: Patient) -> HealthFinding:
    here = sys.version_info[:2]
    said = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    if here < OLDEST:
        return wrong(f"{said} is too old", "Python 3.11 to 3.14; then scripts/install")
    if here > NEWEST:
        return warning(f"{said} is newer than what was tried", "Python 3.11 to 3.14")
    return ok(said)


def libraries(_at: Patient) -> HealthFinding:
    """Those that matter most, against the versions that were tested."""
    file = ROOT / "constraints.txt"
    if not file.exists():
        raise NotTried("there is no constraints.txt here to compare with")
    pinned = {_normal(name): tested for name, tested in _PINNED.findall(file.read_text())}
    others = list(_others(pinned))
    if others:
        return warning("; ".join(others), "scripts/install takes the versions that were tested")
    return ok("the main ones have the versions that were tested")


def _others(pinned: dict[str, str]) -> Iterator[str]:
    for name in MAIN:
        tested, here = pinned.get(name), _installed(name)
        if here and tested and here != tested:
            yield f"{name} {here}, tested with {tested}"


def _installed(name: str) -> str:
    """Empty where it is not, such as psycopg, which only Postgres needs."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def disk(at: Patient) -> HealthFinding:
    if problem := too_little_space(at.settings):
        said, _, cure = problem.partition(": ")
        return wrong(said, cure)
    folder = at.settings.data_dir
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    free = shutil.disk_usage(there).free // MB
    least = at.settings.disk_free_mb
    if free < least:
        return wrong(f"{free} MB are free, DISK_FREE_MB wants {least}", "free some space")
    return ok(f"{free / 1000:,.1f} GB are free for DATA_DIR")


def entities(at: Patient) -> HealthFinding:
    file = at.settings.entities_file
    if file is None:
        return not_tried("no ENTITIES_FILE")
    try:
        return ok(f"{len(read(file))} entries in {file.name}")
    except SettingsError as error:
        return wrong(str(error), "docs/operating.md, “Entities”, has an example")


def accounts(at: Patient) -> HealthFinding:
    """It is read again and again: here only whether that can be done."""
    file = at.settings.accounts_file
    if file is None:
        return not_tried("no ACCOUNTS_FILE")
    return _readable(file, "ACCOUNTS_FILE")


def languages(_at: Patient) -> HealthFinding:
    try:
        known = sorted(grammar.languages())
        spoken = [sentences.sentences(code).language for code in known]
    except SettingsError as error:
        return wrong(str(error), "put the file of this version back in its place")
    if "en" not in spoken:
        return wrong("English is missing, which stands in for every other", "languages/en.*")
    return ok(", ".join(known))


def prompts(_at: Patient) -> HealthFinding:
    try:
        return ok(f"version {templates.version()}")
    except (jinja2.TemplateError, OSError) as error:
        return wrong(f"cannot be read ({error})", "put prompts/ of this version in its place")


def _readable(file: Path, setting: str) -> HealthFinding:
    try:
        lines = len(file.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        return wrong(f"{file} cannot be read: {why}", f"the right path in {setting}")
    return ok(f"{lines} lines in {file.name}")
