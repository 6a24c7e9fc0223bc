"""A text that grows is passed on as it will be read, however it comes in pieces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from wiki import hit, page, piece

from core.models import Source
from worker.text.citations import cite
from worker.text.growing_citations import CitedStream

HITS = [
    hit(piece("25 days.", "1", heading_path=("Leave",), anchor="leave"), page("1", "Leave")),
    hit(piece("Five more.", "1", heading_path=("Leave",), anchor="leave"), page("1", "Leave")),
    hit(piece("A hotel.", "2"), page("2", "Travel")),
]
WORDS = st.sampled_from(
    [
        "Ben ",
        "is",
        " [1]",
        "[2]",
        "[3",
        "] ",
        " [9]",
        "[1, 3]",
        "`a[1]`",
        "\n```\na[2]\n```\n",
        "`",
        ".",
        "\n",
    ]
)


def grown(pieces: list[str]) -> tuple[str, list[Source]]:
    said: list[str] = []
    sources: list[Source] = []
    stream = CitedStream(HITS, said.append, sources.append)
    for each in pieces:
        stream(each)
    return "".join(said), sources


@given(st.lists(WORDS, max_size=12))
def test_what_was_passed_on_is_the_beginning_of_the_whole(pieces: list[str]) -> None:
    said, told = grown(pieces)
    whole, sources = cite("".join(pieces), HITS)
    assert whole.startswith(said)
    assert [source.number for source in told] == [source.number for source in sources][: len(told)]


def test_a_citation_is_told_before_the_text_that_has_it() -> None:
    order: list[str] = []
    stream = CitedStream(HITS, order.append, lambda source: order.append(source.url))
    for each in ("A hotel", " [", "3", "].", " 25 days [1].", " Done"):
        stream(each)
    assert order == [
        "A hotel",
        HITS[2].page.url,
        " [1].",
        f"{HITS[0].page.url}#leave",
        " 25 days [2].",
        " Done",
    ]
