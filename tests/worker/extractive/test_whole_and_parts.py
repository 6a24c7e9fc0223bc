"""What an excerpt leaves out is seen, and what it says half of it says whole."""

from __future__ import annotations

from typing import Any

import pytest
from wiki import hit, near, page, piece, row

from core.embeddings.bundled import Bundled
from core.models import Evidence, Hit, Kind
from core.question import Completed
from core.structure import CodeText
from indexer.evidence.build import evidence
from indexer.parse import parse
from worker.extractive.extractor import Extractor
from worker.extractive.ranking.rank import FOREIGN_WEIGHT, Ranker
from worker.question.classify import classify

SUNDAY = "2026-11-29"
ROTA = page("7", "Crane rota")
WEEKS = [
    row(1, page_id="7", Week="2026-11-16", First="Ida Moll", Second="Ben Ost"),
    row(2, page_id="7", Week="2026-11-23", First="Ben Ost", Second="Ada Kern"),
    row(3, page_id="7", Week="2026-11-30", First="Ada Kern", Second="Ida Moll"),
    row(4, page_id="7", Week="2026-12-07", First="Ida Moll", Second="Ben Ost"),
]
ACCESS = [
    row(1, Role="Crew", Store="yes", Bridge="no"),
    row(2, Role="Cook", Store="yes", Bridge="no"),
    row(3, Role="Pilot", Store="no", Bridge="yes"),
    row(4, Role="Guest", Store="no", Bridge="no"),
]
LIMITS = [
    row(1, Order="up to 500 EUR", Signs="Team lead"),
    row(2, Order="up to 5,000 EUR", Signs="Head of harbour"),
    row(3, Order="over 5,000 EUR", Signs="Board"),
]


def ask(extractor: Extractor, question: str, *hits: Hit) -> str:
    asked = Completed(question=question, text=question, asked_on=SUNDAY)
    asked = asked.model_copy(update={"kind": classify(asked), "language": "en"})
    answer = extractor.extract(asked, hits)
    assert answer is not None
    return answer


def first_cells(answer: str) -> list[str]:
    """Of the rows of the first table."""
    lines = [line for line in answer.split("\n\n")[0].splitlines() if line.startswith("|")]
    return [line.strip("| ").split(" | ")[0] for line in lines[2:]]


@pytest.mark.parametrize(
    ("question", "weeks"),
    [
        ("Who is on the crane rota this week?", ["2026-11-23"]),
        ("Who is on the crane rota next week?", ["2026-11-30"]),
        ("When is Ida next first on the crane rota?", ["2026-12-07"]),
        # Nobody knows who the winch is: the next row of all may be somebody else's.
        ("When is the winch next on the crane rota?", ["2026-11-23", "2026-11-30", "2026-12-07"]),
    ],
)
def test_rows_of_the_time_that_is_asked_for_are_shown(
    extractor: Extractor, question: str, weeks: list[str]
) -> None:
    answer = ask(extractor, question, *(hit(week, ROTA) for week in WEEKS))
    assert first_cells(answer) == weeks


def test_the_row_is_shown_whose_limit_holds_the_amount(extractor: Extractor) -> None:
    answer = ask(extractor, "Who signs an order of 3,000 EUR?", *map(hit, LIMITS))
    assert first_cells(answer) == ["up to 5,000 EUR"]


def test_a_small_table_is_shown_whole_where_no_row_is_named(extractor: Extractor) -> None:
    answer = ask(extractor, "Which roles do not get into the store?", *map(hit, ACCESS))
    assert first_cells(answer) == ["Crew", "Cook", "Pilot", "Guest"]


def test_the_row_with_the_code_of_the_question_is_shown_alone(extractor: Extractor) -> None:
    texts = ("E-WIN-003 rope too loose", "E-WIN-009 drum too warm", "E-WIN-021 no oil")
    codes = [row(n, Message=text, Cure="Stop the winch") for n, text in enumerate(texts, 1)]
    answer = ask(extractor, "The winch says E-WIN-009, what now?", *map(hit, codes))
    assert first_cells(answer) == ["E-WIN-009 drum too warm"]


def test_the_column_is_shown_in_which_a_word_of_the_question_stands(extractor: Extractor) -> None:
    cells: dict[str, Any] = {f"C{n}": f"value {n} of {n}" for n in range(7)}
    radar = row(1, Model="Heron", **cells, Built="with radar 2.0")
    answer = ask(extractor, "Which radar version has the Heron?", hit(radar))
    assert "with radar 2.0" in answer


