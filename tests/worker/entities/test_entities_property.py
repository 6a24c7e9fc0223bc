"""Property: whatever the tree and the reader, no word of a restricted title is matched or told."""

from __future__ import annotations

import re
from dataclasses import replace

from harbour import completed
from hypothesis import given
from hypothesis import strategies as st
from wiki import key, page

from core.policy.acl import EVERYBODY, OPEN_ID, Reader
from worker.entities import Entities
from worker.entities.entities_file import Entity
from worker.entities.tree import Tree, TreePage, of_file, of_page

WORDS = [
    "Anker",
    "Boje",
    "Crane",
    "Davit",
    "Ebbe",
    "Fender",
    "Gezeit",
    "Hafen",
    "Iltis",
    "Jolle",
]  # a page's title is its word alone
ACLS = [OPEN_ID, "few", "denied"]
QUESTIONS = [
    "Which teams are under {}?",
    "Where does {} belong?",
    "How many pages are under {} and {}?",
    "Who leads {}?",
    "Zu welcher Abteilung gehört {}?",
    "Wie viele Teams hat das Team {}?",
]


@st.composite
def trees(draw: st.DrawFn) -> tuple[Tree, dict[str, str]]:
    """A page for each word, under any other, and file entries for some; the ACL of each word."""
    acls = {word: draw(st.sampled_from(ACLS)) for word in WORDS}
    parents = [draw(st.sampled_from([None, *range(len(WORDS))])) for _ in WORDS]
    titles = [word + draw(st.sampled_from(["", " Team", ": teams"])) for word in WORDS]
    pages = {
        key(str(n)): of_page(
            key(str(n)),
            acls[word],
            page(str(n), titles[n], parent_id=None if above is None else str(above)).model_dump(
                mode="json"
            ),
        )
        for n, (word, above) in enumerate(zip(WORDS, parents, strict=True))
    }
    named = draw(st.lists(st.sampled_from(range(len(WORDS))), unique=True))
    kinds = st.sampled_from(["team", "lead", "page", ""])
    aboves = [draw(st.sampled_from([None, *range(place)])) for place in range(len(named))]
    file = [
        Entity(name=WORDS[n], kind=draw(kinds), page=str(n), parent=above)
        for n, above in zip(named, aboves, strict=True)
    ]
    return Tree(pages, of_file(file, pages)), acls


@given(
    trees(),
    st.sets(st.sampled_from(["few", "others"])),
    st.sampled_from(QUESTIONS),
    st.tuples(*[st.sampled_from(WORDS)] * 2),
)
def test_no_word_of_a_hidden_title_is_ever_told(
    made: tuple[Tree, dict[str, str]], passed: set[str], question: str, asked: tuple[str, str]
) -> None:
    tree, acls = made
    reader = Reader(frozenset({OPEN_ID, *passed}))
    hits = Entities(lambda: tree).about(completed(question.format(*asked)), reader)
    hidden = {word for word, acl in acls.items() if acl not in reader.acls}
    for hit in hits:
        shown = set(re.findall(r"\w+", f"{hit.evidence.text} {hit.page.title}"))
        assert not shown & hidden
        told = {hit.page.id, *hit.evidence.names}
        assert {str(WORDS.index(word)) for word in shown & set(WORDS)} <= told, (
            "whoever is named can be confirmed"
        )
        assert all(tree.pages[key(page_id)].acl_id in reader.acls for page_id in told)


@given(trees(), st.sampled_from(QUESTIONS), st.tuples(*[st.sampled_from(WORDS)] * 2))
def test_what_a_hidden_page_is_called_changes_nothing(
    made: tuple[Tree, dict[str, str]], question: str, asked: tuple[str, str]
) -> None:
    """Neither counts nor which name is meant depend on it."""
    tree, acls = made
    renamed = {
        n: _renamed(each) if acls[WORDS[int(n.id)]] != OPEN_ID else each
        for n, each in tree.pages.items()
    }
    other = Tree(
        renamed,
        [
            replace(node, name="Zug") if acls[WORDS[int(node.page.id)]] != OPEN_ID else node
            for node in tree.file
        ],
    )
    ask = completed(question.format(*asked))
    assert Entities(lambda: tree).about(ask, EVERYBODY) == Entities(lambda: other).about(
        ask, EVERYBODY
    )


def _renamed(indexed: TreePage) -> TreePage:
    return of_page(indexed.node.page, indexed.acl_id, {**indexed.record, "title": "Zug"})
