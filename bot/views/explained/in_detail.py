"""An explanation in the details: each sentence with its pages and rates, each page, what it cost.

All that pages or models say is rich text, which has no markup to escape.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.views.block_kit import Block, context, header, plain, rich, section
from bot.views.explained.cost import cost
from bot.views.explained.difference import bare, difference, is_alike
from bot.views.explained.marks import SHOWN
from bot.views.explained.pages import SIGNS, USED, ShownPage, ShownPages
from bot.views.explained.sentences import by_sentence
from bot.views.explained.untested import shares
from bot.views.explained.verdict import headline, how_sure
from bot.views.mrkdwn import escape, one_line, truncate
from core.attribution import AnswerPath, Effect, Explanation, Role
from core.language.sentences import Sentences

MOST_PAGES = 8  # each takes up to four blocks
MOST_UNUSED = 20
LABEL_LIMIT = 60
ANSWER_LIMIT = 2_400  # characters of another answer
DIVIDER: Block = {"type": "divider"}


def in_detail(say: Sentences, explanation: Explanation, answer: str) -> Iterator[Block]:
    """`answer` is the saved one, which the others are compared with."""
    yield header(say("details-effects"))
    yield section(escape(headline(say, explanation)))
    if explanation.tested and (runs := list(by_sentence(say, explanation))):
        yield rich(*runs)
    yield from _pages(say, explanation, bare(answer))
    if explanation.without_evidence:
        yield DIVIDER
        yield section(f"*{say('details-without-any')}*")
        yield rich(plain(truncate(bare(explanation.without_evidence), ANSWER_LIMIT)))
    yield context("\n".join(_how(say, explanation)))
    yield DIVIDER


def _pages(say: Sentences, explanation: Explanation, answer: str) -> Iterator[Block]:
    if not explanation.tested:
        yield from map(section, filter(None, ["\n".join(shares(say, explanation))]))
        return
    pages = ShownPages(explanation)
    used = [page for page in pages.all if page.role in USED]
    for page in used[:MOST_PAGES]:
        yield DIVIDER
        yield section(f"*{escape(_title(say, page))}*")
        if rates := _rates(say, explanation, page):
            yield context(rates)
        yield from _typical_answer(say, explanation.effects[page.place], answer)
    if more := used[MOST_PAGES:]:
        yield context(say("and-more", count=len(more)))
    unused = [page.name(say) for page in pages.all if page.role is Role.UNUSED]
    if unused and explanation.verdict in SHOWN:
        yield DIVIDER
        yield rich(*_unused(say, explanation, unused))


def _title(say: Sentences, page: ShownPage) -> str:
    assert page.role is not None
    return f"{SIGNS[page.role]} {page.name(say)}: {say(f'role-{page.role}')}"


def _rates(say: Sentences, explanation: Explanation, page: ShownPage) -> str:
    """In how many test answers its sentences were said; empty where that was not counted."""
    with_it, without = explanation.tries_of(page.place)
    if explanation.path is AnswerPath.QUOTED or not (with_it.of and without.of):
        return ""
    return say(
        "details-rates",
        there=with_it.of - with_it.lost,
        there_of=with_it.of,
        away=without.of - without.lost,
        away_of=without.of,
    )


def _typical_answer(say: Sentences, effect: Effect, answer: str) -> Iterator[Block]:
    """A typical answer without this evidence."""
    other = bare(effect.counterfactual)
    if not other:
        return
    if other == answer:
        yield rich(plain(say("details-same"), italic=True))
    elif is_alike(answer, other):
        yield context(say("details-typical"))
        yield rich(*difference(answer, other, ANSWER_LIMIT))
    else:
        yield context(say("details-typical-other"))
        yield rich(plain(truncate(other, ANSWER_LIMIT)))


def _unused(say: Sentences, explanation: Explanation, names: list[str]) -> Iterator[Block]:
    listed = "; ".join(one_line(each, LABEL_LIMIT) for each in names[:MOST_UNUSED])
    if more := names[MOST_UNUSED:]:
        listed = f"{listed}; {say('and-more', count=len(more))}"
    if explanation.path is AnswerPath.QUOTED:
        said = say("details-unused-quoted")
    else:
        said = say("details-unused", count=explanation.tries)
    yield plain(f"{SIGNS[Role.UNUSED]} {said} {listed}")


def _how(say: Sentences, explanation: Explanation) -> Iterator[str]:
    """How it was tested, and what it cost."""
    if explanation.path is AnswerPath.QUOTED:
        yield say("how-quoted")
    elif not explanation.tested:
        yield say("how-method", method=explanation.method)
    elif sure := how_sure(say, explanation):
        yield sure
        yield say("how-error")
        yield say(f"how-{explanation.path}")
        if explanation.repeats_itself:
            yield say("how-repeats")
    if explanation.failed:
        yield say("how-failed", count=explanation.failed)
    yield cost(say, explanation)
