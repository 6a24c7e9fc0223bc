"""Disk space before a start or a sync: on a full disk a database is neither written nor cleared."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import make_url

from core.errors import StoreUnavailable
from core.settings import Settings

MB = 1_000_000
START_FREE_MB = 50  # with less, a database may not even say that it is full


def require_disk_space(chosen: Settings) -> None:
    """Raise when there is too little.

    Raises:
        StoreUnavailable: less than DISK_FREE_MB on a disk that a sync writes to.
    """
    if problem := too_little_space(chosen):
        raise StoreUnavailable(problem)


def require_room_to_start(chosen: Settings) -> None:
    """Raise where a program could not even write down what it does.

    Raises:
        StoreUnavailable: less than START_FREE_MB, or than DISK_FREE_MB where that is less.
    """
    least = min(START_FREE_MB, chosen.disk_free_mb)
    for folder, free in _free(chosen):
        if free < least:
            raise StoreUnavailable(
                f"only {free} MB are free on the disk of {folder}, and no program begins with "
                f"less than {least}: free some space"
            )


def too_little_space(chosen: Settings) -> str:
    """The first of the folders on whose disk there is too little, as a sentence; else empty."""
    for folder, free in _free(chosen):
        if free < chosen.disk_free_mb:
            return (
                f"only {free} MB are free on the disk of {folder}, and no sync begins with less "
                f"than {chosen.disk_free_mb} (DISK_FREE_MB): free some space"
            )
    return ""


def _free(chosen: Settings) -> Iterator[tuple[Path, int]]:
    """Megabytes by folder."""
    for folder in _written(chosen):
        yield folder, shutil.disk_usage(folder).free // MB


def _written(chosen: Settings) -> list[Path]:
    """Where the index lies, as far as it is on this machine: Chroma's may be another disk."""
    folders = [chosen.data_dir, chosen.data_dir / "chroma"]
    url = make_url(chosen.sql_url)
    if url.get_backend_name() == "sqlite" and url.database:
        folders.append(Path(url.database).parent)
    return [folder for folder in folders if folder.exists()]
