"""Test questions from one's own index, each with the page it was made from as truth.

Only from pages that everybody may read. A question that makes no sense alone is counted with its reason; one whose page retrieval does
not find among its first ten goes into a file of its own: leaving it out would make any figure of recall true by selection, and keeping
it unread would blame retrieval for a question that fits many pages.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlmodel import col, select

from core.errors import GroundwireError
from core.models import Evidence, Hit, Page
from core.policy.acl import EVERYBODY, OPEN_ID
from core.question import Completed
from core.settings import settings
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow
from evaluation.harness.stage import AsJson, console, fail, show_json
from evaluation.sets.pose import Posed, Poser, Surroundings, by_model, by_templates
from evaluation.sets.standalone import Fault, fault_of, rare_in
from worker.bootstrap import WorkerParts, build
from worker.generation.chat_model import ChatModel

K = 10
TRIES = 4  # pieces looked at for each question wanted: a model may find nothing to ask, and filters refuse

Json = dict[str, Any]


def testset(
    space: Annotated[str, typer.Option(help="The key of a space; all by default.")] = "",
    count: Annotated[int, typer.Option(min=1, help="How many questions.")] = 50,
    out: Annotated[
        Path, typer.Option(help="For the questions; those that are not found back go beside it.")
    ] = Path("var/testset.json"),
    seed: Annotated[int, typer.Option(help="Another seed, other pieces.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Test questions from the pages of the index that the settings name, in the form of the benchmark's."""
    try:
        with console.status("asking"):
            made = make(build(settings()), count=count, space=space, seed=seed)
    except GroundwireError as error:
        fail(str(error))
    if not made.found and not made.lost:
        fail("there is nothing to ask: sync first, or name another space")
    files = [(out, made.found), (out.with_stem(f"{out.stem}-not-found"), made.lost)]
    out.parent.mkdir(parents=True, exist_ok=True)
    for file, posed in files:
        file.write_text(
            json.dumps(as_conversations(posed), indent=1, ensure_ascii=False) + "\n",
            encoding="utf-8",
        )
    told = {**made.figures(), "files": [str(file) for file, _ in files]}
    show_json(told) if as_json else typer.echo(
        "\n".join(f"{name}: {value}" for name, value in told.items())
    )


@dataclass
class Made:
    """What came of it."""

    found: list[Posed] = field(default_factory=list)
    lost: list[Posed] = field(default_factory=list)
    faults: Counter[Fault] = field(default_factory=Counter)
    repeated: int = (
        0  # pieces that several pages have word for word: no question about them has one true page
    )

    def figures(self) -> Json:
        refused = {fault.value: number for fault, number in self.faults.most_common()}
        sources = Counter(posed.source for posed in self.found)
        counts = {"questions": len(self.found), "not found back": len(self.lost)}
        return {
            **counts,
            "sources": dict(sources),
            "refused": refused,
            "pieces on several pages": self.repeated,
        }


def make(parts: WorkerParts, *, count: int, space: str = "", seed: int = 0) -> Made:
    """So many questions that are found back, or fewer where the pages do not give more; the same seed takes the same pieces.

    Raises:
        ModelUnavailable: the model does not answer.
    """
    parts.pipeline.retriever.search(
        Completed(question="", text="")
    )  # brings the lexical index up to date, which knows what is rare
    is_rare, chance = rare_in(parts.evidence.lexical), random.Random(seed)
    everywhere = list(_open(parts.database))
    once = said_once(everywhere)
    pose = poser(parts, Surroundings.of(everywhere))
    made, asked = Made(repeated=len(everywhere) - len(once)), set[str]()
    for piece in in_turns([hit for hit in once if space in ("", hit.page.space)], chance)[
        : TRIES * count
    ]:
        posed = list(pose(piece))
        for one in chance.sample(posed, min(1, len(posed))):
            fault = Fault.TWICE if one.question in asked else fault_of(one.question, is_rare)
            asked.add(one.question)
            _take(made, one, fault, parts)
        if len(made.found) >= count:
            break
    return made


def _take(made: Made, one: Posed, fault: Fault | None, parts: WorkerParts) -> None:
    if fault is not None:
        made.faults[fault] += 1
    elif is_found(parts, one):
        made.found.append(one)
    else:
        made.lost.append(one)


def poser(parts: WorkerParts, around: Surroundings) -> Poser:
    """The model, where one is configured."""
    if parts.settings.llm_base_url is None:
        return by_templates(around)
    parts.settings.require("llm_model")
    return by_model(ChatModel(parts.settings, parts.settings.llm_model or ""), around)


def said_once(pieces: Sequence[Hit]) -> list[Hit]:
    """Without those whose text stands on several pages: the words that every page repeats, and pages that are copies."""
    pages: dict[str, set[str]] = defaultdict(set)
    for hit in pieces:
        pages[hit.evidence.text].add(hit.page.id)
    return [hit for hit in pieces if len(pages[hit.evidence.text]) == 1]


def in_turns(pieces: Sequence[Hit], chance: random.Random) -> list[Hit]:
    """One piece of each page, then a second one of each, and so on."""
    by_page: dict[str, list[Hit]] = defaultdict(list)
    for hit in pieces:
        by_page[hit.page.id].append(hit)
    pages = list(by_page.values())
    chance.shuffle(pages)
    for own in pages:
        chance.shuffle(own)
    return [hit for hit in chain.from_iterable(zip_longest(*pages)) if hit is not None]


def _open(database: Database) -> Iterator[Hit]:
    """Pieces that everybody may read, of pages that everybody may read."""
    query = select(EvidenceRow, PageRow).join(PageRow).order_by(col(EvidenceRow.id))
    with database.reading() as session:
        rows = session.exec(
            query.where(
                col(PageRow.visible), PageRow.acl_id == OPEN_ID, EvidenceRow.acl_id == OPEN_ID
            )
        ).all()
    yield from (
        Hit(evidence=Evidence.model_validate(piece.record), page=Page.model_validate(page.record))
        for piece, page in rows
    )


def is_found(parts: WorkerParts, posed: Posed) -> bool:
    completed = Completed(question=posed.question, text=posed.question)
    return any(
        hit.page.id == posed.piece.page.id
        for hit in parts.pipeline.retriever.search(completed, EVERYBODY, K).hits
    )


def as_conversations(posed: Sequence[Posed]) -> list[Json]:
    """Each a conversation of one turn. There is one wording, in the language of the page, and it stands under both languages."""
    return [
        {"conv_id": str(number), "turns": [_turn(one)]} for number, one in enumerate(posed, start=1)
    ]


def _turn(posed: Posed) -> Json:
    worded = dict.fromkeys(("q_en", "q_de", "completed_q_en", "completed_q_de"), posed.question)
    page = posed.piece.page
    truth = {
        "a": posed.answer,
        "a_url": [page.url if f"/pages/{page.id}" in page.url else page.id],
        "a_source": posed.source,
    }
    about = {
        "q_type": "simple",
        "language": posed.language,
        "title": page.title,
        "evidence_id": posed.piece.evidence.id,
    }
    return {"turn_id": "1", **worded, **truth, **about}
