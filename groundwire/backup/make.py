"""A backup: one file with the database as it is at one moment, while everything runs."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from sqlalchemy.engine import make_url

from core.errors import SettingsError, StoreUnavailable
from groundwire.backup import postgres, sqlite
from groundwire.backup.archive import (
    DATABASE,
    Kind,
    Manifest,
    Progress,
    beside,
    file_name,
    no_room,
    pack,
    silent,
)


def back_up(url: str, target: Path, progress: Progress = silent) -> Path:
    """Write a backup into a folder, or as this file; what it is called.

    Raises:
        GroundwireError: it cannot be made; a file that was there stays.
    """
    file = _file(target)
    # The copy, and the file that it is packed into.
    no_room(file.parent, 2 * _size(url))
    with beside(file.parent) as work:
        copied = work / DATABASE
        if kind_of(url) == "sqlite":
            sqlite.copy(file_of(url), copied, progress)
        else:
            progress("dumping", 0, 0)
            postgres.dump(url, copied)
        pack_copy(url, copied, file, progress)
    return file


def pack_copy(url: str, copied: Path, file: Path, progress: Progress = silent) -> None:
    """Of a copy that nobody writes to any more.

    Raises:
        StoreUnavailable: it is damaged.
    """
    if kind_of(url) == "sqlite" and (found := sqlite.damage(copied)):
        cure = "no backup was made of it; restore an older one"
        raise StoreUnavailable(f"the database is damaged ({found}): {cure}")
    manifest = Manifest(
        made_at=datetime.now(UTC),
        version=version("groundwire"),
        kind=kind_of(url),
        migration=_migration(url, copied),
        size=copied.stat().st_size,
        sha256="",
    )
    pack(copied, manifest, file, progress)


def kind_of(url: str) -> Kind:
    return "sqlite" if make_url(url).get_backend_name() == "sqlite" else "postgresql"


def file_of(url: str) -> Path:
    """Of SQLite."""
    return Path(make_url(url).database or "")


def _file(target: Path) -> Path:
    """A name that is no folder and does not end like a file is a folder to be made."""
    if target.is_dir() or not target.suffix:
        return target / file_name(datetime.now(UTC))
    return target


def _size(url: str) -> int:
    if kind_of(url) == "postgresql":
        return int(postgres.scalar(url, postgres.SIZE))
    file = file_of(url)
    return file.stat().st_size if file.exists() else 0


def _migration(url: str, copied: Path) -> str:
    """Of Postgres it is read beside the dump: nobody migrates while programs of one version run.

    Raises:
        SettingsError: the database is not one of ours.
    """
    query = "SELECT version_num FROM alembic_version"
    try:
        if kind_of(url) == "sqlite":
            with closing(sqlite3.connect(copied)) as database:
                return str(database.execute(query).fetchone()[0])
        return postgres.scalar(url, query)
    except sqlite3.OperationalError as error:
        if not re.search("no such table", str(error)):
            raise
        raise SettingsError("the database holds nothing of Groundwire yet") from None
