"""Stories that evidence is planted from, of an invented harbour company (`data/planted.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import yaml

from core.models import Evidence, Hit, Kind, Page
from sandbox.llm.planted import Plan

FILE = Path(__file__).parents[2] / "data/planted.yaml"


@dataclass(frozen=True)
class Figure:
    """A question whose answer is a figure, with the wordings of the current and the old one."""

    question: str
    now: tuple[str, ...]
    before: tuple[str, ...]


@dataclass(frozen=True)
class Story:
    """A question, the piece that answers it, and what can stand around that."""

    question: str
    cause: Hit
    copies: tuple[Hit, ...]  # the same text on another page, and one that differs in a sign or two
    other: Hit  # says the same in other words
    older: Hit  # says another figure
    decoys: tuple[Hit, ...]  # share its words and do not answer
    says: tuple[str, ...]
    vaguely: tuple[str, ...]
    figure: Figure
    half_question: str
    halves: tuple[Hit, ...]  # answer it only together
    half_decoy: Hit
    half_says: tuple[str, ...]
    manner: Plan  # how the model talks; its facts are for a case to give


@dataclass(frozen=True)
class Long:
    """A question whose answer has several sentences, each from a piece of its own."""

    question: str
    parts: tuple[tuple[Hit, tuple[str, ...]], ...]
    decoys: tuple[Hit, ...]
    manner: Plan


@cache
def stories() -> tuple[Story, ...]:
    found = _read()
    return tuple(_story(each, found) for each in found["stories"])


@cache
def longs() -> tuple[Long, ...]:
    found = _read()
    return tuple(_long(each, found) for each in found["lists"])


def _long(each: Mapping[str, Any], everything: Mapping[str, Any]) -> Long:
    return Long(
        question=each["question"],
        parts=tuple((_hit(part), tuple(part["says"])) for part in each["parts"]),
        decoys=tuple(map(_hit, each["decoys"])),
        manner=_manner(each, everything),
    )


def _read() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return found


def _story(each: Mapping[str, Any], everything: Mapping[str, Any]) -> Story:
    cause = each["cause"]
    copies = (
        {**cause, "title": f"{cause['title']} (handout)"},
        {**cause, "title": f"Copy of {cause['title']}", "text": each["near"]},
    )
    return Story(
        question=each["question"],
        cause=_hit(cause),
        copies=tuple(map(_hit, copies)),
        other=_hit(each["other"]),
        older=_hit(each["older"]),
        decoys=tuple(map(_hit, each["decoys"])),
        says=tuple(each["says"]),
        vaguely=tuple(each["vaguely"]),
        figure=_figure(each),
        half_question=each["half_question"],
        halves=tuple(map(_hit, each["halves"])),
        half_decoy=_hit(each["half_decoy"]),
        half_says=tuple(each["half_says"]),
        manner=_manner(each, everything),
    )


def _figure(each: Mapping[str, Any]) -> Figure:
    figure = each["figure"]
    now = tuple(text.replace("VALUE", figure["now"]) for text in figure["says"])
    before = tuple(text.replace("VALUE", figure["before"]) for text in figure["says"])
    return Figure(figure.get("question", each["question"]), now, before)


def _manner(each: Mapping[str, Any], everything: Mapping[str, Any]) -> Plan:
    suffix = "_de" if each.get("language") == "de" else ""

    def words(name: str) -> tuple[str, ...]:
        return tuple(everything[f"{name}{suffix}"])

    return Plan(
        (),
        openings=words("openings"),
        closings=words("closings"),
        extras=words("extras"),
        missing=words("missing"),
    )


def _hit(piece: Mapping[str, str]) -> Hit:
    """Each on a page of its own."""
    identifier = blake2b(f"{piece['title']}\n{piece['text']}".encode(), digest_size=6).hexdigest()
    page = Page(
        id=identifier,
        space="HAFEN",
        title=piece["title"],
        url=f"https://wiki.example/{identifier}",
        updated_at="2026-04-01",
    )
    heading = (piece["heading"],) if piece["heading"] else ()
    evidence = Evidence(
        id=identifier,
        page_id=identifier,
        kind=Kind.PASSAGE,
        text=piece["text"].strip(),
        heading_path=heading,
    )
    return Hit(evidence=evidence, page=page, score=1.0)
