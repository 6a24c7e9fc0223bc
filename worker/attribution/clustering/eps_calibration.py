"""Calibrates the clustering distance (eps) of an embedder on fictional pairs, as wikis have them.

`TWINS` say the same; `NEAR_MISSES` differ in one thing that matters. Pairs that differ in a number
or a negation are among them to see what an embedder makes of them;
`worker.attribution.clustering.compared_text` tells those apart by their words, whatever their
distance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from core.embeddings import Embedder
from worker.attribution.clustering.compared_text import ComparedText, differ, plain, say_the_same

LEAST = 0.01  # of the nearest near miss, where no twin lies before it but copies
FLOOR = 1e-6  # of an embedder that cannot tell near misses apart: rounding

Pair = tuple[str, str]

_PUMP = (
    "The pump at the north quay is switched off by the red lever behind the door. "
    "Whoever uses it tells the harbour office, which writes the time into the log "
    "and calls the electrician on duty."
)
_BADGE = (
    "Visitors get their badge at the reception of the harbour office. "
    "They wear it visibly and give it back before they leave. "
    "A lost badge is reported to the gate at once, so that it can be blocked."
)
_KRAN = (
    "Vor jeder Schicht prüft der Kranführer die Bremse, das Seil und den Haken. "
    "Findet er einen Schaden, bleibt der Kran stehen, und die Werkstatt wird gerufen. "
    "Die Prüfung wird im Kranbuch unterschrieben."
)
_LEAVE = "Porto has 25 days of leave."
_HOTEL = "A hotel in Porto costs up to 110 EUR per night, breakfast included."
_STEPS = (
    "Stop the gateway\n"
    "Wait until the queue is empty\n"
    "Install the new release\n"
    "Start the gateway again"
)
_ROW = (
    "Crane is Lumo SkyLift 3180, and Status is passed, and Tester is Ida Holm, "
    "and Notes is brake adjusted after the first lift"
)


TWINS: tuple[Pair, ...] = (
    (_PUMP, _PUMP),
    (_PUMP, "  " + _PUMP.replace(". ", ".\n\n") + " "),
    (_BADGE, _BADGE.replace(". ", ".\n").replace("harbour office", "Harbour Office")),
    (_HOTEL, _HOTEL.upper()),
    (_HOTEL, _HOTEL.replace(",", "").rstrip(".")),
    (_LEAVE, _LEAVE.rstrip(".").replace("days", "Days")),
    (_PUMP, f"Last changed on 12 March\n{_PUMP}"),
    (_BADGE, f"Badges for visitors\n{_BADGE}"),
    (_KRAN, f"Stand: 12. März\n{_KRAN}"),
    (_KRAN, _KRAN.replace(". ", ".\n")),
    (_STEPS, _STEPS.replace("\n", ".\n")),
    (_PUMP, _PUMP.replace("uses it tells", "uses it now tells")),
    (_PUMP, _PUMP.replace("on duty", "on-duty")),
    (_PUMP, _PUMP.replace("The pump", "Please note: the pump")),
    (_BADGE, _BADGE.replace("at once, so that", "immediately so that")),
    (_BADGE, _BADGE.replace("Visitors get", "All visitors get")),
    (_KRAN, _KRAN.replace("wird im Kranbuch unterschrieben", "ist im Kranbuch zu unterschreiben")),
    (_HOTEL, _HOTEL.replace("per night", "a night")),
    (_ROW, _ROW.replace(", and", ";")),
    (_ROW, _ROW.replace("after the first lift", "after first lift")),
)
NEAR_MISSES: tuple[Pair, ...] = (
    (_PUMP, _PUMP.replace("north quay", "south quay")),
    (_PUMP, _PUMP.replace("electrician", "fire brigade")),
    (_PUMP, _PUMP.replace("red lever", "green button")),
    (_BADGE, _BADGE.replace("reception of the harbour office", "gate of the container terminal")),
    (_BADGE, _BADGE.replace("give it back before they leave", "keep it for their next visit")),
    (_KRAN, _KRAN.replace("Kranführer", "Hafenmeister")),
    (_HOTEL, _HOTEL.replace("Porto", "Lisbon")),
    (_LEAVE, _LEAVE.replace("Porto", "Lisbon")),
    (_STEPS, _STEPS.replace("Install the new release", "Restore the backup")),
    (_ROW, _ROW.replace("Ida Holm", "Ben Sato")),
    (_ROW, _ROW.replace("passed", "failed")),
    (_LEAVE, _LEAVE.replace("25", "24")),
    (_HOTEL, _HOTEL.replace("110", "140")),
    (_ROW, _ROW.replace("3180", "4260")),
    (_PUMP, _PUMP.replace("is switched off", "is not switched off")),
    (_KRAN, _KRAN.replace("wird im Kranbuch", "wird nicht im Kranbuch")),
)


def calibrated(embedder: Embedder, written: Callable[[str], str] = plain) -> float:
    """The cosine distance within which two texts are taken for the same with this embedder.

    As wide as it can be without a near miss: the geometric mean of the nearest near miss and the
    farthest twin before it. A miss is worse than a twin left out: it says of two pages that they
    say the same, and of the twins left out a test of pairs finds what they do. Pairs that words
    alone decide do not count where words are asked too, which is wherever `plain` texts are
    compared. Measured once.
    """
    # A protocol promises no hash, objects have one.
    return _measured(embedder, written)  # type: ignore[arg-type]


@lru_cache(maxsize=8)
def _measured(embedder: Embedder, written: Callable[[str], str]) -> float:
    twins, misses = TWINS, NEAR_MISSES
    if written is plain:
        twins = _undecided(TWINS, say_the_same)
        misses = _undecided(NEAR_MISSES, differ)
    nearest = float(distances(embedder, misses, written).min())
    apart = distances(embedder, twins, written)
    farthest = float(apart[apart < nearest].max(initial=0.0))
    return max(math.sqrt(max(farthest, LEAST * nearest) * nearest), FLOOR)


def _undecided(
    pairs: Sequence[Pair], by_words: Callable[[ComparedText, ComparedText], bool]
) -> tuple[Pair, ...]:
    """The pairs that the words alone do not decide."""
    return tuple(pair for pair in pairs if not by_words(*map(ComparedText, pair)))


def as_written(text: str) -> str:
    return text


def distances(
    embedder: Embedder,
    pairs: Sequence[Pair],
    written: Callable[[str], str] = plain,
) -> np.ndarray:
    """Cosine distances, one for each pair."""
    vectors = embedder.embed([written(text) for text in chain.from_iterable(pairs)])
    cosines = np.einsum("ij,ij->i", vectors[::2], vectors[1::2])
    return np.asarray(1.0 - cosines, dtype=float)
