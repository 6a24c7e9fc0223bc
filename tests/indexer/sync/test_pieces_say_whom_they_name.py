"""Each piece of evidence carries the id of every page that it names, and of no other page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import pytest
from sqlmodel import select, update
from storage_pages import page
from wiki import key
from wiki_site import Wiki

from core.evidence import EvidenceStore
from core.models import Evidence
from core.storage.index_tables import EvidenceRow, PageRow
from indexer.evidence.build import evidence
from indexer.parse import PageTitle, Site, parse
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site as Control
from sandbox.confluence.site.content import Comment, Content, Entry
from sandbox.http.server import running

FILLER = "<p>Rope is kept in the shed beside the second lock.</p>"


def link(title: str, said: str = "") -> str:
    body = f"<ac:link-body>{said}</ac:link-body>" if said else ""
    return f'<ac:link><ri:page ri:content-title="{title}" />{body}</ac:link>'


def macro(name: str, written: str) -> str:
    return (
        f'<ac:structured-macro ac:name="{name}"><ac:parameter ac:name="">{written}</ac:parameter>'
        "</ac:structured-macro>"
    )


def address(number: int) -> str:
    return f"https://example.com/wiki/spaces/DOC/pages/{number}/x"


def ways(number: int, title: str) -> Mapping[str, str]:
    """How the page with this number and title can be named on another one."""
    plain, smart = link(title), f'<a href="{address(number)}" data-card-appearance="inline">x</a>'
    other_case = f'<a href="{address(number)}"> {title.upper()} </a>'
    file = f'<ri:attachment ri:filename="{title}.pdf">{link(title)[9:-10]}</ri:attachment>'
    table = (
        "<table><tr><th>What</th><th>Where</th></tr><tr><td>Rope</td><td>Shed</td></tr>"
        f"<tr><td>Tar</td><td>{plain}</td></tr></table>"
    )
    return {
        "a link": f"<p>See {plain} first.</p>",
        "words that are the title": f"<p>See {link(title, f'<em>{title.lower()}</em>')}.</p>",
        "an address with the title as its words": f"<p>See {other_case}.</p>",
        "a pasted address": f'<p>See <a href="{address(number)}">{address(number)}</a>.</p>',
        "a smart link": f"<p>See {smart}.</p>",
        "an include": macro("include", plain),
        "an excerpt": macro("excerpt-include", plain),
        "a cell": table,
        "an item": f"<ul><li>Rope</li><li>{smart}</li></ul>",
        "a task": f"<ac:task-list><ac:task><ac:task-body>{plain}</ac:task-body></ac:task>"
        "</ac:task-list>",
        "a heading": f"<h2>{smart}</h2>{FILLER}",
        "a bold line": f"<p><strong>{smart}</strong></p>{FILLER}",
        "code": f"<pre>grep {smart} log</pre>",
        "a panel": '<ac:structured-macro ac:name="info"><ac:rich-text-body>'
        f"<p>{plain}</p></ac:rich-text-body></ac:structured-macro>",
        "a picture kept there": f"<p><ac:image>{file}</ac:image></p>",
        "children": '<ac:structured-macro ac:name="children" />',
        "children in a cell": "<table><tr><td>Below</td><td>"
        '<ac:structured-macro ac:name="children" /></td></tr></table>',
        "a comment": "",
    }


CASES = list(ways(0, ""))


def pages() -> Sequence[Entry]:
    """A page for each way, around which there is other text, and for each the page it names."""
    made: list[Entry] = [Entry("20", "OPS", "On call", FILLER)]
    for number, case in enumerate(CASES, 100):
        title = f"Quokka{number} ledger{number}"
        body = f"{FILLER}{ways(number, title)[case]}{FILLER}<h2>Further</h2>{FILLER}"
        host = Entry(f"{number}00", "DOC", f"Host {number}", body)
        if case == "a comment":
            host.comments.append(Comment("9", f"<p>{link(title)}</p>", "sandbox:ines"))
        parent = host.id if case.startswith("children") else None
        made += [host, Entry(str(number), "DOC", title, "", parent_id=parent)]
    return made


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Control]]:
    with running(build_app(Content(list(pages()), [], {}))) as url, Control(url) as control:
        control.reset()
        yield url, control


@pytest.fixture
def wiki(served: tuple[str, Control], store: EvidenceStore) -> Wiki:
    url, control = served
    return Wiki(url, control, store, {"confluence_comments": True})


def pieces(wiki: Wiki) -> list[Evidence]:
    with wiki.store.database.reading() as session:
        rows = session.exec(select(EvidenceRow)).all()
    return [Evidence.model_validate(row.record) for row in rows]


def named_in(piece: Evidence) -> set[str]:
    """The numbers of the pages of whose title a word stands anywhere in the piece."""
    return set(re.findall(r"(?:quokka|ledger)(\d+)", piece.model_dump_json().lower()))


def test_a_piece_names_exactly_the_pages_whose_titles_it_shows(wiki: Wiki) -> None:
    wiki.sync()
    found = pieces(wiki)
    for piece in found:
        assert set(piece.names) == named_in(piece), piece
    shown = set[str]().union(*map(named_in, found))
    assert {CASES[int(number) - 100] for number in shown} == set(CASES)
    assert not all(piece.names for piece in found)


def test_the_marks_of_titles_reach_neither_readers_nor_ids(wiki: Wiki) -> None:
    wiki.sync()
    for piece in pieces(wiki):
        assert not re.search("[\ufdd0-\ufdef]", piece.model_dump_json())


def test_a_page_above_is_known_by_its_id_as_by_its_title(wiki: Wiki) -> None:
    wiki.sync()
    number = 100 + CASES.index("children")
    record = wiki.row(str(number)).record
    assert (record["breadcrumbs"], record["above"]) == ([f"Host {number}"], [f"{number}00"])


def test_pages_of_an_older_index_are_read_again_and_nothing_is_embedded(wiki: Wiki) -> None:
    wiki.sync()
    before = sorted(pieces(wiki), key=lambda piece: piece.id)
    with wiki.store.database.session() as session:
        for row in session.exec(select(PageRow)).all():
            row.record = {**row.record, "above": []}
            row.made_by = "3"
        for piece in session.exec(select(EvidenceRow)).all():
            piece.record = {**piece.record, "names": []}
        session.exec(update(PageRow).values(body_hash="of version 3"))
    again = wiki.sync()
    assert (again.fetched, again.embedded) == (len(pages()) - 1, 0)
    assert sorted(pieces(wiki), key=lambda piece: piece.id) == before
    asked = wiki.bodies_asked()
    assert wiki.sync().embedded == 0
    assert wiki.bodies_asked() == asked


def test_a_title_in_another_case_is_taken_away_with_the_page(wiki: Wiki) -> None:
    wiki.sync()
    number = 100 + CASES.index("an address with the title as its words")
    title = f"Quokka{number} ledger{number}"
    assert title.upper() in wiki.all_evidence()
    wiki.store.withhold(key(f"{number}00"), [title])
    assert title.upper() not in wiki.all_evidence()


def page_of(words: str, number: int = 40) -> list[Evidence]:
    """The evidence of a page with these words, on which the page 7 is called `Salary bands`."""
    known = {"Salary bands": PageTitle("7", "Salary bands")}
    site = Site(
        title_of=lambda name: name.title or None,
        page_of=lambda name: known.get(name.title),
    )
    storage = words.replace("@", link("Salary bands")) + FILLER * number
    return list(evidence(page(), parse(storage, site=site)))


@pytest.mark.parametrize(
    "written",
    [
        f"<ul>{'<li>Rope and tar in the shed beside the lock</li>' * 60}<li>@</li></ul>",
        f"<table><tr><th>a</th><th>b</th></tr>{'<tr><td>Rope</td><td>Tar</td></tr>' * 150}"
        "<tr><td>x</td><td>@</td></tr></table>",
        f"<p>{'Rope and tar. ' * 100}</p><p>@</p>",
    ],
)
def test_of_a_block_that_is_cut_only_the_parts_with_the_title_name_it(written: str) -> None:
    found = page_of(written)
    naming = [piece for piece in found if piece.names]
    assert naming
    assert len(naming) < len(found) / 2
    for piece in found:
        assert bool(piece.names) == ("Salary bands" in piece.model_dump_json())


def test_a_title_that_is_cut_in_two_is_named_by_both_parts() -> None:
    words = " ".join(f"word{number}" for number in range(79))
    found = page_of(f"<p>{words} @ {words} {words}</p>", 0)
    halves = [piece for piece in found if "Salary" in piece.text or "bands" in piece.text]
    assert len(halves) == 2
    assert {piece.names for piece in halves} == {("7",)}


def test_words_of_the_authors_own_name_nobody() -> None:
    own = '<p><ac:link><ri:page ri:content-title="Salary bands" /><ac:link-body>what we pay'
    assert {piece.names for piece in page_of(f"{own}</ac:link-body></ac:link></p>")} == {()}


def test_words_that_are_the_title_of_a_page_for_fewer_readers_are_withheld() -> None:
    site = Site(title_of=lambda _name: None, page_of=lambda _name: PageTitle("7", "Salary bands"))
    storage = f"<p>See <a href='{address(7)}'>salary  <b>Bands</b></a>.</p>"
    (piece,) = evidence(page(), parse(storage, site=site))
    assert (piece.text, piece.names) == ("See [another page].", ())


@pytest.mark.parametrize("words", ["Salary bands", "salary  <b>Bands</b>"])
@pytest.mark.parametrize(
    "href",
    [
        "https://example.atlassian.net/wiki/spaces/HR/pages/123/Salary+bands",
        "/wiki/spaces/HR/pages/123/Salary%20bands?focusedCommentId=1#pay",
        "https://wiki.example.org/display/HR/Salary+bands",
    ],
)
def test_words_that_are_the_title_in_the_address_of_a_page_that_nobody_knows_are_withheld(
    href: str, words: str
) -> None:
    site = Site(title_of=lambda _name: None, page_of=lambda _name: None)
    (piece,) = evidence(page(), parse(f"<p>See <a href='{href}'>{words}</a>.</p>", site=site))
    assert (piece.text, piece.names) == ("See [another page].", ())
    own = f"<p>See <a href='{href}'>what we pay</a>.</p>"
    assert evidence(page(), parse(own, site=site))[0].text == "See what we pay."


def test_characters_of_our_marks_on_a_page_harm_nothing() -> None:
    found = page_of("<p>&#xFDE0;&#xFDD3; Tar&#xFDE0;&#xFDD3;&#xFDD7; and &#xFDD1;rope</p>")
    assert found[0].text.split()[:3] == ["Tar", "and", "rope"]
