"""Suggests by the model; worker.suggestions.suggester checks answerability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import TypeAdapter, ValidationError

from core import grammar, logs
from core.errors import ModelUnavailable
from core.evidence.lexical.analyzer import content_words
from core.models import Hit
from core.pages import PageKey
from core.storage import clock
from core.usage import Usage
from worker.generation.chat_model import ChatModel
from worker.prompting import templates
from worker.suggestions.candidates import Answered, Candidate
from worker.support.facts import facts
from worker.support.statements import statements_of
from worker.text import sanitize

WAIT_S = 5.0  # timeout: the answer stands already, and its reader may have gone on
PIECES = 6
PIECE_CHARACTERS = 400
PROPOSED = 5  # asked for, since not all of them will pass

_LIST = TypeAdapter(list[str])

log = logs.get(__name__)


class Proposer:
    """An answered question in, a model's ideas out."""

    def __init__(self, model: ChatModel, *, wait_s: float = WAIT_S) -> None:
        self._model = model
        self._wait_s = wait_s

    def propose(
        self,
        turn: Answered,
        *,
        deadline: float,
    ) -> tuple[list[Candidate], Usage]:
        """None when the model is unavailable or late, or when its reply is no list of questions."""
        if not turn.found:
            return [], Usage()
        until = min(deadline, clock.now() + self._wait_s)
        try:
            given = frozenset(turn.completed.pages).union(*(hit.pages for hit in turn.hits))
            reply = self._model.reply(suggest_prompt(turn), pages=given, deadline=until)
        except ModelUnavailable as error:
            log.info("suggest.model_unavailable", error=str(error))
            return [], Usage()
        pages = frozenset(hit.page.key for hit in turn.hits)
        names = frozenset(_read(turn))
        candidates: list[Candidate] = []
        statements = statements_of(turn.hits)
        for text in questions(reply.text):
            # A number or a name that no page has was made up, and so was the question.
            if not all(fact.said_by for fact in facts(text, statements)):
                continue
            about = frozenset(content_words(text))
            candidates.append(Candidate((text,), about, pages, names=names))
        return candidates, reply.usage


def _read(turn: Answered) -> set[PageKey]:
    """What the model has read may be in its words."""
    found = set(turn.completed.pages)
    for hit in turn.hits:
        found |= hit.pages
    for past in turn.history:
        found |= past.origin
    return found


def suggest_prompt(turn: Answered) -> str:
    """The prompt `suggest.j2`: cited pieces first, page text sanitized as in every prompt."""
    hits = list(dict.fromkeys([*turn.cited, *turn.hits]))
    return templates.render(
        "suggest",
        question=sanitize.plain(turn.completed.text),
        answer=sanitize.plain(turn.answer.text),
        asked=[sanitize.line(past.question) for past in turn.history],
        evidence=list(_shown(hits[:PIECES])),
        language=_language(turn),
        most=PROPOSED,
    )


def _language(turn: Answered) -> str:
    known = grammar.languages().get(turn.language or "")
    return known.name if known else "the language of the question"


def questions(reply: str) -> Iterator[str]:
    """The questions of a JSON list, wherever it stands in the reply.

    >>> list(questions('Sure! ["Who pays?", "Pay now."]'))
    ['Who pays?']
    """
    listed = reply[reply.find("[") : reply.rfind("]") + 1]
    try:
        proposed = _LIST.validate_json(listed)
    except ValidationError:
        return
    for text in map(str.strip, proposed):
        if text.endswith("?") and "\n" not in text:
            yield text


def _shown(hits: Sequence[Hit]) -> Iterator[dict[str, object]]:
    for number, hit in enumerate(hits, start=1):
        path = " › ".join(hit.evidence.heading_path)
        text = hit.evidence.text[:PIECE_CHARACTERS]
        yield {
            "number": number,
            "title": sanitize.line(hit.page.title),
            "path": sanitize.line(path),
            "text": sanitize.data(text),
        }
