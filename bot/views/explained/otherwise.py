"""What would have been said without a page, or without any: of the sentence that changed most."""

from __future__ import annotations

from bot.views.block_kit import Block, plain
from bot.views.explained.difference import bare, difference, is_alike
from bot.views.explained.pages import ShownPages
from bot.views.mrkdwn import one_line
from core.attribution import AnswerPath, AnswerVerdict, Effect, Explanation, Role
from core.language.sentences import Sentences

LIMIT = 300  # characters
ALONE = (Role.NEEDED, Role.TOGETHER, Role.PART)  # something is lost when it alone is away
SAME = 0.8  # of the words of two sentences that are about the same
WITHOUT_ANY = (AnswerVerdict.SHARED, AnswerVerdict.TOO_FEW)


def otherwise(say: Sentences, explanation: Explanation) -> list[Block]:
    """As runs of rich text; nothing where it is not known, or would be the same."""
    if explanation.verdict is AnswerVerdict.CAUSED:
        pages = ShownPages(explanation)
        for page in pages.all:
            for place, effect in enumerate(explanation.effects):
                if pages.of(place) == page and _is_telling(effect):
                    return _without(say, explanation, effect, page.short)
    if explanation.verdict in (AnswerVerdict.CAUSED, *WITHOUT_ANY):
        return _without_any(say, explanation)
    return []


def as_text(runs: list[Block]) -> str:
    """Where there are no styles."""
    return "".join(str(run["text"]) for run in runs)


def _is_telling(effect: Effect) -> bool:
    return effect.role in ALONE and bool(effect.lost)


def _without(say: Sentences, explanation: Explanation, effect: Effect, page: str) -> list[Block]:
    lost, instead = _line(effect.lost), _line(effect.instead)
    said = "quoted" if explanation.path is AnswerPath.QUOTED else "said"
    if not instead or _stands_elsewhere(explanation, lost, instead):
        return [plain(say(f"otherwise-not-{said}", page=page, text=lost))]
    first = plain(f"{say(f'otherwise-{said}', page=page)} ")
    if is_alike(lost, instead):
        return [first, *difference(lost, instead, LIMIT)]
    return [first, plain(say("otherwise-in-words", text=instead))]


def _stands_elsewhere(explanation: Explanation, lost: str, instead: str) -> bool:
    """Whether it is another sentence of the saved answer, and so was not said in its place."""
    others = [_line(each.text) for each in explanation.sentences]
    return any(is_alike(other, instead, SAME) for other in others if other != lost)


def _without_any(say: Sentences, explanation: Explanation) -> list[Block]:
    text = _line(explanation.without_evidence)
    if not text:
        return []
    return [plain(f"{say('otherwise-any')} {say('otherwise-in-words', text=text)}")]


def _line(text: str) -> str:
    return one_line(bare(text), LIMIT)
