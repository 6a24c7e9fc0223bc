"""What turns give away: an answer with its explanation, and the question that a button asked."""

from __future__ import annotations

from dataclasses import replace

from core.access.disclosure import EVERYBODY, NOTHING, Disclosure, of_pages
from core.models import Answer, Record
from core.pages import CONFLUENCE, PageKey
from core.question import Completed
from core.storage.database import Database
from core.turns import disclosures, turn_store
from core.turns.turn import Address, NewQuestion, Turn

ONE, TWO = PageKey(CONFLUENCE, "1"), PageKey("wiki", "2")
ADDRESS = Address("T1", "C1", "1.0", "1.0")
OURS = "user:5b"


def record(audience: str = EVERYBODY) -> Record:
    completed = Completed(question="?", text="?")
    answer = Answer(text="Ben.")
    return Record(completed=completed, answer=answer, named=(ONE,), audience=audience)


def asked(database: Database, *, private: bool = False, shows: Disclosure = NOTHING) -> Turn:
    new = NewQuestion(ADDRESS, "U1", "?", private=private, by_button=True, shows=shows)
    turn = turn_store.ask(database, new)
    assert turn is not None
    loaded = turn_store.load(database, turn.id)
    assert loaded == turn
    return turn


def test_a_question_that_somebody_wrote_gives_nothing_away(database: Database) -> None:
    assert disclosures.of_turn(asked(database)) == NOTHING


def test_a_question_of_a_button_gives_away_what_the_button_did(database: Database) -> None:
    turn = asked(database, shows=of_pages([TWO]))
    assert disclosures.of_turn(turn) == of_pages([TWO])


def test_an_answer_gives_away_its_pages_and_those_of_its_question(database: Database) -> None:
    turn = asked(database, shows=of_pages([TWO]))
    answered = replace(turn, record=record())
    assert disclosures.of_turn(answered) == of_pages([ONE, TWO])


def test_in_a_channel_the_readers_are_everybody(database: Database) -> None:
    turn = asked(database, shows=of_pages([TWO], OURS))
    answered = replace(turn, record=record(OURS))
    assert disclosures.of_turn(answered) == of_pages([ONE, TWO], EVERYBODY)


def test_in_private_the_reader_is_the_one_for_whom_it_was_confirmed(database: Database) -> None:
    turn = asked(database, private=True, shows=of_pages([TWO]))
    answered = replace(turn, record=record(OURS))
    assert disclosures.of_turn(answered) == of_pages([ONE, TWO], OURS)


def test_the_pages_of_a_persons_questions_are_those_that_everybody_reads(
    database: Database,
) -> None:
    asked(database, private=True, shows=of_pages([TWO]))
    other = replace(ADDRESS, ts="2.0", thread_ts="2.0")
    mine = NewQuestion(other, "U1", "!", by_button=True, shows=of_pages([ONE], OURS))
    assert turn_store.ask(database, mine)
    assert disclosures.of_questions(database, "T1", "U1") == {TWO}
    assert disclosures.of_questions(database, "T1", "U2") == set()


def test_an_event_tells_what_the_text_after_it_gives_away() -> None:
    shows = of_pages([ONE, TWO], OURS)
    assert disclosures.of_event(disclosures.evidence_event(shows)) == shows


def test_a_suggestion_gives_away_the_pages_that_it_came_from(database: Database) -> None:
    answer = Answer(text="Ben.", suggestions=("Who else?", "And where?"))
    suggesting = record().model_copy(update={"answer": answer, "suggested": ((TWO,),)})
    turn = replace(asked(database), record=suggesting)
    named, unsaid = disclosures.of_suggestions(turn)
    assert named == ("Who else?", of_pages([TWO]))
    # An old record does not say it of each.
    assert unsaid == ("And where?", of_pages(suggesting.pages))
