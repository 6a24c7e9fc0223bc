"""Excerpts: each form as it stands on the page, and nothing that answers nothing."""

from __future__ import annotations

import re

import pytest
from wiki import HOTEL, hit, near, page, piece, row

from core.embeddings.bundled import Bundled
from core.language import spoken
from core.manner import Length
from core.models import Hit, Kind
from core.question import Completed
from core.structure import CodeText, ListItem, TableRow, TableSlice
from worker.extractive.extractor import Extractor
from worker.question.classify import classify
from worker.text.citations import cite

STORM = "The crane stops at 20 m/s of wind."
LONG = " ".join(
    f"Sentence {n} tells of what the harbour does with its boats in winter." for n in range(12)
)


def ask(extractor: Extractor, question: str, *hits: Hit, length: Length = Length.NORMAL) -> str:
    asked = Completed(question=question, text=question)
    asked = asked.model_copy(update={"kind": classify(asked), "language": spoken("", question)})
    answer = extractor.extract(asked, hits, length)
    assert answer is not None
    return answer


def words(text: str) -> int:
    return len(re.findall(r"\w+", text))


def test_a_passage_is_shown_around_the_sentence_that_answers_and_ends_with_a_sentence(
    extractor: Extractor,
) -> None:
    answer = ask(extractor, "When does the crane stop?", hit(f"{LONG} {STORM} {LONG}"))
    assert f"**{STORM}**" in answer
    assert answer.endswith("winter.")
    assert 30 < words(answer) < 75


@pytest.mark.parametrize(("length", "least", "most"), [("short", 7, 30), ("long", 90, 130)])
def test_how_much_is_shown_follows_the_length_that_was_chosen(
    extractor: Extractor, length: Length, least: int, most: int
) -> None:
    hits = hit(f"{LONG} {STORM} {LONG}")
    answer = ask(extractor, "When does the crane stop?", hits, length=Length(length))
    assert least <= words(answer) <= most
    assert STORM in answer.replace("*", "")


def test_a_german_question_is_answered_in_the_words_of_an_english_page_under_its_title(
    extractor: Extractor,
) -> None:
    hits = hit("In a storm the Kran 7 stops at 20 m/s.", page("1", "Storm plan"))
    answer = ask(extractor, "Bei welchem Wind stoppt Kran 7 im Storm plan?", hits)
    assert answer == "Storm plan [1]\nIn a storm the Kran 7 stops at 20 m/s."


def test_code_is_shown_whole_under_what_announces_it(extractor: Extractor) -> None:
    code = CodeText(text="docker stop crane\ndocker rm crane", language="sh", above="Stop it:")
    stop = piece(f"Stop it:\n{code.text}", kind=Kind.CODE, code=code)
    answer = ask(extractor, "How do I stop the crane in docker?", hit(stop))
    assert answer == ("Handbook [1]\nStop it:\n```sh\ndocker stop crane\ndocker rm crane\n```")


def test_tasks_keep_what_is_done_and_what_is_not(extractor: Extractor) -> None:
    tasks = (ListItem(text="Order a badge", mark="[x] "), ListItem(text="Book a desk", mark="[ ] "))
    text = "\n".join(task.line for task in tasks)
    answer = ask(
        extractor, "Which tasks are there: a badge?", hit(piece(text, kind=Kind.TASK, items=tasks))
    )
    assert answer.splitlines()[1:] == ["- [x] Order a badge", "- [ ] Book a desk"] or (
        answer.splitlines()[1:] == ["- [x] **Order a badge**", "- [ ] Book a desk"]
    )


def test_steps_keep_their_numbers(extractor: Extractor) -> None:
    marks = ("Unplug the router", "Wait", "Plug the router in")
    steps = tuple(ListItem(text=text, mark=f"{n}. ") for n, text in enumerate(marks, 1))
    text = "\n".join(step.line for step in steps)
    answer = ask(
        extractor, "How do I restart the router?", hit(piece(text, kind=Kind.LIST, items=steps))
    )
    assert answer.splitlines()[1:] == ["1. Unplug the router", "2. Wait", "3. Plug the router in"]


def test_what_a_table_calls_its_columns_is_shown_and_nothing_else(extractor: Extractor) -> None:
    known = ask(extractor, "What does the Heron carry?", hit(row(1, Machine="Heron", Load="3 t")))
    assert "| Machine | Load |" in known
    load = TableRow(number=1, cells=("Load", "3 t"))
    pairs = TableSlice(number=1, header=("", ""), rows=(load,))
    heron = piece("Load is 3 t", kind=Kind.ROW, table=pairs)
    answer = ask(extractor, "What is the load of the Heron?", hit(heron, page("1", "Heron")))
    assert answer.endswith("Heron [1]\n- **Load**: 3 t")


def test_nothing_is_announced_that_does_not_follow(extractor: Extractor) -> None:
    hits = hit(f"{STORM} For the gate pass you need:")
    assert "gate pass" not in ask(extractor, "When does the crane stop?", hits)


