"""Titles of other pages are shown only as the site allows: they may be for fewer readers."""

from __future__ import annotations

import pytest
from storage_pages import macro, page, pieces, texts

from core.models import Kind
from indexer.evidence.build import evidence
from indexer.parse import ChildPage, PageName, Site, parse

LINK = '<ac:link><ri:page ri:content-title="Salaries" ri:space-key="HR" /></ac:link>'
WITH_TEXT = (
    '<ac:link><ri:page ri:content-title="Salaries" /><ac:link-body>our '
    "<b>bands</b></ac:link-body></ac:link>"
)
PLAIN_TEXT = (
    '<ac:link><ri:page ri:content-title="Salaries" /><ac:plain-text-link-body>'
    "<![CDATA[our bands]]></ac:plain-text-link-body></ac:link>"
)
IMAGE = (
    '<ac:image><ri:attachment ri:filename="bonus.png">'
    '<ri:page ri:content-title="Salaries" /></ri:attachment></ac:image>'
)
INCLUDE = macro("include", **{"": '<ac:link><ri:page ri:content-title="Salaries" /></ac:link>'})
FILE = (
    '<ac:structured-macro ac:name="view-file"><ac:parameter ac:name="name">'
    '<ri:attachment ri:filename="bonus.pdf">'
    '<ri:page ri:content-title="Salaries" /></ri:attachment></ac:parameter></ac:structured-macro>'
)
DIAGRAM = macro("inc-drawio", diagramName="bonus", pageId="123")
ADDRESS = "https://example.atlassian.net/wiki/spaces/HR/pages/123/Salaries"
SMART = f'<a href="{ADDRESS}" data-card-appearance="inline">{ADDRESS}</a>'
CHILDREN = macro("children")
CARD = (
    '<ac:link ac:card-appearance="inline"><ri:page ri:content-title="Pay" />'
    "<ac:link-body>Salaries</ac:link-body></ac:link>"
)
FILLED_IN = (
    '<ac:link><ri:page ri:content-title="Salaries" />'
    "<ac:link-body>Salaries</ac:link-body></ac:link>"
)
FILE_LINK = f"<ac:link>{IMAGE[len('<ac:image>') : -len('</ac:image>')]}</ac:link>"
NAMED_IMAGE = IMAGE.replace("<ac:image>", '<ac:image ac:alt="bonus.png">')
FILE_AT = "https://example.atlassian.net/wiki/download/attachments/123/bonus.png?version=2"
IMAGE_AT = f'<ac:image><ri:url ri:value="{FILE_AT}" /></ac:image>'
ENTITY = '<ac:link><ri:content-entity ri:content-id="123" /></ac:link>'
OLD_INCLUDE = (
    '<ac:macro ac:name="include">'
    "<ac:default-parameter>HR:Salaries</ac:default-parameter></ac:macro>"
)
WIDGET = macro("widget", url=ADDRESS)
CUT_SHORT = f'<a href="{ADDRESS}?src=mail">{ADDRESS[8:]}</a>'
FROM_A_COPY = f'<a href="https://go.example.org/7">{ADDRESS}</a>'
DEEP = f"{'<div>' * 70}{SMART}{'</div>' * 70}"


def site(**titles: str) -> Site:
    """A site on which these pages may be named, by their title or their id."""
    return Site(title_of=lambda name: titles.get(f"id{name.id}") or titles.get(name.title))


@pytest.mark.parametrize(
    "storage",
    [
        *(
            LINK,
            IMAGE,
            INCLUDE,
            SMART,
            FILE,
            DIAGRAM,
            f"<p>{LINK}</p>",
            f"<table><tr><td>{LINK}</td></tr></table>",
        ),
        *(
            CARD,
            FILLED_IN,
            FILE_LINK,
            NAMED_IMAGE,
            IMAGE_AT,
            f'<img src="{FILE_AT}" />',
            ENTITY,
            OLD_INCLUDE,
            WIDGET,
            CUT_SHORT,
        ),
        *(
            FROM_A_COPY,
            DEEP,
            f"<p><b>{SMART}</b></p><p>Text</p>",
            f"<pre>{SMART}</pre>",
            f"<h2>{CARD}</h2>",
            macro("code", SMART),
        ),
        f'<ac:image ac:alt="chart"><ac:caption><p>{SMART}</p></ac:caption></ac:image>',
    ],
)
def test_the_title_of_a_page_that_must_not_be_named_is_nowhere(storage: str) -> None:
    shown = "\n".join(piece.model_dump_json() for piece in pieces(storage, site=site()))
    assert "another page]" in shown
    assert not any(word in shown for word in ("Salaries", "bonus", "123"))


