"""Every sentence of an explanation."""

from __future__ import annotations

from collections.abc import Sequence

from core.attribution import EffectVerdict, Method
from core.states import NoExplanation

EXPLAINING = "Taking evidence away and asking again…"
REASONS = {
    NoExplanation.MODEL_DOWN: (
        "I cannot explain this answer right now: the language model that made it does not answer."
    ),
    NoExplanation.CLOSED: (
        "I cannot explain this answer: a page that it was made from is gone, or is not open to "
        "everybody here any more."
    ),
    NoExplanation.NOTHING_TO_EXPLAIN: "There is no answer to explain.",
    NoExplanation.GAVE_UP: (
        "I tried to explain this several times and did not get to the end of it. The operator "
        "finds the reason in the log."
    ),
    NoExplanation.BUDGET: (
        "I cannot explain this answer today: what may be spent on the language model is used up. "
        "It starts anew at 00:00 UTC."
    ),
    NoExplanation.FORGOTTEN: (
        "I cannot explain this answer: what was asked before it has been forgotten, so it cannot "
        "be asked again as it was."
    ),
    NoExplanation.STOPPED: (
        "The explanation was stopped before it was done. What was found out by then is kept, for "
        "whoever asks again."
    ),
}
EXPLAINED_ALREADY = "The explanation of this answer stands in the thread already."
EXPLAINING_ALREADY = (
    "I am working on the explanation of this answer already; it will come in the thread."
)
EXPLAINED = "Which evidence caused this answer?"
# The verdict on a piece of evidence, as one reads it behind "Taking it away".
VERDICTS = {
    EffectVerdict.CAUSAL: "*changed the answer*",
    EffectVerdict.NOISE: "did nothing that can be told apart from the answer's own variation",
    EffectVerdict.REDUNDANT: "alone changed nothing, since other evidence says the same",
}
SILENT = "changed nothing"
LOST = (
    "Not cited, and what taking it away did cannot be told apart from the answer's own variation:"
)
NEEDED = "Without any of the evidence the answer is a different one: it rests on these pages."
NOT_NEEDED = (
    ":warning: The answer stays about the same without any evidence: *the model did not need these "
    "pages*. Take it with care."
)
TOO_NOISY = ":warning: The answer varies so much by itself that *it cannot be told* what caused it."
NOTHING_ALONE = (
    "No single piece of evidence decided it: taking any one away changed nothing that stands out."
)
ONLY_TOGETHER = "No single piece of evidence decided it, but some do together."
CITED_UNUSED = "_cited but unused_"
USED_UNCITED = "_used but not cited_"
# By the methods of the paper (Saha Roy et al., WSDM 2025) nothing is tested; what is shown then.
UNTESTED = {
    Method.PAPER: (
        "Shares by the method of the paper, one cluster taken away at a time. Nothing was tested "
        "against chance."
    ),
    Method.PAPER_NO_CLUSTERS: (
        "Shares by the method of the paper, each piece taken away alone. Nothing was tested "
        "against chance."
    ),
    Method.NAIVE: (
        "Shares by similarity of each piece and the answer. Nothing was taken away, so they say "
        "nothing about causes."
    ),
}
NO_EVIDENCE = "No evidence was given to this answer."
NOT_TESTED = "Nothing was tested against chance."
NO_MODEL_ASKED = "quoted answers, no model was asked"


def explaining(done: int, of: int, seconds_left: float | None) -> str:
    """How far an explanation is; `of` may still change."""
    if not of:
        return EXPLAINING
    progress = f"{EXPLAINING} {done} of about {of} answers"
    if seconds_left is None:
        return progress
    return f"{progress}, about {_duration(seconds_left)} left"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"


def may_not_stop(user: str) -> str:
    return f"Only <@{user}>, who asked for this explanation, can stop it."


def group(pieces: int, pages: int, clusters: int) -> str:
    """What an effect stands for, when that is more than one piece; empty otherwise."""
    if clusters > 1:
        return f"{clusters} pieces or groups, only tested together"
    if pages > 1:
        return f"{pages} pages that say the same, taken away together"
    return f"{pieces} pieces, taken away together" if pieces > 1 else ""


def redundant(label: str, pages: int) -> str:
    """Of two that can stand in for one another."""
    same = f"{pages} pages say the same" if pages > 1 else "Two pieces say the same"
    effect = "removing either alone changes nothing, removing both changes the answer"
    return f"{same}; {effect}: {label}"


def compared(null: int, repeats: int, test: str) -> str:
    if not test:
        return "Quoted answers do not vary, so one without each piece was compared."
    answers = f"{null} answers with all evidence and up to {repeats} without each piece"
    return f"Compared: {answers}. Test: {test}."


def varies(null: float, empty: float) -> str:
    return f"By itself the answer changes by {null:.2f}, without any evidence by {empty:.2f}."


def certain(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def more_pairs(number: int) -> str:
    return f"{number} more that change the answer only together are not shown."


def hidden(weaker: int, silent: int) -> list[str]:
    """What the message has no room for, and what was given and did nothing."""
    lines = []
    if silent:
        lines.append(f"{silent} other pieces were given, and removing any of them changed nothing.")
    if weaker:
        lines.append(f"{weaker} weaker ones are not shown.")
    return lines


def skipped(labels: Sequence[str], more: int) -> str:
    listed = "; ".join(labels)
    if more:
        listed += f"; and {more} more"
    return f"Not tested, since the budget of calls was used up: {listed}."


def reason(why: NoExplanation | None) -> str:
    return REASONS[why or NoExplanation.GAVE_UP]
