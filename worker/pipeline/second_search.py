"""A second search, in the words that pages may use for what people call otherwise.

A model that has found no answer is asked for other searches: it knows that a *sick note* is a
certificate of incapacity. It sees the question alone (Gao et al. 2023 have it write the page that
would answer; three searches are shorter, and say nothing that could be taken for an answer).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from core import logs
from core.errors import ModelUnavailable
from core.models import Evidence, Hit
from core.question import Completed
from core.usage import Usage
from worker.generation.answer_prompt import question_variables
from worker.generation.chat_model import ChatModel
from worker.prompting import templates
from worker.retrieval.retriever import K, Retrieved, distinct

MOST = 3  # searches
LONGEST = 120  # characters of one: what is longer is no search
# What models put around the lines of a list.
_DECORATION = re.compile(r"^(?:[-*•>#\s]|\d{1,2}[.):]\s)+|[\"“”„‟«»`*]")

log = logs.get(__name__)


def reworded(
    model: ChatModel, completed: Completed, *, deadline: float
) -> tuple[tuple[str, ...], Usage]:
    """Other searches for the question; none where the model is away or has no other words."""
    prompt = templates.render("search_again", **question_variables(completed))
    try:
        reply = model.reply(prompt, pages=frozenset(completed.pages), deadline=deadline)
    except ModelUnavailable as error:
        log.warning("search_again.model_unavailable", error=str(error))
        return (), Usage()
    texts = dict.fromkeys(_searches(reply.text))
    return tuple(text for text in texts if text != completed.text)[:MOST], reply.usage


def _searches(reply: str) -> Iterator[str]:
    for line in reply.splitlines():
        text = " ".join(_DECORATION.sub("", line).split())
        if re.search(r"\w", text) and len(text) <= LONGEST:
            yield text


def asking(completed: Completed, text: str) -> Completed:
    """The same question in these words, which stand without a conversation."""
    changed = {"question": text, "text": text, "context": (), "alone": ""}
    return completed.model_copy(update=changed)


def merged(
    several: Sequence[Retrieved], *, read: Sequence[Hit], first: Retrieved, ranked: Sequence[Hit]
) -> Retrieved | None:
    """What the searches find and nobody has read, by turns; None for nothing.

    `read` is what the model has been given, `ranked` what of the `first` search may be shown: as
    much of it as there is room for comes last, since an answer may need both. A search that finds
    something under the conditions of the question rules out all that pass none.
    """
    dropped = all(found.conditions_dropped for found in (first, *several))
    within = [found for found in several if found.conditions_dropped == dropped]
    before = ranked if first.conditions_dropped == dropped else ()
    known = {piece.id for piece in _pieces(read)}
    by_turns = chain.from_iterable(zip_longest(*(found.hits for found in within)))
    new = [hit for hit in by_turns if hit and hit.evidence.id not in known]
    if not new:
        return None
    words_only = any(found.words_only for found in within)
    return Retrieved(distinct([*new, *before])[: max(K, len(ranked))], words_only, dropped)


def _pieces(hits: Iterable[Hit]) -> Iterator[Evidence]:
    for hit in hits:
        yield hit.evidence
        yield from hit.block
