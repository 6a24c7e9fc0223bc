"""What the workspace page shows, and what it never lets through."""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx
import pytest
from slack_sdk import WebClient

from sandbox.slack.client import Workspace
from sandbox.slack.render import markdown, mrkdwn
from sandbox.slack.serve import running
from sandbox.slack.web_api.files import PROCESSING_S
from sandbox.slack.workspace.tiers import UNLIMITED


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with running(limits=UNLIMITED) as url, Workspace(url) as workspace:
        yield workspace


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "*bold* and _italic_ and ~gone~",
            "<p><strong>bold</strong> and <em>italic</em> and <s>gone</s></p>",
        ),
        ("a `*code*`", "<p>a <code>*code*</code></p>"),
        ("```\n<b> &amp; *x*\n```", "<pre>&lt;b&gt; &amp; *x*</pre>"),
        ("&gt; quoted\nplain", "<blockquote>quoted</blockquote><p>plain</p>"),
        ("• one\n• two", "<ul><li>one</li><li>two</li></ul>"),
        (":mag: 12:30:45 snake_case_name 2*3*4", "<p>🔍 12:30:45 snake_case_name 2*3*4</p>"),
        (
            "<@U1> <!here>",
            '<p><span class="mention">@alice</span> <span class="mention">@here</span></p>',
        ),
        ("<javascript:alert(1)|click>", "<p>click</p>"),
        ("&lt;script&gt;", "<p>&lt;script&gt;</p>"),
    ],
)
def test_mrkdwn_becomes_html(text: str, html: str) -> None:
    assert mrkdwn.render(text, {"U1": "alice"}) == html


def test_a_link_opens_in_a_new_tab() -> None:
    assert 'href="https://a.b/?x=1&amp;y=2" target="_blank"' in mrkdwn.render(
        "<https://a.b/?x=1&amp;y=2|this>", {}
    )
    assert 'target="_blank"' in markdown.render("[this](https://a.b)")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "![x](data:image/svg+xml,<svg/>)",
        "<img src=x>",
    ],
)
def test_markdown_lets_no_html_and_no_other_scheme_through(text: str) -> None:
    html = markdown.render(text)
    assert not any(tag in html for tag in ("<script", "<img", "href"))


def test_the_page_shows_a_thread_with_its_blocks(workspace: Workspace) -> None:
    asked = workspace.say("alice", "general", "@groundwire who? <b>")
    client = WebClient("xoxb-sandbox", base_url=f"{workspace.url}/api/")
    table = "| who | when |\n|---|---|\n| Alice | today |"
    client.chat_postMessage(
        channel=asked.channel,
        thread_ts=asked.ts,
        text="t",
        blocks=[{"type": "markdown", "text": table}],
    )
    workspace.react("ben", asked, "mag")

    page = httpx.get(
        f"{workspace.url}/?as=ben&channel=general&thread={asked.ts}", trust_env=False
    ).text

    assert "<td>Alice</td>" in page
    assert "1 reply" in page
    assert "who? &lt;b&gt;" in page
    assert 'class="chip mine"' in page


def test_an_uploaded_picture_is_on_the_page_with_its_words(workspace: Workspace) -> None:
    client = WebClient("xoxb-sandbox", base_url=f"{workspace.url}/api/")
    file_id = client.files_upload_v2(filename="a.png", file=b"\x89PNG")["files"][0]["id"]
    time.sleep(PROCESSING_S)
    block = {"type": "image", "slack_file": {"id": file_id}, "alt_text": 'a "chart" <b>'}
    client.chat_postMessage(channel="C0GENERAL", text="x", blocks=[block])
    assert (
        f'<img src="/file/{file_id}" alt="a &#34;chart&#34; &lt;b&gt;">'
        in httpx.get(workspace.url, trust_env=False).text
    )
    shown = httpx.get(f"{workspace.url}/file/{file_id}", trust_env=False)
    assert (shown.content, shown.headers["content-type"]) == (b"\x89PNG", "image/png")
    assert httpx.get(f"{workspace.url}/file/F0NONE", trust_env=False).status_code == 404


def test_stop_stands_where_the_bot_works_and_nowhere_else(workspace: Workspace) -> None:
    said = workspace.direct("lena", "how long is the warranty?")
    client = WebClient("xoxb-sandbox", base_url=f"{workspace.url}/api/")
    where = {"channel_id": said.channel, "thread_ts": said.ts}
    client.agents_sessions_setStatus(**where, status="processing")
    page = f"{workspace.url}/page?as=lena&channel=dm"
    assert 'data-do="stop"' in httpx.get(page).json()["messages"]
    client.agents_sessions_setStatus(**where, status="active")
    assert 'data-do="stop"' not in httpx.get(page).json()["messages"]


def test_a_tombstone_and_emoji_of_any_name_are_shown(workspace: Workspace) -> None:
    root = workspace.say("alice", "hr", "one")
    workspace.say("ben", "hr", ":arrows_counterclockwise: again :nobody_knows:", thread_ts=root.ts)
    workspace.delete(root)
    parts = httpx.get(f"{workspace.url}/page?channel=hr&thread={root.ts}").json()
    assert "This message was deleted." in parts["messages"]
    assert "🔄 again :nobody_knows:" in parts["thread"]
