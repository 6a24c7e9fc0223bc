"""`python -m evaluation explained-twice`: whether log-probabilities and asking again agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from scipy.stats import rankdata

from core.attribution import ExplainBy
from core.errors import GroundwireError
from core.settings import settings
from evaluation.explanations.any_answer.case import Case, read
from evaluation.explanations.any_answer.command import Explainer, explainer
from evaluation.explanations.any_answer.reported import UNTESTED, Reported
from evaluation.harness.interval import Share
from evaluation.harness.json_lines import BadLine
from evaluation.harness.output import AsJson, fail, show_json
from evaluation.harness.progress import track


@dataclass(frozen=True)
class Twice:
    """One answer, explained in both ways."""

    id: str
    verdicts: tuple[str, str]  # by log-probabilities, by asking again
    same_causes: bool  # each sentence has the same pages in the same role
    same_first: bool | None  # the same piece has the largest effect; None: not tested in both
    spearman: float | None  # of the effects, by ranks; None: one of them has none to rank
    calls: tuple[int, int]
    tokens: tuple[int | None, int | None]
    seconds: tuple[float, float]


def explained_twice(
    cases: Annotated[Path, typer.Option(help="The answers, a JSON object on each line.")],
    as_json: AsJson = False,
) -> None:
    """Explains answers by log-probabilities and by asking again, and compares the two.

    Asks the model of LLM_BASE_URL and LLM_MODEL, whose endpoint has to tell log-probabilities.
    """
    try:
        given = read(cases)
        by = explainer(settings())
    except (BadLine, GroundwireError) as error:
        fail(str(error))
    found = list(track(_twice(by, given), "explain twice", total=len(given)))
    if by.failed:
        fail(f"the model did not answer in {len(by.failed)} of {2 * len(given)} explanations")
    figures = _figures(found)
    if as_json:
        show_json({"all": figures, "cases": [asdict(each) for each in found]})
    else:
        Console().print(_table(found), figures)


def _twice(by: Explainer, cases: Sequence[Case]) -> Iterator[Twice]:
    scoring, asking = by.by(ExplainBy.LOGPROBS), by.by(ExplainBy.SAMPLE)
    for case in cases:
        (scored,) = scoring.all([case])
        # The same answer, where the model made it.
        (sampled,) = asking.all([_with_answer(case, scored.answer)])
        yield Twice(
            id=str(case.id),
            verdicts=(scored.verdict, sampled.verdict),
            same_causes=_causes(scored) == _causes(sampled),
            same_first=_same_first(scored, sampled),
            spearman=spearman(scored, sampled),
            calls=(scored.calls, sampled.calls),
            tokens=(scored.tokens, sampled.tokens),
            seconds=(scored.seconds, sampled.seconds),
        )


def _with_answer(case: Case, answer: str) -> Case:
    return case.model_copy(update={"answer": answer or None})


def _causes(line: Reported) -> list[object]:
    return [
        (set(each.needed), set(each.part), set(map(frozenset, each.enough)))
        for each in line.sentences
    ]


def _same_first(one: Reported, other: Reported) -> bool | None:
    if not one.effects or not other.effects:
        return None
    first, second = (max(each.effects, key=each.effects.__getitem__) for each in (one, other))
    return first == second


def spearman(one: Reported, other: Reported) -> float | None:
    """Of the effects of the pieces, ranked in each of the two."""
    if {one.verdict, other.verdict}.intersection(UNTESTED):
        return None
    pieces = sorted(one.effects)
    ranks = [rankdata([line.effects[piece] for piece in pieces]) for line in (one, other)]
    if len(pieces) < 2 or any(np.ptp(each) == 0 for each in ranks):
        return None
    return round(float(np.corrcoef(*ranks)[0, 1]), 3)


def _figures(found: Iterable[Twice]) -> dict[str, object]:
    all_ = list(found)
    first = [each.same_first for each in all_ if each.same_first is not None]
    ranked = [each.spearman for each in all_ if each.spearman is not None]
    return {
        "n": len(all_),
        "same_verdict": Share.of_all(len(set(each.verdicts)) == 1 for each in all_).as_json(),
        "same_causes": Share.of_all(each.same_causes for each in all_).as_json(),
        "same_first": Share.of_all(first).as_json(),
        "spearman": round(mean(ranked), 3) if ranked else None,
        "ranked": len(ranked),
    }


def _table(found: Sequence[Twice]) -> Table:
    table = Table("id", "by log-probabilities", "by asking again", "same causes", "spearman")
    for each in found:
        table.add_row(each.id, *each.verdicts, str(each.same_causes), str(each.spearman))
    return table
