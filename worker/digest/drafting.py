"""Drafts what a page could say to close a gap, from what a helper said and from accepted pairs.

Only where a model is configured, and only a sentence for which what it was made of stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core import logs
from core.embeddings import Embedder
from core.errors import ModelUnavailable
from core.models import Page
from core.pages import PageKey
from core.pairs.pairs import Pair
from core.reports.gaps import ALIKE, WikiGap
from core.storage import clock
from core.storage.database import Database
from core.turns.hand_over import said
from core.turns.hand_over.said import HelperSaid
from worker.bootstrap import WorkerParts, open_model
from worker.generation.chat_model import ChatModel
from worker.prompting import templates
from worker.retrieval.accepted_pairs import AcceptedPairs
from worker.support.check import SupportCheck
from worker.text import sanitize
from worker.text.citations import cite

# Pages in, those of them out that everybody may read now.
MayBeRead = Callable[[Iterable[PageKey]], Mapping[PageKey, Page]]

PATIENCE_S = 60.0
NOTHING = "NONE"
MOST_PAIRS = 3
LONGEST = 300  # characters, as a digest shows

log = logs.get(__name__)


@dataclass(frozen=True)
class Draft:
    """A sentence that a page could say."""

    text: str
    of: str = ""  # the turn about which a helper said that; empty: it was made of pages alone
    pages: frozenset[PageKey] = field(default_factory=frozenset)  # that it gives away


class PageDrafting:
    """A gap in, a sentence out that the model has written, or None."""

    def __init__(
        self, database: Database, model: ChatModel, embedder: Embedder, check: SupportCheck
    ) -> None:
        self._database = database
        self._model = model
        self._pairs = AcceptedPairs(database, embedder, same=ALIKE)
        self._check = check

    @classmethod
    def of(cls, parts: WorkerParts) -> PageDrafting | None:
        """None where no model is configured."""
        model = open_model(parts.settings, parts.database)
        if model is None:
            return None
        embedder = parts.attributor.embedder
        return cls(parts.database, model, embedder, SupportCheck(embedder))

    def draft(self, gap: WikiGap, may_be_read: MayBeRead) -> Draft | None:
        """None where nobody has said anything, or the model makes nothing of it that stands."""
        helper = said.newest(self._database, [each.turn_id for each in gap.questions])
        questions = [each.text for each in gap.questions]
        accepted = self._accepted(questions[0], may_be_read)
        if helper is None and not accepted:
            return None
        return self._written(questions, helper, accepted)

    def _accepted(self, question: str, may_be_read: MayBeRead) -> list[Pair]:
        """Those that ask for the same, of pages that may reach the model and every reader."""
        found = self._pairs.alike(question, MOST_PAIRS)
        open_to_all = may_be_read(pair.page for pair in found)
        kept = self._model.kept(open_to_all)
        return [pair for pair in found if pair.page in open_to_all and pair.page not in kept]

    def _written(
        self, questions: Sequence[str], helper: HelperSaid | None, accepted: Sequence[Pair]
    ) -> Draft | None:
        pages = frozenset(pair.page for pair in accepted)
        prompt = draft_prompt(questions, helper.text if helper else "", accepted)
        try:
            reply = self._model.reply(prompt, pages=pages, deadline=clock.now() + PATIENCE_S)
        except ModelUnavailable as error:
            log.info("digest.not_drafted", error=str(error))
            return None
        text = " ".join(reply.text.split())
        known = [_plain(pair) for pair in accepted] + ([helper.text] if helper else [])
        if not text or NOTHING in text or len(text) > LONGEST:
            return None
        if not self._check.stands_on(text, known):
            log.info("digest.draft_unsupported")
            return None
        return Draft(text, helper.turn_id if helper else "", pages)


def draft_prompt(questions: Sequence[str], helper: str, accepted: Sequence[Pair]) -> str:
    """The prompt `draft_sentence.j2`; whatever people and pages have said is sanitized."""
    return templates.render(
        "draft_sentence",
        questions=[sanitize.line(each) for each in questions[:MOST_PAIRS]],
        said=sanitize.line(helper),
        answers=[
            {"question": sanitize.line(pair.question), "answer": sanitize.line(_plain(pair))}
            for pair in accepted
        ],
        nothing=NOTHING,
    )


def _plain(pair: Pair) -> str:
    """The answer without its citations."""
    return cite(pair.answer, [])[0]
