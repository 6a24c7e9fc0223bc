"""Generates questions of pairs about pieces of evidence by the model; rules are the indexer's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.models import Hit
from core.storage import clock
from indexer.tuning.question_templates import (
    GeneratedQuestion,
    QuestionGenerator,
    Surroundings,
    question_of,
)
from worker.generation.chat_model import ChatModel
from worker.prompting import templates

PATIENCE_S = 60.0
NOTHING = "NONE"


def by_model(model: ChatModel, around: Surroundings) -> QuestionGenerator:
    """At most one question for each piece that may reach it; a reply in another form gives none."""

    def generate(piece: Hit) -> Iterator[GeneratedQuestion]:
        evidence = piece.evidence
        if model.kept(piece.pages):
            return
        prompt = templates.render(
            "testset_question",
            title=_line(piece.page.title),
            path=_line(" › ".join(evidence.heading_path)),
            text=_data(evidence.text),
            nothing=NOTHING,
        )
        reply = model.reply(prompt, pages=piece.pages, deadline=clock.now() + PATIENCE_S).text
        said = dict(re.findall(r"^(Question|Answer):[ \t]*(\S.*)$", reply, re.MULTILINE))
        if "Question" in said:
            yield question_of(said["Question"].strip(), said.get("Answer", ""), piece, around)

    return generate


def _data(text: str) -> str:
    """Sanitize page text: it cannot end the fence that it stands in (prompt injection)."""
    return text.replace("<<<", "‹‹‹").replace(">>>", "›››")


def _line(text: str) -> str:
    return " ".join(_data(text).split())
