"""Whatever an answer says of a page, in any of its fields: the record knows that page."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from harbour import entities
from pydantic import TypeAdapter
from test_jobs import answered, explained, parts
from wiki import hit, key, page, piece, put, row, searching

from core.evidence import EvidenceStore
from core.models import Answer, Copy, Hit, Note, Page, Record, Source
from core.pages import PageKey
from core.policy.acl import EVERYBODY
from core.question import Completed, Condition, Field
from core.turns.turn import mended
from sandbox.llm.client import ScriptedModel
from worker.bootstrap import WorkerParts
from worker.entities import Entities
from worker.entities.current import CurrentTree
from worker.extractive.extractor import Extractor
from worker.filters import Filters, Vocabularies
from worker.generation.chat_model import ChatModel
from worker.question.rewrite import Completer, Past, by_rules
from worker.retrieval.live_access import within
from worker.suggestions.from_model import Proposer
from worker.suggestions.suggester import Suggester

# A word that stands in the title of one page, and where others name it; nobody asks with it.
CANARIES = {
    "quokka": "1",
    "wombat": "2",
    "numbat": "3",
    "bilby": "4",
    "potoroo": "5",
    "dunnart": "6",
}
QUOKKA = page("1", "Quokka harbour", owner="Anna Quokka", labels=("quokka",))
WOMBAT = page("2", "Wombat yard", breadcrumbs=("Bilby plans",), above=("4",))
NUMBAT = page("3", "Numbat list", parent_id="1")
BILBY = page("4", "Bilby plans")
POTOROO = page("5", "Potoroo copy")
DUNNART = page("6", "Dunnart diary")
ON_QUOKKA = [
    piece("The crane lifts forty tons. More is on Numbat list.", names=("3",), position=0),
    piece("Turn the red switch.", position=1, heading_path=("Restart the pump",)),
    piece("Only the blue grease.", position=2, heading_path=("Grease",)),
]
ON_WOMBAT = [
    piece("The yard opens at six in the morning.", "2", position=0),
    row(1, page_id="2", Site="Porto", Shift="06:00"),
    row(2, page_id="2", Site="Aarhus", Shift="07:30"),
]
SOON = 60.0


def strings(part: object) -> Iterator[str]:
    """Every text in a value of whatever kind, wherever it stands: a new field is among them."""
    match TypeAdapter(object).dump_python(part, mode="json"):
        case str(text):
            yield text
        case dict(fields):
            for name, value in fields.items():
                yield str(name)
                yield from strings(value)
        case list(values):
            for value in values:
                yield from strings(value)


def given_away(part: object) -> set[PageKey]:
    """The pages whose words stand anywhere in it."""
    said = "\n".join(strings(part)).casefold()
    return {key(number) for word, number in CANARIES.items() if word in said}


@pytest.fixture
def filled(store: EvidenceStore) -> EvidenceStore:
    put(store, QUOKKA, *ON_QUOKKA)
    put(store, WOMBAT, *ON_WOMBAT)
    put(store, NUMBAT)
    put(store, BILBY)
    put(
        store,
        POTOROO,
        *(each.model_copy(update={"id": f"5-{each.id}", "page_id": "5"}) for each in ON_WOMBAT[:1]),
    )
    put(store, DUNNART)
    return store


def all_steps(made: WorkerParts, chat: ChatModel | None, folder: Path) -> WorkerParts:
    """With every step of the pipeline that can say something."""
    evidence = made.evidence
    file = entities(
        folder,
        """- {name: Harbour, kind: company, page: "1",
  children: [{name: Yard, kind: team, page: "2"}]}""",
    )
    pipeline = dataclasses.replace(
        made.pipeline,
        completer=Completer(chat, evidence),
        filters=Filters(Vocabularies(made.database).of),
        entities=Entities(CurrentTree(made.database, file).tree),
        suggester=Suggester(evidence, Proposer(chat, wait_s=5) if chat else None),
    )
    return dataclasses.replace(made, pipeline=pipeline)


@pytest.fixture
def quoting(filled: EvidenceStore, extractor: Extractor, tmp_path: Path) -> WorkerParts:
    return all_steps(parts(filled, extractor, None), None, tmp_path)


@pytest.fixture
def asking(
    filled: EvidenceStore, extractor: Extractor, chat: ChatModel, tmp_path: Path
) -> WorkerParts:
    return all_steps(parts(filled, extractor, chat), chat, tmp_path)


QUESTIONS = [
    "How much does the crane lift?",
    "When does the yard open?",
    "Which teams belong to Harbour?",
    "How do I restart the pump on pages by Anna?",
    "What colour is the moon on pages by Anna since 2030?",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_says_nothing_of_a_page_that_its_record_does_not_name(
    quoting: WorkerParts, question: str
) -> None:
    _, record = answered(quoting, question)
    assert record.hits
    assert given_away(record) <= record.pages
    assert key("4") not in record.pages | given_away(record)  # only above: nobody is shown it
    assert key("6") not in record.pages


@pytest.mark.parametrize("question", QUESTIONS[:3])
def test_nor_does_one_by_a_model_nor_its_follow_up(asking: WorkerParts, question: str) -> None:
    _, first = answered(asking, question)
    _, second = answered(asking, "And how much of that?", ts="1.6")
    for record in (first, second):
        assert given_away(record) <= record.pages
    assert key("6") not in first.pages | second.pages


def test_nor_does_the_explanation_of_an_answer(asking: WorkerParts) -> None:
    turn, record = answered(asking, QUESTIONS[0])
    explanation = explained(asking, turn).result
    assert explanation is not None
    assert given_away(explanation)
    assert given_away(explanation) <= record.pages


def test_a_hit_gives_away_its_pages_its_copies_and_whom_its_block_names() -> None:
    copy = Copy(evidence=piece("Same.", "5", names=("3",)), page=POTOROO)
    found = hit("Same.", QUOKKA, copies=(copy,), block=(piece("More.", names=("4",)),))
    assert found.pages == {key(each) for each in "1345"}


def test_a_hit_within_some_pages_keeps_the_copies_and_the_block_that_name_no_others() -> None:
    copy = Copy(evidence=piece("Same.", "5"), page=POTOROO)
    plain, naming = piece("Plain."), piece("More.", names=("4",))
    found = hit("Same.", QUOKKA, copies=(copy,), block=(plain, naming))
    left = within(found, {key("1")})
    assert left is not None
    assert (left.page, left.copies, left.block) == (QUOKKA, (), (plain,))
    moved = within(found, {key("4"), key("5")})
    assert moved is not None
    assert (moved.page, moved.copies, moved.block) == (POTOROO, (), ())
    assert within(found, {key("4")}) is None


def past_record(**more: object) -> Record:
    """An answer whose first source is the page Wombat, with another hit."""
    first = hit(ON_WOMBAT[0], WOMBAT)
    source = Source(number=1, title=WOMBAT.title, url="", evidence_ids=(first.evidence.id,))
    record = Record(
        completed=Completed(question="When?", text="When?"),
        hits=(first, hit(ON_QUOKKA[0], QUOKKA)),
        answer=Answer(text="At six [1].", sources=(source,), suggestions=("What of Bilby plans?",)),
        suggested=((key("4"),),),
    )
    return record.model_copy(update=more)


def test_a_question_completed_by_rules_gives_away_the_page_of_the_title_and_no_other() -> None:
    completed = by_rules("And then?", [Past.of("When?", past_record())])
    assert "Wombat yard" in completed.text
    assert set(completed.pages) == {key("2")} == given_away(completed)


def test_a_question_completed_by_a_model_gives_away_all_that_the_model_was_shown(
    chat: ChatModel, model: ScriptedModel
) -> None:
    model.say("When does the Quokka harbour open?")
    past = past_record()
    completed, _ = Completer(chat).complete(
        "And then?", [Past.of("When?", past)], deadline=time.time() + SOON
    )
    assert given_away(completed) <= set(completed.pages) == past.pages


def test_an_earlier_answer_that_is_closed_is_neither_said_nor_carried() -> None:
    completed = by_rules("And then?", [Past.closed("When?", past_record())])
    assert (given_away(completed), completed.pages) == (set(), ())


def test_a_question_that_a_button_asked_gives_away_the_pages_of_its_words() -> None:
    for past in (Past.of, Past.closed):
        completed, _ = Completer(None).complete(
            "What of Bilby plans?",
            [past("When?", past_record())],
            deadline=time.time() + SOON,
            origin=frozenset({key("4")}),
        )
        assert given_away(completed.question) == {key("4")} == set(completed.origin)
        assert given_away(completed) <= set(completed.pages)
        pressed = past_record(completed=completed)
        assert key("4") in pressed.pages
        assert key("4") in by_rules("And?", [Past.closed(completed.question, pressed)]).pages
        assert key("4") in mended(pressed).pages


def conditional(quoting: WorkerParts, question: str) -> tuple[Record, list[Condition]]:
    _, record = answered(quoting, question)
    assert record.completed.conditions
    return record, [each for each in record.completed.conditions if each.field is Field.PERSON]


def test_a_filter_says_a_name_that_a_hit_bears(quoting: WorkerParts) -> None:
    record, (person,) = conditional(quoting, QUESTIONS[3])
    assert person.value == "Anna Quokka"
    assert any(found.page.owner == person.value for found in record.hits)


def test_a_filter_that_no_page_passed_is_said_in_the_askers_words(quoting: WorkerParts) -> None:
    record, (person,) = conditional(quoting, QUESTIONS[4])
    assert Note.CONDITIONS_DROPPED in record.answer.notes
    assert person.value == person.said == "by Anna"


def test_what_an_answer_was_made_from_is_readable_only_with_every_page_it_names(
    filled: EvidenceStore,
) -> None:
    search = searching(filled)
    naming = hit(ON_QUOKKA[0], QUOKKA)
    block: Hit = hit(ON_QUOKKA[1], QUOKKA, block=(ON_QUOKKA[0],))
    elsewhere = EVERYBODY.within(["HR"])
    assert search.all_readable([naming, block], EVERYBODY)
    put(filled, Page(id="3", space="OPS", title="Numbat list", url=""))
    assert search.all_readable([naming, block], elsewhere)  # searched is not what may be read
    filled.hide(NUMBAT)
    assert not search.all_readable([naming], EVERYBODY)
    assert not search.all_readable([block], EVERYBODY)
