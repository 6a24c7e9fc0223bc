"""Model-based test of news: whatever is told, and read on whatever network, a sync ends the same.

The machine of test_sync_model, with news between the syncs. All its promises hold, and one more:
once the news of all changes was read, nobody finds a word of a page that they may not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import test_sync_model
from hypothesis import HealthCheck
from hypothesis import settings as examples
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test
from wiki import key
from wiki_site import client, settings

from core.access import page_news
from core.access.policy import read_policy
from core.errors import GroundwireError
from core.page_source import PageSource
from core.pages import CONFLUENCE
from indexer.access.permissions import read_people
from indexer.news.reader import NewsReader
from indexer.parse.formats import FORMATS
from indexer.sync.extras import Extras
from indexer.sync.parts import SyncParts
from indexer.sync.scheduler import Round
from sandbox.confluence.app import build_app
from sandbox.http.faults import CHAOS
from sandbox.http.server import running

SPACES = test_sync_model.SPACES[:2]
MANY = 999


class EditingWithNews(test_sync_model.Editing):
    """A site whose changes are told sooner or later."""

    def _do(self, verb: str, page_id: str, **more: Any) -> None:
        # What is under a page goes with it to another space, or stays without it.
        if verb in ("move", "purge"):
            self.untold.update(each for each in self._ids() if page_id in self._path(each))
        super()._do(verb, page_id, **more)
        self.untold.add(page_id)

    @rule(data=st.data())
    def tell_some(self, data: st.DataObject) -> None:
        ids = data.draw(st.lists(st.sampled_from([*self._ids(), "999999"]), max_size=4))
        page_news.tell(self.wiki.store.database, map(key, ids))

    @rule(rate=st.sampled_from([0.05, 0.3, 0.8]), seed=st.integers(0, 9999))
    def read_on_a_bad_network(self, rate: float, seed: int) -> None:
        latest = self._round()
        self.site.chaos(rate, seed=seed, kinds=sorted(CHAOS))
        self._read(latest)
        self.site.calm()

    @rule()
    def tell_all_and_read(self) -> None:
        """Of groups and spaces no news tells; but with a page its space is asked who may see it."""
        entries = self.content.entries.values()
        of_each = {entry.space: entry.id for entry in entries if entry.status == "current"}
        told = self.untold.union(of_each.values())
        page_news.tell(self.wiki.store.database, map(key, sorted(told)))
        self.wiki.later(next_try=0.0)
        latest = self._round()
        for _ in range(6):
            self._read(latest)
        left = page_news.waiting(self.wiki.store.database, CONFLUENCE, most=MANY)
        assert left == {}, "what can be read is read"
        read_people(latest.parts.source, self.wiki.store.database)
        self._all_is_told()

    @rule(data=st.data())
    def restrict_and_tell(self, data: st.DataObject) -> None:
        self.restrict(data)
        self.tell_all_and_read()

    @rule(data=st.data())
    def move_and_tell(self, data: st.DataObject) -> None:
        self.move(data)
        self.tell_all_and_read()

    def sync_all(self) -> None:
        super().sync_all()
        self._all_is_told()

    def _all_is_told(self) -> None:
        self.untold = set[str]()
        self.groups = deepcopy(self.content.groups)
        self.space_readers = deepcopy(self.content.space_readers)

    def _round(self) -> Round:
        source: PageSource = client(self.wiki.url, **self.wiki.more)
        chosen = settings(self.wiki.url, **self.wiki.more)
        extras = Extras(source, chosen, self.wiki.store.database)
        parts = SyncParts(source, self.wiki.store, read_policy(chosen, source), extras, FORMATS)
        return Round(parts, tuple(source.spaces(SPACES)), chosen.confluence_scan_period_s)

    def _read(self, latest: Round) -> None:
        before = self.wiki.visible()
        try:
            NewsReader().read(latest)
        except GroundwireError:
            assert self.site is not None  # it said what was wrong, and what was told is kept
        lost = before - self.wiki.visible()
        gone = {page_id for page_id in lost if not self._is_there(page_id)}
        assert lost == gone, "a page that still exists is never gone from the index"

    def _is_told(self) -> bool:
        """Whether all that has changed was told and read."""
        now = (self.content.groups, self.content.space_readers)
        return not self.untold and now == (self.groups, self.space_readers)

    @precondition(lambda self: self._is_told())
    @invariant()
    def nobody_finds_a_word_of_a_page_whose_news_was_read(self) -> None:
        self.look_for_secrets()


@pytest.fixture(scope="module")
def served(chroma_url: str) -> Iterator[None]:
    site = test_sync_model.content()
    with running(build_app(site)) as url:
        EditingWithNews.served = (url, site, chroma_url)
        yield


@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("served")
def test_whatever_is_told_a_sync_makes_the_index_that_it_would_make_without_news() -> None:
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    chosen = examples(
        max_examples=30,
        stateful_step_count=12,
        deadline=None,
        derandomize=True,
        suppress_health_check=slow,
    )
    run_state_machine_as_test(EditingWithNews, settings=chosen)
