"""The product's own index of some pages, made by its indexer from the stand-in for Confluence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from core.settings import Settings, settings
from evaluation.harness.progress import status
from sandbox.programs.processes import DidNotStart
from sandbox.programs.stack import ROOT, Stack


@contextmanager
def running(pages: Path, folder: Path, more: Mapping[str, str] | None = None) -> Iterator[Settings]:
    """The settings under which these pages are indexed; `more` adds to them.

    Raises:
        DidNotStart: a program did not, or the sync failed.
    """
    more = more or {}
    with _stack(pages, folder, more) as stack:
        with status("indexing (half a minute the first time, seconds afterwards)"):
            stack.start_sandbox()
            stack.start("redis", "chroma")
            sync = stack.sync()
            if sync.process.wait() != 0:
                raise DidNotStart(f"the sync failed: {sync.last_words()}")
        reranker = more.get("RERANKER", settings().reranker)
        yield stack.settings.model_copy(update={"reranker": reranker})


def kept(pages: Path, folder: Path, more: Mapping[str, str] | None = None) -> Settings:
    """The settings of an index that stays between runs: SQL alone, the programs are stopped.

    It is made where there is none of these pages by this code.

    Raises:
        DidNotStart: a program did not, or the sync failed.
    """
    where = place_of(pages, folder)
    done = where / "done"
    if not done.exists():
        with running(pages, where, more):
            done.touch()
    return _stack(pages, where, more or {}).settings


def place_of(pages: Path, folder: Path) -> Path:
    """Where in a folder the index of these pages by this code stands; no other shares it."""
    made_from = (pages, *(ROOT / program for program in MAKE_THE_INDEX))
    return folder / _fingerprint(made_from)


# What decides which pieces of a page are in SQL. Terms are not there: a search makes them.
MAKE_THE_INDEX = ("indexer/parse", "indexer/evidence", "indexer/sync", "migrations/versions")


def _stack(pages: Path, folder: Path, more: Mapping[str, str]) -> Stack:
    chosen = {"EMBEDDER": settings().embedder, **more}
    return Stack(folder.absolute(), pages=pages.absolute(), settings=chosen)


def _fingerprint(folders: Iterable[Path]) -> str:
    """A hash of all files of some folders."""
    found = blake2b(digest_size=6)
    for folder in folders:
        files = (each for each in sorted(folder.rglob("*")) if each.is_file())
        for file in files:
            if "__pycache__" not in file.parts:
                found.update(file.relative_to(folder).as_posix().encode())
                found.update(file.read_bytes())
    return found.hexdigest()
