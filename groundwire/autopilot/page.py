"""The readiness of an installation as one page of Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.autopilot.asking import TriedQuestion
from groundwire.autopilot.readiness import Readiness, Trouble

HEADS = {
    "ready": "Ready to be tried by everybody",
    "for a few people": "Ready for a few people, who check the page",
    "not ready": "Not ready",
    "not tried": "Not known: too little could be tried",
}
_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#"})


def markdown(found: Readiness) -> str:
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Readiness) -> Iterator[str]:
    low, high = found.interval
    yield f"# {HEADS[found.verdict]}\n"
    yield (
        f"{found.right} of {found.answerable} questions made from your pages were answered from "
        f"the right page ({low:.0%} to {high:.0%} of such questions are). Of {found.unanswerable} "
        f"that were asked where no page answers them {found.declined} were declined. "
        f"{found.green} answers had the "
        f"green badge, {found.green_wrong} of them wrongly. Half came within {found.median_s:.1f} "
        f"s, nine of ten within {found.slow_s:.1f} s.\n"
    )
    yield (
        "The questions are made from headings and tables, every second one in telegraphic style, "
        "in the words of your pages. People ask in other words: count on fewer right answers, and "
        "look at what they ask in `groundwire console`. No page answers a question where only "
        "other spaces are searched, unless they say the same in other words. What only some people "
        "may read was not asked about. Whether an answer reads well, nobody has judged.\n"
    )
    if found.troubles:
        yield "## Where it fails\n"
        for trouble in found.troubles:
            yield from _trouble(trouble)
    yield "## All questions\n"
    for each in found.tried:
        mark = "✓" if each.is_right else "✗"
        yield f"- {mark} {_plain(each.question)} ({_became(each)}, {each.seconds:.1f} s)"


def _trouble(trouble: Trouble) -> Iterator[str]:
    yield f"- **{trouble.often} · {_plain(trouble.says)}**: {trouble.cure}"
    for example in trouble.examples:
        yield f"  - {_plain(example)}"


def _plain(text: str) -> str:
    """Words of pages are no Markdown."""
    return " ".join(text.split()).translate(_SIGNS)


def _became(tried: TriedQuestion) -> str:
    if tried.is_answerable or not tried.is_tried:
        return tried.verdict
    return "declined" if tried.is_right else "answered, where no page answers it"
