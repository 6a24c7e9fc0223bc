"""`python -m evaluation support`: how many errors in sentences the check finds, and what it costs.

Right sentences in other words were written by hand beside the pages of our own corpora; half of
them were kept while the check was made. Errors are planted into them by rules that know nothing of
it: another number (anywhere, or of the same page), unit, date, name or identifier, a negation
dropped or added, a quantifier turned round, a citation of the wrong page; beside them stand
sentences that were made up about a page, and right ones about another page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.embeddings.bundled import Bundled
from evaluation.harness.interval import Share
from evaluation.harness.output import AsJson, show_json
from evaluation.harness.progress import status, track
from evaluation.support.cases import RIGHT, Case, cases
from evaluation.support.evidence import corpora
from worker.support.check import SupportCheck
from worker.support.vectors import EmbeddedOnce

WHEN = ("before", "after")  # the check was made: fitted with the first, measured on the second


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
    misses: Annotated[bool, typer.Option(help="Each sentence that was judged wrongly.")] = False,
) -> None:
    """Sentences of answers against their pages: errors caught, right sentences flagged."""
    with status("writing the pages of our corpora"):
        pages = corpora()
    check = SupportCheck(EmbeddedOnce(Bundled()))  # most cases share their pages
    found: dict[str, list[Outcome]] = {}
    for when in WHEN:
        found[when] = list(_outcomes(check, list(cases(pages, when))))
    figures = {when: _figures(outcomes) for when, outcomes in found.items()}
    missed = [_told(each) for each in found["after"] if each.is_wrong]
    if as_json:
        shares = {when: _as_json(rows) for when, rows in figures.items()}
        show_json({"flagged": shares, "misses": missed})
        return
    _show(figures)
    for each in missed if misses else ():
        typer.echo(" | ".join(each.values()))


def _outcomes(check: SupportCheck, given: list[Case]) -> Iterator[Outcome]:
    for case in track(given, "support"):
        checked = check.check(case.sentence, case.hits)
        reasons = [reason.value for each in checked.unsupported for reason in each.reasons]
        yield Outcome(case, tuple(reasons))


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
    table = Table("flagged, %", *(f"{when} (n)" for when in WHEN))
    for name in figures["after"]:
        shares = [figures[when].get(name, Share(0, 0)) for when in WHEN]
        table.add_row(name, *(f"{share} ({share.of})" for share in shares))
    Console().print(table)
