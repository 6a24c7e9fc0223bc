"""The trace of an answer: how the question was understood, what was retrieved, prompt, timing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bot.views.answer.remark import filter_text
from bot.views.block_kit import Block, context, header, plain, preformatted, rich
from bot.views.mrkdwn import one_line, truncate
from core.language.sentences import Sentences
from core.models import Answer, Hit, Record

MOST_HITS = 12
HITS_A_BLOCK = 4
TITLE_LIMIT = 90
EXCERPT_LIMIT = 140
TEXT_LIMIT = 600
# Characters; the instructions are at one end of the prompt, the question at the other.
PROMPT_BEGINNING = 5_600
PROMPT_END = 2_800
PROMPT_PIECE = 2_800


def build_trace(say: Sentences, record: Record) -> list[Block]:
    """The blocks, about twenty of them."""
    return [
        header(say("trace-title")),
        rich(*_facts(say, record)),
        _ranked(say, "trace-by-words", record.hits, lambda hit: hit.lexical),
        _ranked(say, "trace-by-meaning", record.hits, lambda hit: hit.dense),
        *_given(say, record.hits),
        *_prompt(say, record.prompt),
    ]


def _facts(say: Sentences, record: Record) -> Iterator[Block]:
    completed = record.completed
    by = completed.by or say("trace-rules")
    filters = [filter_text(say, condition) for condition in completed.conditions]
    facts = {
        say("trace-asked"): completed.as_asked,
        say("trace-understood"): say("trace-understood-by", question=completed.text, by=by),
        say("trace-context"): "; ".join(completed.context),
        say("trace-searches"): "; ".join(completed.searches),
        say("trace-kind"): say(f"kind-{completed.kind}"),
        say("trace-filters"): "; ".join(filters),
        say("trace-model"): _answered_by(say, record.answer),
        say("trace-sent"): _sent_to(say, record),
        say("trace-seconds"): _seconds(say, record),
        say("trace-tokens"): _tokens(say, record),
    }
    for name, value in facts.items():
        if value:
            yield plain(f"{name}: ", bold=True)
            yield plain(f"{one_line(value, TEXT_LIMIT)}\n")


def _answered_by(say: Sentences, answer: Answer) -> str:
    model = answer.model or say("trace-quoted")
    notes = ", ".join(say(f"fact-{note}") for note in answer.notes)
    return f"{model} ({notes})" if notes else model


def _sent_to(say: Sentences, record: Record) -> str:
    """Where its text went; empty when no model was asked, or when that was not kept yet."""
    host, _, place = record.settings.get("model_endpoint", "").partition(" (")
    if not record.usage.calls or not place:
        return ""
    return say("trace-sent-outside" if place == "outside)" else "trace-sent-own", host=host)


def _seconds(say: Sentences, record: Record) -> str:
    steps = []
    for step, seconds in record.seconds.items():
        key = f"step-{step}"
        name = say(key) if key in say else step
        steps.append(f"{name} {say.number(seconds, 2)}")
    return "; ".join(steps)


def _tokens(say: Sentences, record: Record) -> str:
    usage = record.usage
    if not usage.calls:
        return ""
    used = {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens}
    return say("trace-tokens-used", count=usage.calls, **used)


def _ranked(
    say: Sentences, title: str, hits: Sequence[Hit], score: Callable[[Hit], float]
) -> Block:
    """What one of the two searches found, the best first.

    A piece that only the other search found has no score here.
    """
    found = [hit for hit in hits if score(hit) > 0]
    found.sort(key=score, reverse=True)
    lines = []
    for rank, hit in enumerate(found[:MOST_HITS], 1):
        lines.append(f"{rank}. {_title(hit)}  {say.number(score(hit), 2)}\n")
    if len(found) > MOST_HITS:
        lines.append(say("and-more", count=len(found) - MOST_HITS))
    return _list(f"{say(title)} ({len(found)})\n", lines)


def _given(say: Sentences, hits: Sequence[Hit]) -> Iterator[Block]:
    """The evidence that was given to the answer."""
    lines = []
    for rank, hit in enumerate(hits[:MOST_HITS], 1):
        excerpt = one_line(hit.evidence.text, EXCERPT_LIMIT)
        quoted = say("quote", text=excerpt)
        lines.append(f"{rank}. {_title(hit)}\n{_scores(say, hit)}\n{quoted}\n")
    yield _list(f"{say('trace-given')} ({len(hits)})\n", lines[:HITS_A_BLOCK])
    for start in range(HITS_A_BLOCK, len(lines), HITS_A_BLOCK):
        yield _list("", lines[start : start + HITS_A_BLOCK])
    if len(hits) > MOST_HITS:
        yield context(say("and-more", count=len(hits) - MOST_HITS))


def _list(title: str, lines: Sequence[str]) -> Block:
    text = plain("".join(lines) or "–")
    return rich(plain(title, bold=True), text) if title else rich(text)


def _title(hit: Hit) -> str:
    path = [hit.page.title, *hit.evidence.heading_path[-1:]]
    return truncate(" › ".join(path), TITLE_LIMIT)


def _scores(say: Sentences, hit: Hit) -> str:
    scores = say(
        "trace-scores",
        kind=say(f"evidence-{hit.evidence.kind}"),
        words=say.number(hit.lexical, 2),
        page=say.number(hit.in_page, 2),
        meaning=say.number(hit.dense, 2),
        score=say.number(hit.score, 2),
    )
    if not hit.copies:
        return scores
    return f"{scores}; {say('trace-copies', count=len(hit.copies))}"


def _prompt(say: Sentences, prompt: str) -> Iterator[Block]:
    """The prompt as it was sent; of a long one the beginning and the end, and what is between."""
    yield rich(plain(say("prompt"), bold=True))
    if not prompt:
        yield context(say("prompt-none"))
        return
    left_out = len(prompt) - PROMPT_BEGINNING - PROMPT_END
    if left_out <= 0:
        yield from _pieces(prompt)
        return
    yield from _pieces(prompt[:PROMPT_BEGINNING])
    yield context(say("prompt-left-out", count=left_out))
    yield from _pieces(prompt[-PROMPT_END:])


def _pieces(text: str) -> Iterator[Block]:
    for start in range(0, len(text), PROMPT_PIECE):
        yield preformatted(text[start : start + PROMPT_PIECE])
