"""Each sentence of an answer with its pages, and in how many tries it was lost without them."""

from __future__ import annotations

from collections.abc import Iterator

from bot.views.block_kit import Block, plain
from bot.views.explained.pages import SIGNS, ShownPages
from bot.views.explained.verdict import either
from bot.views.mrkdwn import one_line
from core.attribution import AnswerPath, Cause, Explanation, Role, SentenceCauses
from core.language.sentences import Sentences

MOST = 12
MOST_CAUSES = 6
TEXT_LIMIT = 160
NAMES_LIMIT = 120


def by_sentence(say: Sentences, explanation: Explanation) -> Iterator[Block]:
    """Runs of rich text, a few lines for each sentence.

    Of a quoted answer those without a cause are left out: headings, and headers of tables.
    """
    pages = ShownPages(explanation)
    is_quoted = explanation.path is AnswerPath.QUOTED
    sentences = [each for each in explanation.sentences if each.causes or not is_quoted]
    for number, sentence in enumerate(sentences[:MOST], start=1):
        yield plain(f"{number}. {one_line(sentence.text, TEXT_LIMIT)}\n", bold=True)
        for line in _lines(say, sentence, pages, is_quoted=is_quoted):
            yield plain(f"      {line}\n")
    if more := sentences[MOST:]:
        yield plain(say("and-more", count=len(more)))


def _lines(
    say: Sentences, sentence: SentenceCauses, pages: ShownPages, *, is_quoted: bool
) -> Iterator[str]:
    causes = [each for each in sentence.causes if each.role is not Role.ENOUGH]
    for cause in causes[:MOST_CAUSES]:
        yield _cause(say, cause, pages, is_quoted=is_quoted)
    if more := causes[MOST_CAUSES:]:
        yield say("and-more", count=len(more))
    if sentence.enough:
        yield _enough(say, sentence, pages, is_quoted=is_quoted)
    if not sentence.causes:
        lost, of = sentence.tries.lost, sentence.tries.of
        yield say("sentence-nothing-alone", lost=lost, of=of) if of else say("sentence-nothing")
        if of and not sentence.without_any:
            yield say("sentence-without-any")


def _cause(say: Sentences, cause: Cause, pages: ShownPages, *, is_quoted: bool) -> str:
    page = one_line(pages.of(cause.effect).name(say), NAMES_LIMIT)
    text = f"{SIGNS[cause.role]} {page}: {say(f'role-{cause.role}')}"
    if is_quoted or not cause.without.of:
        return text
    rate = say("sentence-lost", lost=cause.without.lost, of=cause.without.of)
    return f"{text}; {rate}"


def _enough(say: Sentences, sentence: SentenceCauses, pages: ShownPages, *, is_quoted: bool) -> str:
    alternatives = tuple(tuple(pages.these(places)) for places in sentence.enough)
    names = one_line(either(say, alternatives, short=True), NAMES_LIMIT)
    key = "mark-either" if len(alternatives) == 2 else "mark-any-of"
    text = f"{SIGNS[Role.ENOUGH]} {say(key, pages=names)}"
    alone = [each for each in sentence.causes if each.role is Role.ENOUGH and each.with_it.of]
    if is_quoted or not alone:
        return text
    kept = sum(each.with_it.of - each.with_it.lost for each in alone)
    rate = say("sentence-kept", kept=kept, of=sum(each.with_it.of for each in alone))
    return f"{text}; {rate}"
