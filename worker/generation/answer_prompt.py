"""The prompt of an answer: instructions, as much evidence as fits, and the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.manner import Manner
from core.models import Hit
from core.question import Completed
from worker.generation import abstention
from worker.prompting import templates
from worker.prompting.context_window import freeze, pack
from worker.prompting.evidence_blocks import Frozen
from worker.text import sanitize
from worker.text.tokens import estimate

CONTEXT_TOKENS = 6000  # of instructions, evidence and question, unless LLM_CONTEXT_TOKENS is set
LEAST_ROOM = 200  # tokens for evidence, however long the question is
DEFAULT = Manner()


@dataclass(frozen=True)
class Prompt:
    """What the model is asked, and the hits it is given, numbered from 1."""

    system: str
    user: str
    hits: tuple[Hit, ...]


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
    variables = question_variables(completed)
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
    variables = question_variables(completed)
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


def question_variables(completed: Completed) -> dict[str, object]:
    """What a prompt says of the question.

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
