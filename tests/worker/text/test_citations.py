"""Citations of evidence become citations of sources."""

from __future__ import annotations

import pytest
from wiki import hit, page, piece

from core.models import Copy
from worker.text.citations import cite, nearest, next_best, without_brackets

LEAVE = page("1", "Leave", owner="Ada", updated_at="2026-03-01")
HITS = [
    hit(piece("25 days.", "1", heading_path=("Leave", "Portugal"), anchor="portugal"), LEAVE),
    hit(piece("30 days.", "1", heading_path=("Leave", "Spain"), anchor="spain"), LEAVE),
    hit(piece("A hotel.", "2"), page("2", "Travel")),
    hit(
        piece(
            "Five may be carried over.", "1", heading_path=("Leave", "Portugal"), anchor="portugal"
        ),
        LEAVE,
    ),
]


def test_sources_are_numbered_in_the_order_of_their_first_citation() -> None:
    text, sources = cite("A hotel [3]. Portugal [1]. Again [3].", HITS)
    assert text == "A hotel [1]. Portugal [2]. Again [1]."
    assert [(source.number, source.title, source.heading) for source in sources] == [
        (1, "Travel", ""),
        (2, "Leave", "Portugal"),
    ]


def test_pieces_of_one_section_are_one_source() -> None:
    text, (source,) = cite("25 days [1], five are carried over [4].", HITS)
    assert text == "25 days [1], five are carried over [1]."
    assert source.evidence_ids == (HITS[0].evidence.id, HITS[3].evidence.id)


def test_sections_of_one_page_are_sources_of_their_own_with_deep_links() -> None:
    _, sources = cite("[1][2]", HITS)
    assert [source.url for source in sources] == [
        "https://wiki.example/1#portugal",
        "https://wiki.example/1#spain",
    ]


def test_a_source_says_who_owns_it_and_how_old_it_is() -> None:
    _, (source,) = cite("[1]", HITS)
    assert (source.space, source.owner, source.updated_at) == ("HR", "Ada", "2026-03-01")


@pytest.mark.parametrize("invalid", ["[5]", "[0]", "[99][100]", "[5, 6]"])
def test_a_citation_of_something_that_was_never_given_is_taken_out(invalid: str) -> None:
    assert cite(f"Green {invalid}.", HITS) == ("Green.", ())


def test_several_numbers_in_one_bracket_are_several_citations() -> None:
    text, sources = cite("Both [2, 3, 9].", HITS)
    assert text == "Both [1][2]."
    assert len(sources) == 2


def test_the_same_source_is_cited_once_at_a_place() -> None:
    assert cite("Portugal [1, 4].", HITS)[0] == "Portugal [1]."


def test_a_text_without_citations_has_no_sources() -> None:
    assert cite("Nothing [note] to cite.", HITS) == ("Nothing [note] to cite.", ())


@pytest.mark.parametrize(
    ("written", "shown"),
    [("on reboot [1]", "on reboot (1)"), ("see [1, 2]", "see (1, 2)"), ("[ENG]", "[ENG]")],
)
def test_footnotes_of_a_page_are_no_citations(written: str, shown: str) -> None:
    assert without_brackets(written) == shown
    assert cite(without_brackets(written), HITS) == (shown, ())


def test_the_nearest_pages_are_shown_once_each_with_the_pieces_of_their_best_section() -> None:
    sources = nearest(HITS, 2)
    assert [(source.title, source.heading) for source in sources] == [
        ("Leave", "Portugal"),
        ("Travel", ""),
    ]
    assert len(sources[0].evidence_ids) == 2
    assert nearest([], 3) == ()


def test_two_pieces_of_one_section_cited_one_after_the_other_are_one_citation() -> None:
    hits = [
        hit("Build 1.", page("1")),
        hit(piece("TPM 2.0.", "1"), page("1")),
        hit(piece("Elsewhere.", "2"), page("2")),
    ]
    assert (
        cite("TPM is 2.0 [1][2][3], and [2] again.", hits)[0] == "TPM is 2.0 [1][2], and [1] again."
    )


@pytest.mark.parametrize(
    "written",
    [
        "[3]",
        "[Evidence 3]",
        "[evidence #3]",
        "[Source 3]",
        "[Quelle 3]",
        "[[3]]",
        "【3】",
        "【3†source】",
        "[^3]",
        r"\[3\]",
        "[ 3 ]",
        "[3, 9]",
    ],
)
def test_what_models_write_for_a_citation_is_one(written: str) -> None:
    text, (source,) = cite(f"A hotel {written}.", HITS)
    assert (text, source.title) == ("A hotel [1].", "Travel")


@pytest.mark.parametrize(
    "written",
    [
        "[1-3]",
        "[1–3]",
        "[1, 2-3]",
        "[1; 2 and 3]",
        "[1, 2 und 3]",
        "[Evidence 1, Evidence 2, Evidence 3]",
    ],
)
def test_ranges_and_lists_are_all_they_name(written: str) -> None:
    text, sources = cite(f"All {written}.", HITS)
    assert (text, len(sources)) == ("All [1][2][3].", 3)


def test_a_range_ends_with_what_was_given() -> None:
    assert cite("[3-99]", HITS)[0] == "[1][2]"
    assert cite("Nothing [7-9].", HITS) == ("Nothing.", ())


@pytest.mark.parametrize("text", ["[0-9]", "[2026-03-01]", "[2024-2026]", "[x] done", "[Evidence]"])
def test_other_brackets_stay_as_they_are(text: str) -> None:
    assert cite(text, HITS) == (text, ())


@pytest.mark.parametrize(
    "code",
    [
        "`echo ${list[1]}`",
        "``echo ` ${list[1]}``",
        "```\nprint(a[1][1], b[9])\n```",
        "~~~\nprint(a[1])\n~~~",
        "````\n```\nprint(a[1])\n```\n````",
    ],
)
def test_code_cites_nothing_and_stays_as_it_is(code: str) -> None:
    text, sources = cite(f"{code}\n[3]", HITS)
    assert (text, len(sources)) == (f"{code}\n[1]", 1)


def test_a_citation_behind_a_fence_does_not_keep_the_code_open() -> None:
    text, sources = cite("```\nprint(a[1])\n``` [3]\nand [3]", HITS)
    assert (text, len(sources)) == ("```\nprint(a[1])\n```\n[1]\nand [1]", 1)


@pytest.mark.parametrize("written", ["[1-3]", "[Evidence 2]", "【2】", "[[2]]", r"\[2\]", "[^2]"])
def test_whatever_counts_as_a_citation_is_taken_from_pages(written: str) -> None:
    assert cite(without_brackets(f"Reboot {written}."), HITS)[1] == ()


def test_the_next_best_pages_are_near_not_cited_and_no_copies_of_what_is() -> None:
    best, same, near, far = (
        hit(piece(f"Text {n}.", str(n)), page(str(n), f"Page {n}"), score=score)
        for n, score in ((1, 4.0), (2, 3.9), (3, 3.5), (4, 1.0))
    )
    best = best.model_copy(update={"copies": (Copy(evidence=same.evidence, page=same.page),)})
    _, cited = cite("[1]", [best])
    more = next_best([best, same, near, far], cited, 3)
    assert [source.title for source in more] == ["Page 3"]
    assert next_best([best, near], cited, 0) == ()
