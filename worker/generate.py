"""Generates the answer from evidence: by the model, or, without one and whenever it is down, by quoting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core import logs
from core.errors import ModelUnavailable
from core.models import Answer, Completed, Hit, Note, Usage
from worker import prompts
from worker.cite import cite, nearest, without_brackets
from worker.extract import Extractor
from worker.llm import ChatModel, unwatched

NOT_FOUND = "The pages I can read do not answer this."
NEAREST = 3  # sections shown when nothing answers

log = logs.get(__name__)


@dataclass(frozen=True)
class Draft:
    """An answer, the prompt it came from (empty when quoted) and what it cost."""

    answer: Answer
    prompt: str = ""
    usage: Usage = field(default_factory=Usage)


class Generator:
    """Question and evidence in, answer out."""

    def __init__(self, model: ChatModel | None, extractor: Extractor) -> None:
        self.model = model
        self._extractor = extractor

    def generate(self, completed: Completed, hits: Sequence[Hit], *, deadline: float, on_text: Callable[[str], None] = unwatched) -> Draft:
        if self.model is None:
            return self.quote(completed, hits, Note.NO_MODEL)
        try:
            return self.ask_model(self.model, completed, hits, deadline=deadline, on_text=on_text)
        except ModelUnavailable as error:
            log.warning("generate.model_unavailable", error=str(error))
            return self.quote(completed, hits, Note.MODEL_DOWN)

    def quote(self, completed: Completed, hits: Sequence[Hit], note: Note) -> Draft:
        return Draft(_answer(self._extractor.extract(completed, hits), hits, (note,)))

    @staticmethod
    def ask_model(
        model: ChatModel, completed: Completed, hits: Sequence[Hit], *, deadline: float, on_text: Callable[[str], None] = unwatched
    ) -> Draft:
        """The model's answer, without the way out of quoting.

        Raises:
            ModelUnavailable: the endpoint is down, or not finished at the deadline.
        """
        prompt = answer_prompt(completed, hits)
        reply = model.reply(prompt, system=prompts.render("answer_system", not_found=NOT_FOUND), deadline=deadline, on_text=on_text)
        text = None if NOT_FOUND.rstrip(".") in reply.text else reply.text
        return Draft(_answer(text, hits, ()).model_copy(update={"model": model.name}), prompt, reply.usage)


def answer_prompt(completed: Completed, hits: Sequence[Hit]) -> str:
    """The prompt `answer.j2` with these pieces numbered from 1; page text cannot close the fence nor pose as a citation."""
    evidence = [
        {
            "number": number,
            "title": _line(hit.page.title),
            "path": _line(" › ".join(hit.evidence.heading_path)),
            "before": _data(hit.evidence.before),
            "text": _data(hit.evidence.text),
            "after": _data(hit.evidence.after),
        }
        for number, hit in enumerate(hits, start=1)
    ]
    return prompts.render("answer", question=completed.text, evidence=evidence)


def _data(text: str) -> str:
    return without_brackets(text).replace("<<<", "‹‹‹").replace(">>>", "›››")


def _line(text: str) -> str:
    """Titles and headings stand unindented: a line break in them would begin a line that looks like one of ours."""
    return " ".join(_data(text).split())


def _answer(text: str | None, hits: Sequence[Hit], notes: tuple[Note, ...]) -> Answer:
    if text is None:
        return Answer(text=NOT_FOUND, sources=nearest(hits, NEAREST), notes=(*notes, Note.NOT_FOUND))
    cited, sources = cite(text, hits)
    return Answer(text=cited, sources=sources, notes=notes)
