"""Where a demo keeps its index between runs: one folder per set of pages, made anew when the pages change."""

from __future__ import annotations

import fcntl
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path


class InUse(Exception):
    """Another demo works in this folder."""


@contextmanager
def demo_folder(home: Path, pages: Path) -> Iterator[Path]:
    """The folder for these pages, ours alone while the block runs; what older versions of the pages left there is deleted.

    Raises:
        InUse: another demo shows the same pages right now.
    """
    name = re.sub(r"[^a-z0-9]+", "-", pages.name.lower()).strip("-") or "pages"
    family = f"{name}-{_digest(str(pages.absolute()))}"
    folder = home / f"{family}-{_fingerprint(pages)}"
    folder.mkdir(parents=True, exist_ok=True)
    with (home / f"{family}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse(
                f"another demo shows {pages} already: stop it first (Ctrl-C there)"
            ) from None
        for old in home.glob(f"{family}-*"):
            if old != folder:
                shutil.rmtree(old)
        shutil.rmtree(folder / "logs", ignore_errors=True)
        yield folder.absolute()


def _fingerprint(pages: Path) -> str:
    """Names, sizes and times of all files: the stand-in numbers versions by its own memory, which a restart forgets."""
    files = sorted(file for file in pages.rglob("*") if file.is_file())
    return _digest(
        "\n".join(f"{file} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files)
    )


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=4).hexdigest()
