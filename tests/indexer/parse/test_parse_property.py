"""Whatever the markup, parsing never raises and every visible word becomes evidence."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from storage_pages import macro, pieces
from work import work

# Containers whose words people see; `{}` is their content.
SHAPES = (
    "<p>{}</p>",
    "<h2>{}</h2>",
    "<p><strong>{}</strong></p>",
    "<div>{}</div>",
    "<ul><li>{}</li></ul>",
    "<ol><li><p>{}</p></li></ol>",
    "<table><tbody><tr><td>{}</td></tr></tbody></table>",
    "<table><tbody><tr><th>{}</th><th>b</th></tr><tr><td>a</td><td></td></tr></tbody></table>",
    '<table><tbody><tr><td colspan="2">{}</td></tr><tr><td>a</td>'
    '<td data-highlight-colour="red">b</td></tr></tbody></table>',
    "<table><tbody><tr><td>a</td><td>b</td></tr><tr><td colspan='2'>{}</td></tr></tbody></table>",
    "<ac:task-list><ac:task><ac:task-id>9</ac:task-id>"
    "<ac:task-body>{}</ac:task-body></ac:task></ac:task-list>",
    "<ac:layout><ac:layout-section>"
    "<ac:layout-cell>{}</ac:layout-cell></ac:layout-section></ac:layout>",
    "<acme:box>{}</acme:box>",
    "<shiny>{}</shiny>",
    "<pre>{}</pre>",
    "<s>{}</s>",
    macro("info", "{}", title="x"),
    macro("expand", "{}", title="x"),
    macro("tide-clock", "{}", port="x"),
    "<ac:adf-extension><ac:adf-node>"
    "<ac:adf-content>{}</ac:adf-content></ac:adf-node></ac:adf-extension>",
    '<ac:link><ri:page ri:content-title="x"/><ac:link-body>{}</ac:link-body></ac:link>',
)
NOISE = (
    *("&nbsp;", "&unheard;", "&#0;", " & ", " < ", "\x07", "]]>", "<!--"),
    *("<br/>", "<br>", "<b>", "<td>", "<li x=1>", "</p>", "</td>", "</ac:task>"),
)
TAG = re.compile(r"<[^<>]*>")

words = st.integers(0, 10**6).map(lambda n: f"word{n}")
content = st.recursive(
    words,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(SHAPES), inner).map(lambda pair: pair[0].replace("{}", pair[1])),
        st.lists(inner, min_size=2, max_size=4).map(" ".join),
    ),
    max_leaves=12,
)
quickly = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


def lost(storage: str) -> set[str]:
    """The words of a page that are in none of its evidence."""
    shown = " ".join(" ".join([piece.text, *piece.heading_path]) for piece in pieces(storage))
    return set(re.findall(r"word\d+", storage)) - set(re.findall(r"word\d+", shown))


@given(content)
@quickly
def test_every_visible_word_survives(storage: str) -> None:
    assert lost(storage) == set()


@given(content, st.lists(st.tuples(st.floats(0, 1), st.sampled_from(NOISE)), max_size=4))
@quickly
def test_every_visible_word_survives_noise_in_the_markup(
    storage: str, noise: list[tuple[float, str]]
) -> None:
    for place, what in noise:
        # Between two words or tags: noise inside a tag or a word changes what is visible.
        gaps = [match.start() for match in re.finditer(r"(?<=>)|(?=<)|$", storage)]
        position = gaps[int(place * (len(gaps) - 1))]
        storage = storage[:position] + what + storage[position:]
    assert lost(storage) == set()


@given(content, st.data())
@quickly
def test_every_visible_word_survives_a_lost_tag(storage: str, data: st.DataObject) -> None:
    tags = [
        match
        for match in TAG.finditer(storage)
        if not re.search("parameter|task-id|plain-text", match[0])
    ]
    if tags:
        gone = data.draw(st.sampled_from(tags))
        assert lost(storage[: gone.start()] + storage[gone.end() :]) == set()


@given(content, st.integers(0, 400), st.integers(0, 40))
@quickly
def test_a_page_cut_anywhere_never_raises(storage: str, start: int, length: int) -> None:
    pieces(storage[:start] + storage[start + length :])


@given(st.text(alphabet="<>/&;!?[]-=\"' acpribxt:\n\x01漢", max_size=60))
@quickly
def test_any_text_is_a_page(storage: str) -> None:
    pieces(storage)


@given(
    content,
    st.lists(
        st.tuples(st.floats(0, 1), st.floats(0, 1), st.sampled_from(["delete", "double", "swap"])),
        min_size=1,
        max_size=6,
    ),
)
@quickly
def test_every_visible_word_survives_tags_that_are_lost_doubled_and_swapped(
    storage: str, damage: list[tuple[float, float, str]]
) -> None:
    for one, two, what in damage:
        tags = [
            match
            for match in TAG.finditer(storage)
            if not re.search("parameter|task-id|plain-text", match[0])
        ]
        if len(tags) > 1:
            first, second = sorted(
                (tags[int(place * (len(tags) - 1))] for place in (one, two)), key=re.Match.start
            )
            storage = damaged(storage, first, second, what)
    assert lost(storage) == set()


def damaged(storage: str, first: re.Match[str], second: re.Match[str], what: str) -> str:
    before, between, after = (
        storage[: first.start()],
        storage[first.end() : second.start()],
        storage[max(first.end(), second.end()) :],
    )
    if first.start() == second.start():
        return before + (first[0] * 2 if what == "double" else "") + after
    new = {
        "delete": ("", second[0]),
        "double": (first[0] * 2, second[0]),
        "swap": (second[0], first[0]),
    }[what]
    return before + new[0] + between + new[1] + after


def test_four_times_the_page_is_four_times_the_work() -> None:
    body = "".join(shape.replace("{}", f"word{n}") for n in range(10) for shape in SHAPES)
    assert work(pieces, body * 8) < 4.4 * work(pieces, body * 2)
