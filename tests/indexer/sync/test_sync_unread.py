"""What stands in a space beside pages: counted by each sync, and never in the index."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlmodel import delete
from wiki_site import HOME, LEAVE, NEWS, TRAVEL, Wiki, content

from core.evidence import EvidenceStore
from core.storage.index_tables import SyncRow
from indexer.sync.status import SpaceStatus, status_of_spaces
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running

READABLE = {HOME, LEAVE, TRAVEL, NEWS}


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    return Wiki(url, site, store)


def status(wiki: Wiki) -> SpaceStatus:
    return status_of_spaces(wiki.store.database)[0]


def test_they_are_counted_by_kind_and_their_titles_are_nowhere_in_the_index(wiki: Wiki) -> None:
    for title in ("Tide tables", "Berths"):
        wiki.site.create("DOC", title, "<p>Secret tide.</p>", kind="whiteboard", parent_id=HOME)
    wiki.site.create("DOC", "Vendors", "", kind="database")
    assert wiki.sync().unread == {"whiteboard": 2, "database": 1}
    assert status(wiki).unread == {"whiteboard": 2, "database": 1}
    assert wiki.visible() == READABLE
    # Nobody can be asked who may see a whiteboard: a list of child pages does not name it.
    assert not any(word in wiki.all_evidence() for word in ("Tide", "tide", "Vendors"))


def test_a_space_with_nothing_else_has_none_and_one_never_listed_is_unknown(wiki: Wiki) -> None:
    wiki.sync()
    assert status(wiki).unread == {}
    with wiki.store.database.session() as session:
        session.exec(delete(SyncRow))
        session.add(
            SyncRow(space="DOC", complete=True, counts={"listed": 4})
        )  # of an older version
    assert status(wiki).unread is None


@pytest.mark.parametrize("answer", [400, 403, 404])
def test_where_the_search_refuses_the_space_is_synced_all_the_same(wiki: Wiki, answer: int) -> None:
    wiki.site.fault(path_contains="content/search", status=answer, times=9)
    counts = wiki.sync()
    assert (counts.unread, counts.failed) == (None, 0)
    assert wiki.visible() == READABLE
    assert status(wiki).unread is None
    assert not status(wiki).last_error


def test_a_live_doc_is_a_page_like_any_other(wiki: Wiki) -> None:
    body = "<p>The gangway closes at nine.</p>"
    made = wiki.site.create("DOC", "Gangway", body, subtype="live", parent_id=HOME)
    counts = wiki.sync()
    assert counts.unread == {}
    assert wiki.evidence(made["id"]) == ["The gangway closes at nine."]
