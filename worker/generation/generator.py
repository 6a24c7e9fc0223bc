"""Generates the answer from evidence: by the model, or by quoting if there is none or it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from core import logs
from core.errors import ModelUnavailable
from core.manner import Manner
from core.models import Answer, Hit, Note
from core.question import Completed
from core.usage import Usage
from worker.extractive.extractor import Extractor
from worker.generation import abstention, pages_given
from worker.generation.chat_model import ChatModel, ManyCalls, Reply, ignore_text
from worker.prompting import templates
from worker.prompting.context_window import freeze, pack
from worker.prompting.evidence_blocks import Frozen
from worker.text import sanitize
from worker.text.citations import cite, nearest
from worker.text.tokens import estimate
from worker.text.unwrap import unwrapped

CONTEXT_TOKENS = 6000  # of instructions, evidence and question, unless LLM_CONTEXT_TOKENS is set
LEAST_ROOM = 200  # tokens for evidence, however long the question is
NEAREST = 3  # pages shown when nothing answers
DEFAULT = Manner()

log = logs.get(__name__)


@dataclass(frozen=True)
class Prompt:
    """What the model is asked, and the hits it is given, numbered from 1."""

    system: str
    user: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True)
class GeneratedAnswer:
    """An answer, what it was made from (the prompt is empty when quoted) and what it cost."""

    answer: Answer
    prompt: str = ""
    usage: Usage = field(default_factory=Usage)
    hits: tuple[Hit, ...] = ()  # the evidence the answerer was given, best first


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
            return self.ask_model(model, completed, hits, deadline=deadline, on_text=on_text)
        except ModelUnavailable as error:
            log.warning("generate.model_unavailable", error=str(error))
            return self.quote(completed, hits, Note.MODEL_DOWN)

    def quote(self, completed: Completed, hits: Sequence[Hit], note: Note) -> GeneratedAnswer:
        text = self._extractor.extract(completed, hits, self._manner.length)
        answer = _answer(completed, text, hits, (note,))
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
    ) -> GeneratedAnswer:
        """The model's answer, without the fallback of quoting.

        Raises:
            ModelUnavailable: the endpoint is down, or not finished at the deadline.
        """
        prompt = self._prompt(completed, hits)
        reply = model.reply(
            prompt.user,
            pages=pages_given.given(completed, prompt.hits),
            system=prompt.system,
            deadline=deadline,
            on_text=abstention.TranslatedStream(completed.language, on_text),
        )
        return _draft(model.name, completed, prompt, reply)

    async def ask_again(
        self, model: ManyCalls, completed: Completed, hits: Sequence[Hit]
    ) -> GeneratedAnswer:
        """What the model answers now, from these hits, without streaming.

        Raises:
            ModelUnavailable: see worker.generation.chat_model.ManyCalls.
        """
        prompt = self._prompt(completed, hits)
        pages = pages_given.given(completed, prompt.hits)
        reply = await model.reply(prompt.user, pages=pages, system=prompt.system)
        return _draft(model.name, completed, prompt, reply)

    def _prompt(self, completed: Completed, hits: Sequence[Hit]) -> Prompt:
        return answer_prompt(
            completed, hits, context_tokens=self._context_tokens, manner=self._manner
        )


def answer_prompt(
    completed: Completed,
    hits: Sequence[Hit],
    *,
    context_tokens: int = CONTEXT_TOKENS,
    manner: Manner = DEFAULT,
) -> Prompt:
    """As much evidence as fits beside the instructions and the question.

    All that pages say stands between the marks of `answer.j2`.
    """
    packed = pack(hits, _room(completed, context_tokens, manner))
    variables = _question_variables(completed)
    variables["evidence"] = packed.blocks
    user = templates.render("answer", **variables)
    system = _system(completed, manner)
    return Prompt(system, user, packed.hits)


def frozen_prompt_hits(
    completed: Completed,
    hits: Sequence[Hit],
    *,
    context_tokens: int = CONTEXT_TOKENS,
    manner: Manner = DEFAULT,
) -> tuple[Frozen, ...]:
    """The hits as `answer_prompt` shows them: without some, it shows the others in the same way."""
    return freeze(hits, _room(completed, context_tokens, manner))


def _room(completed: Completed, context_tokens: int, manner: Manner) -> int:
    """The tokens that are left for evidence."""
    variables = _question_variables(completed)
    without_evidence = templates.render("answer", evidence=[], **variables)
    system = _system(completed, manner)
    taken = estimate(system) + estimate(without_evidence)
    return max(context_tokens - taken, LEAST_ROOM)


def _system(completed: Completed, manner: Manner) -> str:
    language = manner.language or "the language of the question"
    instructions = templates.render("instructions", kind=completed.kind, language=language)
    style = templates.render("manner", length=manner.length, tone=manner.tone)
    return templates.render(
        "answer_system",
        not_found=abstention.NOT_FOUND,
        instructions=instructions,
        language=language,
        manner=style,
    )


def _question_variables(completed: Completed) -> dict[str, object]:
    """What the prompt says beside the evidence.

    What rules add to a question are titles of pages, so it belongs to what pages say.
    """
    by_rules = bool(completed.context) and not completed.by
    conditions: list[dict[str, object]] = []
    for each in completed.conditions:
        value = sanitize.line(each.value)
        conditions.append({"field": each.field, "value": value})
    question = completed.question if by_rules else completed.text
    context = completed.context if by_rules else ()
    return {
        "question": sanitize.plain(question),
        "conversation": list(map(sanitize.line, context)),
        "conditions": conditions,
    }


def _draft(model: str, completed: Completed, prompt: Prompt, reply: Reply) -> GeneratedAnswer:
    text = unwrapped(reply.text)
    abstains = abstention.is_unanswered(text, prompt.hits)
    said = None if abstains else abstention.translated(text, completed.language)
    answer = _answer(completed, said, prompt.hits, ())
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
