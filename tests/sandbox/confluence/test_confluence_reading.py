"""The pages for people."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from lxml import html

from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.app import build_app
from sandbox.confluence.pages.render import render
from sandbox.confluence.site.content import Content, Entry, Person
from sandbox.confluence.site.load import load
from sandbox.http.server import running


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    with (
        running(build_app(load(SAMPLE))) as url,
        httpx.Client(base_url=url, trust_env=False) as http,
    ):
        yield http


def rendered(body: str) -> str:
    entries = [
        Entry(id="1", space="QA", title="Here", body=body),
        Entry(id="2", space="QA", title="Below & beyond", parent_id="1"),
    ]
    content = Content(entries, [Person("sandbox:ada", "Ada Lang")], {})
    return render(content, content.entries["1"])


def test_a_page_shows_where_it_is_who_owns_it_and_what_it_says(http: httpx.Client) -> None:
    page = http.get("/wiki/spaces/HR/pages/3002/Travel+policy").text
    for said in (
        "Travel policy",
        "Katrin Möbius",
        "2026-02-10",
        "People &amp; Finance Home",
        'class="label">travel',
        "110 EUR",
    ):
        assert said in page


def test_a_deep_link_finds_its_heading(http: httpx.Client) -> None:
    page = html.fromstring(http.get("/wiki/spaces/HR/pages/3002/x").text)
    headings = {heading.get("id"): heading.text for heading in page.iter("h2")}
    assert headings["Trains-and-flights"] == "Trains and flights"


def test_a_repeated_heading_gets_a_numbered_anchor() -> None:
    assert (
        rendered("<h2>My notes</h2><h2>My notes</h2>")
        == '<h2 id="My-notes">My notes</h2><h2 id="My-notes.1">My notes</h2>'
    )


def test_site_space_and_blog_post_can_be_opened(http: httpx.Client) -> None:
    assert "Werk Kassel" in http.get("/wiki").text
    space = html.fromstring(http.get("/wiki/spaces/HR").text)
    for link in space.iter("a"):
        assert http.get(str(link.get("href"))).status_code == 200, link.text
    assert http.get("/wiki/spaces/HR/pages/999/x").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        '<p onclick="alert(1)">x</p>',
        '<a href="javascript:alert(1)">x</a>',
        '<td data-highlight-colour="red;background:url(javascript:alert(1))">x</td>',
        "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
        '<ac:image ac:alt="&quot;&gt;&lt;script&gt;alert(1)">'
        '<ri:attachment ri:filename="x" /></ac:image>',
    ],
)
def test_nothing_in_a_page_can_run(body: str) -> None:
    shown = rendered(body)
    assert "<script" not in shown
    assert not html.fromstring(f"<div>{shown}</div>").xpath("//@onclick | //@href | //@style")


CODE = (
    '<ac:structured-macro ac:name="code">'
    "<ac:plain-text-body><![CDATA[a < b\n  c]]></ac:plain-text-body></ac:structured-macro>"
)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (
            '<ac:link><ri:page ri:content-title="Below &amp; beyond" /></ac:link>',
            ">Below &amp; beyond</a>",
        ),
        ('<ac:link><ri:page ri:content-title="Gone" /></ac:link>', 'class="missing"'),
        ('<ac:link><ri:user ri:account-id="sandbox:ada" /></ac:link>', "@Ada Lang"),
        ('<ac:structured-macro ac:name="children" />', "<li><a href="),
        (CODE, "a &lt; b\n  c"),
        (
            '<ac:structured-macro ac:name="odd">'
            '<ac:parameter ac:name="x">secret</ac:parameter></ac:structured-macro>',
            "",
        ),
        (
            '<ac:structured-macro ac:name="odd">'
            "<ac:rich-text-body><p>kept</p></ac:rich-text-body></ac:structured-macro>",
            "<p>kept</p>",
        ),
        ('<ac:emoticon ac:name="tick" />', "✓"),
        ("<p>open <b>tag &nbsp;&rarr;</p>", "→"),
    ],
)
def test_an_element_is_shown_by_its_rule(body: str, shown: str) -> None:
    result = rendered(body)
    assert shown in result
    assert "secret" not in result
