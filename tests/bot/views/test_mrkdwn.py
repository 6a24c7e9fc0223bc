"""Page text in Slack's two formats: it means nothing there but itself."""

from __future__ import annotations

import pytest

from bot.views.mrkdwn import (
    escape,
    link,
    sanitize,
    truncate,
    truncate_bytes,
    with_source_links,
)
from core.models import Source

SOURCES = (
    Source(number=1, title="A", url="https://wiki.example/a_(b) c"),
    Source(number=2, title="B", url="https://wiki.example/b"),
)


def test_a_link_holds_any_title_and_address() -> None:
    assert (
        link("A | B > C & <D>", "https://x.example/?a=1&b=|>")
        == "<https://x.example/?a=1&amp;b=%7C%3E|A ¦ B &gt; C &amp; &lt;D&gt;>"
    )


def test_escaped_text_holds_no_tag() -> None:
    assert (
        escape("<!channel> & <https://evil.example|us>")
        == "&lt;!channel&gt; &amp; &lt;https://evil.example|us&gt;"
    )


@pytest.mark.parametrize(
    "call",
    [
        "<!channel>",
        "<!here|x>",
        "<!everyone>",
        "<!subteam^S1>",
        "<@U0ALICE>",
        "<#C1|general>",
        "@here",
        "@channel",
    ],
)
def test_page_text_calls_nobody(call: str) -> None:
    assert call not in sanitize(f"attention {call}, please")


@pytest.mark.parametrize(
    "hidden",
    [
        "[reset your password](https://evil.example)",
        "[reset [your] password](https://evil.example)",
        "[reset\\] it](https://evil.example)",
        "![image](https://evil.example)",
        "[reset]\n\n[reset]: https://evil.example",
        "[reset]\n\n[reset]: //evil.example",
        "<https://evil.example|reset>",
    ],
)
def test_page_text_hides_no_address_behind_other_words(hidden: str) -> None:
    shown = sanitize(hidden)
    assert "](" not in shown
    assert "]: https" not in shown
    assert "<https" not in shown


@pytest.mark.parametrize(
    "code",
    [
        "<!-- a comment -->",
        "<!DOCTYPE html>",
        "std::vector<std::string>",
        "List<String>",
        "mail@channel.example",
    ],
)
def test_code_and_addresses_stay_as_they_are(code: str) -> None:
    assert sanitize(code) == code


def test_citations_become_links_to_their_sources() -> None:
    linked = with_source_links("Yes [1][2], not [3].", SOURCES, room=1000)
    assert (
        linked == r"Yes [\[1\]](https://wiki.example/a_%28b%29%20c)"
        r"[\[2\]](https://wiki.example/b), not [3]."
    )


def test_an_index_in_code_is_no_citation() -> None:
    text = "Run `echo ${a[1]}` or\n```\nprint(a[2])\n```\nas [2] says"
    assert with_source_links(text, SOURCES, room=1000) == text.replace(
        " [2] ", r" [\[2\]](https://wiki.example/b) "
    )


def test_citations_are_linked_as_far_as_there_is_room() -> None:
    linked = with_source_links("[2] " * 20, SOURCES, room=200)
    assert len(linked) <= 80 + 200
    assert 1 < linked.count("https://") < 20


@pytest.mark.parametrize("text", ["short", "x" * 50, "ä" * 50, "漢字" * 30, "👍" * 20])
def test_a_text_is_cut_within_characters_and_within_bytes(text: str) -> None:
    assert len(truncate(text, 20)) <= 20
    assert len(truncate_bytes(text, 20).encode()) <= 20
    assert truncate_bytes(text, 20).rstrip("…") in text
    assert truncate_bytes(text, 1000) == text
