"""Has the model propose follow-up questions; whether the evidence answers them is for worker.suggestions.suggester to check."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pydantic import TypeAdapter, ValidationError

from core import logs
from core.errors import ModelUnavailable
from core.evidence.lexical.analyzer import content_words
from core.models import Hit, Usage
from worker.generation.chat_model import ChatModel
from worker.prompting import templates
from worker.suggestions.candidates import Answered, Candidate
from worker.text import sanitize
from worker.text.language import Language

WAIT_S = 1.0  # the answer stands there already and waits for this: rather none than later
PIECES = 6
PIECE_CHARACTERS = 400
PROPOSED = 5  # asked for, since not all of them will pass

_NAMES = {
    Language.ENGLISH: "English",
    Language.GERMAN: "German",
    None: "the language of the question",
}
_LIST = TypeAdapter(list[str])

log = logs.get(__name__)


class Proposer:
    """An answered question in, a model's ideas out."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def propose(self, turn: Answered, *, deadline: float) -> tuple[list[Candidate], Usage]:
        """What the model says in time; nothing when it is away, late, or says something that is no list of questions."""
        if not turn.found:
            return [], Usage()
        try:
            reply = self._model.reply(
                suggest_prompt(turn), deadline=min(deadline, time.time() + WAIT_S)
            )
        except ModelUnavailable as error:
            log.info("suggest.model_unavailable", error=str(error))
            return [], Usage()
        pages = frozenset(hit.page.id for hit in turn.hits)
        return [
            Candidate((text,), frozenset(content_words(text)), pages)
            for text in questions(reply.text)
        ], reply.usage


def suggest_prompt(turn: Answered) -> str:
    """The prompt `suggest.j2`: the cited pieces first, page text fenced as in the answer's own prompt."""
    hits = dict.fromkeys([*turn.cited, *turn.hits])
    return templates.render(
        "suggest",
        question=sanitize.plain(turn.completed.text),
        answer=sanitize.plain(turn.answer.text),
        asked=[sanitize.line(past.question) for past in turn.history],
        evidence=[_shown(number, hit) for number, hit in enumerate(list(hits)[:PIECES], start=1)],
        language=_NAMES[turn.language],
        most=PROPOSED,
    )


def questions(said: str) -> Sequence[str]:
    """The questions of a JSON list, wherever it stands in the reply.

    >>> questions('Sure! ["Who pays?", "Pay now."]')
    ['Who pays?']
    """
    try:
        proposed = _LIST.validate_json(said[said.find("[") : said.rfind("]") + 1])
    except ValidationError:
        return []
    return [
        text.strip() for text in proposed if text.strip().endswith("?") and "\n" not in text.strip()
    ]


def _shown(number: int, hit: Hit) -> dict[str, object]:
    path, text = " › ".join(hit.evidence.heading_path), hit.evidence.text[:PIECE_CHARACTERS]
    return {
        "number": number,
        "title": sanitize.line(hit.page.title),
        "path": sanitize.line(path),
        "text": sanitize.data(text),
    }
