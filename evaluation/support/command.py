"""`python -m evaluation support`: how many errors in sentences the check finds, and what it costs.

Right sentences in other words were written by hand beside the pages of our own corpora; the first
half of them set the thresholds of the check (`before`), the second was kept while it was made and
read when it was mended, as were whole answers (`after`, `answers read`). Of other answers none that
the check judged wrongly was ever read (`answers kept`).

Answers about wikis of other people were written by people who had read no code, and most taught the
reader of claims. What was judged wrongly of five wikis was read, and on them it was chosen when the
reader is sure (`wikis read`); of three others nobody has read it, and nothing was chosen by them
(`wikis`).

Errors are planted by rules that know nothing of the check: another number (anywhere, or of the same
page), unit, date, name or identifier, a negation dropped or added, a quantifier turned round, a
citation of the wrong page. In whole answers most are written by hand, among them swapped roles and
before for after. Beside them stand what was made up about a page, and what is right about another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.embeddings.bundled import Bundled
from core.embeddings.once import EmbeddedOnce
from core.settings import or_exit, settings
from evaluation.harness.interval import Share
from evaluation.harness.output import AsJson, show_json
from evaluation.harness.progress import status, track
from evaluation.support.answers import answers
from evaluation.support.case import RIGHT, Case
from evaluation.support.cases import cases
from evaluation.support.cost import cost
from evaluation.support.evidence import Pages, corpora
from evaluation.support.remembering import RememberingReader
from evaluation.support.wiki_answers import APART, READ, cases_of
from worker.generation.chat_model import ChatModel
from worker.generation.second_reader.model_reader import ModelReader
from worker.support.check import Checked, SupportCheck
from worker.support.reading.again import to_read

KEPT, OTHERS = "answers kept", "wikis"
ANSWERS = {"answers read": "answers_read.yaml", KEPT: "answers.yaml"}
WIKIS = {"wikis read": READ, OTHERS: APART}
SETS = ("before", "after", *ANSWERS, *WIKIS)
MEASURE = (KEPT, OTHERS)  # the others mended
AT_ONCE = 8  # calls of a model


@dataclass(frozen=True)
class Outcome:
    """A case, and the reasons for which the check does not support it."""

    case: Case
    reasons: tuple[str, ...]

    @property
    def is_wrong(self) -> bool:
        """An error that was not caught, or a right sentence that was."""
        return bool(self.reasons) == (self.case.kind == RIGHT)


def support(
    as_json: AsJson = False,
    only: Annotated[list[str] | None, typer.Option(help="These sets; all by default.")] = None,
    misses: Annotated[
        bool, typer.Option(help="Each that was judged wrongly, but of those kept.")
    ] = False,
    model: Annotated[
        bool, typer.Option("--model", help="Read again by LLM_MODEL, a call for each answer.")
    ] = False,
) -> None:
    """Sentences of answers against their pages: errors caught, right sentences flagged."""
    own_model = _own_model() if model else None
    with status("writing the pages of our corpora"):
        pages = corpora()
    reader = RememberingReader()
    check = SupportCheck(EmbeddedOnce(Bundled()), lambda: reader)  # most cases share their pages
    found: dict[str, list[Outcome]] = {}
    for name in only or SETS:
        found[name] = list(outcomes(check, list(_given(pages, name)), own_model))
    figures = {name: _figures(outcomes) for name, outcomes in found.items()}
    missed = [_told(each) for name in found if name not in MEASURE for each in _wrong(found[name])]
    if as_json:
        shares = {name: _as_json(rows) for name, rows in figures.items()}
        show_json({"flagged": shares, "milliseconds": cost(pages), "misses": missed})
        return
    _show(figures)
    for size, spent in cost(pages).items():
        typer.echo(f"{size}: {spent} ms of processor time")
    for each in missed if misses else ():
        typer.echo(" | ".join(each.values()))


def _given(pages: Mapping[str, Pages], name: str) -> Iterator[Case]:
    if name in WIKIS:
        yield from chain.from_iterable(map(cases_of, WIKIS[name]))
    elif file := ANSWERS.get(name):
        yield from answers(pages, file)
    else:
        yield from cases(pages, name)


def _own_model() -> ChatModel:
    with or_exit():
        settings().require("llm_base_url", "llm_model")
        return ChatModel(settings(), settings().llm_model or "")


def outcomes(
    check: SupportCheck, given: Sequence[Case], model: ChatModel | None
) -> Iterator[Outcome]:
    checked = [check.check(case.sentence, case.hits) for case in track(given, "support")]
    if model is not None:
        checked = list(_read_again(model, given, checked))
    for case, each in zip(given, checked, strict=True):
        reasons = [reason.value for one in each.unsupported for reason in one.reasons]
        yield Outcome(case, tuple(reasons))


def _read_again(
    model: ChatModel, given: Sequence[Case], checked: Sequence[Checked]
) -> Iterator[Checked]:
    """As a model reads them that has passed the exam; where it is not believed, as they were."""
    reader = ModelReader(settings().llm_context_tokens)

    def read(case: Case, found: Checked) -> Checked:
        asked = to_read(case.sentence, found.claims, case.hits, {})
        _, reading = reader.heard(model, case.question, asked, ())
        return found if reading.said is None else found.read_again(reading.said)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from track(pool.map(read, given, checked), "the model reads", total=len(given))


def _wrong(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    return (each for each in outcomes if each.is_wrong)


def _figures(outcomes: Iterable[Outcome]) -> dict[str, Share]:
    """The share that is flagged: of all errors, of the right ones, by kind and by language."""
    flagged: dict[str, list[bool]] = defaultdict(list)
    for each in outcomes:
        kind = each.case.kind
        group = RIGHT if kind == RIGHT else "all errors"
        names = dict.fromkeys((group, f"{group}, {each.case.language}", kind))
        for name in names:
            flagged[name].append(bool(each.reasons))
    return {name: Share.of_all(marks) for name, marks in flagged.items()}


def _told(outcome: Outcome) -> dict[str, str]:
    case = outcome.case
    return {
        "kind": case.kind,
        "corpus": case.corpus,
        "language": case.language,
        "sentence": case.sentence,
        "reasons": ", ".join(outcome.reasons),
    }


def _as_json(rows: dict[str, Share]) -> dict[str, dict[str, float]]:
    return {name: share.as_json() for name, share in rows.items()}


def _show(figures: dict[str, dict[str, Share]]) -> None:
    table = Table("flagged, %", *(f"{name} (n)" for name in figures))
    kinds = dict.fromkeys(kind for rows in figures.values() for kind in rows)
    for name in kinds:
        shares = [rows.get(name, Share(0, 0)) for rows in figures.values()]
        table.add_row(name, *(f"{share} ({share.of})" for share in shares))
    Console().print(table)
