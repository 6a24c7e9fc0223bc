"""Two sources in one index, whose pages have the same ids, spaces, titles and texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from asking import authorizer
from markdown_folder import ALL_FORMATS, MarkdownFolder
from sqlmodel import col, select
from wiki import key, searching
from wiki_site import HOME, LEAVE, OPS, TRAVEL, Wiki, client, content

from core.access.index_overview import overview
from core.evidence import EvidenceStore
from core.evidence.blocks import Blocks
from core.models import Answer, Copy, Hit, Record, Since, Source
from core.pages import PageKey
from core.policy.acl import EVERYBODY, OPEN_ID
from core.question import Completed
from core.settings import Settings
from core.storage.index_tables import EvidenceRow
from core.turns.sources.stale_sources import compared
from indexer.sync.scheduler import SyncScheduler
from indexer.sync.status import status_of_spaces
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running
from worker.retrieval.live_access import LiveAccess

DAYS = "Everybody has 28 days of leave."
NIGHTS = "Everybody has 30 days of leave."
QUESTION = "How many days of leave has everybody?"
LINK = '<p>See <ac:link><ri:page ri:space-key="DOC" ri:content-title="Leave" /></ac:link>.</p>'


def in_files(page_id: str) -> PageKey:
    return PageKey("files", page_id)


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    wiki = Wiki(url, site, store)
    wiki.site.edit(LEAVE, f"<h2>Days</h2><p>{DAYS}</p>")
    wiki.sync()
    return wiki


@pytest.fixture
def files(wiki: Wiki, tmp_path: Path) -> MarkdownFolder:
    files = MarkdownFolder(tmp_path / "files")
    files.write(HOME, "Home", "Welcome to the files.")
    files.write(LEAVE, "Leave", f"## Days\n\n{DAYS}")
    assert synced(files, wiki)
    return files


def synced(files: MarkdownFolder, wiki: Wiki) -> bool:
    """One round of the real sync."""
    settings = Settings(confluence_spaces="DOC")
    return SyncScheduler(settings, files, wiki.store, ALL_FORMATS).sync(allow_shrink=False)


def texts(wiki: Wiki, page: PageKey) -> list[str]:
    found = Blocks(wiki.store.database).pieces({page}, EVERYBODY)
    return [piece.text for piece in found[page]]


def best(wiki: Wiki) -> Hit:
    return wiki.hits(QUESTION)[0]


def of(hit: Hit, page: PageKey) -> Hit:
    """The hit as if it had been found on this page alone."""
    (here,) = (copy for copy in hit.everywhere if copy.page.key == page)
    changed = {"evidence": here.evidence, "page": here.page, "copies": ()}
    return hit.model_copy(update=changed)


def pages(copies: tuple[Copy, ...]) -> set[PageKey]:
    return {copy.page.key for copy in copies}


def test_the_same_page_of_two_sources_is_two_pages(wiki: Wiki, files: MarkdownFolder) -> None:
    assert texts(wiki, key(LEAVE)) == texts(wiki, in_files(LEAVE)) == [DAYS]
    assert pages(best(wiki).everywhere) == {key(LEAVE), in_files(LEAVE)}
    with wiki.store.database.reading() as session:
        same = select(EvidenceRow.id).where(col(EvidenceRow.page_id) == LEAVE)
        ids = session.exec(same).all()
    assert len(set(ids)) == 2
    assert wiki.store.live().vectors.of_page(str(in_files(LEAVE))) < set(ids)


def test_a_page_is_replaced_in_its_own_source(wiki: Wiki, files: MarkdownFolder) -> None:
    files.write(LEAVE, "Leave", f"## Days\n\n{NIGHTS}")
    assert synced(files, wiki)
    assert (texts(wiki, key(LEAVE)), texts(wiki, in_files(LEAVE))) == ([DAYS], [NIGHTS])
    wiki.site.edit(LEAVE, "<p>As agreed.</p>")
    wiki.sync()
    assert texts(wiki, key(LEAVE)) == ["As agreed."]
    assert texts(wiki, in_files(LEAVE)) == [NIGHTS]


def test_a_page_is_removed_from_its_own_source(wiki: Wiki, files: MarkdownFolder) -> None:
    files.delete(LEAVE)
    assert synced(files, wiki)
    assert in_files(LEAVE) not in wiki.store.visible_pages()
    assert best(wiki).page.key == key(LEAVE)
    files.write(LEAVE, "Leave", f"## Days\n\n{DAYS}")
    assert synced(files, wiki)
    wiki.site.trash(LEAVE)
    wiki.sync()
    assert key(LEAVE) not in wiki.store.visible_pages()
    assert best(wiki).page.key == in_files(LEAVE)


def test_a_page_is_closed_in_its_own_source(wiki: Wiki, files: MarkdownFolder) -> None:
    found = best(wiki)
    wiki.store.set_acl([in_files(LEAVE)], before=OPEN_ID, now="few")
    reading = searching(wiki.store)
    assert reading.all_readable([of(found, key(LEAVE))], EVERYBODY)
    assert not reading.all_readable([of(found, in_files(LEAVE))], EVERYBODY)
    assert reading.for_some([key(LEAVE), in_files(LEAVE)]) == {in_files(LEAVE)}
    assert pages(best(wiki).everywhere) == {key(LEAVE)}


def test_a_restriction_counts_in_its_own_source(wiki: Wiki, files: MarkdownFolder) -> None:
    files.restricted[LEAVE] = frozenset({"user:x"})
    assert synced(files, wiki)
    assert pages(best(wiki).everywhere) == {key(LEAVE)}


def test_each_source_is_asked_for_its_own_pages(wiki: Wiki, files: MarkdownFolder) -> None:
    found = best(wiki)
    both = LiveAccess(authorizer(wiki.store.database, client(wiki.url), files, chosen=Settings()))
    (confirmed,) = both.confirmed([found], EVERYBODY).hits
    assert pages(confirmed.everywhere) == {key(LEAVE), in_files(LEAVE)}
    files.restricted[LEAVE] = frozenset({"user:x"})
    (confirmed,) = both.confirmed([found], EVERYBODY).hits
    assert pages(confirmed.everywhere) == {key(LEAVE)}


def test_what_no_source_can_confirm_is_not_used(wiki: Wiki, files: MarkdownFolder) -> None:
    confirmer = LiveAccess(authorizer(wiki.store.database, client(wiki.url), chosen=Settings()))
    (confirmed,) = confirmer.confirmed([best(wiki)], EVERYBODY).hits
    assert pages(confirmed.everywhere) == {key(LEAVE)}


def test_a_title_belongs_to_its_own_source(wiki: Wiki, files: MarkdownFolder) -> None:
    wiki.site.edit(OPS, LINK)
    wiki.sync("OPS")
    shown = texts(wiki, key(OPS))
    assert "Leave" in shown[0]
    files.delete(LEAVE)
    assert synced(files, wiki)
    assert texts(wiki, key(OPS)) == shown


def test_a_source_of_an_answer_is_stale_when_its_own_page_has_changed(
    wiki: Wiki, files: MarkdownFolder
) -> None:
    found = best(wiki)
    files.write(LEAVE, "Leave", NIGHTS)
    assert synced(files, wiki)
    for page, since in ((key(LEAVE), None), (in_files(LEAVE), Since.CHANGED)):
        hit = of(found, page)
        source = Source(number=1, title="Leave", url="u", evidence_ids=(hit.evidence.id,))
        answer = Answer(text="28 [1]", sources=(source,))
        record = Record(completed=Completed(question="", text=""), hits=(hit,), answer=answer)
        (now,) = compared(wiki.store.database, record, record.answer.sources, EVERYBODY)
        assert now.since is since


def test_spaces_of_the_same_key_are_counted_apart(wiki: Wiki, files: MarkdownFolder) -> None:
    told = {(each.source, each.space): each.pages for each in status_of_spaces(wiki.store.database)}
    assert told == {("confluence", "DOC"): 4, ("files", "DOC"): 2}
    assert [(each.key, each.pages) for each in overview(wiki.store.database).spaces] == [
        ("DOC", 4),
        ("DOC", 2),
    ]


def test_a_format_that_nothing_reads_fails_its_pages_alone(
    wiki: Wiki, files: MarkdownFolder
) -> None:
    files.write(TRAVEL, "Travel", "A hotel.")
    settings = Settings(confluence_spaces="DOC")
    assert not SyncScheduler(settings, files, wiki.store).sync(allow_shrink=False)
    (status,) = (each for each in status_of_spaces(wiki.store.database) if each.source == "files")
    assert [each["page"] for each in status.failures] == [TRAVEL]
    assert "markdown" in str(status.failures[0]["error"])
