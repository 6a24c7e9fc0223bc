"""Entity linking: evidence about the teams, people and things that a question names.

After T-RAG (Fatehkia et al. 2024): entities that a question mentions are looked up in a tree of
the organization, and statements about their place in it join the evidence. A statement is evidence
of the page that the entity comes from, and a reader sees none whose page they may not read.
No model is asked: names are matched by words.

    entities_file, current, tree    the organization as of now, and as one reader may see it
    asked                           whether a question asks about the organization
    words, names, mentions          which names a question mentions
    statements                      what is said of each
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from core.language.sentences import Sentences, sentences
from core.models import Evidence, Hit, Kind, Page
from core.policy.acl import Reader
from core.question import Completed, Field
from core.structure import ListItem
from worker.entities.asked import OrganizationQuestion, asked
from worker.entities.mentions import Mention, mentions
from worker.entities.statements import Statement, statement
from worker.entities.tree import Tree, View

MOST = 3  # entities described for one question
FROM_FILE = 7.0  # score: about that of a piece which the search ranks high
FROM_PAGES = 3.5  # the page tree says where pages stand, which is not always what is meant


class Entities:
    """Question in, statements about the organization out, as evidence of their pages."""

    def __init__(self, now: Callable[[], Tree]) -> None:
        """`now` gives the tree as it is at the moment of a question."""
        self._now = now

    def about(self, completed: Completed, reader: Reader) -> tuple[Hit, ...]:
        """At most three, in the order of the question; none when it names nothing readable."""
        view = View(self._now(), reader)
        about, found = _mentioned(completed, view)
        say = sentences(completed.language)
        hits: list[Hit] = []
        for mention in found:
            hit = _hit(mention, about, view, say)
            if hit and _is_wanted(hit.page, completed):
                hits.append(hit)
        return tuple(hits[:MOST])

    def mentioned(self, completed: Completed, reader: Reader) -> list[str]:
        """The names of the entities that the question mentions, for measuring."""
        view = View(self._now(), reader)
        _, found = _mentioned(completed, view)
        return [mention.node.name for mention in found]


def _mentioned(
    completed: Completed,
    view: View,
) -> tuple[OrganizationQuestion, list[Mention]]:
    """What the question mentions; a follow-up that names nobody is read with its conversation."""
    question = completed.question if completed.context else completed.text
    about = asked(question)
    found = mentions(question, about, view)
    leans_on_conversation = completed.context and (about.organization or about.follows)
    if found or not leans_on_conversation:
        return about, found
    return about, mentions(completed.text, asked(completed.text), view)


def _hit(
    mention: Mention,
    about: OrganizationQuestion,
    view: View,
    say: Sentences,
) -> Hit | None:
    described = statement(mention, about, view, say)
    page = view.tree.pages[mention.node.page].page
    # A piece names pages of its own source alone.
    if described is None or any(other.source != page.source for other in described.pages):
        return None
    return Hit(
        evidence=_evidence(described, page),
        page=page,
        score=FROM_FILE if mention.node.from_file else FROM_PAGES,
    )


def _evidence(described: Statement, page: Page) -> Evidence:
    """The id is a digest of what is said and of the other pages behind it."""
    other_pages = tuple(sorted(other.id for other in described.pages - {page.key}))
    hashed = "\0".join((described.text, *other_pages))
    digest = blake2b(hashed.encode(), digest_size=6).hexdigest()
    return Evidence(
        id=f"place-{page.key}-{digest}",
        page_id=page.id,
        kind=Kind.PLACE,
        text=described.text,
        items=tuple(ListItem(text=line) for line in described.text.splitlines()),
        names=other_pages,
    )


def _is_wanted(page: Page, completed: Completed) -> bool:
    """Whether the page meets the question's conditions: a statement can only meet one on spaces."""
    for condition in completed.conditions:
        if condition.field is not Field.SPACE or condition.value != page.space:
            return False
    return True
