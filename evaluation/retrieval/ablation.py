"""`python -m evaluation retrieval` and `sweep`: the product's retrieval and its ablations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from core.evidence import EvidenceSearch, WordNeighbours
from core.evidence.dense.collections import configured
from core.evidence.dense.nearest import vectors_of
from core.evidence.ranking.fusion import Fusion, zscore
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.settings import Settings
from core.storage.index_tables import IndexRow
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show
from evaluation.harness.product import running
from evaluation.harness.progress import track
from evaluation.retrieval.measure import K, Measured, measure, report, slices
from evaluation.retrieval.mmr import Diverse
from evaluation.retrieval.paper import PAPER, rrf
from evaluation.retrieval.variants import (
    AS_IS,
    CONTEXTS,
    EVIDENCE,
    LINEARIZE,
    TABLES,
    Variant,
    chosen_variant,
    index,
)
from evaluation.sets.confquestions import DataMissing, Question, conversations, published_urls
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import WorkerParts, build
from worker.retrieval import reranking
from worker.retrieval.reranking import Reranker
from worker.retrieval.retriever import Retriever

COMPLETIONS = ["human", "history", "none"]
RANKINGS = ("lexical", "dense", "hybrid")

Data = Annotated[Path, typer.Option(help="The folder with documents/ and qa-pairs.json.")]
Questions = Annotated[Path | None, typer.Option(help="Another file of conversations.")]
Folder = Annotated[Path, typer.Option(help="Where the index is kept between runs.")]


@dataclass(frozen=True)
class Way:
    """How to index and how to rank."""

    variant: Variant = AS_IS
    ranking: Ranking = PRODUCT
    k: int = K
    mmr: float = 0.0  # maximal marginal relevance in place of the reranker; 0: without


Rows = dict[str, dict[str, float]]


def retrieval(
    data: Data,
    completion: Annotated[
        list[str] | None,
        typer.Option(help="human, history (rules), llm or none; by default all but llm."),
    ] = None,
    language: Annotated[str, typer.Option(help="en, de or both.")] = "both",
    preset: Annotated[str, typer.Option(help="product or paper.")] = "product",
    context: Annotated[str, typer.Option(help=f"{', '.join(CONTEXTS)}.")] = "",
    evidence: Annotated[str, typer.Option(help=f"{', '.join(EVIDENCE)}.")] = "all",
    tables: Annotated[str, typer.Option(help="rows, tables or both.")] = "both",
    linearize: Annotated[str, typer.Option(help=f"{', '.join(LINEARIZE)}.")] = "verbalized",
    ranking: Annotated[str, typer.Option(help="lexical, dense or hybrid.")] = "hybrid",
    fusion: Annotated[str, typer.Option(help="zscore or rrf; the preset's by default.")] = "",
    mmr: Annotated[float, typer.Option(help="0 to 1: how much likeness counts.")] = 0.0,
    embedder: Annotated[str, typer.Option(help="As EMBEDDER.")] = "",
    rerank_: Annotated[str, typer.Option("--rerank", help="As RERANKER.")] = "",
    k: Annotated[int, typer.Option(help="Pieces to find.")] = K,
    by_slice: Annotated[
        bool,
        typer.Option(
            "--slices", help="Also by turn, kind of source, simple and complex, topic shifts."
        ),
    ] = False,
    questions: Questions = None,
    folder: Folder = Path("var/evaluation"),
    as_json: AsJson = False,
) -> None:
    """P@1, recall and MRR of the page that answers."""
    context = context or ("all" if preset == "paper" else "title+path")
    languages = ["en", "de"] if language == "both" else [language]
    changes = {"EMBEDDER": embedder, "RERANKER": rerank_}
    try:
        variant = chosen_variant(context, evidence, tables, linearize)
        way = Way(variant, _ranking(preset, ranking, fusion), k, mmr)
        with _bench(data, questions, folder, changes) as bench:
            runs = product(languages, completion or COMPLETIONS)
            rows = _rows(bench, way, runs, by_slice=by_slice)
    except (DataMissing, DidNotStart, ValueError) as error:
        fail(str(error))
    show(rows, as_json=as_json)


@contextmanager
def _bench(
    data: Path, questions: Path | None, folder: Path, changes: Mapping[str, str]
) -> Iterator[Bench]:
    """The benchmark on the product's index; settings without a value stay as they are."""
    changes = {name: value for name, value in changes.items() if value}
    with running(data / "documents", folder, changes) as chosen:
        yield Bench(chosen, data, questions, folder)


def _rows(bench: Bench, way: Way, runs: Iterable[tuple[str, str]], *, by_slice: bool) -> Rows:
    """A row for each language and completion, with `by_slice` followed by those of its slices."""
    rows: Rows = {}
    for language, completion in runs:
        name = f"{completion} {language}"
        found = bench.measured(way, completion, language)
        rows[name] = report(found, bench.urls)
        if by_slice:
            for part, figures in slices(found, bench.urls).items():
                rows[f"{name}, {part}"] = figures
    return rows


