"""Readiness: what the outcomes of questions and the last sync say, the worst first, with cures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import quantiles

from scipy import stats

from core.models import Confidence
from core.value import Value
from groundwire.autopilot.asking import TriedQuestion
from groundwire.golden.asking import GoldenVerdict
from indexer.sync.status import SpaceStatus

READY = 0.8  # of the questions whose page is there: answered from it
NEARLY = 0.6
DECLINED = 0.7  # of those that no page answers
SLOW_S = 10.0  # a person in Slack looks away after that
FEWEST = 10  # questions that say something


class Trouble(Value):
    """Something that fails, how often, and what helps."""

    says: str
    often: int
    cure: str
    examples: tuple[str, ...] = ()


class Readiness(Value):
    """Whether the bot is ready for people, and why not."""

    verdict: str  # "ready", "for a few people", "not ready", "not tried"
    right: int
    answerable: int
    interval: tuple[float, float]  # of the share that is right, 95 %, Wilson
    declined: int  # of those that no page answers
    unanswerable: int
    green: int  # answers with the green badge
    green_wrong: int
    median_s: float
    slow_s: float  # nine of ten came within
    troubles: tuple[Trouble, ...]
    tried: tuple[TriedQuestion, ...]


def readiness(tried: Sequence[TriedQuestion], spaces: Sequence[SpaceStatus]) -> Readiness:
    seen = [each for each in tried if each.is_tried]
    answerable = [each for each in seen if each.is_answerable]
    others = [each for each in seen if not each.is_answerable]
    right = sum(each.is_right for each in answerable)
    green = [each for each in seen if each.badge == Confidence.HIGH]
    middle, slow = _seconds([each.seconds for each in seen])
    troubles = [*_of_questions(tried), *_of_spaces(spaces)]
    if slow > SLOW_S:
        troubles.append(_slow(slow))
    return Readiness(
        verdict=_verdict(
            [each.is_right for each in answerable],
            [each.is_right for each in others],
            len(tried) - len(seen),
        ),
        right=right,
        answerable=len(answerable),
        interval=_interval(right, len(answerable)),
        declined=sum(each.is_right for each in others),
        unanswerable=len(others),
        green=len(green),
        green_wrong=sum(not each.is_right for each in green),
        median_s=middle,
        slow_s=slow,
        troubles=tuple(sorted(troubles, key=lambda each: -each.often)),
        tried=tuple(tried),
    )


def _verdict(answerable: Sequence[bool], others: Sequence[bool], untried: int) -> str:
    """By the lower end of what the share may be: few questions prove little."""
    right = sum(answerable)
    if untried or len(answerable) < FEWEST:
        return "not tried"
    low, _ = _interval(right, len(answerable))
    share = right / len(answerable)
    declines = bool(others) and sum(others) / len(others) >= DECLINED
    if share >= READY and low >= NEARLY and declines:
        return "ready"
    return "for a few people" if share >= NEARLY else "not ready"


def _interval(right: int, of: int) -> tuple[float, float]:
    if not of:
        return 0.0, 1.0
    found = stats.binomtest(right, of).proportion_ci(0.95, method="wilson")
    return round(float(found.low), 2), round(float(found.high), 2)


def _seconds(all_of_them: Sequence[float]) -> tuple[float, float]:
    if len(all_of_them) < 2:
        return (*all_of_them, *all_of_them) if all_of_them else (0.0, 0.0)  # type: ignore[return-value]
    tenths = quantiles(all_of_them, n=10, method="inclusive")
    return round(tenths[4], 2), round(tenths[8], 2)


_CURES = {
    GoldenVerdict.NOT_TRIED: (
        "could not be tried: something did not answer",
        "`groundwire doctor` says what",
    ),
    GoldenVerdict.NOT_FOUND: (
        "refused, although a page answers it",
        "ANSWERABILITY lower than it is refuses less and answers more of what no page says; "
        "docs/benchmarks.md has both",
    ),
    GoldenVerdict.OTHER_PAGES: (
        "answered from other pages",
        "copies, drafts and old versions compete: archive them, or choose spaces with "
        "DEFAULT_SPACES",
    ),
    GoldenVerdict.SAYS_OTHERWISE: (
        "answered from the right page, without what its table says",
        "`groundwire console`, the page as the search sees it",
    ),
}


def _of_questions(tried: Iterable[TriedQuestion]) -> Iterator[Trouble]:
    wrong = [each for each in tried if not each.is_right]
    for verdict, (says, cure) in _CURES.items():
        found = [each for each in wrong if each.is_answerable and each.verdict == verdict]
        if found:
            yield Trouble(says=says, often=len(found), cure=cure, examples=_examples(found))
    answered = [each for each in wrong if not each.is_answerable and each.is_tried]
    if answered:
        yield Trouble(
            says="answered, although no page says it",
            often=len(answered),
            cure="ANSWERABILITY higher than it is refuses more, right ones too; a model says more "
            "often that it does not know",
            examples=_examples(answered),
        )


def _examples(found: Sequence[TriedQuestion]) -> tuple[str, ...]:
    return tuple(_example(each) for each in found[:5])


def _example(tried: TriedQuestion) -> str:
    wanted = f" (on “{tried.page}”)"
    instead = f"; answered from {', '.join(f'“{title}”' for title in tried.cited[:2])}"
    return f"{tried.question}{wanted}{instead if tried.cited else ''}"


def _of_spaces(spaces: Iterable[SpaceStatus]) -> Iterator[Trouble]:
    for space in spaces:
        name = space.shown
        if space.failures:
            why = tuple(sorted({str(each["error"]) for each in space.failures}))[:5]
            says, cure = f"pages of {name} cannot be read", "`groundwire indexer status` says why"
            yield Trouble(says=says, often=len(space.failures), cure=cure, examples=why)
        if space.withheld:
            says = f"pages of {name} are shown to nobody: it is unknown who may read them"
            cure = "`groundwire indexer can-read PAGE` says why"
            yield Trouble(says=says, often=space.withheld, cure=cure)
        if not space.last_complete:
            says, cure = f"{name} was never read in full", "wait for `groundwire sync`"
            yield Trouble(says=says, often=1, cure=cure)


def _slow(seconds: float) -> Trouble:
    return Trouble(
        says=f"one answer in ten takes {seconds:.0f} s or longer",
        often=1,
        cure="the trace of a slow one says which step: `groundwire worker trace TURN`",
    )
