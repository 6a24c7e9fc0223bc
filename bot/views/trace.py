"""The trace of an answer: how the question was understood, what was retrieved, prompt, timing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bot.views import messages
from bot.views.block_kit import Block, context, header, plain, preformatted, rich
from bot.views.messages import details as texts
from bot.views.mrkdwn import one_line, truncate
from core.models import Answer, Hit, Record
from core.question import Completed

MOST_HITS = 12
HITS_A_BLOCK = 4
TITLE_LIMIT = 90
EXCERPT_LIMIT = 140
TEXT_LIMIT = 600
# Characters; the instructions are at one end of the prompt, the question at the other.
PROMPT_BEGINNING = 5_600
PROMPT_END = 2_800
PROMPT_PIECE = 2_800


def build_trace(record: Record) -> list[Block]:
    """The blocks, about twenty of them."""
    return [
        header(texts.BEHIND_THE_SCENES),
        rich(*_facts(record)),
        _ranked(messages.BY_WORDS, record.hits, lambda hit: hit.lexical),
        _ranked(messages.BY_MEANING, record.hits, lambda hit: hit.dense),
        *_given(record.hits),
        *_prompt(record.prompt),
    ]


def _facts(record: Record) -> Iterator[Block]:
    completed = record.completed
    facts = {
        "Asked": completed.question,
        "Understood as": f"{completed.text} (by {completed.by or 'rules'})",
        "With the help of": "; ".join(completed.context),
        "Kind of question": completed.kind.value,
        "Filters": _filters(completed),
        "Answered by": _answered_by(record.answer),
        "Seconds": _seconds(record),
        "Tokens": _tokens(record),
    }
    for name, value in facts.items():
        if value:
            yield plain(f"{name}: ", bold=True)
            yield plain(f"{one_line(value, TEXT_LIMIT)}\n")


def _filters(completed: Completed) -> str:
    filters = []
    for condition in completed.conditions:
        text = messages.CONDITIONS[condition.field]
        filters.append(text.format(condition.value))
    return "; ".join(filters)


def _answered_by(answer: Answer) -> str:
    model = answer.model or "quoting, without a model"
    notes = ", ".join(note.value for note in answer.notes)
    return f"{model} ({notes.replace('_', ' ')})" if notes else model


def _seconds(record: Record) -> str:
    steps = record.seconds.items()
    return ", ".join(f"{step} {seconds:.2f}" for step, seconds in steps)


def _tokens(record: Record) -> str:
    usage = record.usage
    if not usage.calls:
        return ""
    return f"{usage.prompt_tokens:,} in, {usage.completion_tokens:,} out, {usage.calls} calls"


def _ranked(title: str, hits: Sequence[Hit], score: Callable[[Hit], float]) -> Block:
    """What one of the two searches found, the best first.

    A piece that only the other search found has no score here.
    """
    found = [hit for hit in hits if score(hit) > 0]
    found.sort(key=score, reverse=True)
    lines = []
    for rank, hit in enumerate(found[:MOST_HITS], 1):
        lines.append(f"{rank}. {_title(hit)}  {score(hit):.2f}\n")
    if len(found) > MOST_HITS:
        lines.append(messages.more_sources(len(found) - MOST_HITS))
    return _list(title, lines, len(found))


def _given(hits: Sequence[Hit]) -> Iterator[Block]:
    """The evidence that was given to the answer."""
    lines = []
    for rank, hit in enumerate(hits[:MOST_HITS], 1):
        excerpt = one_line(hit.evidence.text, EXCERPT_LIMIT)
        lines.append(f"{rank}. {_title(hit)}\n{_scores(hit)}\n“{excerpt}”\n")
    yield _list(messages.AS_GIVEN, lines[:HITS_A_BLOCK], len(hits))
    for start in range(HITS_A_BLOCK, len(lines), HITS_A_BLOCK):
        yield _list("", lines[start : start + HITS_A_BLOCK], len(hits))
    if len(hits) > MOST_HITS:
        yield context(messages.more_sources(len(hits) - MOST_HITS))


def _list(title: str, lines: Sequence[str], number: int) -> Block:
    text = plain("".join(lines) or "–")
    if not title:
        return rich(text)
    return rich(plain(f"{title} ({number})\n", bold=True), text)


def _title(hit: Hit) -> str:
    path = [hit.page.title, *hit.evidence.heading_path[-1:]]
    return truncate(" › ".join(path), TITLE_LIMIT)


def _scores(hit: Hit) -> str:
    scores = [
        f"words {hit.lexical:.2f}",
        f"whole page {hit.in_page:.2f}",
        f"meaning {hit.dense:.2f}",
        f"together {hit.score:.2f}",
    ]
    if hit.copies:
        scores.append(f"on {len(hit.copies)} more pages")
    return f"{hit.evidence.kind.value}: {', '.join(scores)}"


def _prompt(prompt: str) -> Iterator[Block]:
    """The prompt as it was sent; of a long one the beginning and the end, and what is between."""
    yield rich(plain(texts.PROMPT, bold=True))
    if not prompt:
        yield context(texts.NO_PROMPT)
        return
    left_out = len(prompt) - PROMPT_BEGINNING - PROMPT_END
    if left_out <= 0:
        yield from _pieces(prompt)
        return
    yield from _pieces(prompt[:PROMPT_BEGINNING])
    yield context(texts.left_out(left_out))
    yield from _pieces(prompt[-PROMPT_END:])


def _pieces(text: str) -> Iterator[Block]:
    for start in range(0, len(text), PROMPT_PIECE):
        yield preformatted(text[start : start + PROMPT_PIECE])
