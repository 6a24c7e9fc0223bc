"""`python -m evaluation engines`: what finds evidence, side by side on one index in Postgres.

The pages are indexed for the engine of a host, the questions asked, then the engine in Postgres
takes over as in an installation, and they are asked again of the same search.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.evidence.dense.collections import configured
from core.evidence.dense.rebuild import rebuild
from core.settings import Settings
from core.settings.values import EvidenceEngine
from core.storage.database import open_database
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show
from evaluation.harness.product import running
from evaluation.harness.progress import status
from evaluation.retrieval.measure import Measured, measure, report
from evaluation.sets.confquestions import DataMissing, Question, conversations, published_urls
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import build

Asked = dict[str, list[list[Question]]]  # by language


def engines(
    data: Annotated[Path, typer.Option(help="The folder with documents/ and qa-pairs.json.")],
    database: Annotated[
        str, typer.Option(help="An empty database in a Postgres that has pgvector.")
    ],
    completion: Annotated[str, typer.Option(help="human, history or none.")] = "human",
    folder: Annotated[Path, typer.Option(help="For Chroma and logs.")] = Path("var/engines"),
    as_json: AsJson = False,
) -> None:
    """P@1 and milliseconds of a search by the engine of a host and by that in Postgres."""
    try:
        urls = published_urls(data / "documents")
        asked = {code: conversations(data / "qa-pairs.json", code) for code in ("en", "de")}
        rows: dict[str, dict[str, float]] = {}
        with running(data / "documents", folder, {"DATABASE_URL": database}) as chosen:
            found = _by_each(chosen, asked, completion)
    except (DataMissing, DidNotStart) as error:
        fail(str(error))
    for (engine, language), measured in found.items():
        first_by_host = _first(found[EvidenceEngine.HOST, language])
        same = [a == b for a, b in zip(_first(measured), first_by_host, strict=True)]
        rows[f"{engine} {language}"] = {
            **report(measured, urls),
            "same_first_piece": sum(same) / len(same),
        }
    show(rows, as_json=as_json)


def _by_each(
    chosen: Settings, asked: Asked, completion: str
) -> dict[tuple[EvidenceEngine, str], list[Measured]]:
    found: dict[tuple[EvidenceEngine, str], list[Measured]] = {}
    retriever = build(chosen, AsIndexed()).pipeline.retriever
    for engine in EvidenceEngine:
        with status(f"changing over to {engine}"):
            wanting = chosen.model_copy(update={"evidence_engine": engine})
            index = open_database(chosen.sql_url)
            rebuild(index, configured(wanting))
            index.refresh_statistics()
        for language, talks in asked.items():
            with status(f"{engine}, {language}"):
                found[engine, language] = list(measure(retriever, talks, completion))
    return found


def _first(measured: list[Measured]) -> list[str]:
    """The first piece for each question."""
    return [each.hits[0].evidence.id if each.hits else "" for each in measured]
