"""Restore: puts a backup in the place of the database, and keeps what was there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from core.errors import SettingsError
from core.settings import Settings
from core.storage.database import MIGRATIONS, Database
from groundwire.backup import postgres, sqlite
from groundwire.backup.archive import (
    DATABASE,
    Manifest,
    Progress,
    beside,
    file_name,
    manifest_of,
    no_room,
    silent,
    unpack,
)
from groundwire.backup.known import NOTHING, KnownBefore, past
from groundwire.backup.make import back_up, file_of, kind_of, pack_copy
from groundwire.backup.settle import Settled, settle


@dataclass(frozen=True)
class Restored:
    """What a restore did; `kept` is a backup of what was there, if anything was."""

    manifest: Manifest
    kept: Path | None
    settled: Settled


def restore(
    chosen: Settings, file: Path, *, forget: bool = True, progress: Progress = silent
) -> Restored:
    """Check the file, then replace the database at once, or not at all.

    `forget`: what was forgotten since the backup stays forgotten.

    Raises:
        GroundwireError: it cannot be done; nothing was changed.
    """
    manifest = manifest_of(file)
    _fits(chosen.sql_url, file, manifest)
    folder = chosen.data_dir
    if kind_of(chosen.sql_url) == "sqlite":
        folder = file_of(chosen.sql_url).parent
    no_room(folder, 3 * manifest.size)
    with beside(folder) as work:
        unpack(file, manifest, work / DATABASE, progress)
        replace = _replace_file if manifest.kind == "sqlite" else _replace_tables
        kept, settled = replace(chosen, work / DATABASE, forget, progress)
    return Restored(manifest, kept, settled)


def _fits(url: str, file: Path, manifest: Manifest) -> None:
    """Raise when the backup is for another kind of database, or another version.

    Raises:
        SettingsError: with the cure.
    """
    if manifest.kind != kind_of(url):
        raise SettingsError(
            f"{file} is of {manifest.kind}, and DATABASE_URL names {kind_of(url)}: "
            "restore it where it came from"
        )
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    try:
        ScriptDirectory.from_config(config).get_revision(manifest.migration)
    except CommandError:
        raise SettingsError(
            f"{file} was made by version {manifest.version}, which is newer than this one: "
            "install that one"
        ) from None


def _replace_file(
    chosen: Settings, new: Path, forget: bool, progress: Progress
) -> tuple[Path | None, Settled]:
    """Everything is prepared in the new file; what is there is touched last, in one transaction."""
    live = file_of(chosen.sql_url)
    with sqlite.nobody_else(live):
        pass  # said before the long work
    is_damaged = bool(sqlite.damage(live))
    known = NOTHING if is_damaged else _known(chosen.sql_url)
    with _opened(f"sqlite:///{new}") as restored:
        restored.migrate()
        settled = _settled(restored, chosen, known, forget)
    kept = _kept_beside(live.parent)
    if is_damaged:
        kept = sqlite.set_aside(live, f"{kept.stem}.db")
    with sqlite.nobody_else(live) as old:
        if known is not NOTHING:
            copied = new.with_name("kept")
            sqlite.keep(old, copied, progress)
            pack_copy(chosen.sql_url, copied, kept, progress)
        sqlite.overwrite(old, new, progress)
    return kept if kept.exists() else None, settled


def _replace_tables(
    chosen: Settings, new: Path, forget: bool, progress: Progress
) -> tuple[Path | None, Settled]:
    with postgres.nobody_else(chosen.sql_url) as connection:
        kept = None
        known = _known(chosen.sql_url)
        if known is not NOTHING:
            kept = back_up(chosen.sql_url, _kept_beside(chosen.data_dir), progress)
        progress("restoring", 0, 0)
        postgres.overwrite(chosen.sql_url, new, connection)
    with _opened(chosen.sql_url) as restored:
        restored.migrate()
        return kept, _settled(restored, chosen, known, forget)


def _settled(restored: Database, chosen: Settings, known: KnownBefore, forget: bool) -> Settled:
    return settle(restored, known, retention_days=chosen.retention_days, forget=forget)


def _known(url: str) -> KnownBefore:
    with _opened(url) as database:
        return past(database)


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


def _kept_beside(folder: Path) -> Path:
    return folder / f"before-restore-{file_name(datetime.now(UTC))}"
