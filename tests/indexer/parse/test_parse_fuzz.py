"""Pages whose markup was damaged at random: nothing raises, nothing hangs, and no visible word is lost.

What is visible is decided here by a definition of its own, which knows nothing of trees: words outside tags, and outside the few
elements that nobody sees.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from storage_pages import page

from indexer.evidence.build import evidence
from indexer.parse import parse

FIXTURES = [
    file.read_text(encoding="utf-8")
    for file in sorted((Path(__file__).parents[1] / "fixtures").glob("*.xml"))
]
# Never shown, or shown only under a condition (a fallback, the title of a macro).
HIDDEN = [
    f"ac:{name}"
    for name in (
        "parameter",
        "default-parameter",
        "placeholder",
        "task-id",
        "task-uuid",
        "task-status",
        "adf-attribute",
    )
]
HIDDEN += ["ac:adf-fallback", "script", "style"]
TAG = r"</?[A-Za-z_][\w.:-]*(?:\s+[\w.:-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*\s*/?>"
TOKEN = re.compile(
    rf"<!\[CDATA\[(?P<cdata>.*?)\]\]>|<!--.*?-->|(?P<tag>{TAG})|(?P<text>[^<]+)|(?P<odd><)",
    re.DOTALL,
)
INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff\u200b\ufeff\xad]")
CJK = "\u2e80-\u2fff\u3001-\u9fff\uac00-\ud7af\uf900-\ufaff"
WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")

NAMES = "p li ul ol td th tr table tbody thead h2 b s pre br img col a span div ac:link ac:image ac:task ac:layout-cell acme:x shiny"
MACROS = "code info expand status jira include children toc excerpt details unheard-of"
ATTRIBUTES = [
    "colspan",
    "rowspan",
    "class",
    "style",
    "href",
    "ac:name",
    "ri:content-title",
    "bgcolor",
    "datetime",
    "x:y",
]
inserted = st.one_of(
    st.sampled_from(
        [
            "&nbsp;",
            "&unheard;",
            "&#0;",
            "&#x1F600;",
            "&lt;p&gt;",
            " & ",
            " < ",
            "]]>",
            "<![CDATA[",
            "<!--",
            "-->",
            "<?x",
            "<!x",
        ]
    ),
    st.sampled_from(
        [f"<{name}>" for name in NAMES.split()] + [f"</{name}>" for name in NAMES.split()]
    ),
    st.sampled_from(
        [f'<ac:structured-macro ac:name="{name}">' for name in MACROS.split()]
        + ["</ac:structured-macro>", "<ac:rich-text-body>"]
    ),
    st.integers(1, 400).map(lambda depth: "<div>" * depth),
    st.integers(1, 90).map(lambda depth: "<ul><li>" * depth),
    st.text(max_size=8),
)
attributes = st.tuples(
    st.sampled_from(ATTRIBUTES),
    st.text(alphabet="0123456789abc#:;-% <>&'\u0416漢", max_size=8),
)
places = st.floats(0, 1, exclude_max=True)
damage = st.one_of(
    st.tuples(st.just("delete"), places),
    st.tuples(st.just("double"), places),
    st.tuples(st.just("swap"), places, places),
    st.tuples(st.just("insert"), places, inserted),
    st.tuples(st.just("attribute"), places, attributes),
    st.tuples(st.just("cut"), places, places),
)


def damaged(storage: str, kind: str, place: float, how: object = None) -> str:
    """The page with one tag, or one stretch, changed."""
    if kind == "cut":
        assert isinstance(how, float)
        start = int(place * len(storage))
        return storage[:start] + storage[start + int(how * how * 400) :]
    tags = list(re.finditer(TAG, storage))
    if not tags:
        return storage
    one = tags[int(place * len(tags))]
    if kind == "swap":
        assert isinstance(how, float)
        return _swapped(storage, *sorted((one, tags[int(how * len(tags))]), key=re.Match.start))
    return storage[: one.start()] + _changed(one[0], kind, how) + storage[one.end() :]


def _changed(tag: str, kind: str, how: object) -> str:
    if kind == "attribute":
        assert isinstance(how, tuple)
        return re.sub(r"(\s*/?>)$", lambda end: f' {how[0]}="{how[1]}"{end[1]}', tag)
    return {"delete": "", "double": tag * 2, "insert": f"{tag}{how}"}[kind]


def _swapped(storage: str, first: re.Match[str], second: re.Match[str]) -> str:
    between = storage[first.end() : second.start()]
    return (
        storage
        if first == second
        else storage[: first.start()] + second[0] + between + first[0] + storage[second.end() :]
    )


def visible_words(storage: str) -> set[str]:
    """The words that a reader of the page must be able to find; once it cannot be told what is hidden, no more are required."""
    words: set[str] = set()
    hidden: list[str] = []  # the hidden element that is open, and what is open inside it
    for token in TOKEN.finditer(INVISIBLE.sub("", storage)):
        tag = token["tag"] or ""
        name = tag.strip("</>").split()[0] if tag else ""
        if token["odd"] or (hidden and tag.startswith("</") and hidden.pop() != name):
            break
        if (
            tag
            and not tag.startswith("</")
            and not tag.endswith("/>")
            and (hidden or name in HIDDEN)
        ):
            hidden.append(name)
        elif not tag and not hidden:
            words.update(
                WORD.findall(token["cdata"] or INVISIBLE.sub("", unescape(token["text"] or "")))
            )
    return words


def lost(storage: str) -> set[str]:
    """Visible words that are in no piece of evidence."""
    shown = " ".join(
        " ".join([piece.text, *piece.heading_path]) for piece in evidence(page(), parse(storage))
    )
    return {word for word in visible_words(storage) if word not in shown}


def test_the_fixtures_are_read_whole() -> None:
    for storage in FIXTURES:
        assert len(visible_words(storage)) > 40
        assert lost(storage) == set()


def test_the_definition_knows_what_nobody_sees() -> None:
    seen = set().union(*map(visible_words, FIXTURES))
    assert {"rota", "Kilo", "lower", "配", "boxed", "frayed"} <= seen
    assert not [word for word in seen if word.startswith(("hidden", "PARAMETER"))]


@given(st.sampled_from(FIXTURES), st.lists(damage, min_size=1, max_size=8))
@settings(
    max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
def test_a_damaged_page_keeps_every_visible_word(
    storage: str, what: list[tuple[str, float, object]]
) -> None:
    for one in what:
        storage = damaged(storage, *one)
    assert lost(storage) == set()