def test_a_page_that_may_be_named_is_named_as_the_site_calls_it_now() -> None:
    assert texts(f"<p>See {LINK}.</p>", site=site(Salaries="Pay")) == ["See Pay."]
    assert texts(f"<p>{INCLUDE}</p>", site=site(Salaries="Pay")) == ["[included from: Pay]"]
    assert texts(f"<p>See {SMART}.</p>", site=site(id123="Pay")) == ["See Pay."]


@pytest.mark.parametrize("storage", [WITH_TEXT, PLAIN_TEXT])
def test_what_the_author_wrote_is_the_authors_to_say(storage: str) -> None:
    assert texts(f"<p>See {storage}.</p>", site=site()) == ["See our bands."]


def test_a_page_by_itself_shows_what_is_written() -> None:
    assert texts(f"<p>{LINK} {SMART}</p>") == [f"Salaries {ADDRESS}"]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (ADDRESS, PageName(ADDRESS, "HR", "123")),
        (
            "https://wiki.example.org/pages/viewpage.action?pageId=77",
            PageName("https://wiki.example.org/pages/viewpage.action?pageId=77", "", "77"),
        ),
        (
            "https://wiki.example.org/pages/viewpage.action?spaceKey=HR&amp;title=Salary+bands",
            PageName("Salary bands", "HR", ""),
        ),
        (
            "https://wiki.example.org/display/HR/Salary+bands?focusedCommentId=7#c",
            PageName("Salary bands", "HR", ""),
        ),
        ("https://wiki.example.org/display/HR/2026/05/04/We+moved", PageName("We moved", "HR", "")),
        (
            "/wiki/spaces/HR/pages/edit-v2/123",
            PageName("/wiki/spaces/HR/pages/edit-v2/123", "HR", "123"),
        ),
        (
            "/wiki/spaces/HR/blog/2026/05/04/123/We+moved",
            PageName("/wiki/spaces/HR/blog/2026/05/04/123/We+moved", "HR", "123"),
        ),
        (
            "https://example.atlassian.net/wiki/x/AbC?atlOrigin=e",
            PageName("https://example.atlassian.net/wiki/x/AbC?atlOrigin=e"),
        ),
        (
            "https://example.atlassian.net/l/cp/AbC1",
            PageName("https://example.atlassian.net/l/cp/AbC1"),
        ),
        ("https://wiki.example.org/display/HR/Salary+bands", PageName("Salary bands", "HR", "")),
        (
            "https://example.atlassian.net/wiki/x/AbC-1",
            PageName("https://example.atlassian.net/wiki/x/AbC-1", "", ""),
        ),
    ],
)
def test_an_address_as_its_own_text_is_a_page(address: str, name: PageName) -> None:
    assert parse(f'<a href="{address}">{address}</a>').names == (name,)


@pytest.mark.parametrize(
    "address",
    [
        "http://[not/an/address.png",
        "https://",
        "",
        "://",
        "?",
        "//pages/",
        "/x/",
        "%ff%zz/display//",
    ],
)
def test_an_address_that_is_nonsense_never_raises(address: str) -> None:
    for storage in (
        f'<a href="{address}">{address}</a>',
        f'<img src="{address}" />',
        macro("widget", url=address),
    ):
        pieces(storage, site=site())


def test_an_address_of_something_else_and_a_link_with_words_of_its_own_are_left_alone() -> None:
    elsewhere = (
        "https://example.org/a",
        "https://example.org/a/b/x/tree",
        "https://example.org/display/OPS",
        "https://example.org/a.action",
    )
    for storage in (
        *(f'<a href="{address}">{address}</a>' for address in elsewhere),
        f'<a href="{ADDRESS}">the list</a>',
    ):
        assert parse(storage).names == ()
        assert "[another page]" not in "".join(texts(storage, site=site()))


def test_every_page_that_is_named_or_withheld_is_remembered_once() -> None:
    found = parse(f"<p>{LINK} {LINK} {INCLUDE}</p>", site=site(Salaries="Pay"))
    assert found.names == (PageName("Salaries", "HR"), PageName("Salaries"))
    assert not found.shows_children
    assert parse(CHILDREN).shows_children


SOME = Site(
    children=(
        ChildPage("1", "Cranes"),
        ChildPage("2", "Bonus", "few"),
        ChildPage("3", "Locks"),
        ChildPage("4", "Pay", "fewer"),
    )
)


