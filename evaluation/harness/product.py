"""The product's own index of some pages, made by its indexer from the stand-in for Confluence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from core.settings import Settings, settings
from evaluation.harness.progress import status
from sandbox.programs.processes import DidNotStart
from sandbox.programs.stack import Stack


@contextmanager
def running(pages: Path, folder: Path, more: Mapping[str, str] | None = None) -> Iterator[Settings]:
    """The settings under which these pages are indexed; `more` adds to them.

    Raises:
        DidNotStart: a program did not, or the sync failed.
    """
    more = more or {}
    with Stack(
        folder.absolute(),
        pages=pages.absolute(),
        settings={"EMBEDDER": settings().embedder, **more},
    ) as stack:
        with status("indexing (half a minute the first time, seconds afterwards)"):
            stack.start_sandbox()
            stack.start("redis", "chroma")
            sync = stack.sync()
            if sync.process.wait() != 0:
                raise DidNotStart(f"the sync failed: {sync.last_words()}")
        reranker = more.get("RERANKER", settings().reranker)
        yield stack.settings.model_copy(update={"reranker": reranker})
