"""The file of a backup: a zip with the database and a manifest that says what it is.

It appears under its name once it is complete; until then it lies beside, and an error leaves
neither half a file nor a lost old one.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, Literal

from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import OperationalError

from core.errors import SettingsError, StoreUnavailable

FORMAT = 1
MANIFEST, DATABASE = "manifest.json", "database"  # in the zip
PIECE = 1 << 20  # bytes read at a time

Kind = Literal["sqlite", "postgresql"]
Progress = Callable[[str, int, int], None]  # what is done, bytes so far, bytes in all


def silent(_what: str, _done: int, _of: int) -> None:
    """For callers who do not watch."""


class Manifest(BaseModel):
    """What a backup is of; `migration` is the newest that its tables have."""

    format: int = FORMAT
    made_at: datetime
    version: str
    kind: Kind
    migration: str
    size: int
    sha256: str


@contextmanager
def beside(folder: Path) -> Iterator[Path]:
    """A folder to work in, on the same disk; nothing is left of it.

    Raises:
        StoreUnavailable: the disk is full, or cannot be written.
    """
    work = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = Path(mkdtemp(prefix=".groundwire-", dir=folder))
        yield work
    except sqlite3.Error as error:
        # As SQLAlchemy wraps it, so that it is said in the same sentences.
        raise OperationalError("backup", None, error) from error
    finally:
        if work:
            shutil.rmtree(work, ignore_errors=True)


def pack(database: Path, manifest: Manifest, target: Path, progress: Progress = silent) -> None:
    """Write the file, and put it in the place of one that is there."""
    new = database.with_name("new.zip")
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with database.open("rb") as source, archive.open(DATABASE, "w", force_zip64=True) as packed:
            digest = _copy(source, packed, manifest.size, progress, "packing")
        sealed = manifest.model_copy(update={"sha256": digest})
        archive.writestr(MANIFEST, sealed.model_dump_json(indent=2))
    with new.open("rb") as written:
        os.fsync(written.fileno())
    new.replace(target)


def manifest_of(file: Path) -> Manifest:
    """What a file says of itself.

    Raises:
        SettingsError: it is no backup, or one of a newer version.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            said = Manifest.model_validate_json(archive.read(MANIFEST))
    except FileNotFoundError:
        raise SettingsError(f"there is no file {file}") from None
    except (zipfile.BadZipFile, KeyError, ValidationError, IsADirectoryError) as error:
        cure = "name a file that `groundwire backup` wrote"
        raise SettingsError(f"{file} is no backup of Groundwire, or is damaged: {cure}") from error
    if said.format > FORMAT:
        raise SettingsError(f"{file} was made by a newer Groundwire ({said.version}): install it")
    return said


def unpack(file: Path, manifest: Manifest, target: Path, progress: Progress = silent) -> None:
    """Write the database to `target`.

    Raises:
        SettingsError: it is not what was packed.
    """
    try:
        with (
            zipfile.ZipFile(file) as archive,
            archive.open(DATABASE) as packed,
            target.open("wb") as plain,
        ):
            digest = _copy(packed, plain, manifest.size, progress, "checking")
    except (zipfile.BadZipFile, KeyError, EOFError, zlib.error) as error:
        raise _damaged(file) from error
    if digest != manifest.sha256:
        raise _damaged(file)


def file_name(made_at: datetime) -> str:
    """In the order of time.

    >>> file_name(datetime(2026, 3, 1, 4, 5, 6, tzinfo=UTC))
    'groundwire-20260301T040506Z.zip'
    """
    return f"groundwire-{made_at.astimezone(UTC):%Y%m%dT%H%M%SZ}.zip"


def no_room(folder: Path, needed: int) -> None:
    """Raise when a disk has less than that.

    Raises:
        StoreUnavailable: with what is free and what is needed.
    """
    existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    free = shutil.disk_usage(existing).free
    if free < needed:
        mb = 1_000_000
        raise StoreUnavailable(
            f"{folder}: {free // mb} MB are free, and {needed // mb + 1} MB are needed for a "
            "moment: free some space, or name another folder"
        )


def _copy(source: IO[bytes], target: IO[bytes], size: int, progress: Progress, what: str) -> str:
    """The digest of all that was copied."""
    digest, done = sha256(), 0
    while piece := source.read(PIECE):
        target.write(piece)
        digest.update(piece)
        done += len(piece)
        progress(what, done, size)
    return digest.hexdigest()


def _damaged(file: Path) -> SettingsError:
    return SettingsError(f"{file} is damaged; nothing was changed: take another backup")
