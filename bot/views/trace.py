"""Behind the scenes of an answer: how the question was understood, what was found and by what, the prompt, and how long it took."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bot.views import messages
from bot.views.block_kit import Block, context, header, plain, preformatted, rich
from bot.views.mrkdwn import within
from core.models import Answer, Hit, Record
from core.question import Completed

MOST_HITS = 12
TITLE_LIMIT = 90
EXCERPT_LIMIT = 140
TEXT_LIMIT = 600
PROMPT_BEGINNING, PROMPT_END = (
    5_600,
    2_800,
)  # characters; the instructions stand at one end, the question at the other
PROMPT_PIECE = 2_800


def build_behind(record: Record) -> list[Block]:
    """The blocks, about twenty of them."""
    return [
        header(messages.details.BEHIND_THE_SCENES),
        rich(*_facts(record)),
        *_found(messages.BY_WORDS, record.hits, lambda hit: hit.lexical),
        *_found(messages.BY_MEANING, record.hits, lambda hit: hit.dense),
        *_given(record.hits),
        *_prompt(record.prompt),
    ]


def _facts(record: Record) -> Iterator[Block]:
    completed = record.completed
    for name, value in (
        ("Asked", completed.question),
        ("Understood as", f"{completed.text} (by {completed.by or 'rules'})"),
        ("With the help of", "; ".join(completed.context)),
        ("Kind of question", completed.kind.value),
        ("Filters", _filters(completed)),
        ("Answered by", _answered_by(record.answer)),
        ("Seconds", ", ".join(f"{step} {seconds:.2f}" for step, seconds in record.seconds.items())),
        ("Tokens", _tokens(record)),
    ):
        if value:
            yield plain(f"{name}: ", bold=True)
            yield plain(f"{within(' '.join(value.split()), TEXT_LIMIT)}\n")


def _filters(completed: Completed) -> str:
    return "; ".join(
        messages.CONDITIONS[each.field].format(each.value) for each in completed.conditions
    )


def _answered_by(answer: Answer) -> str:
    notes = ", ".join(note.value.replace("_", " ") for note in answer.notes)
    return (answer.model or "quoting, without a model") + (f" ({notes})" if notes else "")


def _tokens(record: Record) -> str:
    usage = record.usage
    return (
        f"{usage.prompt_tokens:,} in, {usage.completion_tokens:,} out, {usage.calls} calls"
        if usage.calls
        else ""
    )


def _found(title: str, hits: Sequence[Hit], score: Callable[[Hit], float]) -> Iterator[Block]:
    """What one of the two searches found, the best first; a piece that only the other one found has no score here."""
    found = sorted((hit for hit in hits if score(hit) > 0), key=score, reverse=True)
    lines = [
        f"{place}. {_title(hit)}  {score(hit):.2f}\n"
        for place, hit in enumerate(found[:MOST_HITS], 1)
    ]
    more = [messages.more_sources(len(found) - MOST_HITS)] if len(found) > MOST_HITS else []
    yield _list(title, [*lines, *more], len(found))


def _given(hits: Sequence[Hit]) -> Iterator[Block]:
    lines = [
        f"{place}. {_title(hit)}\n{_scores(hit)}\n“{_excerpt(hit)}”\n"
        for place, hit in enumerate(hits[:MOST_HITS], 1)
    ]
    for start in range(0, max(len(lines), 1), 4):
        yield _list(messages.AS_GIVEN if start == 0 else "", lines[start : start + 4], len(hits))
    if len(hits) > MOST_HITS:
        yield context(messages.more_sources(len(hits) - MOST_HITS))


def _list(title: str, lines: Sequence[str], number: int) -> Block:
    head = [plain(f"{title} ({number})\n", bold=True)] if title else []
    return rich(*head, plain("".join(lines) or "–"))


def _title(hit: Hit) -> str:
    return within(" › ".join([hit.page.title, *hit.evidence.heading_path[-1:]]), TITLE_LIMIT)


def _scores(hit: Hit) -> str:
    copies = f", on {len(hit.copies)} more pages" if hit.copies else ""
    scores = f"words {hit.lexical:.2f}, whole page {hit.in_page:.2f}, meaning {hit.dense:.2f}, together {hit.score:.2f}"
    return f"{hit.evidence.kind.value}: {scores}{copies}"


def _excerpt(hit: Hit) -> str:
    return within(" ".join(hit.evidence.text.split()), EXCERPT_LIMIT)


def _prompt(prompt: str) -> Iterator[Block]:
    """The prompt as it was sent; of a long one the beginning and the end, with how much is between them."""
    yield rich(plain(messages.details.PROMPT, bold=True))
    if not prompt:
        yield context(messages.details.NO_PROMPT)
        return
    left_out = len(prompt) - PROMPT_BEGINNING - PROMPT_END
    if left_out <= 0:
        yield from _pieces(prompt)
        return
    yield from _pieces(prompt[:PROMPT_BEGINNING])
    yield context(messages.details.left_out(left_out))
    yield from _pieces(prompt[-PROMPT_END:])


def _pieces(text: str) -> Iterator[Block]:
    for start in range(0, len(text), PROMPT_PIECE):
        yield preformatted(text[start : start + PROMPT_PIECE])
