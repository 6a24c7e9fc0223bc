"""A weekly digest: questions that no page answered or that were answered badly, nearest pages.

Limits: 50 blocks a message (bot.views.block_kit); a gap takes two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.views.answer.remark import question_text
from bot.views.answer.sources import TITLE_LIMIT
from bot.views.answer_blocks import MessageBlocks
from bot.views.block_kit import Block, actions, button, context, header, section
from bot.views.mrkdwn import escape, link, one_line, sanitize, truncate
from core.digest.digest import Digest, DigestGap, DigestQuestion, Fix
from core.language.sentences import Sentences
from core.models import Page
from core.pages import PageKey

FIXED_ACTION, STOP_ACTION = "digest_fixed", "digest_stop"
MOST_QUESTIONS = 3  # of a gap
DRAFT_LIMIT = 300


@dataclass(frozen=True)
class DigestWords:
    """What a digest is made from."""

    digest: Digest
    pages: Mapping[PageKey, Page]  # that may be named
    links: Mapping[str, str]  # to the threads of questions, by turn


def build_digest(say: Sentences, words: DigestWords) -> MessageBlocks:
    """The message as it is now; its text is what a notification shows."""
    digest = words.digest
    title = say("digest-heading-owner" if digest.is_for_owner else "digest-heading")
    if not digest.gaps:
        return MessageBlocks(title, [header(title), section(say("digest-nothing-left"))])
    intro = say("digest-intro-owner" if digest.is_for_owner else "digest-intro")
    blocks = [header(title), section(intro)]
    for gap in digest.gaps:
        blocks += _gap(say, words, gap)
    blocks.append({"type": "divider"})
    if digest.is_for_owner:
        blocks.append(context(say("digest-why-owner")))
        blocks.append(actions(button(say("button-no-digest"), STOP_ACTION, digest.id)))
    else:
        blocks.append(context(say("digest-why")))
    first = digest.gaps[0].questions[0]
    return MessageBlocks(f"{title}: {question_text(first.text)}", blocks)


def build_outcome(say: Sentences, words: DigestWords, gap: DigestGap) -> MessageBlocks:
    """For whoever has called a gap fixed: what became of its questions."""
    assert gap.fix
    who = f"<@{gap.fix.marked_by}> " if gap.fix.marked_by else ""
    question = question_text(gap.questions[0].text)
    text = f"{who}{_outcome(say, gap.fix)}\n> {question}"
    return MessageBlocks(text, [section(text)])


def _gap(say: Sentences, words: DigestWords, gap: DigestGap) -> Iterator[Block]:
    yield section("\n".join(_lines(say, words, gap)))
    if gap.fix is None:
        value = f"{words.digest.id}:{gap.number}"
        yield actions(button(say("button-fixed"), FIXED_ACTION, value))
    else:
        yield context(" ".join(_fixed(say, words, gap.fix)))


def _lines(say: Sentences, words: DigestWords, gap: DigestGap) -> Iterator[str]:
    first, *others = gap.questions
    yield f"*{_linked(words, first)}*"
    yield " · ".join(_facts(say, gap))
    for each in others[: MOST_QUESTIONS - 1]:
        yield f"• {_linked(words, each)}"
    near = [words.pages[key] for key in gap.near if key in words.pages]
    if near:
        named = " · ".join(_named(page) for page in near)
        yield say("digest-near", pages=named)
    if gap.draft and gap.drafted_from <= words.pages.keys():
        draft = escape(sanitize(one_line(gap.draft, DRAFT_LIMIT)))
        yield say("digest-draft", sentence=draft)


def _facts(say: Sentences, gap: DigestGap) -> Iterator[str]:
    yield say("digest-asked", count=len(gap.questions))
    if gap.people and gap.is_whole:
        yield say("digest-people", count=gap.people)
    is_answered = any(each.found for each in gap.questions)
    yield say("digest-answered-badly" if is_answered else "digest-no-page")


def _fixed(say: Sentences, words: DigestWords, fix: Fix) -> Iterator[str]:
    if not fix.asked:
        yield say("digest-marked")
        return
    yield _outcome(say, fix)
    named = [_named(words.pages[key]) for key in sorted(fix.pages) if key in words.pages]
    if named:
        yield f"→ {' · '.join(named)}"


def _outcome(say: Sentences, fix: Fix) -> str:
    """How many of its questions are answered now; it claims nothing of how well."""
    asked = len(fix.questions)
    if not asked:
        return say("digest-nothing-left")
    if fix.cured == asked:
        return f":white_check_mark: {say('digest-cured', count=asked)}"
    return f":warning: {say('digest-not-cured', cured=fix.cured, asked=asked)}"


def _linked(words: DigestWords, question: DigestQuestion) -> str:
    url = words.links.get(question.turn_id, "")
    return link(truncate(question.text, TITLE_LIMIT), url) if url else question_text(question.text)


def _named(page: Page) -> str:
    return link(truncate(page.title, TITLE_LIMIT), page.url)
