"""Answers without a model: the right sentence, cells or list, or nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, part, piece, row

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from core.language import spoken
from core.language.sentences import sentences
from core.models import Hit, Kind
from core.question import Completed
from core.structure import Neighbour, NeighbourLine
from worker.extractive.extractor import Extractor
from worker.extractive.rank import Ranker
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


def ask(
    extractor: Extractor, question: str, *hits: Hit, context: tuple[str, ...] = ()
) -> str | None:
    completed = Completed(question=question, text=question, context=context)
    understood = {"kind": classify(completed), "language": spoken("", question)}
    return extractor.extract(completed.model_copy(update=understood), hits)


def test_the_sentence_that_answers_is_quoted_with_its_citation(extractor: Extractor) -> None:
    hits = [hit(BACKUP), hit(f"{LEAVE} {HOTEL}")]
    assert ask(extractor, "What does a hotel in Porto cost?", *hits) == f"“{HOTEL}” [2]"


def test_of_a_row_the_cell_that_was_asked_for_is_quoted_under_the_name_of_the_row(
    extractor: Extractor,
) -> None:
    hits = [hit(machine) for machine in MACHINES]
    assert (
        ask(extractor, "What is the status of the Lumo SkyLift 4260?", *hits)
        == "Status of Lumo SkyLift 4260: **failed** [2]\n"
        "**Lumo SkyLift 4260**: Status is failed [2]"
    )


def test_of_a_row_whose_column_was_not_named_all_cells_are_quoted(extractor: Extractor) -> None:
    hits = [hit(machine) for machine in MACHINES]
    assert (
        ask(extractor, "What about the Lumo SkyLift 4260?", *hits)
        == "**Lumo SkyLift 4260**: Status is failed; Tester is Ben [2]"
    )


def test_the_conversation_may_say_which_row_is_meant(extractor: Extractor) -> None:
    hits = [hit(machine) for machine in MACHINES]
    answer = ask(extractor, "Who was the tester?", *hits, context=("Lumo SkyLift 3180",))
    assert answer == "**Lumo SkyLift 3180**: Tester is Alice [1]"


def test_a_list_is_quoted_whole_when_it_was_asked_for(extractor: Extractor) -> None:
    assert (
        ask(extractor, "How do I restart the router?", hit(STEPS, ROUTER))
        == "- Unplug it\n- Wait\n- Plug it in\n[1]"
    )


def test_a_long_list_says_how_much_is_left_out(extractor: Extractor) -> None:
    items = "\n".join(f"- Restart router {n}" for n in range(20))
    answer = ask(
        extractor,
        "Which steps restart the router?",
        hit(piece(items, kind=Kind.LIST), ROUTER),
    )
    assert answer is not None
    assert answer.splitlines()[-2:] == ["… and 8 more", "[1]"]


def test_footnotes_of_a_page_are_not_quoted_as_citations(extractor: Extractor) -> None:
    assert (
        ask(extractor, "What does a hotel in Porto cost?", hit(f"{HOTEL[:-1]} [2]."))
        == f"“{HOTEL[:-1]} (2).” [1]"
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
    assert answer == f"“{HOTEL}” [1][2]"


def test_taking_the_quoted_piece_away_changes_the_answer(extractor: Extractor) -> None:
    question, hits = "What does a hotel in Porto cost?", [hit(HOTEL), hit(LEAVE)]
    with_it, without_it = ask(extractor, question, *hits), ask(extractor, question, *hits[1:])
    assert with_it == f"“{HOTEL}” [1]"
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
    assert [line.rpartition(" ")[0] for line in answer.splitlines()][-2:] == [
        "**Bergen**: Server is quay-01",
        "**Bergen**: Server is quay-03",
    ]


def test_many_rows_and_many_cells_say_that_there_are_more(extractor: Extractor) -> None:
    many = [hit(row(n, Server=f"quay-{n:02}", City="Bergen")) for n in range(1, 15)]
    answer = ask(extractor, "Which servers are in Bergen?", *many)
    assert answer is not None
    assert answer.splitlines()[-1] == "… and 2 more"
    letters = row(1, Machine="Heron", A="1", B="2", C="3", D="4", E="5", F="6", G="7")
    wide = hit(letters)
    answer = ask(extractor, "What about the Heron?", wide)
    assert answer is not None
    assert answer.endswith("; F is 6; … [1]")


def test_a_list_is_quoted_with_the_line_that_announces_it(extractor: Extractor) -> None:
    hits = [
        hit(
            piece("Hand in:\n- the receipt of the hotel\n- the receipt of the taxi", kind=Kind.LIST)
        )
    ]
    assert (
        ask(extractor, "Which receipts are needed?", *hits)
        == "Hand in:\n- the receipt of the hotel\n- the receipt of the taxi\n[1]"
    )


def test_of_a_list_one_fact_is_the_item_under_what_announces_it_with_what_is_under_it(
    extractor: Extractor,
) -> None:
    items = piece(
        "Hand in:\n- the hotel receipt\n- the taxi receipt with a date\n  - and a stamp",
        kind=Kind.LIST,
    )
    answer = ask(extractor, "What does a taxi receipt need?", hit(items))
    assert answer == "Hand in:\n- the taxi receipt with a date\n  - and a stamp\n[1]"


def test_a_procedure_is_its_steps_in_order_not_a_sentence_about_it(extractor: Extractor) -> None:
    hits = [hit("The router was restarted in May because of a storm."), hit(STEPS, ROUTER)]
    assert (
        ask(extractor, "How do I restart the router?", *hits)
        == "- Unplug it\n- Wait\n- Plug it in\n[2]"
    )


def test_a_cause_is_a_sentence_that_says_because_and_not_a_cell(extractor: Extractor) -> None:
    because = "The sorters stopped because the certificate had expired."
    hits = [
        hit(row(1, Incident="INC-118", Sorters="stopped", Status="closed")),
        hit("The sorters stop at night."),
        hit(because),
    ]
    assert ask(extractor, "Why did the sorters stop in INC-118?", *hits) == f"“{because}” [3]"


def test_a_cause_may_stand_under_a_heading_that_says_so(extractor: Extractor) -> None:
    hits = [
        hit("The sorters stop at the end of each shift."),
        hit(piece("An expired certificate had stopped the sorters.", heading_path=("Root cause",))),
    ]
    assert (
        ask(extractor, "Why did the sorters stop?", *hits)
        == "“An expired certificate had stopped the sorters.” [2]"
    )


def test_a_case_is_answered_by_the_sentence_that_sets_it(extractor: Extractor) -> None:
    hits = [
        hit("The crane has a power supply of 400 V that is measured daily."),
        hit("If the crane loses power, the brake holds the load."),
    ]
    answer = ask(extractor, "What happens if the crane loses power?", *hits)
    assert answer == "“If the crane loses power, the brake holds the load.” [2]"


def test_of_what_is_compared_each_is_quoted_once(extractor: Extractor) -> None:
    answer = ask(
        extractor,
        "What is the difference between the Osprey 900 and the Siskin 400?",
        *[hit(machine) for machine in THROUGHPUT],
    )
    assert answer is not None
    assert answer.splitlines()[-2:] == [
        "**Osprey 900**: Parcels is 8,960 [1]",
        "**Siskin 400**: Parcels is 3,790 [3]",
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the Plover P3 released?", "Yes. **Plover P3**: Released is Yes [1]"),
        ("Is the Plover P3 Cold released?", "No. **Plover P3 Cold**: Released is No [2]"),
    ],
)
def test_a_cell_with_yes_or_no_answers_what_is_to_be_confirmed(
    extractor: Extractor, question: str, answer: str
) -> None:
    assert ask(extractor, question, *[hit(scanner) for scanner in SCANNERS]) == answer


@pytest.mark.parametrize(
    ("question", "sentence", "plainly"),
    [
        (
            "Is photography allowed in the plant?",
            "Photography is not allowed in the plant.",
            "No. ",
        ),
        ("Darf man im Werk fotografieren?", "Im Werk darf man nicht fotografieren.", "Nein. "),
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
            "Is photography allowed in the plant?",
            "It is not so that photography is not allowed in the plant.",
            "",
        ),
    ],
)
def test_a_sentence_says_no_only_where_it_negates_what_was_asked(
    extractor: Extractor, question: str, sentence: str, plainly: str
) -> None:
    quoted = sentences(spoken("", question))("quote", text=sentence)
    assert ask(extractor, question, hit(sentence)) == f"{plainly}{quoted} [1]"


def test_a_sentence_about_something_else_under_a_heading_that_was_asked_for_says_no_no(
    extractor: Extractor,
) -> None:
    outside = "Countries outside of the EEA are not possible."
    hits = [hit(piece(outside, heading_path=("Work in another country",)))]
    assert ask(extractor, "Can I work from another country?", *hits) == f"“{outside}” [1]"


def test_two_that_contradict_each_other_are_quoted_without_a_yes_or_no(
    extractor: Extractor,
) -> None:
    hits = [
        hit(row(1, Scanner="Plover P3", Released="Yes"), page("1")),
        hit(row(1, Scanner="Plover P3", Released="No"), page("2")),
    ]
    answer = ask(extractor, "Is the Plover P3 released?", *hits)
    assert answer == "**Plover P3**: Released is Yes [1]\n**Plover P3**: Released is No [2]"


def test_a_sentence_that_points_back_is_quoted_with_the_one_before_it(extractor: Extractor) -> None:
    hits = [
        hit(
            "The gate opens at six. "
            "It is guarded by the porter of the night shift, Mr Moll. Cars wait."
        )
    ]
    assert (
        ask(extractor, "Who guards at night?", *hits)
        == "“The gate opens at six. It is guarded by the porter of the night shift, Mr Moll.” [1]"
    )


def test_a_sentence_that_announces_a_list_is_quoted_with_it(extractor: Extractor) -> None:
    form = Neighbour(
        lines=(NeighbourLine(text="- a photo"), NeighbourLine(text="- a form")), is_list=True
    )
    hits = [hit(piece("For the gate pass you need:", after=form))]
    assert (
        ask(extractor, "What do I need for the gate pass?", *hits)
        == "“For the gate pass you need:”\n- a photo\n- a form\n[1]"
    )


def test_a_question_on_a_page_is_quoted_with_what_answers_it_there(extractor: Extractor) -> None:
    hits = [
        hit("What is a recirculation? A further round of a parcel through the sorter."),
        hit(BACKUP),
    ]
    answer = ask(extractor, "What is a recirculation?", *hits)
    assert (
        answer == "“What is a recirculation? A further round of a parcel through the sorter.” [1]"
    )


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
