"""Whatever happens to a site: nobody is sent what they may not read, nor refused what they may."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from sqlmodel import select

from core.access import confirmations
from core.access.authorizer import MOST_REQUESTS, Authorizer
from core.access.confirmations import Confirmation
from core.access.verdicts import Verdicts
from core.embeddings.bundled import Bundled
from core.pages import PageKey
from core.policy.acl import Reader
from core.storage.index_tables import PageRow, is_page
from evaluation.access import histories
from evaluation.access.histories import Report
from evaluation.access.steps import History, draw
from evaluation.access.theatre import Control, theatre
from evaluation.access.variants import VARIANTS

COUNT = 50
QUOTING = 12  # the first seed whose history has no model


@dataclass(frozen=True)
class Broken:
    """In the place of the authorizer: decides by itself, and writes it down like that one."""

    authorizer: Authorizer
    may: Callable[[Authorizer, Sequence[PageKey], Reader], frozenset[PageKey]]

    def check(
        self,
        pages: Sequence[PageKey],
        reader: Reader,
        *,
        most: int = MOST_REQUESTS,
    ) -> Verdicts:
        del most
        now = time.time()
        allowed = self.may(self.authorizer, pages, reader)
        until = now + self.authorizer.freshness.valid_s
        found = {key: Confirmation(key in allowed, now, until) for key in pages}
        confirmations.record(self.authorizer.database, reader.account, found)
        return Verdicts(allowed, denied=frozenset(pages) - allowed)

    def check_all(self, pages: Iterable[PageKey], reader: Reader) -> Verdicts:
        return self.check(list(pages), reader)


def everything(
    _authorizer: Authorizer, pages: Sequence[PageKey], _reader: Reader
) -> frozenset[PageKey]:
    return frozenset(pages)


def as_of_the_sync(
    authorizer: Authorizer, pages: Sequence[PageKey], reader: Reader
) -> frozenset[PageKey]:
    with authorizer.database.reading() as session:
        rows = session.exec(select(PageRow).where(is_page(pages))).all()
    return frozenset(row.key for row in rows if row.visible and row.acl_id in reader.acls)


def nothing(
    _authorizer: Authorizer, _pages: Sequence[PageKey], _reader: Reader
) -> frozenset[PageKey]:
    return frozenset()


def played(
    folder: Path, embedder: Bundled, drawn: Iterable[History], control: Control | None = None
) -> Report:
    with theatre(folder, embedder, control or (lambda authorizer: authorizer)) as stage:
        return histories.played(stage, drawn, most_shrunk=0)


def test_nothing_leaks_and_nothing_is_withheld_in_random_histories(
    tmp_path: Path, embedder: Bundled, queues: redis.Redis
) -> None:
    del queues
    report = played(tmp_path / "stage", embedder, map(draw, range(COUNT)))
    assert [(each.seed, each.wrong, each.steps) for each in report.found] == []
    found = report.rows["all"]
    assert found["answered"] > COUNT
    assert found["canaries sent"] > 5 * COUNT, "or there was nothing that could have leaked"
    assert found["answers taken back"] > 0
    assert found["of pages closed a moment before"] > 0
    assert len(report.rows) == len(VARIANTS) + 1
    for variant in VARIANTS:
        has_readers = report.rows[variant.name]["texts for one person"] > 0
        assert has_readers == variant.aware, variant.name


@pytest.mark.parametrize("may", [everything, as_of_the_sync])
def test_an_authorizer_that_does_not_ask_is_found_out(
    tmp_path: Path,
    embedder: Bundled,
    queues: redis.Redis,
    may: Callable[[Authorizer, Sequence[PageKey], Reader], frozenset[PageKey]],
) -> None:
    del queues
    with theatre(tmp_path / "stage", embedder, lambda authorizer: Broken(authorizer, may)) as stage:
        outcomes = (stage.play(draw(seed)) for seed in range(QUOTING, QUOTING + COUNT))
        assert any(each.leaks and each.tally.wrong for each in outcomes)


def test_an_authorizer_that_refuses_everything_is_found_out(
    tmp_path: Path, embedder: Bundled, queues: redis.Redis
) -> None:
    del queues
    report = played(
        tmp_path / "stage",
        embedder,
        map(draw, range(QUOTING, QUOTING + 4)),
        lambda authorizer: Broken(authorizer, nothing),
    )
    found = report.rows["all"]
    assert found["withheld"] > 0
    assert (found["leaks"], found["canaries sent"]) == (0, 0)


def test_a_history_is_made_smaller_as_long_as_it_still_goes_wrong() -> None:
    history = next(each for each in map(draw, range(100)) if len(each.steps) > 8)
    needed = {history.steps[1], history.steps[5]}
    least = histories.shrunk(history, lambda each: needed <= set(each.steps))
    assert set(least.steps) == needed


def test_the_same_seed_draws_the_same_history() -> None:
    assert draw(7) == draw(7)
    assert draw(7).steps != draw(8).steps