def test_rows_that_look_alike_are_shown_once(extractor: Extractor) -> None:
    alike = [row(n, Crane="Heron", Result="passed", Remark="") for n in (1, 2, 3)]
    answer = ask(extractor, "What was the result of the Heron?", *map(hit, alike))
    assert first_cells(answer) == ["Heron"]


def test_how_it_went_is_shown_of_a_wide_table_before_what_is_the_same_in_all_rows(
    extractor: Extractor,
) -> None:
    same: dict[str, Any] = {
        "Maker": "Sisu Ltd",
        "Yard": "North",
        "Fuel": "Diesel",
        "Class": "B",
        "Owner": "Port",
    }
    wide = [
        row(n, Check="Brake holds", Crane=crane, **same, Result=result)
        for n, crane, result in ((1, "Heron", "passed"), (2, "Osprey", "FAILED"))
    ]
    answer = ask(extractor, "How did it go with the brake that holds?", *map(hit, wide))
    header = answer.splitlines()[1]
    assert "Result" in header
    assert "Crane" in header
    assert "Owner" not in header


def test_how_it_went_is_shown_beside_a_column_that_is_asked_for(extractor: Extractor) -> None:
    names = ("Maker", "Yard", "Fuel", "Class", "Owner", "Winter berth", "Result")
    cells: dict[str, Any] = {name: f"{name} B" for name in names}
    check = row(1, Check="Winter check of the brake", **cells)
    answer = ask(extractor, "Has the winter check of the brake been done?", hit(check))
    assert "Result" in answer.splitlines()[1]


def test_of_long_rows_the_column_that_tells_them_apart_is_shown(extractor: Extractor) -> None:
    rows = [
        row(n, Maker="Sisu", Model=model, Result=f"{model} went on, and then: {'tea ' * 60}")
        for n, model in ((1, "K100"), (2, "K200"))
    ]
    answer = ask(extractor, "Which of the cranes went on?", *map(hit, rows))
    assert answer.splitlines()[1] == "| Model | Result |"


def test_what_takes_the_rule_back_is_shown_with_it(extractor: Extractor) -> None:
    rule = "Small repairs of the boat may go into the same order as its cleaning."
    exception = "However, new masts have an order of their own."
    question = "May a repair of the boat go into the order of its cleaning?"
    apart = ask(extractor, question, hit(piece(rule, after=near(exception))))
    assert exception in apart
    assert exception not in ask(extractor, question, hit(piece(rule, after=near("Tea is free."))))


def test_a_note_behind_code_is_shown_with_it(extractor: Extractor) -> None:
    note = "NOTE: Never in a storm."
    code = CodeText(text="docker stop crane", above="Stop it:")
    stop = piece("Stop it:\ndocker stop crane", kind=Kind.CODE, code=code, after=near(note))
    answer = ask(extractor, "How do I stop the crane in docker?", hit(stop))
    assert answer.endswith(f"```\n{note}")


def test_what_announces_code_is_not_said_again_with_the_code(extractor: Extractor) -> None:
    told = "To stop the crane in docker:"
    after = near(f"{told} docker stop crane…")
    answer = ask(extractor, "How do I stop the crane in docker?", hit(piece(told, after=after)))
    assert answer.splitlines()[1:] == [told, "docker stop crane…"]
    shown = CodeText(text="docker stop crane", above=told)
    code = piece(f"{told}\n{shown.text}", kind=Kind.CODE, code=shown, position=1)
    hits = hit(piece(told, after=after.model_copy(update={"id": code.id}))), hit(code)
    both = ask(extractor, "How do I stop the crane in docker?", *hits)
    assert (both.count(told), both.count("docker stop crane")) == (1, 1)


def test_a_line_that_announces_what_follows_is_shown_with_it(extractor: Extractor) -> None:
    heading = piece(
        "Check the mast of the boat", after=near("It must not swing by more than 2 cm.")
    )
    answer = ask(extractor, "How do I check the mast of the boat?", hit(heading))
    assert "more than 2 cm" in answer


