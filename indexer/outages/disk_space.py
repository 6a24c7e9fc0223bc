"""Disk space before a sync: a database on a full disk can neither be written nor cleared up."""

from __future__ import annotations

import shutil
from pathlib import Path

from sqlalchemy.engine import make_url

from core.errors import StoreUnavailable
from core.settings import Settings

MB = 1_000_000


def require_disk_space(chosen: Settings) -> None:
    """Raise when there is too little.

    Raises:
        StoreUnavailable: less than DISK_FREE_MB on a disk that a sync writes to.
    """
    if problem := too_little_space(chosen):
        raise StoreUnavailable(problem)


def too_little_space(chosen: Settings) -> str:
    """The first of the folders on whose disk there is too little, as a sentence; else empty."""
    for folder in _written(chosen):
        free = shutil.disk_usage(folder).free // MB
        if free < chosen.disk_free_mb:
            return (
                f"only {free} MB are free on the disk of {folder}, and no sync begins with less "
                f"than {chosen.disk_free_mb} (DISK_FREE_MB): free some space"
            )
    return ""


def _written(chosen: Settings) -> list[Path]:
    """Where the index lies, as far as it is on this machine: Chroma's may be another disk."""
    folders = [chosen.data_dir, chosen.data_dir / "chroma"]
    url = make_url(chosen.sql_url)
    if url.get_backend_name() == "sqlite" and url.database:
        folders.append(Path(url.database).parent)
    return [folder for folder in folders if folder.exists()]
