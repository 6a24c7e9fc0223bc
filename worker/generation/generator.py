"""Generates the answer from evidence: by the model, or by quoting if there is none or it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from core import logs
from core.errors import ModelUnavailable
from core.manner import Manner
from core.models import Answer, Hit, Note, Source
from core.question import Completed
from core.usage import Usage
from worker.extractive.extractor import Extractor
from worker.generation import abstention, pages_given
from worker.generation.answer_prompt import CONTEXT_TOKENS, Prompt, answer_prompt
from worker.generation.chat_model import ChatModel, ignore_text
from worker.generation.endpoint.many_calls import ManyCalls
from worker.generation.endpoint.reply import Reply
from worker.generation.endpoint.scoring import ScoringCalls
from worker.generation.endpoint.token_scores import Scores
from worker.text import broken_off
from worker.text.citations import cite, nearest, next_best
from worker.text.growing_citations import CitedStream, ignore_source
from worker.text.other_citations import in_brackets
from worker.text.unwrap import unwrapped

NEAREST = 3  # pages shown when nothing answers
DEFAULT = Manner()

log = logs.get(__name__)


@dataclass(frozen=True)
class GeneratedAnswer:
    """An answer, what it was made from (the prompt is empty when quoted) and what it cost."""

    answer: Answer
    prompt: str = ""
    usage: Usage = field(default_factory=Usage)
    hits: tuple[Hit, ...] = ()  # the evidence the answerer was given, best first
    lacked_a_model: bool = False  # it was away when it was asked
    is_verified: bool = False  # its model has read it again: the pages say it, and it answers


class Generator:
    """Question and evidence in, answer out."""

    def __init__(
        self,
        model: ChatModel | None,
        extractor: Extractor,
        *,
        others: Mapping[str, ChatModel] | None = None,
        context_tokens: int = CONTEXT_TOKENS,
        without: Note = Note.NO_MODEL,
    ) -> None:
        """`others`: models that a manner may ask for; `without`: the note where there is none."""
        self._default = model
        self._others = others or {}
        self._without = without
        self._extractor = extractor
        self._context_tokens = context_tokens
        self._manner = DEFAULT

    @property
    def model(self) -> ChatModel | None:
        """The one that answers in this manner; the default where that one is not configured."""
        if self._default is None:
            return None
        wanted = self._manner.model
        return self._others.get(wanted, self._default)

    def in_manner(self, manner: Manner) -> Generator:
        """The same, answering as a channel or a person wants it."""
        other = copy(self)
        other._manner = manner
        return other

    def generate(
        self,
        completed: Completed,
        hits: Sequence[Hit],
        *,
        deadline: float,
        on_text: Callable[[str], None] = ignore_text,
        on_source: Callable[[Source], None] = ignore_source,
    ) -> GeneratedAnswer:
        model = self.model
        if model is None:
            return self.quote(completed, hits, self._without)
        if kept := model.kept(pages_given.given(completed, hits)):
            quoted = self.quote(completed, hits, Note.KEPT_INSIDE)
            # A question completed by them cannot be asked without them.
            if not kept.isdisjoint({*completed.pages, *pages_given.quoted(quoted.answer, hits)}):
                return quoted
            hits = [hit for hit in hits if kept.isdisjoint(hit.pages)]
        try:
            return self.ask_model(
                model, completed, hits, deadline=deadline, on_text=on_text, on_source=on_source
            )
        except ModelUnavailable as error:
            log.warning("generate.model_unavailable", error=str(error))
            return replace(self.quote(completed, hits, Note.MODEL_DOWN), lacked_a_model=True)

    def quote(self, completed: Completed, hits: Sequence[Hit], note: Note) -> GeneratedAnswer:
        text = self._extractor.extract(completed, hits, self._manner.length)
        answer = _answer(completed, text, hits, (note,))
        more = next_best(hits, answer.sources, NEAREST) if text is not None else ()
        answer = answer.model_copy(update={"more": more})
        return GeneratedAnswer(answer, hits=tuple(hits))

    def refuse(self, completed: Completed, hits: Sequence[Hit]) -> GeneratedAnswer:
        """The abstention with the nearest pages: neither a model is asked nor anything quoted."""
        return GeneratedAnswer(_answer(completed, None, hits, ()), hits=tuple(hits))

    def ask_model(
        self,
        model: ChatModel,
        completed: Completed,
        hits: Sequence[Hit],
        *,
        deadline: float,
        on_text: Callable[[str], None] = ignore_text,
        on_source: Callable[[Source], None] = ignore_source,
    ) -> GeneratedAnswer:
        """The model's answer, without the fallback of quoting.

        Raises:
            ModelUnavailable: the endpoint is down, or has not begun to write at the deadline.
        """
        prompt = self._prompt(completed, hits)
        shown = CitedStream(prompt.hits, on_text, on_source)
        reply = model.written(
            prompt.user,
            pages=pages_given.given(completed, prompt.hits),
            system=prompt.system,
            deadline=deadline,
            on_text=abstention.TranslatedStream(completed.language, shown),
        )
        return _draft(model.name, completed, prompt, reply)

    async def ask_again(
        self, model: ManyCalls, completed: Completed, hits: Sequence[Hit]
    ) -> GeneratedAnswer:
        """What the model answers now, from these hits, without streaming.

        Raises:
            ModelUnavailable: see worker.generation.endpoint.many_calls.
        """
        prompt = self._prompt(completed, hits)
        pages = pages_given.given(completed, prompt.hits)
        reply = await model.reply(prompt.user, pages=pages, system=prompt.system)
        return _draft(model.name, completed, prompt, reply)

    async def score(
        self, model: ScoringCalls, completed: Completed, hits: Sequence[Hit], text: str
    ) -> tuple[Scores, Usage]:
        """How likely the model is to answer this from these hits.

        Raises:
            NoScores, ModelUnavailable: see worker.generation.endpoint.scoring.
        """
        prompt = self._prompt(completed, hits)
        pages = pages_given.given(completed, prompt.hits)
        return await model.score(prompt.user, text, pages=pages, system=prompt.system)

    def _prompt(self, completed: Completed, hits: Sequence[Hit]) -> Prompt:
        return answer_prompt(
            completed, hits, context_tokens=self._context_tokens, manner=self._manner
        )


def _draft(model: str, completed: Completed, prompt: Prompt, reply: Reply) -> GeneratedAnswer:
    written = unwrapped(reply.text if reply.whole else broken_off.usable(reply.text))
    text = in_brackets(written, prompt.hits)
    if not text:
        raise ModelUnavailable("the model was broken off within its first word")
    abstains = abstention.is_unanswered(text, prompt.hits)
    said = None if abstains else abstention.translated(text, completed.language)
    notes = () if reply.whole else (Note.INCOMPLETE,)
    answer = _answer(completed, said, prompt.hits, notes)
    answer = answer.model_copy(update={"model": model})
    return GeneratedAnswer(answer, prompt.user, reply.usage, prompt.hits)


def _answer(
    completed: Completed, text: str | None, hits: Sequence[Hit], notes: tuple[Note, ...]
) -> Answer:
    """The answer with its sources; without a text the abstention."""
    if text is None:
        said, noted = abstention.not_found(completed.language), (*notes, Note.NOT_FOUND)
        return Answer(text=said, sources=nearest(hits, NEAREST), notes=noted)
    cited, sources = cite(text, hits)
    return Answer(text=cited, sources=sources, notes=notes)
