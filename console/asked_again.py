"""A question asked again in another manner, and what differs: the evidence of both answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from core.manner import Context, Length, Manner, Mode
from core.models import Hit, Record
from core.settings import Settings
from core.settings.values import FEWEST_EVIDENCE, MOST_EVIDENCE

C = TypeVar("C", bound=StrEnum)

NO_MODEL = "none"


@dataclass(frozen=True)
class ManyChoices:
    """What can be chosen."""

    models: tuple[str, ...]
    modes: tuple[str, ...]
    contexts: tuple[str, ...]
    lengths: tuple[str, ...]
    fewest: int = FEWEST_EVIDENCE
    most: int = MOST_EVIDENCE


@dataclass(frozen=True)
class EvidenceThenAndNow:
    """A piece, and its rank in both answers; None: it was not among their evidence."""

    hit: Hit
    then: int | None
    now: int | None


def choices(settings: Settings) -> ManyChoices:
    return ManyChoices(
        models=(*settings.llm_model_names, NO_MODEL),
        modes=tuple(Mode),
        contexts=tuple(Context),
        lengths=tuple(Length),
    )


def chosen(form: Mapping[str, str], settings: Settings) -> tuple[Manner, bool]:
    """The manner that a form asks for, and whether by a model; what it does not know is usual."""
    offered = choices(settings)
    model = form.get("model", "")
    evidence = form.get("evidence", "")
    number = int(evidence) if evidence.isascii() and evidence.isdigit() else 0
    manner = Manner(
        model=model if model in settings.llm_model_names else "",
        mode=_one_of(Mode, form.get("mode", ""), Mode.BOTH),
        context=_one_of(Context, form.get("context", ""), Context.AUTO),
        length=_one_of(Length, form.get("length", ""), Length.NORMAL),
        evidence=number if offered.fewest <= number <= offered.most else 0,
    )
    return manner, model != NO_MODEL


def compared(then: Record, now: Record) -> list[EvidenceThenAndNow]:
    """The evidence of both, first what is given now, in its order."""
    before = {hit.evidence.id: rank for rank, hit in enumerate(then.hits, 1)}
    after = {hit.evidence.id: rank for rank, hit in enumerate(now.hits, 1)}
    shown = {hit.evidence.id: hit for hit in (*now.hits, *then.hits)}
    return [
        EvidenceThenAndNow(hit, before.get(piece), after.get(piece)) for piece, hit in shown.items()
    ]


def _one_of(kind: type[C], asked: str, usual: C) -> C:
    return kind(asked) if asked in set(kind) else usual
