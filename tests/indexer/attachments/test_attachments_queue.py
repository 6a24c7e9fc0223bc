"""Attachments wait in a queue of their own: pages never wait for them, and none is starved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec

import pytest
from sqlmodel import Session, select, update
from wiki_site import HOME, LEAVE, OPS, SALARY, TRAVEL, Wiki, content

from core.evidence import EvidenceStore
from core.storage.index_tables import AttachmentRow, ConversionRow
from indexer.attachments.outcomes import State
from indexer.sync.status import SpaceStatus, status_of_spaces
from indexer.sync.status_table import problems
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.hostile import HOSTILE, pdfs
from sandbox.http.server import running

pytestmark = pytest.mark.skipif(
    find_spec("markitdown") is None, reason="needs the extra `documents`"
)
# Those that take a blink, so that a sync with all of them stays short.
QUICK = (
    "zip bomb in Word",
    "nested zips",
    "overlapping parts",
    "far cell",
    "far row",
    "billion laughs",
    "deep XML",
    "encrypted PDF",
    "PDF cut short",
    "page tree in a circle",
    "empty file",
    "page of HTML called Word",
)


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    return Wiki(url, site, store, {"confluence_attachments": True})


def rows(wiki: Wiki) -> dict[str, AttachmentRow]:
    """By the name of the file."""
    with wiki.store.database.reading() as session:
        return {row.name: row for row in session.exec(select(AttachmentRow)).all()}


def conversions(wiki: Wiki) -> Sequence[ConversionRow]:
    with wiki.store.database.reading() as session:
        return session.exec(select(ConversionRow)).all()


def downloads(wiki: Wiki) -> int:
    return sum("download" in request["path"] for request in wiki.site.received())


def read_names(wiki: Wiki) -> set[str]:
    return {name for name, row in rows(wiki).items() if row.state == State.READ}


def status(wiki: Wiki) -> SpaceStatus:
    return next(each for each in status_of_spaces(wiki.store.database) if each.space == "DOC")


def test_hostile_files_cost_an_entry_each_and_nothing_else(wiki: Wiki) -> None:
    for number, what in enumerate(QUICK):
        name, make = HOSTILE[what]
        wiki.site.attach(LEAVE, f"{number}-{name}", make())
    wiki.site.attach(LEAVE, "notes.txt", b"Take it in May.")
    counts = wiki.sync()
    assert counts.failed == 0
    assert "Everybody has 28 days of leave." in wiki.evidence(LEAVE)
    assert "Take it in May." in "".join(wiki.evidence(LEAVE))
    found = status(wiki)
    assert found.attachments == {State.REFUSED: len(QUICK), State.READ: 1}
    assert all(entry["reason"] and entry["title"] == "Leave" for entry in found.unread_files)
    lines = list(problems([found]))
    assert lines[0] == "DOC: attachments: 1 read, 12 refused"
    assert any("Leave (2): 7-plan.pdf: the file is encrypted" in line for line in lines)


def test_a_refused_file_is_neither_downloaded_nor_opened_again(wiki: Wiki) -> None:
    wiki.site.attach(LEAVE, "plan.pdf", pdfs.encrypted())
    wiki.sync()
    assert downloads(wiki) == 1
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert downloads(wiki) == 1
    wiki.site.attach(LEAVE, "plan.pdf", pdfs.plain())
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert "Osprey" in "".join(wiki.evidence(LEAVE))
    assert status(wiki).unread_files == []


def test_the_same_content_on_two_pages_is_opened_once(wiki: Wiki) -> None:
    wiki.site.attach(LEAVE, "a.pdf", pdfs.encrypted())
    wiki.site.attach(TRAVEL, "b.pdf", pdfs.encrypted())
    wiki.sync()
    assert [each.reason for each in conversions(wiki)] == ["the file is encrypted"]
    assert len(status(wiki).unread_files) == 2


def test_a_new_converter_tries_again_and_the_old_text_stays_until_then(wiki: Wiki) -> None:
    wiki.site.attach(LEAVE, "notes.txt", b"Take it in May.")
    wiki.sync()
    with wiki.store.database.session() as session:
        of_another(session)
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert "Take it in May." in "".join(wiki.evidence(LEAVE))
    (row,) = rows(wiki).values()
    assert (row.state, row.converter != "older") == (State.READ, True)
    assert downloads(wiki) == 2
    wiki.sync()
    assert len(conversions(wiki)) == 1


def of_another(session: Session) -> None:
    """As if an older converter had read all files."""
    session.exec(update(AttachmentRow).values(converter="older"))
    session.exec(update(ConversionRow).values(converter="older"))


@pytest.mark.parametrize(
    "budget", [{"confluence_attachments_mb": 0.001}, {"confluence_attachments_s": 1e-6}]
)
def test_pages_are_found_while_files_wait_for_the_next_sync(
    wiki: Wiki, budget: dict[str, float]
) -> None:
    wiki.more.update(budget)
    for number in range(3):
        wiki.site.attach(LEAVE, f"{number}.txt", f"Note {number}. ".encode() * 70)
    counts = wiki.sync()
    assert counts.failed == 0
    assert "Everybody has 28 days of leave." in wiki.evidence(LEAVE)
    assert status(wiki).attachments == {State.READ: 1, State.WAITING: 2}
    for expected in (2, 3):
        wiki.sync()
        assert status(wiki).attachments[State.READ] == expected
    assert "Note 2." in "".join(wiki.evidence(LEAVE))


def test_a_page_with_many_files_starves_no_other_page_and_no_other_space(wiki: Wiki) -> None:
    wiki.more["confluence_attachments_mb"] = 1e-6  # one file a sync
    for number in range(5):
        wiki.site.attach(LEAVE, f"many-{number}.txt", b"One of many.")
    wiki.sync()
    wiki.site.attach(TRAVEL, "few.txt", b"One of few.")
    wiki.site.attach(OPS, "other.txt", b"Of another space.")
    wiki.later(scanned_at=0.0)
    wiki.sync("OPS")
    wiki.sync()
    wiki.sync()
    assert {"few.txt", "other.txt"} <= read_names(wiki)
    assert len(read_names(wiki)) == 4


def test_what_fails_again_and_again_comes_after_what_was_never_tried(wiki: Wiki) -> None:
    wiki.more["confluence_attachments_mb"] = 1e-6
    wiki.site.attach(HOME, "bad.txt", b"Never comes.")
    wiki.site.fault(status=404, path_contains="download")
    wiki.sync()
    found = rows(wiki)["bad.txt"]
    assert (found.state, found.failures, found.next_try > 0) == (State.FAILED, 1, True)
    (entry,) = status(wiki).unread_files
    assert entry["next_try"]
    with wiki.store.database.session() as session:
        session.exec(update(AttachmentRow).values(next_try=0.0))
    wiki.site.attach(LEAVE, "good.txt", b"Comes at once.")
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert read_names(wiki) == {"good.txt"}


def test_a_file_takes_the_readers_of_its_page_and_goes_with_it(wiki: Wiki) -> None:
    wiki.site.attach(SALARY, "bands.txt", b"Band five begins at 90,000.")
    wiki.site.attach(TRAVEL, "hotels.txt", b"The Harbour Inn is ours.")
    wiki.sync()
    assert "90,000" not in wiki.all_evidence()
    assert TRAVEL in wiki.found("Harbour Inn")
    wiki.site.restrict(TRAVEL, groups=["people"])
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert "Harbour Inn" not in wiki.all_evidence()
    wiki.sync()
    assert not any("Harbour" in each.text for each in conversions(wiki))


def test_files_are_forgotten_when_they_are_not_wanted_any_more(wiki: Wiki) -> None:
    wiki.site.attach(LEAVE, "notes.txt", b"Take it in May.")
    wiki.sync()
    wiki.more["confluence_attachments"] = False
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert (rows(wiki), list(conversions(wiki))) == ({}, [])
    assert "Take it in May." not in wiki.all_evidence()


@pytest.mark.parametrize(
    "name", ["pa\x1b[31m\u202egnp.txt", "[x](https://evil.example).txt", "../../etc/passwd.txt"]
)
def test_a_strange_name_is_shown_on_one_line_without_control_characters(
    wiki: Wiki, name: str
) -> None:
    wiki.site.attach(LEAVE, name, b"\x7fELF\0")
    wiki.sync()
    (entry,) = status(wiki).unread_files
    assert str(entry["file"]).isprintable()
    assert all(line.isprintable() for line in problems([status(wiki)]))


def test_a_name_that_is_markup_is_data_above_its_text(wiki: Wiki) -> None:
    wiki.site.attach(LEAVE, "<b>[x](https://evil.example).txt", b"Take it in May.")
    wiki.sync()
    paths = [hit.evidence.heading_path for hit in wiki.hits("Take it in May")]
    assert ("Attachment: <b>[x](https://evil.example).txt",) in paths


def test_texts_that_are_read_at_their_longest_stay_small_as_evidence(wiki: Wiki) -> None:
    """What one file may cost the indexer itself, which has no limit of memory."""
    for what in ("long header over many rows", "deep brackets", "deep quotes"):
        name, make = HOSTILE[what]
        wiki.site.attach(LEAVE, f"{len(what)}-{name}", make())
    assert wiki.sync().failed == 0
    assert sum(map(len, wiki.evidence(LEAVE))) < 3_000_000
