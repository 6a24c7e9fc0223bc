"""`python -m evaluation retrieval` and `sweep`: the product's retrieval, and what becomes of it when one choice is another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.progress import track

from core import embeddings
from core.evidence import Dense, EvidenceSearch, WordNeighbours
from core.evidence.ranking.weights import PAPER, PRODUCT, Ranking
from core.settings import Settings
from evaluation.harness.stage import AsJson, console, fail, running, show
from evaluation.retrieval.measure import K, Measured, measure, report, slices
from evaluation.retrieval.variants import AS_IS, CONTEXTS, EVIDENCE, LINEARIZE, Variant, index
from evaluation.sets.confquestions import DataMissing, Question, conversations, published_urls
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import WorkerParts, build
from worker.retrieval import reranking
from worker.retrieval.retriever import Retriever

COMPLETIONS = ["human", "history", "none"]

Data = Annotated[Path, typer.Option(help="The folder with documents/ and qa-pairs.json.")]
Questions = Annotated[Path | None, typer.Option(help="Another file of conversations.")]
Folder = Annotated[Path, typer.Option(help="Where the index is kept between runs.")]


@dataclass(frozen=True)
class Way:
    """How to index and how to rank."""

    variant: Variant = AS_IS
    ranking: Ranking = PRODUCT
    k: int = K


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
    changes = {
        name: value for name, value in (("EMBEDDER", embedder), ("RERANKER", rerank_)) if value
    }
    try:
        variant = _variant(
            context or ("all" if preset == "paper" else "title+path"), evidence, tables, linearize
        )
        way = Way(variant, _ranking(preset, ranking, fusion), k)
        with running(data / "documents", folder, changes) as chosen:
            bench = Bench(chosen, data, questions, folder)
            languages = ["en", "de"] if language == "both" else [language]
            rows: dict[str, dict[str, float]] = {}
            for code in languages:
                for each in completion or COMPLETIONS:
                    found = bench.measured(way, each, code)
                    rows[f"{each} {code}"] = report(found, bench.urls)
                    rows |= (
                        {
                            f"{each} {code}, {name}": figures
                            for name, figures in slices(found, bench.urls).items()
                        }
                        if by_slice
                        else {}
                    )
    except (DataMissing, DidNotStart, ValueError) as error:
        fail(str(error))
    show(rows, as_json=as_json)


def sweep(
    data: Data,
    questions: Questions = None,
    folder: Folder = Path("var/evaluation"),
    as_json: AsJson = False,
) -> None:
    """The paper's ablations on the product: context, kinds of evidence, linearization, ranking; human completion, both languages."""
    try:
        with running(data / "documents", folder) as chosen:
            bench = Bench(chosen, data, questions, folder)
            rows = {name: {**_both(bench, way), **_published(name)} for name, way in ways()}
    except (DataMissing, DidNotStart) as error:
        fail(str(error))
    show(rows, as_json=as_json)


def ways() -> Iterator[tuple[str, Way]]:
    """Every row of the sweep."""
    yield "product", Way()
    yield "paper's way", Way(Variant(context="all"), PAPER)
    yield from ((f"context: {name}", Way(Variant(context=name))) for name in CONTEXTS)
    yield from ((f"evidence: {name}", Way(Variant(evidence=name))) for name in EVIDENCE)
    yield from (
        (f"tables as: {name}", Way(Variant(tables=name))) for name in ("rows", "tables", "both")
    )
    yield from ((f"linearized: {name}", Way(Variant(linearize=name))) for name in LINEARIZE)
    yield from (
        (f"ranking: {name}", Way(ranking=_ranking("product", name, "")))
        for name in ("lexical", "dense", "hybrid")
    )
    yield "fusion: rrf", Way(ranking=_ranking("product", "hybrid", "rrf"))
    yield "without pages as units", Way(ranking=replace(PRODUCT, page=0.0))
    yield "without the word bridge", Way(ranking=replace(PRODUCT, neighbour=0.0))
    yield "without tolerance for typos", Way(ranking=replace(PRODUCT, mistyped=0.0))


