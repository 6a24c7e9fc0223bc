"""The verdict on an answer in one sentence, and how sure that is in another one."""

from __future__ import annotations

from collections.abc import Sequence

from bot.views.explained.causes import Alternatives, causes
from bot.views.explained.pages import ShownPage, ShownPages
from core.attribution import AnswerPath, AnswerVerdict, Explanation, Stage
from core.language.sentences import Sentences

MOST_NAMED = 2  # pages by their titles; more are named by their citations


def headline(say: Sentences, explanation: Explanation) -> str:
    """`This answer comes from [1] Travel policy › Hotels.`; not escaped."""
    verdict = explanation.verdict
    if verdict is None:
        return say(f"untested-{explanation.method}")
    if verdict is AnswerVerdict.CAUSED:
        return _caused(say, explanation)
    if verdict is AnswerVerdict.NOT_TESTED:
        return say(_why_not_tested(explanation))
    return say(f"verdict-{verdict}")


def rest(say: Sentences, explanation: Explanation) -> str:
    """That some of the answer is not explained; empty where that is not so.

    Not of a quoted answer: what no page decides there are headings, and headers of tables.
    """
    if explanation.verdict is not AnswerVerdict.CAUSED or explanation.path is AnswerPath.QUOTED:
        return ""
    found = causes(explanation, ShownPages(explanation))
    return say("verdict-rest") if found.unexplained else ""


def how_sure(say: Sentences, explanation: Explanation) -> str:
    """Empty where nothing was tested, or nothing varies."""
    is_sampled = explanation.tested and explanation.path is not AnswerPath.QUOTED
    if not is_sampled or not explanation.tries:
        return ""
    is_found = explanation.verdict is AnswerVerdict.CAUSED
    lines = [say("how-sure" if is_found else "how-sure-nothing", count=explanation.tries)]
    if explanation.left_undone:
        lines.append(say("left-undone"))
    return " ".join(lines)


def either(say: Sentences, alternatives: Alternatives, *, short: bool) -> str:
    """`[1] or [4]`; what is only enough together is joined by a plus."""
    return say.either([_joined(say, each, short=short) for each in alternatives])


def _caused(say: Sentences, explanation: Explanation) -> str:
    found = causes(explanation, ShownPages(explanation))
    if found.needed and explanation.path is AnswerPath.QUOTED:
        return say("verdict-quoted", pages=_listed(say, found.needed))
    if found.needed:
        key = "verdict-together" if found.together else "verdict-caused"
        return say(key, pages=_listed(say, found.needed))
    if found.enough:
        alternatives = found.enough[0]
        key = "verdict-either" if len(alternatives) == 2 else "verdict-any-of"
        return say(key, pages=either(say, alternatives, short=len(alternatives) > MOST_NAMED))
    if found.part:
        return say("verdict-part", pages=_listed(say, found.part))
    return say("verdict-shared")


def _listed(say: Sentences, pages: Sequence[ShownPage]) -> str:
    if len(pages) > MOST_NAMED:
        return say.listed([page.short for page in pages])
    return say.listed([page.name(say) for page in pages])


def _joined(say: Sentences, pages: Sequence[ShownPage], *, short: bool) -> str:
    return " + ".join(page.short if short else page.name(say) for page in pages)


def _why_not_tested(explanation: Explanation) -> str:
    if Stage.EXPLORE in explanation.left_undone:
        return "not-tested-budget"
    if explanation.failed:
        return "not-tested-failed"
    return "not-tested" if explanation.effects else "not-tested-no-pages"