def test_what_announces_a_list_is_not_shown_once_more(extractor: Extractor) -> None:
    storm = "The crane stops in a storm:"
    hits = [
        hit(piece(f"{storm}\n- at 20 m/s of wind\n- at 15 m/s with a load", kind=Kind.LIST)),
        hit(storm),
    ]
    assert ask(extractor, "When does the crane stop?", *hits).count("in a storm") == 1


def test_of_two_places_that_answer_as_well_both_are_shown_under_their_titles(
    extractor: Extractor,
) -> None:
    hits = [
        hit(STORM, page("1", "Harbour")),
        hit("The crane stops at 22 m/s of wind.", page("2", "Storm plan")),
    ]
    answer = ask(extractor, "When does the crane stop?", *hits)
    assert {block.splitlines()[0] for block in answer.split("\n\n")} == {
        "Harbour [1]",
        "Storm plan [2]",
    }


def test_the_figure_of_a_draft_does_not_stand_before_that_of_the_page_that_counts(
    extractor: Extractor,
) -> None:
    draft = page("1", "Travel policy (draft)")
    hits = [
        hit("A hotel in Porto costs up to 90 EUR.", draft, score=4.0),
        hit(HOTEL, page("2", "Travel policy"), score=2.0),
    ]
    question = "What does a hotel in Porto cost?"
    assert ask(extractor, question, *hits).startswith("Travel policy [2]")
    said = ask(extractor, "What does a hotel in Porto cost in the draft?", *hits)
    assert said.startswith("Travel policy (draft) [1]")


@pytest.mark.parametrize(
    "noise",
    [
        "Last updated by the crane team on 3 May.",
        "Zuletzt geändert von der crane Schicht.",
        "Info: [image: crane.png]",
        "Crane",
    ],
)
def test_what_answers_nothing_stands_behind_what_answers(extractor: Extractor, noise: str) -> None:
    hits = [hit(noise, score=2.5), hit(STORM)]
    answer = ask(extractor, "What about the crane?", *hits)
    assert answer.splitlines()[1] == STORM


@pytest.mark.parametrize(
    ("question", "text", "shown"),
    [
        ("Wann steht der Kran?", "Warning: Der Kran steht ab 20 m/s Wind.", "Achtung: Der"),
        ("When does the crane stop?", f"Warning: {STORM}", f"Warning: {STORM}"),
        ("When does the crane stop?", f"Panel: {STORM}", STORM),
        ("When does the crane stop?", f"Warning: Storm: {STORM}", f"Warning: Storm: {STORM}"),
    ],
)
def test_a_box_is_named_in_the_language_of_the_answer(
    extractor: Extractor, question: str, text: str, shown: str
) -> None:
    assert ask(extractor, question, hit(text)).splitlines()[1].startswith(shown)


def test_what_takes_a_rule_back_is_named_in_the_language_of_the_answer(
    extractor: Extractor,
) -> None:
    rule = piece("Der Kran hebt das Boot bei Wind.", after=near("Note: Nicht bei Sturm."))
    answer = ask(extractor, "Wann hebt der Kran das Boot bei Wind?", hit(rule))
    assert answer.endswith("Hinweis: Nicht bei Sturm.")


def test_a_byline_answers_who_asks_for_it(extractor: Extractor) -> None:
    hits = [hit("Owned by Ann Moll. Last updated: 3 May.", page("1", "Storm plan")), hit(STORM)]
    assert "Ann Moll" in ask(extractor, "Who owns the storm plan?", *hits)


def test_a_sentence_at_the_edges_of_many_pages_is_neither_chosen_nor_shown_around_another(
    embedder: Bundled,
) -> None:
    foot = "Ask the crane team in the harbour if the crane stops."
    knowing = Extractor(embedder, lambda _term: 1.0, boilerplate=lambda text: text == foot)
    hits = [hit(f"{STORM}\n{foot}"), hit(foot, page("2"), score=2.2)]
    answer = ask(knowing, "When does the crane stop?", *hits)
    assert answer.split("\n\n")[0] == f"Handbook [1]\n{STORM}"


@pytest.mark.parametrize(
    "hostile",
    [
        "The crane stops ``` at 20 m/s [1].",
        "The crane stops at 20 m/s [2][3], see [9].",
        "The crane stops at 20 m/s 【1†source】 ```",
    ],
)
def test_page_text_neither_cites_nor_swallows_the_citations_of_others(
    extractor: Extractor, hostile: str
) -> None:
    hits = [hit(hostile, page("1", "Harbour [2]")), hit(STORM, page("2", "Storm plan"))]
    text, sources = cite(ask(extractor, "When does the crane stop?", *hits), hits)
    assert sorted(source.title for source in sources) == ["Harbour [2]", "Storm plan"]
    assert "```" not in text
    assert sorted(re.findall(r"\[\d\]", text)) == ["[1]", "[2]"]


def test_a_bar_in_a_cell_adds_no_column(extractor: Extractor) -> None:
    answer = ask(
        extractor, "What does the Heron carry?", hit(row(1, Machine="Heron", Load="3 | 4 t"))
    )
    assert answer.splitlines()[-1].endswith("3 \\| 4 t |")