def test_items_that_are_left_out_leave_a_sign(extractor: Extractor) -> None:
    many = "\n".join(
        f"- Buoy {n} lies {n} cables off the pier in the old harbour" for n in range(20)
    )
    answer = ask(extractor, "Where is buoy 7?", hit(piece(many, kind=Kind.LIST)))
    lines = answer.splitlines()[1:]
    assert lines[0] == lines[-1] == "…"
    assert len(lines) < 20


def steps_of_a_page(*texts: str) -> list[Evidence]:
    """A numbered list as it is indexed: in parts."""
    items = "".join(f"<li>{text}</li>" for text in texts)
    return list(evidence(page(), parse(f"<p>To lay up the ferry:</p><ol>{items}</ol>")))


MANY = [f"Grease bolt {n} of the ferry with fat from the red box" for n in range(1, 17)]


def test_a_list_that_was_found_in_part_is_shown_from_its_first_step(extractor: Extractor) -> None:
    first, second = steps_of_a_page(*MANY[:8])
    answer = ask(extractor, "How do I lay up the ferry?", hit(second, block=(first,)))
    assert "To lay up the ferry:\n1. Grease bolt 1 " in answer
    assert answer.count("Grease bolt") == 8


def test_of_a_long_list_the_beginning_is_shown_where_it_was_found(extractor: Extractor) -> None:
    first, second, *others = steps_of_a_page(*MANY)
    question = "How do I lay up the ferry?"
    answer = ask(extractor, question, hit(first, block=(second, *others)))
    assert "To lay up the ferry:\n1. Grease bolt 1 " in answer
    assert answer.endswith(f"… and {16 - answer.count('Grease bolt')} more")
    answer = ask(extractor, question, hit(second, block=(first, *others)))
    assert f"To lay up the ferry:\n…\n{second.items[1].mark}" in answer
    assert all(item.text in answer for item in second.items[1:])


def test_a_list_is_not_cut_for_its_last_item(extractor: Extractor) -> None:
    many = "\n".join(f"- buoy {number} is at pier {number}" for number in range(1, 10))
    answer = ask(extractor, "Where is buoy 2?", hit(piece(many, kind=Kind.LIST)))
    assert (answer.count("buoy"), "…" in answer) == (9, False)


def test_what_is_quoted_of_another_part_is_cited(extractor: Extractor) -> None:
    first, second = steps_of_a_page(*MANY[:8])
    answer = ask(extractor, "How do I lay up the ferry?", hit(second), hit(first))
    assert sorted(answer.splitlines()[0].removeprefix("Handbook ")) == sorted("[1][2]")


def test_of_a_list_without_its_beginning_the_gap_is_seen(extractor: Extractor) -> None:
    _, second, *_ = steps_of_a_page(*MANY)
    answer = ask(extractor, "How do I lay up the ferry?", hit(second))
    first = second.items[1].mark
    assert f"To lay up the ferry:\n…\n{first}" in answer


def test_parts_of_a_list_are_shown_as_one(extractor: Extractor) -> None:
    first, second, *_ = steps_of_a_page(*MANY)
    answer = ask(extractor, "How do I lay up the ferry?", hit(second), hit(first))
    assert answer.count("To lay up the ferry:") == 1


def test_the_list_that_a_sentence_announces_stands_below_it(extractor: Extractor) -> None:
    items = "".join(f"<li>{text}</li>" for text in MANY)
    body = f"<p>Ice comes early.</p><p>Who lays up the ferry in fall:</p><ol>{items}</ol>"
    passage, *parts = evidence(page(), parse(body))
    answer = ask(extractor, "Who lays up the ferry in fall?", hit(passage, block=tuple(parts)))
    assert "lays up the ferry in fall:\n1. Grease bolt 1 " in answer.replace("**", "")
    assert "…\n" not in answer


@pytest.mark.parametrize(
    ("question", "is_shown"),
    [("How do I stop the winch of the ferry?", True), ("Who stops the winch of the ferry?", False)],
)
def test_who_asks_how_is_shown_the_command_below(
    extractor: Extractor, question: str, is_shown: bool
) -> None:
    body = (
        "<p>The winch is old. To stop the winch of the ferry, ask its controller.</p>"
        '<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[winch --stop\nwinch -q]]>'
        "</ac:plain-text-body></ac:structured-macro>"
    )
    passage, code = evidence(page(), parse(body))
    answer = ask(extractor, question, hit(passage, block=(code,)))
    assert answer.endswith("```\nwinch --stop\nwinch -q\n```") is is_shown
    assert "controller" in answer


