"""Filters in plain language: found by rules and by the model, and never a leak to a reader."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wiki import LEAVE, page, piece, put

from core.evidence import EvidenceStore
from core.policy import acl
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed, Condition, Field, without
from core.storage.database import Database
from core.storage.index_tables import SpaceRow
from sandbox.llm.client import ScriptedModel
from worker.filters import Filters, Vocabularies, Vocabulary
from worker.filters.vocabulary import FRESH_S
from worker.generation.chat_model import ChatModel
from worker.question.rewrite import Past, by_rules

TODAY = date(2026, 3, 18)
KNOWN = Vocabulary(
    spaces={"DOCK": "Dock Planning", "IT": "Information Technology"},
    labels=frozenset({"draft", "howto"}),
    people=frozenset({"Anna Berg", "Chris", "Tobias Ehrler", "Tobias Lund", "May Winter"}),
    titles=frozenset({"Travel policy", "Lumo SkyLift 3180", "Notes of May 2024"}),
)
BOARD = frozenset({frozenset({"group:board"})})
BOARD_READER = Reader(frozenset({acl.OPEN_ID, acl.acl_id(BOARD)}), "user:1")


def first(question: str) -> Completed:
    return Completed(question=question, text=question)


def conditions(question: str, known: Vocabulary = KNOWN) -> list[tuple[str, str]]:
    found, _ = Filters(lambda _reader: known, None, lambda: TODAY).find(
        first(question), EVERYBODY, deadline=0
    )
    return [(each.field.value, each.value) for each in found]


def said(question: str) -> list[str]:
    return [
        each.said
        for each in Filters(lambda _reader: KNOWN, None, lambda: TODAY).find(
            first(question), EVERYBODY, deadline=0
        )[0]
    ]


@pytest.mark.parametrize(
    ("question", "first_day", "end"),
    [
        ("Which pages changed after March 2023?", "2023-04-01", ""),
        ("Which pages changed after 3 March 2023?", "2023-03-04", ""),
        ("Which pages were changed since March 2023?", "2023-03-01", ""),
        ("Which pages were changed before May 2024?", "", "2024-05-01"),
        ("Which pages were changed until May 2024?", "", "2024-06-01"),
        ("Which pages were changed in 2024?", "2024-01-01", "2025-01-01"),
        ("Which pages were changed in Q2 2024?", "2024-04-01", "2024-07-01"),
        ("Which pages were changed last week?", "2026-03-09", "2026-03-16"),
        ("Which pages were changed between May and July 2024?", "2024-05-01", "2024-08-01"),
        ("Which pages were changed in the last two weeks?", "2026-03-04", ""),
        ("Which pages are older than a year?", "", "2025-03-18"),
        ("Which pages were changed since September?", "2025-09-01", ""),
        ("Which pages changed after March 2023 and before May 2024?", "2023-04-01", "2024-05-01"),
        ("Welche Seiten wurden seit gestern geändert?", "2026-03-17", ""),
        (
            "Welche Seiten, die vor dem 3. Mai 2024 erstellt wurden, nennen den Kran?",
            "",
            "2024-05-03",
        ),
        ("Seiten aus dem letzten Jahr", "2025-01-01", "2026-01-01"),
    ],
)
def test_a_time_is_half_open_days_and_means_the_whole_period_it_names(
    question: str, first_day: str, end: str
) -> None:
    expected = [(name, value) for name, value in (("after", first_day), ("before", end)) if value]
    assert conditions(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What happened on 3 May 2024?",
        "Which release came out in March?",
        "Which crane was changed in 2024?",
        "Which pages say what was changed in 2024?",
        "Which pages have not been changed since 2023?",
        "What is in the notes of May 2024?",
        "Who is named in the minutes of 3 March 2026?",
        "Which pages were changed between July and May 2024?",
        'What is in the page "documents from 2024"?',
    ],
)
def test_a_date_that_is_not_about_the_pages_is_no_filter(question: str) -> None:
    assert conditions(question) == []


def test_a_space_key_counts_in_upper_case_and_where_the_question_ends_or_speaks_of_pages() -> None:
    assert conditions("Who repairs laptops in IT?") == [("space", "IT")]
    assert conditions("Which pages in IT name the pager?") == [("space", "IT")]
    assert conditions("Who repairs it, and is a spare in it?") == []
    assert conditions("How many laptops in IT are broken?") == []
    assert conditions("Who works in IT?") == []


def test_a_space_is_named_by_its_key_or_its_name() -> None:
    assert conditions("Who moors ships in the Dock planning space?") == [("space", "DOCK")]
    assert conditions("Wer macht fest im Bereich DOCK?") == [("space", "DOCK")]
    assert conditions("Who moors ships in the Tug space?") == []


def test_two_spaces_of_one_name_are_none() -> None:
    known = Vocabulary({"A1": "Archive", "A2": "Archive"})
    assert conditions("What is in the Archive space?", known) == []


def test_a_first_name_counts_when_one_person_has_it() -> None:
    assert conditions("What do pages by Anna say?") == [("person", "Anna Berg")]
    assert conditions("Was steht in Annas Seiten?") == [("person", "Anna Berg")]
    assert conditions("What do pages by Tobias say?") == []
    assert conditions("What do pages by tobias lund say?") == [("person", "Tobias Lund")]
    assert conditions("What do pages by Anna Schmidt say?") == []


def test_somebody_called_may_is_a_person_and_may_is_a_month() -> None:
    assert conditions("What do pages by May say?") == [("person", "May Winter")]
    assert conditions("What do pages from May 2024 say?") == [
        ("after", "2024-05-01"),
        ("before", "2024-06-01"),
    ]


def test_of_two_that_are_named_neither_alone_is_meant() -> None:
    assert conditions("What do pages by Anna or Chris say?") == []
    assert conditions("Which pages labelled draft or howto are there?") == []
    assert conditions("Which pages by Anna are in the IT space or in the Dock Planning space?") == [
        ("person", "Anna Berg")
    ]


def test_what_is_excluded_is_no_condition() -> None:
    assert conditions("Which pages are not by Chris?") == []
    assert conditions("Which pages exist without the label draft?") == []


def test_the_words_of_the_filters_are_known_and_can_be_left_out() -> None:
    question = "In the page titled “Lumo SkyLift 3180”, what is the load?"
    assert said(question) == ["In the page titled “Lumo SkyLift 3180”"]
    found = [
        Condition(field=Field.TITLE, value="Lumo SkyLift 3180", said=words)
        for words in said(question)
    ]
    assert (
        Completed(question=question, text=question, conditions=tuple(found)).searched
        == "what is the load?"
    )


def test_a_question_that_is_nothing_but_filters_is_searched_for_as_it_is() -> None:
    assert (
        without("in OPS?", [Condition(field=Field.SPACE, value="OPS", said="in OPS")]) == "in OPS?"
    )


STORY = "The crane stood still this morning, and nobody could say what we have to do about it."


@pytest.mark.parametrize(
    ("told", "question", "spaces"),
    [
        ("Only pages in the DOCK space, please.", "What do I do when it stops?", ["DOCK"]),
        (f"{STORY} In the DOCK space: {STORY}", "What do I do when it stops?", ["DOCK"]),
        (f"{STORY * 8} Bitte nur im Bereich DOCK suchen.", "Was tue ich?", ["DOCK"]),
        # Where somebody has looked, or works, is a part of the story.
        ("I have looked at all pages in the DOCK space.", "What do I do when it stops?", []),
        ("My lead said I should only look in the DOCK space, I think.", "What do I do then?", []),
        # What the question says itself counts before that.
        ("Only pages in the DOCK space, please.", "Who is on call in the IT space?", ["IT"]),
        ("I read all pages in the DOCK space.", "Who is on call in the IT space?", ["IT"]),
        (STORY * 20, "Who is on call in the IT space?", ["IT"]),
    ],
)
def test_what_a_message_tells_is_a_filter_where_it_says_to_look_there(
    told: str, question: str, spaces: list[str]
) -> None:
    completed = Completed(question=question, text=question, context=(told,))
    found, _ = Filters(lambda _reader: KNOWN, None, lambda: TODAY).find(
        completed, EVERYBODY, deadline=0
    )
    assert [each.value for each in found if each.field is Field.SPACE] == spaces


def test_a_follow_up_that_rules_completed_asks_for_what_its_own_words_ask() -> None:
    completed = by_rules(
        "And by Chris, pages in IT?",
        [Past("Which pages labelled draft are there?", title="Travel policy")],
    )
    found, _ = Filters(lambda _reader: KNOWN, None, lambda: TODAY).find(
        completed, EVERYBODY, deadline=0
    )
    assert [each.field for each in found] == [Field.SPACE]


def test_a_long_story_is_not_read_for_filters() -> None:
    assert conditions("pages in IT " * 60) == []


_SAID = (
    "Which pages changed were by in from the space label with labelled on page titled "
    "after before since between and or not was die "
    "Seiten von vom seit vor im Bereich geändert auf der Seite "
    "2024 May Mai 3. 31. letzte Woche Q9 0000-99-99 99 years Anna Chris Tobias "
    "IT it DOCK draft Travel policy “ \" ' , ? ( \u2003 Anna's older than a"
)


@given(
    st.one_of(
        st.text(max_size=80), st.lists(st.sampled_from(_SAID.split(" ")), max_size=14).map(" ".join)
    )
)
def test_whatever_is_asked_every_value_is_of_the_readers_vocabulary_and_every_word_of_the_question(
    question: str,
) -> None:
    found, _ = Filters(lambda _reader: KNOWN, None, lambda: TODAY).find(
        first(question), EVERYBODY, deadline=0
    )
    known = {
        Field.SPACE: set(KNOWN.spaces),
        Field.LABEL: KNOWN.labels,
        Field.PERSON: KNOWN.people,
        Field.TITLE: KNOWN.titles,
    }
    for each in found:
        assert each.said in question
        if each.field in known:
            assert each.value in known[each.field]
        else:
            date.fromisoformat(each.value)
    assert len({each.field for each in found}) == len(found)


def secret(store: EvidenceStore) -> Vocabularies:
    """A page for everybody, and one for the board with its own space, label, owner and title."""
    with store.database.session() as session:
        acl.save(session, BOARD)
        session.add_all(
            [SpaceRow(key="HR", name="People"), SpaceRow(key="BOARD", name="Board room")]
        )
    put(store, page("1", "Leave", owner="Anna Berg", labels=("howto",)), piece(LEAVE, "1"))
    hidden = page("2", "Merger", space="BOARD", owner="Mira Solberg", labels=("secret",))
    put(store, hidden, piece("We buy the shipyard.", "2"), acl_id=acl.acl_id(BOARD))
    return Vocabularies(store.database)


SECRETS = [
    ("Which pages in BOARD are there?", ("space", "BOARD")),
    ("Which pages in the Board room space are there?", ("space", "BOARD")),
    ("Which pages labelled secret are there?", ("label", "secret")),
    ("Which pages by Mira are there?", ("person", "Mira Solberg")),
    ("What is on the page Merger?", ("title", "Merger")),
]


@pytest.mark.parametrize(("question", "known"), SECRETS)
def test_what_stands_only_on_pages_of_others_is_never_found(
    store: EvidenceStore, question: str, known: tuple[str, str]
) -> None:
    filters = Filters(secret(store).of)
    assert filters.find(first(question), EVERYBODY, deadline=0)[0] == ()
    found, _ = filters.find(first(question), BOARD_READER, deadline=0)
    assert [(each.field.value, each.value) for each in found] == [known]


def test_somebody_of_the_same_first_name_on_pages_of_others_changes_nothing(
    store: EvidenceStore,
) -> None:
    vocabularies = secret(store)
    put(
        store,
        page("3", "Plans", owner="Anna Secret"),
        piece("Plans.", "3"),
        acl_id=acl.acl_id(BOARD),
    )
    assert vocabularies.of(EVERYBODY).person("Anna") == ("Anna Berg", 4)
    assert vocabularies.of(BOARD_READER).person("Anna") is None


def test_a_hidden_page_is_forgotten_at_once(store: EvidenceStore) -> None:
    vocabularies = secret(store)
    assert "Leave" in vocabularies.of(EVERYBODY).titles
    store.hide(page("1", "Leave"))
    assert vocabularies.of(EVERYBODY) == Vocabulary({})


def test_a_vocabulary_is_read_once_for_all_readers_of_the_same_acls_and_now_and_then_anew(
    store: EvidenceStore,
) -> None:
    secret(store)
    now = [0.0]
    vocabularies = Vocabularies(store.database, lambda: now[0])
    once = vocabularies.of(BOARD_READER)
    assert vocabularies.of(Reader(BOARD_READER.acls, "user:2")) is once
    assert vocabularies.of(EVERYBODY) is not once
    now[0] = FRESH_S  # labels and owners change without a new revision
    assert vocabularies.of(BOARD_READER) is not once


def test_before_the_first_sync_nothing_is_known(database: Database) -> None:
    assert Vocabularies(database).of(EVERYBODY) == Vocabulary({})


def asked(
    chat: ChatModel, question: str, reply: str, model: ScriptedModel
) -> tuple[Sequence[Condition], int]:
    """What is found when the model replies this, and how often it was asked."""
    model.reset()
    model.say(reply)
    found, usage = Filters(lambda _reader: KNOWN, chat, lambda: TODAY).find(
        first(question), EVERYBODY, deadline=time.time() + 100
    )
    return found, usage.calls


LABEL = '{"field": "label", "value": "howto", "said": "how-to material"}'


def test_the_model_is_asked_where_a_question_sounds_like_a_filter_that_the_rules_do_not_understand(
    model: ScriptedModel, chat: ChatModel
) -> None:
    found, calls = asked(
        chat,
        "How is a crane locked, in how-to material that somebody authored?",
        f"Here they are: [{LABEL}]",
        model,
    )
    assert [(each.field, each.value, each.said) for each in found] == [
        (Field.LABEL, "howto", "how-to material")
    ]
    assert calls == 1
    (request,) = model.received()
    prompt = request["body"]["messages"][0]["content"]
    assert "DOCK (Dock Planning); IT (Information Technology)" in prompt
    assert prompt.endswith(
        "Question: How is a crane locked, in how-to material that somebody authored?"
    )


@pytest.mark.parametrize(
    "question", ["How is a crane locked?", "Which pages labelled howto lock a crane?"]
)
def test_the_model_is_not_asked_without_need(
    model: ScriptedModel, chat: ChatModel, question: str
) -> None:
    assert asked(chat, question, f"[{LABEL}]", model)[1] == 0


@pytest.mark.parametrize(
    "reply",
    [
        "There are none.",
        "[1, null, {}]",
        "[" * 100_000,
        '{"field": "label"}',
        '[{"field": "label", "value": "unheard", "said": "authored"}]',
        '[{"field": "label", "value": "howto", "said": "words that nobody said"}]',
        '[{"field": "colour", "value": "howto", "said": "authored"}]',
        '[{"field": "after", "value": "yesterday", "said": "authored"}]',
        '[{"field": "person", "value": "Tobias", "said": "authored"}]',
        '[{"field": "space", "value": "BOARD", "said": "authored"}]',
    ],
)
def test_what_a_model_says_and_nobody_can_check_is_dropped(
    model: ScriptedModel, chat: ChatModel, reply: str
) -> None:
    assert asked(chat, "What has the planner authored?", reply, model) == ((), 1)


def test_what_the_rules_found_stands_against_the_model(
    model: ScriptedModel, chat: ChatModel
) -> None:
    reply = (
        '[{"field": "space", "value": "DOCK", "said": "authored"}, '
        '{"field": "person", "value": "anna", "said": "by Anna"}]'
    )
    found, _ = asked(chat, "What is authored by Anna in the IT space?", reply, model)
    assert [(each.field, each.value) for each in found] == [
        (Field.SPACE, "IT"),
        (Field.PERSON, "Anna Berg"),
    ]


def test_when_the_model_is_down_or_the_time_is_up_the_rules_count(
    chat_down: ChatModel, chat: ChatModel
) -> None:
    question = first("Who repaired what somebody authored in IT?")
    for away, deadline in ((chat_down, time.time() + 100), (chat, time.time() - 1)):
        found, usage = Filters(lambda _reader: KNOWN, away, lambda: TODAY).find(
            question, EVERYBODY, deadline=deadline
        )
        assert ([each.value for each in found], usage.calls) == (["IT"], 0)
