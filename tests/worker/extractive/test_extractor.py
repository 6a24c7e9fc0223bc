"""Answers without a model: the right sentence, cells or list, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, part, piece, row

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.language import spoken
from core.models import Hit, Kind
from core.question import Completed
from core.structure import Neighbour, NeighbourLine
from worker.extractive.extractor import Extractor
from worker.extractive.ranking.rank import Ranker
from worker.question.classify import classify

STEPS = piece(
    "- Unplug it\n- Wait\n- Plug it in",
    kind=Kind.LIST,
    heading_path=("Restart the router",),
)
ROUTER = page("7", "Router")
MACHINES = [
    row(1, Machine="Lumo SkyLift 3180", Status="passed", Tester="Alice"),
    row(2, Machine="Lumo SkyLift 4260", Status="failed", Tester="Ben"),
]
SERVERS = [
    row(1, page_id="9", Server="quay-01", City="Bergen", System="Debian 13"),
    row(2, page_id="9", Server="quay-02", City="Porto", System="Debian 12"),
    row(3, page_id="9", Server="quay-03", City="Bergen", System="Debian 12"),
]
SERVER_TABLE = part(
    row(1, Server="quay-01", City="Bergen"),
    row(2, Server="quay-02", City="Porto"),
    row(3, Server="quay-03", City="Bergen"),
)
SCANNERS = [
    row(1, Scanner="Plover P3", Released="Yes"),
    row(2, Scanner="Plover P3 Cold", Released="No"),
]
THROUGHPUT = [
    row(1, Machine="Osprey 900", Parcels="8,960"),
    row(2, Machine="Heron", Parcels="100"),
    row(3, Machine="Siskin 400", Parcels="3,790"),
]

LIMITS = {"Kassel": "95 EUR", "Porto": "110 EUR", "Aarhus": "140 EUR"}


def ask(
    extractor: Extractor, question: str, *hits: Hit, context: tuple[str, ...] = ()
) -> str | None:
    completed = Completed(question=question, text=question, context=context)
    understood = {"kind": classify(completed), "language": spoken("", question)}
    return extractor.extract(completed.model_copy(update=understood), hits)


def below_lead(answer: str) -> list[str]:
    """The lines of the excerpt below what was composed."""
    return answer.split("\n\n")[-1].splitlines()


def body(answer: str) -> list[str]:
    """The lines under the first title."""
    return answer.split("\n\n")[0].splitlines()[1:]


def test_the_sentence_that_answers_is_quoted_with_its_citation(extractor: Extractor) -> None:
    hits = [hit(BACKUP), hit(f"{LEAVE} {HOTEL}")]
    assert ask(extractor, "What does a hotel in Porto cost?", *hits) == (
        f"Handbook [2]\n{LEAVE} **{HOTEL}**"
    )


def test_of_a_row_the_cell_that_was_asked_for_is_quoted_under_the_name_of_the_row(
    extractor: Extractor,
) -> None:
    hits = [hit(machine) for machine in MACHINES]
    assert (
        ask(extractor, "What is the status of the Lumo SkyLift 4260?", *hits)
        == "Status of Lumo SkyLift 4260: **failed** [2]\n\n"
        "Handbook [2]\n"
        "| Machine | Status | Tester |\n"
        "| --- | --- | --- |\n"
        "| Lumo SkyLift 4260 | **failed** | Ben |"
    )


def test_of_a_row_whose_column_was_not_named_all_cells_are_quoted(extractor: Extractor) -> None:
    hits = [hit(machine) for machine in MACHINES]
    assert (
        ask(extractor, "What about the Lumo SkyLift 4260?", *hits) == "Handbook [2]\n"
        "| Machine | Status | Tester |\n"
        "| --- | --- | --- |\n"
        "| Lumo SkyLift 4260 | failed | Ben |"
    )


def test_the_conversation_may_say_which_row_is_meant(extractor: Extractor) -> None:
    hits = [hit(machine) for machine in MACHINES]
    answer = ask(extractor, "Who was the tester?", *hits, context=("Lumo SkyLift 3180",))
    assert answer is not None
    assert body(answer)[2:] == ["| Lumo SkyLift 3180 | passed | **Alice** |"]


def test_after_a_question_about_one_row_the_next_one_gets_the_row_that_it_calls(
    extractor: Extractor,
) -> None:
    belts = [
        row(1, Line="Line A (Siskin 400)", Task="Tighten the belt", Interval="2 weeks"),
        row(2, Line="Line B (Osprey 900)", Task="Tighten the belt", Interval="1 week"),
    ]
    before = ("How often is the belt of line B tightened?",)
    answer = ask(extractor, "And on line A?", *map(hit, belts), context=before)
    assert answer is not None
    assert "2 weeks" in answer
    assert "1 week" not in answer


def test_a_list_of_other_pages_answers_only_who_asks_for_a_list(extractor: Extractor) -> None:
    titles = piece("- Exchange a wheelset\n- Exchange the oil", kind=Kind.LIST, names=("51", "52"))
    four = "Four people always exchange a wheelset together."
    answer = ask(extractor, "How many people exchange a wheelset?", hit(titles), hit(four))
    assert answer is not None
    assert answer.splitlines()[1].strip("*") == four
    listed = ask(extractor, "Which exchange instructions are there?", hit(titles), hit(four))
    assert listed is not None
    assert "- Exchange the oil" in listed.splitlines()[2]


def test_what_announces_a_list_is_not_said_again_before_it(extractor: Extractor) -> None:
    announces = "The house manager alone decides on an evacuation of the hall:"
    steps = piece(f"{announces}\n- The house manager opens the doors", kind=Kind.LIST)
    question = "Who decides on an evacuation of the hall?"
    answer = ask(extractor, question, hit(announces), hit(steps))
    assert answer is not None
    assert answer.replace("**", "").count(announces) == 1


def test_the_piece_that_is_nearer_in_meaning_is_quoted_where_words_say_the_same(
    extractor: Extractor,
) -> None:
    near, far = (
        hit(piece("It takes two days.", heading_path=("B",))),
        hit(piece("It takes two hours.")),
    )
    near, far = (each.model_copy(update={"score": 3.0}) for each in (near, far))
    near = near.model_copy(update={"dense": 0.6})
    answer = ask(extractor, "How long does the paperwork take?", far, near)
    assert answer is not None
    assert answer.splitlines()[1].strip("*") == "It takes two days."


def test_gate_and_answerer_agree_on_what_is_composed(extractor: Extractor) -> None:
    hits = tuple(map(hit, THROUGHPUT))
    asked = Completed(question="", text="How many parcels has the Heron?", language="en")
    asked = asked.model_copy(update={"question": asked.text})
    answer = extractor.extract(asked, hits)
    assert answer is not None
    assert extractor.is_composed(asked, hits) is not answer.startswith("Handbook")
    assert not extractor.is_composed(asked, (hit(LEAVE),))


def test_under_the_lowest_stand_no_rows_of_which_none_is_it(extractor: Extractor) -> None:
    people = (("Firmware", "9"), ("People", "4"), ("Vision", "7"), ("Field", "22"), ("Desk", "3"))
    teams = [row(number, Team=team, People=many) for number, (team, many) in enumerate(people, 1)]
    found = hit(part(*teams[:3], after=Neighbour(table=1)))
    completing = hit(part(*teams[3:]), table_rows=5)
    said = ask(extractor, "Which team has the fewest people?", found, completing)
    assert said == "Lowest “People” in “Handbook”: **Desk** (3) [1][2]"
    whole = ask(extractor, "Which team has the fewest people?", hit(part(*teams)))
    assert whole is not None
    assert "| Desk | 3 |" in whole


def test_a_list_is_quoted_whole_when_it_was_asked_for(extractor: Extractor) -> None:
    assert (
        ask(extractor, "How do I restart the router?", hit(STEPS, ROUTER))
        == "Router › Restart the router [1]\n- Unplug it\n- Wait\n- Plug it in"
    )


def test_a_long_list_says_how_much_is_left_out(extractor: Extractor) -> None:
    items = "\n".join(f"- Restart router {n}" for n in range(20))
    answer = ask(
        extractor,
        "Which steps restart the router?",
        hit(piece(items, kind=Kind.LIST), ROUTER),
    )
    assert answer is not None
    assert answer.splitlines()[-2:] == ["- Restart router 11", "… and 8 more"]


def test_footnotes_of_a_page_are_not_quoted_as_citations(extractor: Extractor) -> None:
    assert (
        ask(extractor, "What does a hotel in Porto cost?", hit(f"{HOTEL[:-1]} [2]."))
        == f"Handbook [1]\n{HOTEL[:-1]} (2)."
    )


@pytest.mark.parametrize(
    "question", ["Who won the chess tournament?", "Wie heißt der Hund des Nachbarn?"]
)
def test_what_nothing_answers_is_not_answered(extractor: Extractor, question: str) -> None:
    assert ask(extractor, question, hit(HOTEL, score=-1.0), hit(LEAVE, score=-1.0)) is None


def test_without_evidence_there_is_no_answer(extractor: Extractor) -> None:
    assert ask(extractor, "What does a hotel in Porto cost?") is None


def test_two_pages_that_say_the_same_are_quoted_once_and_both_cited(extractor: Extractor) -> None:
    answer = ask(
        extractor, "What does a hotel in Porto cost?", hit(HOTEL, page("1")), hit(HOTEL, page("2"))
    )
    assert answer == f"Handbook [1][2]\n{HOTEL}"


def test_taking_the_quoted_piece_away_changes_the_answer(extractor: Extractor) -> None:
    question, hits = "What does a hotel in Porto cost?", [hit(HOTEL), hit(LEAVE)]
    with_it, without_it = ask(extractor, question, *hits), ask(extractor, question, *hits[1:])
    assert with_it == f"Handbook [1]\n{HOTEL}"
    assert without_it != with_it


def test_taking_another_piece_away_changes_nothing_but_numbers(extractor: Extractor) -> None:
    question = "What does a hotel in Porto cost?"
    assert ask(extractor, question, hit(HOTEL), hit(LEAVE), hit(BACKUP)) == ask(
        extractor, question, hit(HOTEL), hit(BACKUP)
    )


@pytest.mark.parametrize(
    "hits", [[hit(server) for server in reversed(SERVERS)], [hit(SERVER_TABLE)]]
)
def test_a_list_question_is_answered_by_all_rows_that_match_in_their_order(
    extractor: Extractor, hits: list[Hit]
) -> None:
    answer = ask(extractor, "Which servers are in Bergen?", *hits)
    assert answer is not None
    shown = [line.strip("| ").split(" | ")[:2] for line in below_lead(answer)[3:]]
    assert shown[:2] == [["quay-01", "Bergen"], ["quay-03", "Bergen"]]


def test_of_rows_that_are_named_all_are_shown_and_of_those_only_alike_a_sign_of_others(
    extractor: Extractor,
) -> None:
    tugs = [row(n, Tug=f"T{n}", Fuel="shore power" if n % 9 else "oil") for n in range(1, 21)]
    answer = ask(extractor, "Which tugs run on oil?", *map(hit, tugs))
    assert answer is not None
    assert [line.split(" | ")[0] for line in body(answer)[2:]] == ["| T9", "| T18"]
    answer = ask(extractor, "Which tugs run on something that smells?", *map(hit, tugs))
    assert answer is not None
    assert "…" in answer


def test_many_rows_and_many_cells_say_that_there_are_more(extractor: Extractor) -> None:
    many = [hit(row(n, Server=f"quay-{n:02}", City="Bergen")) for n in range(1, 15)]
    answer = ask(extractor, "Which servers are in Bergen?", *many)
    assert answer is not None
    assert answer.splitlines()[-1] == "… and 2 more"
    letters: dict[str, Any] = {letter: f"{letter}1" for letter in "ABCDEFGHIJK"}
    one = row(1, Machine="Heron", **letters)
    answer = ask(extractor, "What about the Heron?", hit(one))
    assert answer is not None
    assert body(answer)[0] == "| Machine | A | B | C | D | E | F | G | H | I |"


def test_a_list_is_quoted_with_the_line_that_announces_it(extractor: Extractor) -> None:
    hits = [
        hit(
            piece("Hand in:\n- the receipt of the hotel\n- the receipt of the taxi", kind=Kind.LIST)
        )
    ]
    assert (
        ask(extractor, "Which receipts are needed?", *hits)
        == "Handbook [1]\nHand in:\n- the receipt of the hotel\n- the receipt of the taxi"
    )


def test_of_a_short_list_one_fact_is_the_item_in_bold_among_the_others(
    extractor: Extractor,
) -> None:
    items = piece(
        "Hand in:\n- the hotel receipt\n- the taxi receipt with a date\n  - and a stamp",
        kind=Kind.LIST,
    )
    answer = ask(extractor, "What does a taxi receipt need?", hit(items))
    assert answer == (
        "Handbook [1]\n"
        "Hand in:\n- the hotel receipt\n- **the taxi receipt with a date**\n  - and a stamp"
    )


def test_of_a_long_list_one_fact_is_the_item_under_what_announces_it_with_what_is_under_it(
    extractor: Extractor,
) -> None:
    others = "\n".join(f"- the receipt {n} of everything else that you bought" for n in range(15))
    items = piece(
        f"Hand in:\n{others}\n- the taxi receipt with a date\n  - and a stamp", kind=Kind.LIST
    )
    answer = ask(extractor, "What does a taxi ride need?", hit(items))
    assert answer is not None
    lines = body(answer)
    assert lines[0] == "Hand in:"
    assert lines[-2:] == ["- the taxi receipt with a date", "  - and a stamp"]
    assert len(lines) < 12


def test_a_procedure_is_its_steps_in_order_not_a_sentence_about_it(extractor: Extractor) -> None:
    hits = [hit("The router was restarted in May because of a storm."), hit(STEPS, ROUTER)]
    assert (
        ask(extractor, "How do I restart the router?", *hits)
        == "Router › Restart the router [2]\n- Unplug it\n- Wait\n- Plug it in"
    )


def test_a_cause_is_a_sentence_that_says_because_and_not_a_cell(extractor: Extractor) -> None:
    because = "The sorters stopped because the certificate had expired."
    hits = [
        hit(row(1, Incident="INC-118", Sorters="stopped", Status="closed")),
        hit("The sorters stop at night."),
        hit(because),
    ]
    answer = ask(extractor, "Why did the sorters stop in INC-118?", *hits)
    assert answer is not None
    assert answer.startswith("Handbook [3]")
    assert body(answer) == [because]


def test_a_cause_may_stand_under_a_heading_that_says_so(extractor: Extractor) -> None:
    hits = [
        hit("The sorters stop at the end of each shift."),
        hit(piece("An expired certificate had stopped the sorters.", heading_path=("Root cause",))),
    ]
    answer = ask(extractor, "Why did the sorters stop?", *hits)
    assert answer is not None
    assert answer.startswith(
        "Handbook › Root cause [2]\nAn expired certificate had stopped the sorters."
    )


def test_a_case_is_answered_by_the_sentence_that_sets_it(extractor: Extractor) -> None:
    hits = [
        hit("The crane has a power supply of 400 V that is measured daily."),
        hit("If the crane loses power, the brake holds the load."),
    ]
    answer = ask(extractor, "What happens if the crane loses power?", *hits)
    assert answer is not None
    assert body(answer)[0] == "If the crane loses power, the brake holds the load."


def test_of_what_is_compared_each_is_quoted_once(extractor: Extractor) -> None:
    answer = ask(
        extractor,
        "What is the difference between the Osprey 900 and the Siskin 400?",
        *[hit(machine) for machine in THROUGHPUT],
    )
    assert answer is not None
    title, _, _, *rows = below_lead(answer)
    assert title == "Handbook [1][3]"
    assert rows == ["| Osprey 900 | 8,960 |", "| Siskin 400 | 3,790 |"]


def test_under_two_that_are_compared_stand_the_rows_of_both(extractor: Extractor) -> None:
    hotels = part(
        *(row(at, City=city, Limit=limit) for at, (city, limit) in enumerate(LIMITS.items(), 1))
    )
    answer = ask(extractor, "compare the limit of Kassel and Aarhus", hit(hotels))
    assert answer is not None
    assert answer.startswith("Limit: Kassel **95 EUR**, Aarhus **140 EUR** [1]")
    assert below_lead(answer)[3:] == ["| Kassel | 95 EUR |", "| Aarhus | 140 EUR |"]


def test_under_a_comparison_no_row_is_lost_that_has_fewer_of_its_figures(
    extractor: Extractor,
) -> None:
    depots = part(
        row(1, Depot="North", Staff="12", Vans="4", Shelves="30"),
        row(2, Depot="South", Staff="4", Vans="2", Shelves="12"),
        row(3, Depot="Harbour", Staff="9", Vans="4", Shelves="30"),
    )
    answer = ask(extractor, "compare the vans of North and South", hit(depots))
    assert answer is not None
    assert answer.startswith("Vans: North **4**, South **2** [1]")
    assert [line.split(" | ")[0] for line in below_lead(answer)[3:]] == ["| North", "| South"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the Plover P3 released?", "Yes.\n\nHandbook [1]\n"),
        ("Is the Plover P3 Cold released?", "No.\n\nHandbook [2]\n"),
    ],
)
def test_a_cell_with_yes_or_no_answers_what_is_to_be_confirmed(
    extractor: Extractor, question: str, answer: str
) -> None:
    said = ask(extractor, question, *[hit(scanner) for scanner in SCANNERS])
    assert said is not None
    assert said.startswith(answer)


def test_a_cell_with_yes_is_not_repeated_where_its_page_says_what_has_changed(
    extractor: Extractor,
) -> None:
    later = "Sales of the released Plover P3 are suspended until June."
    hits = [*(hit(scanner) for scanner in SCANNERS), hit(piece(later))]
    answer = ask(extractor, "Is the Plover P3 released?", *hits)
    assert answer is not None
    assert not answer.startswith("Yes.")


def test_a_cell_with_yes_is_not_repeated_over_what_its_page_denies(extractor: Extractor) -> None:
    rows = [row(1, Area="Office", Dogs="yes"), row(2, Area="Lab", Dogs="no")]
    denied = "Dogs are not allowed in the office in Ghent, since a colleague is ill."
    answer = ask(extractor, "Are dogs in the office?", *map(hit, rows), hit(piece(denied)))
    assert answer is not None
    assert not answer.startswith("Yes.")


@pytest.mark.parametrize(
    "question", ["Does the Plover P3 have a playground?", "Is the released Plover P3 working?"]
)
def test_a_cell_with_yes_says_nothing_of_what_no_column_has(
    extractor: Extractor, question: str
) -> None:
    said = ask(extractor, question, *[hit(scanner) for scanner in SCANNERS])
    assert said is None or not said.startswith("Yes.")


@pytest.mark.parametrize(
    ("question", "sentence", "plainly"),
    [
        (
            "Is photography allowed in the plant?",
            "Photography is not allowed in the plant.",
            "No.\n\n",
        ),
        ("Darf man im Werk fotografieren?", "Im Werk darf man nicht fotografieren.", "Nein.\n\n"),
        (
            "Is photography allowed in the plant?",
            "Photography is allowed in the plant.",
            "",
        ),  # perhaps only there, or only sometimes
        ("Must visitors wear a badge?", "Visitors must wear a badge, not a sticker.", ""),
        ("Is smoking not allowed in the plant?", "Smoking is not allowed in the plant.", ""),
        (
            "Is photography allowed in the plant?",
            "Smoking is not allowed near the tanks of the plant.",
            "",
        ),
        (
            "Is photography allowed in the plant?",
            "Photography is not allowed in the plant except in the hall.",
            "",
        ),
        (
            "May a phone be used privately?",
            "A phone may be used privately; calls abroad are not allowed.",
            "",
        ),
        (
            "Are cats of staff allowed in the office?",
            "Dogs of staff are not allowed in the office.",
            "",
        ),
        ("Can reception give discounts?", "Reception may not give discounts without approval.", ""),
        ("May a nurse dispense antibiotics?", "A nurse may not dispense antibiotics alone.", ""),
        ("Darf man über 18 nachts arbeiten?", "Man darf unter 18 nicht nachts arbeiten.", ""),
        (
            "Is photography allowed in the plant?",
            "It is not so that photography is not allowed in the plant.",
            "",
        ),
    ],
)
def test_a_sentence_says_no_only_where_it_negates_what_was_asked(
    extractor: Extractor, question: str, sentence: str, plainly: str
) -> None:
    assert ask(extractor, question, hit(sentence)) == f"{plainly}Handbook [1]\n{sentence}"


def test_a_no_of_the_sentence_beside_it_is_none(extractor: Extractor) -> None:
    text = "Private trips are not allowed. Driving home is allowed when on call."
    answer = ask(extractor, "Is driving home allowed?", hit(text))
    assert answer is not None
    assert not answer.startswith("No.")


def test_a_sentence_about_something_else_under_a_heading_that_was_asked_for_says_no_no(
    extractor: Extractor,
) -> None:
    outside = "Countries outside of the EEA are not possible."
    hits = [hit(piece(outside, heading_path=("Work in another country",)))]
    assert (
        ask(extractor, "Can I work from another country?", *hits)
        == f"Handbook › Work in another country [1]\n{outside}"
    )


def test_two_that_contradict_each_other_are_quoted_without_a_yes_or_no(
    extractor: Extractor,
) -> None:
    hits = [
        hit(row(1, Scanner="Plover P3", Released="Yes"), page("1")),
        hit(row(1, Scanner="Plover P3", Released="No"), page("2")),
    ]
    answer = ask(extractor, "Is the Plover P3 released?", *hits)
    assert answer is not None
    assert answer.startswith("Handbook [1]\n")
    assert "\n\nHandbook [2]\n" in answer
    assert "Yes." not in answer
    assert "| Plover P3 | **No** |" in answer


def test_a_sentence_that_points_back_is_quoted_with_the_one_before_it(extractor: Extractor) -> None:
    hits = [
        hit(
            "The gate opens at six. "
            "It is guarded by the porter of the night shift, Mr Moll. Cars wait."
        )
    ]
    answer = ask(extractor, "Who guards at night?", *hits)
    assert answer is not None
    assert body(answer)[0].startswith("The gate opens at six. **It is guarded by the porter")


def test_a_sentence_that_announces_a_list_is_quoted_with_it(extractor: Extractor) -> None:
    form = Neighbour(
        lines=(NeighbourLine(text="- a photo"), NeighbourLine(text="- a form")), is_list=True
    )
    hits = [hit(piece("For the gate pass you need:", after=form))]
    assert (
        ask(extractor, "What do I need for the gate pass?", *hits)
        == "Handbook [1]\nFor the gate pass you need:\n- a photo\n- a form"
    )


def test_a_question_on_a_page_is_quoted_with_what_answers_it_there(extractor: Extractor) -> None:
    hits = [
        hit("What is a recirculation? A further round of a parcel through the sorter."),
        hit(BACKUP),
    ]
    answer = ask(extractor, "What is a recirculation?", *hits)
    assert answer is not None
    assert body(answer)[0].endswith("A further round of a parcel through the sorter.")


@pytest.mark.parametrize(
    "question",
    [
        "Which servers are in Bergen?",
        "What is the status of the Lumo SkyLift 4260?",
        "Why did it stop?",
    ],
)
def test_what_other_evidence_there_is_does_not_change_a_score(
    embedder: Bundled, question: str
) -> None:
    completed = Completed(question=question, text=question)
    completed = completed.model_copy(update={"kind": classify(completed)})
    ranker = Ranker(embedder, lambda _term: 1.0)
    hits = [
        hit(each)
        for each in (*SERVERS, *MACHINES, piece(BACKUP), piece("It stopped because of the storm."))
    ]
    together = {scored.span.text: scored.score for scored in ranker.rank(completed, hits)}
    alone = {
        scored.span.text: scored.score for each in hits for scored in ranker.rank(completed, [each])
    }
    assert together == pytest.approx(alone)


class Calls:
    """The bundled encoder, and how many texts each call had."""

    name = Bundled.name

    def __init__(self, real: Bundled) -> None:
        self._real = real
        self.sizes: list[int] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.sizes.append(len(texts))
        return self._real.embed(texts)


def test_the_question_and_its_spans_are_embedded_at_once_and_only_once(embedder: Bundled) -> None:
    calls = Calls(embedder)
    extractor = Extractor(calls, lambda _term: 1.0)
    asked = Completed(question="What has Porto?", text="What has Porto?")
    hits = [hit(piece(LEAVE)), hit(piece(HOTEL))]
    first = extractor.extract(asked, hits)
    assert len(calls.sizes) == 1
    assert extractor.extract(asked, hits) == first
    assert len(calls.sizes) == 1