def sweep(
    data: Data,
    questions: Questions = None,
    folder: Folder = Path("var/evaluation"),
    as_json: AsJson = False,
) -> None:
    """The paper's ablations on the product, with questions completed by a person, both languages.

    Context, kinds of evidence, linearization of tables, ranking.
    """
    try:
        with _bench(data, questions, folder, {}) as bench:
            rows = {name: {**_both(bench, way), **_published(name)} for name, way in ways()}
    except (DataMissing, DidNotStart) as error:
        fail(str(error))
    show(rows, as_json=as_json)


def ways() -> Iterator[tuple[str, Way]]:
    """Every row of the sweep."""
    yield "product", Way()
    yield "paper's way", Way(Variant(context="all"), PAPER)
    for name in CONTEXTS:
        yield f"context: {name}", Way(Variant(context=name))
    for name in EVIDENCE:
        yield f"evidence: {name}", Way(Variant(evidence=name))
    for name in TABLES:
        yield f"tables as: {name}", Way(Variant(tables=name))
    for name in LINEARIZE:
        yield f"linearized: {name}", Way(Variant(linearize=name))
    for name in RANKINGS:
        yield f"ranking: {name}", Way(ranking=_ranking("product", name, ""))
    yield "fusion: rrf", Way(ranking=_ranking("product", "hybrid", "rrf"))
    yield "with MMR of .3", Way(mmr=0.3)
    yield "without pages as units", Way(ranking=replace(PRODUCT, page=0.0))
    yield "without the word bridge", Way(ranking=replace(PRODUCT, neighbour=0.0))
    yield "without tolerance for typos", Way(ranking=replace(PRODUCT, mistyped=0.0))


class Bench:
    """The product's index of the benchmark's pages, and variants of it."""

    def __init__(self, chosen: Settings, data: Path, questions: Path | None, folder: Path) -> None:
        self.urls = published_urls(data / "documents")
        file = questions or data / "qa-pairs.json"
        self._asked = {code: conversations(file, code) for code in ("en", "de")}
        self._chosen = chosen
        self._folder = folder
        self._parts: WorkerParts = build(chosen, AsIndexed())
        self._dense = configured(chosen)
        self._searches: dict[Variant, EvidenceSearch] = {AS_IS: self._parts.evidence}

    def measured(self, way: Way, completion: str, language: str) -> list[Measured]:
        asked: Sequence[Sequence[Question]] = self._asked[language]
        search = self._search(way)
        retriever = Retriever(search, self._reranker(way, search))
        completer = self._parts.pipeline.completer
        turns = measure(retriever, asked, completion, completer=completer, k=way.k)
        return list(track(turns, f"{completion} {language}", total=sum(map(len, asked))))

    def _search(self, way: Way) -> EvidenceSearch:
        known = self._searches.get(way.variant) or self._indexed(way.variant)
        self._searches[way.variant] = known
        bridge = WordNeighbours(self._parts.database, partial(self._dense.embedder, "bundled"))
        return EvidenceSearch(known.database, known.lexical, self._dense, bridge, way.ranking)

    def _reranker(self, way: Way, search: EvidenceSearch) -> Reranker | None:
        if not way.mmr:
            return reranking.load(self._chosen, self._parts.database)
        with search.database.reading() as session:
            live = self._dense.of(session.get_one(IndexRow, 1))
        return Diverse(partial(vectors_of, search.database, live), way.mmr)

    def _indexed(self, variant: Variant) -> EvidenceSearch:
        steps = index(variant, self._parts.database, self._dense, self._folder / "variants")
        made = list(track(steps, f"indexing {variant}", total=len(self.urls)))[-1]
        return EvidenceSearch(made.database, made.lexical, self._dense)


def _both(bench: Bench, way: Way) -> dict[str, float]:
    en = report(bench.measured(way, "human", "en"), bench.urls)
    de = report(bench.measured(way, "human", "de"), bench.urls)
    row = {"n": en["n"] + de["n"]}
    for name in ("p_at_1", "recall_at_10", "strict_p_at_1"):
        row |= {f"{name} en": en[name], f"{name} de": de[name]}
    return row


def _published(name: str) -> Mapping[str, float]:
    """P@1 of RAGonite (Saha Roy et al. 2025, arXiv 2412.10571).

    By URL string, over the whole benchmark, in both languages, completed by a person.
    """
    return {"published (strict, whole benchmark)": {"paper's way": 0.658}.get(name, float("nan"))}


def _ranking(preset: str, ranking: str, fusion: str) -> Ranking:
    chosen = {"product": PRODUCT, "paper": PAPER}.get(preset)
    if chosen is None or ranking not in RANKINGS or fusion not in ("", *_FUSIONS):
        raise ValueError(
            "use --preset product or paper, --ranking lexical, dense or hybrid, "
            "--fusion zscore or rrf"
        )
    if ranking == "lexical":
        chosen = replace(chosen, dense=0.0)
    if ranking == "dense":
        chosen = replace(chosen, lexical=0.0, page=0.0)
    return replace(chosen, fuse=_FUSIONS[fusion]) if fusion else chosen


_FUSIONS: dict[str, Fusion] = {"zscore": zscore, "rrf": rrf}
