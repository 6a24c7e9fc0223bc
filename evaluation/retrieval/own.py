"""`python -m evaluation own`: retrieval on our synthetic corpus, by what makes real wikis hard.

The corpus knows what ConfQuestions cannot tell: which page is a draft, a copy or an older version
of the one that answers, who may read it, and in which language it is written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from statistics import mean
from typing import Annotated, Any

import typer

from core.models import Hit
from evaluation.corpus.command import SEED
from evaluation.corpus.labels import Label, read_labels
from evaluation.corpus.write import PAGES, QUESTIONS, RESTRICTED, UNANSWERABLE, write
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show, show_json
from evaluation.harness.product import running
from evaluation.harness.progress import status, track
from evaluation.retrieval.access_and_abstention import LANGUAGES, Rows, restricted, unanswerable
from evaluation.retrieval.measure import Measured, measure, report
from evaluation.sets.confquestions import Question, conversations
from sandbox.confluence.site.content import EVERYBODY as ALL_USERS
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import WorkerParts, build

WAYS = ("human", "history", "none")
SHOWN = ("n", "p_at_1", "recall_at_5", "recall_at_10", "mrr", "ms_per_query")
# Some pages of the corpus are for one group each, so it is indexed as permissions are.
AWARE = {"PERMISSION_MODE": "aware", "CONFLUENCE_EVERYBODY": ALL_USERS}


def own(
    folder: Annotated[
        Path, typer.Option(help="Where corpus and index are kept between runs.")
    ] = Path("var/evaluation-own"),
    seed: Annotated[int, typer.Option(help="Of the corpus.")] = SEED,
    as_json: AsJson = False,
) -> None:
    """Retrieval on our synthetic corpus: by completion, by what makes it hard, and by reader."""
    with status("writing the corpus"):
        corpus = fresh(folder / "corpus", seed)
    try:
        with running(corpus / PAGES, folder / f"index-{_which(corpus)}", AWARE) as chosen:
            found = figures(build(chosen, AsIndexed()), corpus)
    except DidNotStart as error:
        fail(str(error))
    if as_json:
        return show_json(found)
    for rows in found.values():
        show(rows, as_json=False)
    return None


def fresh(corpus: Path, seed: int, **limits: Any) -> Path:
    """Write the corpus, in place of an older one."""
    if corpus.exists():
        rmtree(corpus)
    corpus.mkdir(parents=True)
    write(corpus, seed, **limits)
    return corpus


def _which(corpus: Path) -> str:
    """A hash of its pages: a sync would rightly refuse to replace one wiki by another one."""
    names = sorted(file.name for file in (corpus / PAGES).rglob("*.xml"))
    return blake2b(" ".join(names).encode(), digest_size=4).hexdigest()


def figures(parts: WorkerParts, corpus: Path, ways: Sequence[str] = WAYS) -> dict[str, Rows]:
    """All tables; those after the first are of questions completed by a person."""
    labels = read_labels(corpus / QUESTIONS)
    rows: Rows = {}
    completed: list[tuple[str, Measured]] = []
    for code in LANGUAGES:
        asked = conversations(corpus / QUESTIONS, code)
        for way in ways:
            turns = measure(parts.pipeline.retriever, asked, way)
            measured = list(track(turns, f"{way} {code}", total=sum(map(len, asked))))
            rows[f"{way} {code}"] = _report(measured, labels)
            completed += [(code, each) for each in measured if way == "human"]
    return {
        "retrieval": rows,
        "hard": hard(completed, labels),
        "published first": rivals(completed, labels),
        "restricted": restricted(parts, corpus / RESTRICTED),
        "unanswerable": unanswerable(parts, corpus / UNANSWERABLE),
    }


def hard(
    completed: Sequence[tuple[str, Measured]], labels: Mapping[tuple[str, int], Label]
) -> Rows:
    """The figures of each kind of question, by language; a kind without questions is left out."""
    kinds: dict[str, Callable[[str, Question, Label], bool]] = {
        "across languages": lambda code, _question, label: label.page_language != code,
        "within a language": lambda code, _question, label: label.page_language == code,
        **{tag: _has_tag(tag) for tag in ("typo", "identifier", "date")},
        **{source: _has_source(source) for source in ("passage", "list", "table")},
        "complex": lambda _code, question, _label: question.is_complex,
        "has a draft, an older version or a copy": _has_rivals,
    }
    rows: Rows = {}
    for kind, belongs in kinds.items():
        for code in LANGUAGES:
            asked = [m for spoken, m in completed if spoken == code]
            chosen = [m for m in asked if belongs(code, m.question, labels[_name(m)])]
            if chosen:
                rows[f"{kind} {code}"] = _report(chosen, labels)
    return rows


def rivals(
    completed: Sequence[tuple[str, Measured]], labels: Mapping[tuple[str, int], Label]
) -> Rows:
    """How often the published page ranks above its drafts, older versions and copies.

    Counted where the page or such a rival is found at all.
    """
    rows: Rows = {}
    for kind in ("draft", "older", "copy"):
        for code in LANGUAGES:
            asked = [m for spoken, m in completed if spoken == code]
            outcomes = [_published_first(m, labels[_name(m)], kind) for m in asked]
            first = [outcome for outcome in outcomes if outcome is not None]
            if first:
                rows[f"before its {kind} {code}"] = {"n": len(first), "share": mean(first)}
    return rows


def _published_first(measured: Measured, label: Label, kind: str) -> bool | None:
    """None where neither the page nor a rival of this kind is found, or there is no such rival."""
    those = {rival for rival, edition in label.rivals.items() if edition == kind}
    gold, rival = min(measured.ranks, default=math.inf), _first(measured.hits, those)
    return None if not those or gold == rival else gold < rival


def _first(hits: Sequence[Hit], pages: set[str]) -> float:
    return next((rank for rank, hit in enumerate(hits, start=1) if hit.page.id in pages), math.inf)


def _report(
    measured: Sequence[Measured], labels: Mapping[tuple[str, int], Label]
) -> dict[str, float]:
    """The usual figures, and P@1 when a copy, which says the same, counts as well as the page."""
    found = report(measured, {})
    either = mean(_is_page_or_copy_first(m, labels[_name(m)]) for m in measured)
    return {**{name: found[name] for name in SHOWN}, "P@1 or copy": either}


def _is_page_or_copy_first(measured: Measured, label: Label) -> bool:
    if not measured.hits:
        return False
    page = measured.hits[0].page.id
    return page in measured.question.gold_ids or label.rivals.get(page) == "copy"


def _has_tag(tag: str) -> Callable[[str, Question, Label], bool]:
    return lambda _code, _question, label: tag in label.tags


def _has_rivals(_code: str, _question: Question, label: Label) -> bool:
    return bool(label.rivals)


def _has_source(source: str) -> Callable[[str, Question, Label], bool]:
    return lambda _code, question, _label: question.source == source


def _name(measured: Measured) -> tuple[str, int]:
    return measured.question.conversation, measured.question.turn