class Bench:
    """The product's index of the benchmark's pages, and variants of it."""

    def __init__(self, chosen: Settings, data: Path, questions: Path | None, folder: Path) -> None:
        self.urls = published_urls(data / "documents")
        self._asked = {
            code: conversations(questions or data / "qa-pairs.json", code) for code in ("en", "de")
        }
        self._chosen = chosen
        self._folder = folder
        self._parts: WorkerParts = build(chosen)
        self._dense = Dense(
            chosen.chroma_url, partial(embeddings.load_named, chosen), wanted=chosen.embedder
        )
        self._searches: dict[Variant, EvidenceSearch] = {AS_IS: self._parts.evidence}

    def measured(self, way: Way, completion: str, language: str) -> list[Measured]:
        asked: Sequence[Sequence[Question]] = self._asked[language]
        retriever = Retriever(self._search(way), reranking.load(self._chosen))
        turns = measure(
            retriever, asked, completion, completer=self._parts.pipeline.completer, k=way.k
        )
        return list(
            track(
                turns,
                f"{completion} {language}",
                total=sum(map(len, asked)),
                console=console,
                transient=True,
            )
        )

    def _search(self, way: Way) -> EvidenceSearch:
        known = self._searches.get(way.variant) or self._indexed(way.variant)
        self._searches[way.variant] = known
        bridge = WordNeighbours(self._parts.database, partial(self._dense.embedder, "bundled"))
        return EvidenceSearch(known.database, known.lexical, self._dense, bridge, way.ranking)

    def _indexed(self, variant: Variant) -> EvidenceSearch:
        steps = index(variant, self._parts.database, self._dense, self._folder / "variants")
        made = list(
            track(
                steps, f"indexing {variant}", total=len(self.urls), console=console, transient=True
            )
        )[-1]
        return EvidenceSearch(made.database, made.lexical, self._dense)


def _both(bench: Bench, way: Way) -> dict[str, float]:
    en, de = (report(bench.measured(way, "human", code), bench.urls) for code in ("en", "de"))
    names = ("p_at_1", "recall_at_10", "strict_p_at_1")
    return {
        "n": en["n"] + de["n"],
        **{f"{name} {code}": row[name] for name in names for code, row in (("en", en), ("de", de))},
    }


def _published(name: str) -> Mapping[str, float]:
    """Of RAGonite (Saha Roy et al. 2025, arXiv 2412.10571): P@1 by URL string, whole benchmark, both languages, human completion."""
    return {"published (strict, whole benchmark)": {"paper's way": 0.658}.get(name, float("nan"))}


def _variant(context: str, evidence: str, tables: str, linearize: str) -> Variant:
    known = {
        "context": (context, CONTEXTS),
        "evidence": (evidence, EVIDENCE),
        "tables": (tables, ("rows", "tables", "both")),
    }
    for option, (value, values) in (known | {"linearize": (linearize, LINEARIZE)}).items():
        if value not in values:
            raise ValueError(f"--{option} {value}: use one of {', '.join(values)}")
    return Variant(context, evidence, tables, linearize)


def _ranking(preset: str, ranking: str, fusion: str) -> Ranking:
    chosen = {"product": PRODUCT, "paper": PAPER}.get(preset)
    if (
        chosen is None
        or ranking not in ("lexical", "dense", "hybrid")
        or fusion not in ("", *_FUSIONS)
    ):
        raise ValueError(
            "use --preset product or paper, --ranking lexical, dense or hybrid, --fusion zscore or rrf"
        )
    if ranking == "lexical":
        chosen = replace(chosen, dense=0.0)
    if ranking == "dense":
        chosen = replace(chosen, lexical=0.0, page=0.0)
    return replace(chosen, fusion=_FUSIONS[fusion]) if fusion else chosen


_FUSIONS: dict[str, Literal["zscore", "rrf"]] = {"zscore": "zscore", "rrf": "rrf"}
