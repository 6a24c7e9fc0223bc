"""Comments and attachments as evidence: they take the ACL of their page, and change without it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

import pytest
from wiki_site import LEAVE, SALARY, TRAVEL, Wiki, content

from core.evidence import EvidenceStore
from indexer.attachments.convert import as_storage
from indexer.attachments.converter import Converter
from indexer.attachments.kinds import is_wanted
from indexer.attachments.refusal import Refused
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.http.server import running

INES = "sandbox:ines"
needs_documents = pytest.mark.skipif(
    find_spec("markitdown") is None, reason="needs the extra `documents`"
)


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Site]]:
    with running(build_app(content())) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def wiki(served: tuple[str, Site], store: EvidenceStore) -> Wiki:
    url, site = served
    site.reset()
    return Wiki(
        url,
        site,
        store,
        {
            "confluence_comments": True,
            "confluence_attachments": find_spec("markitdown") is not None,
        },
    )


def test_by_default_neither_is_asked_for(wiki: Wiki) -> None:
    wiki.more.clear()
    wiki.site.comment(LEAVE, "<p>And half days?</p>")
    wiki.sync()
    assert not any(
        part in each["path"]
        for each in wiki.site.received()
        for part in ("comments", "attachments")
    )
    assert "half days" not in wiki.all_evidence()


def test_a_comment_is_found_under_its_authors_name_on_its_page(wiki: Wiki) -> None:
    wiki.site.comment(LEAVE, "<p>Half days count as half.</p>", author=INES)
    wiki.site.comment(SALARY, "<p>Not for everybody.</p>", author=INES)
    wiki.sync()
    assert "Half days count as half." in wiki.evidence(LEAVE)
    assert "Not for everybody" not in wiki.all_evidence()
    hits = [hit for hit in wiki.hits("half days") if hit.evidence.text.startswith("Half days")]
    assert (hits[0].evidence.heading_path, hits[0].evidence.anchor) == (
        ("Comment by Ines Carvalho",),
        "",
    )


def test_a_new_comment_on_an_unchanged_page_is_found_when_its_turn_comes(wiki: Wiki) -> None:
    wiki.sync()
    wiki.site.comment(LEAVE, "<p>Half days count as half.</p>", author=INES)
    wiki.sync()
    assert "Half days count as half." not in wiki.evidence(LEAVE)
    wiki.later(scanned_at=0.0)
    assert wiki.sync().embedded == 1
    assert "Half days count as half." in wiki.evidence(LEAVE)
    assert wiki.sync().fetched == 0


def test_a_title_in_a_comment_goes_when_its_page_becomes_restricted(wiki: Wiki) -> None:
    wiki.site.comment(
        LEAVE, '<p>See <ac:link><ri:page ri:content-title="Travel" /></ac:link>.</p>', author=INES
    )
    wiki.sync()
    assert "See Travel." in wiki.evidence(LEAVE)
    wiki.site.restrict(TRAVEL, groups=["people"])
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert "See [another page]." in wiki.evidence(LEAVE)
    assert "Travel" not in wiki.all_evidence()


@needs_documents
def test_an_attachment_is_found_by_its_text_and_its_name_and_goes_with_the_file(wiki: Wiki) -> None:
    wiki.site.attach(LEAVE, "rules.csv", b"Country,Days\nPorto,25\nKassel,28\n", "text/csv")
    wiki.sync()
    assert any(
        "Country is Kassel" in text and "Days is 28" in text for text in wiki.evidence(LEAVE)
    )
    assert any(
        "Attachment: rules.csv" in hit.evidence.heading_path for hit in wiki.hits("Kassel days")
    )

    wiki.site.detach(LEAVE, "rules.csv")
    wiki.later(scanned_at=0.0)
    wiki.sync()
    assert "Kassel" not in wiki.all_evidence()


@needs_documents
def test_a_file_that_nobody_can_read_costs_its_own_text_and_nothing_else(wiki: Wiki) -> None:
    wiki.site.attach(LEAVE, "broken.pdf", b"%PDF-1.4 nonsense", "application/pdf")
    wiki.site.attach(LEAVE, "picture.png", b"\x89PNG", "image/png")
    wiki.site.attach(LEAVE, "notes.txt", b"Take it in May.", "text/plain")
    counts = wiki.sync()
    assert counts.failed == 0
    assert "Take it in May." in "".join(wiki.evidence(LEAVE))
    assert "Everybody has 28 days of leave." in wiki.evidence(LEAVE)


@needs_documents
def test_a_file_above_the_limit_is_not_even_downloaded(wiki: Wiki) -> None:
    wiki.more["confluence_attachment_mb"] = 0.001
    wiki.site.attach(LEAVE, "long.txt", b"word " * 300, "text/plain")
    wiki.sync()
    assert not any("download" in each["path"] for each in wiki.site.received())


@needs_documents
@pytest.mark.parametrize("name", ["deck.pptx", "budget.xlsx", "letter.docx"])
def test_office_files_become_markup(name: str) -> None:
    text = as_storage(name, office(name))
    assert "Osprey" in text
    assert "A &amp; B &lt;x&gt;" in text
    assert "<!--" not in text


def office(name: str) -> bytes:
    """A file of each kind that says the same."""
    return {"xlsx": workbook, "pptx": slides, "docx": letter}[name.rpartition(".")[2]]()


def workbook() -> bytes:
    data, book = io.BytesIO(), import_module("openpyxl").Workbook()  # comes with the extra alone
    book.active.append(["Osprey", "A & B <x>"])
    book.save(data)
    return data.getvalue()


def slides() -> bytes:
    data, deck = io.BytesIO(), import_module("pptx").Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text = "Osprey", "A & B <x>"
    deck.save(data)
    return data.getvalue()


def letter() -> bytes:
    """The three parts that a Word document cannot do without."""
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    package = "http://schemas.openxmlformats.org/package/2006"
    office_document = (
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    )
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    paragraphs = "".join(
        f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in ("Osprey", "A &amp; B &lt;x&gt;")
    )
    part = f'<Override PartName="/word/document.xml" ContentType="{word}"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">{part}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office_document}" '
        'Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{main}">'
        f"<w:body>{paragraphs}</w:body></w:document>",
    }
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return data.getvalue()


def test_plain_text_keeps_its_lines_and_is_data() -> None:
    assert (
        as_storage("run.sh", "if a < b; then\n  echo ä\nfi".encode())
        == "<pre>if a &lt; b; then\n  echo ä\nfi</pre>"
    )
    assert (
        as_storage("notes.md", b"# Title\n\n<b>raw</b> & text")
        == "<h1>Title</h1>\n<p>&lt;b&gt;raw&lt;/b&gt; &amp; text</p>\n"
    )


@needs_documents
@pytest.mark.parametrize("data", [b"%PDF-1.4 nonsense", b"%PDF-1.4\n%%EOF", b""])
def test_a_damaged_file_is_an_error_that_says_why_without_quoting_it(data: bytes) -> None:
    with Converter() as converter, pytest.raises(Refused) as caught:
        converter.convert("plan.pdf", data)
    assert "nonsense" not in str(caught.value)


def test_what_is_no_document_is_left_alone() -> None:
    assert [is_wanted(name) for name in ("a.PDF", "b.docx", "c.txt", "d.png", "e.exe", "f")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
