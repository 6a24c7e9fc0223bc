"""What is known of the teams, people and things a question names: what they belong to, what belongs to them, and how many.

After T-RAG (Fatehkia et al. 2024): mentions of entities are looked up in a tree of the organization, and statements of their place in
it join the evidence. Statements are evidence of the page that an entity comes from, and a reader is told of no entity whose page they
may not read. No model is asked: names are matched by words.

    current, tree        the entities file (worker.entities.entities_file) and the page tree, as of now; the tree as one reader may know it
    asked                whether a question asks about the organization
    words, names, mentions       which names stand in a question
    statements           what is said of each
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from core.models import Evidence, Hit, Kind, Page
from core.policy.acl import Reader
from core.question import Completed, Field
from worker.entities.asked import OrganizationQuestion, asked
from worker.entities.mentions import Mention, mentions
from worker.entities.statements import statement
from worker.entities.tree import Tree, View

MOST = 3  # entities told of in one question
FROM_FILE = 7.0  # score: about that of a piece which the search thinks well of
FROM_PAGES = 3.5  # the page tree says where pages stand, which is not always what is meant


class Entities:
    """Question in, statements of place in the organization out, as evidence of the pages they come from."""

    def __init__(self, now: Callable[[], Tree]) -> None:
        """`now` gives the tree as it is at the moment of a question."""
        self._now = now

    def about(self, completed: Completed, reader: Reader) -> tuple[Hit, ...]:
        """At most three, in the order of the question; nothing when it names nothing that the reader may know of."""
        view = View(self._now(), reader)
        about, found = _mentioned(completed, view)
        hits = (self._hit(mention, about, view) for mention in found)
        return tuple(hit for hit in hits if hit and _is_wanted(hit.page, completed))[:MOST]

    def mentioned(self, completed: Completed, reader: Reader) -> list[str]:
        """The names of the entities that the question mentions, for measuring."""
        return [
            mention.node.name for mention in _mentioned(completed, View(self._now(), reader))[1]
        ]

    @staticmethod
    def _hit(mention: Mention, about: OrganizationQuestion, view: View) -> Hit | None:
        said = statement(mention, about, view)
        if said is None:
            return None
        page = view.tree.pages[mention.node.page_id].page
        others = tuple(sorted(said.page_ids - {page.id}))
        digest = blake2b("\0".join((said.text, *others)).encode(), digest_size=6).hexdigest()
        evidence = Evidence(
            id=f"place-{page.id}-{digest}",
            page_id=page.id,
            kind=Kind.PLACE,
            text=said.text,
            raw=said.text,
            names=others,
        )
        return Hit(
            evidence=evidence, page=page, score=FROM_FILE if mention.node.from_file else FROM_PAGES
        )


def _mentioned(completed: Completed, view: View) -> tuple[OrganizationQuestion, list[Mention]]:
    """In the question itself; only when it names nobody and leans on its conversation, in what was added from there."""
    itself = completed.question if completed.context else completed.text
    about = asked(itself)
    found = mentions(itself, about, view)
    if found or not completed.context or not (about.organization or about.follows):
        return about, found
    return about, mentions(completed.text, asked(completed.text), view)


def _is_wanted(page: Page, completed: Completed) -> bool:
    """Whether the page is one of those that the question asks for: of the conditions, only spaces can be met by a place."""
    return all(
        condition.field is Field.SPACE and condition.value == page.space
        for condition in completed.conditions
    )