def test_what_is_in_another_language_is_not_behind_for_want_of_words(embedder: Bundled) -> None:
    asked = Completed(question="Wann braucht man Schneeketten?", text="")
    ranker = Ranker(embedder, lambda _term: 1.0)

    def score(language: str) -> float:
        (best,) = ranker.rank(asked, [hit("Snow chains from October.", language=language)])
        return best.score

    assert score("en") == pytest.approx(score("de") + FOREIGN_WEIGHT)
    assert score("") == score("de")


def test_excerpts_of_a_section_stand_in_the_order_of_the_page(extractor: Extractor) -> None:
    later = piece("The winch of the ferry is greased on Friday by the mate.", position=9)
    earlier = piece("The winch of the ferry is greased with seal fat.", position=2)
    answer = ask(extractor, "When is the winch of the ferry greased?", hit(later), hit(earlier))
    assert answer.index("seal fat") < answer.index("Friday")


def test_sections_of_the_same_name_are_told_apart(extractor: Extractor) -> None:
    ferry = piece("Pull the red lever of the pump.", heading_path=("Ferry", "Pump"))
    tug = piece("Turn the wheel of the pump.", heading_path=("Tug", "Pump"))
    answer = ask(extractor, "How is the pump of the ferry started?", hit(ferry), hit(tug))
    assert "Handbook › Ferry › Pump" in answer
    alone = ask(extractor, "How is the pump of the ferry started?", hit(ferry))
    assert "Handbook › Pump" in alone


def test_what_is_said_of_another_version_stands_later(extractor: Extractor) -> None:
    old, new = page("6", "Tests of release 6.0"), page("7", "Tests of release 7.0")
    passed = hit(piece("The sonar passed the tests of the harbour.", page_id="6"), old)
    failed = hit(piece("The sonar failed.", page_id="7"), new)
    question = "Did the sonar pass the tests of the harbour {}?"
    assert ask(extractor, question.format("for 7.0"), passed, failed).startswith(
        "Tests of release 7"
    )
    assert ask(extractor, question.format(""), passed, failed).startswith("Tests of release 6")


def test_a_page_that_says_it_is_outdated_stands_behind(extractor: Extractor) -> None:
    old, new = page("6", "Towing"), page("7", "Fees")
    notice = piece("Warning: Outdated: see the other page.", page_id="6", position=0)
    fee = piece("To tow a boat costs 30 EUR.", page_id="6", position=1)
    now = piece("The fee to tow a boat is 40 EUR.", page_id="7", position=1)
    question = "What does it cost to tow a boat?"
    hits = [hit(fee, old), hit(now, new), hit(notice, old)]
    assert ask(extractor, question, *hits).startswith("Fees")
    assert ask(extractor, question, *hits[:2]).startswith("Towing")
    only_old = ask(extractor, question, hits[0], hits[2])
    assert only_old.startswith("Towing [1][2]\nWarning: Outdated: see the other page.\nTo tow a")
    cut = piece("Warning: Outdated: run `tow now` here. " + "word " * 60, page_id="6", position=0)
    assert "`" not in ask(extractor, question, hits[0], hit(cut, old)).splitlines()[1]
    said = piece(f"{notice.text} To tow a boat costs 30 EUR.", page_id="6", position=0)
    assert ask(extractor, question, hit(said, old)).count("Outdated") == 1
    since = piece("Warning: Outdated: replaced in 2026.", page_id="6", position=0)
    earlier = "What did it cost to tow a boat in 2024?"
    assert "30 EUR" in ask(extractor, earlier, hits[0], hit(since, old))
    lamps: dict[str, Any] = {"heading_path": ("Lamps",), "page_id": "6"}
    part = piece("Warning: This section is outdated.", **lamps, position=7)
    lamp = piece("To tow a boat costs a lamp.", **lamps, position=8)
    of_section = ask(extractor, question, hit(lamp, old), hit(part, old))
    assert of_section.startswith("Towing › Lamps [1][2]\nWarning: This section is outdated.\nTo")
    assert "outdated" not in ask(extractor, question, hits[0], hit(part, old))
    night = piece("To tow a boat at night costs 60 EUR.", page_id="6", position=5)
    both = ask(extractor, question, hits[0], hit(night, old), hits[2])
    assert both.count("Outdated") == 1
    assert "60 EUR" in both
