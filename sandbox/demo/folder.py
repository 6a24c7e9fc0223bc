"""The folder that keeps a demo's index: one for each set of pages, new when they change."""

from __future__ import annotations

import fcntl
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from core.settings.private_files import make_private

ENTITIES = "entities.yaml"


class InUse(Exception):
    """Another demo works in this folder."""


@contextmanager
def demo_folder(home: Path, pages: Path) -> Iterator[Path]:
    """The folder for these pages, locked while the block runs; older versions of it are deleted.

    Raises:
        InUse: another demo shows the same pages right now.
    """
    name = re.sub(r"[^a-z0-9]+", "-", pages.name.lower()).strip("-") or "pages"
    family = f"{name}-{_digest(str(pages.absolute()))}"
    folder = home / f"{family}-{_fingerprint(pages)}"
    make_private()  # else the product refuses the folder, and `var` above it, its own by default
    folder.mkdir(parents=True, exist_ok=True)
    with (home / f"{family}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sentence = f"another demo shows {pages} already: stop it first (Ctrl-C there)"
            raise InUse(sentence) from None
        for old in home.glob(f"{family}-*"):
            if old != folder:
                shutil.rmtree(old)
        shutil.rmtree(folder / "logs", ignore_errors=True)
        yield folder.absolute()


def entities_of(pages: Path) -> dict[str, str]:
    """The setting that names the organization of these pages, where a file beside them does."""
    file = (pages / ENTITIES).absolute()
    return {"ENTITIES_FILE": str(file)} if file.is_file() else {}


def _fingerprint(pages: Path) -> str:
    """Names, sizes and times of all files: a restart of the stand-in forgets version numbers."""
    lines = []
    for file in sorted(file for file in pages.rglob("*") if file.is_file()):
        stat = file.stat()
        lines.append(f"{file} {stat.st_size} {stat.st_mtime_ns}")
    return _digest("\n".join(lines))


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=4).hexdigest()