def test_child_pages_for_fewer_people_are_pieces_of_their_own() -> None:
    found = pieces(f"<p>Before.</p>{CHILDREN}<p>After.</p>", site=SOME)
    lists = [
        (piece.text.rpartition("\n")[2], piece.acl_id, piece.names)
        for piece in found
        if piece.kind is Kind.CHILD_PAGES
    ]
    assert lists == [
        ("Child pages: Cranes; Locks", "", ("1", "3")),
        ("Child pages: Bonus", "few", ("2",)),
        ("Child pages: Pay", "fewer", ("4",)),
    ]


OPEN = Site(children=tuple(child for child in SOME.children if not child.acl_id))
NONE_OPEN = Site(children=tuple(child for child in SOME.children if child.acl_id))


@pytest.mark.parametrize(
    "storage",
    [
        f"<p>Before.</p>{CHILDREN}<h2>A</h2><p>After.</p>",
        f"<p>Read on:</p>{CHILDREN}<ul><li>below</li></ul>",
        f"<h1>A</h1><h2>Only children</h2>{CHILDREN}<h2>B</h2><p>After.</p>",
        f"<p>In the middle {CHILDREN} of a sentence</p><p>and another</p>",
        f"<p>One.</p>{macro('info', CHILDREN, title='Below')}<p>Two.</p>",
        f"<pre>a</pre>{CHILDREN}<pre>b</pre>",
        f"<p>Child pages: Bonus</p>{CHILDREN}{CHILDREN}",
        f"<ul><li>Under: {CHILDREN}</li></ul><table><tr><th>a</th></tr><tr>"
        f"<td>{CHILDREN}</td></tr></table>",
    ],
)
@pytest.mark.parametrize(("all_children", "for_everybody"), [(SOME, OPEN), (NONE_OPEN, Site())])
def test_whoever_may_not_see_a_child_page_sees_what_there_would_be_without_it(
    storage: str, all_children: Site, for_everybody: Site
) -> None:
    found = [piece for piece in pieces(storage, site=all_children) if not piece.acl_id]
    assert found == pieces(storage, site=for_everybody)


def test_child_pages_for_fewer_people_keep_their_place_and_their_announcement() -> None:
    (piece,) = (
        piece
        for piece in pieces(f"<h2>Harbour</h2><p>Read on:</p>{CHILDREN}", site=NONE_OPEN)
        if piece.acl_id == "few"
    )
    assert (piece.heading_path, piece.anchor, piece.text) == (
        ("Harbour",),
        "Harbour",
        "Read on:\nChild pages: Bonus",
    )


def test_child_pages_in_a_comment_are_for_fewer_people_too() -> None:
    found = evidence(
        page(),
        parse("<p>Body.</p>"),
        [("Comment by Ana Lima", parse(f"<h2>Hm</h2>{CHILDREN}", site=NONE_OPEN))],
    )
    assert [(piece.heading_path, piece.acl_id) for piece in found[-2:]] == [
        (("Comment by Ana Lima", "Hm"), "few"),
        (("Comment by Ana Lima", "Hm"), "fewer"),
    ]


@pytest.mark.parametrize(
    "around",
    ["<ul><li>Under: {}</li></ul>", "<table><tr><th>a</th></tr><tr><td>{}</td></tr></table>"],
)
def test_in_cells_and_items_only_what_every_reader_may_see_is_named(around: str) -> None:
    shown = "\n".join(
        piece.model_dump_json() for piece in pieces(around.format(CHILDREN), site=SOME)
    )
    assert "Child pages: Cranes; Locks" in shown
    assert not any(word in shown for word in ("Bonus", "Pay"))


def test_comments_and_files_stand_behind_the_body_under_their_names() -> None:
    table = "<table><tr><th>a</th></tr><tr><td>b</td></tr></table>"
    extra = [
        ("Comment by Ana Lima", parse("<h2>Hm</h2><p>No.</p>")),
        ("Attachment: a.csv", parse(table)),
    ]
    found = evidence(page(), parse(f"<h1 id='x'>One</h1><p>Body.</p>{table}"), extra)
    assert [(piece.heading_path, piece.kind, piece.table_number) for piece in found] == [
        (("One",), Kind.PASSAGE, None),
        (("One",), Kind.TABLE, 1),
        (("One",), Kind.ROW, 1),
        (("Comment by Ana Lima", "Hm"), Kind.PASSAGE, None),
        (("Attachment: a.csv",), Kind.TABLE, 2),
        (("Attachment: a.csv",), Kind.ROW, 2),
    ]
    assert [piece.position for piece in found] == list(range(6))
    assert {piece.anchor for piece in found[3:]} == {""}
