"""Sentences before an excerpt: composed where structure makes them certain, else nothing."""

from __future__ import annotations

import pytest
from composed import CRANES, line, table, typed
from wiki import hit, page, part, piece, row

from core.models import Hit, Kind
from core.structure import ListItem, Neighbour, TableRow, TableSlice
from worker.typed.compose import lead

TRAVEL = page("1", "Travel policy", owner="Ida Holm", updated_at="2026-02-10T08:00:00Z")
DRAFT = page("2", "Travel policy 2027 (draft)", owner="Ben Moll")


HOTELS = table(
    ("City", "Limit per night"),
    ("Porto", "110 EUR"),
    ("Aarhus", "1.140 EUR"),
    ("Kassel", "95 EUR"),
    on=TRAVEL,
    heading_path=("Hotels",),
)
TEAMS = table(
    ("Team", "Team lead", "Site", "People"),
    ("Vision", "Priya Raman", "Porto", "7"),
    ("Quality", "Emil Berg", "Aarhus", "5"),
    ("Firmware", "Jonas Wett", "Aarhus", "9"),
    heading_path=("Teams",),
)
TEAMS_WITH_PEOPLE = table(
    ("Department", "Team", "People", "Desks"),
    ("Operations", "IT Support", "3", "4"),
    ("Operations", "Field", "22", "9"),
    ("People and Finance", "People", "4", "5"),
    heading_path=("Teams",),
)
GERMAN_TEAMS = table(
    ("Team", "Leitung", "Standort", "Mitglieder"),
    ("Vision", "Priya Raman", "Porto", "7"),
    ("Qualität", "Emil Berg", "Kassel", "5"),
    heading_path=("Teams",),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who leads the Vision team?", "Team lead of Vision: Priya Raman"),
        ("team lead quality", "Team lead of Quality: Emil Berg"),
        ("How many people are in Vision?", "People of Vision: 7"),
        ("What is the site of Firmware?", "Site of Firmware: Aarhus"),
    ],
)
def test_a_cell_is_said_under_the_names_of_its_row_and_column(question: str, said: str) -> None:
    assert line(question, TEAMS) == said


def test_a_cell_is_said_in_german_by_the_role_that_the_verb_names() -> None:
    assert line("Wer leitet das Vision-Team?", GERMAN_TEAMS) == "Leitung von Vision: Priya Raman"
    assert line("Wer leitet das Vision-Team?", TEAMS) == "Team lead von Vision: Priya Raman"


LEAVE = table(
    ("Site", "Days of leave"),
    ("Porto", "25"),
    ("Kassel", "30"),
    on=page("4", "Leave"),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many days of leave do people in Porto have?", "Porto, Days of leave: 25"),
        ("how many days of leave do employees in Kassel get", "Kassel, Days of leave: 30"),
        ("How many days of leave do contractors in Porto get?", ""),
        ("How many days of leave do employees get?", ""),
        ("How many people in Porto have leave?", ""),
    ],
)
def test_people_of_whom_a_verb_is_said_are_anybody(question: str, said: str) -> None:
    assert line(question, LEAVE) == said


@pytest.mark.parametrize("asked", ["days of leave porto may", "days of leave porto in May 2026"])
def test_a_month_that_reads_as_a_verb_is_not_passed_over(asked: str) -> None:
    assert line(asked, LEAVE) == ""
    assert line("How many days of leave may I have in Porto?", LEAVE)


def test_a_column_with_a_preposition_takes_no_second_one() -> None:
    assert line("hotel limit Porto", HOTELS) == "Porto, Limit per night: 110 EUR"


def test_a_table_of_pairs_is_said_of_its_page() -> None:
    card = table(("", ""), ("Owner", "Ida Holm"), ("Height", "40 m"), on=page("9", "Crane K4"))
    assert line("What is the height of Crane K4?", card) == "Crane K4, Height: 40 m"


@pytest.mark.parametrize(
    "question",
    [
        "Who leads the Logistics team?",  # no such row
        "Who does not lead the Vision team?",
        "Who leads every team except Vision?",
        "Which team in Lisbon has the most people?",  # a word that the table does not have
        "Is it the only team in Porto?",
        "Which team has the longest people?",  # a column need not say a length
    ],
)
def test_what_the_table_does_not_know_or_what_is_negated_is_not_composed(question: str) -> None:
    assert line(question, TEAMS) == ""


def test_two_rows_of_one_name_and_two_tables_that_disagree_are_not_composed() -> None:
    twice = table(("Team", "Team lead"), ("Vision", "Priya"), ("Vision", "Emil"))
    assert line("Who leads the Vision team?", twice) == ""
    other = table(("Team", "Team lead"), ("Vision", "Nora Feld"), number=2)
    assert line("Who leads the Vision team?", TEAMS, other) == ""


def test_a_draft_does_not_disagree_with_the_page_that_counts() -> None:
    draft = table(("City", "Limit per night"), ("Porto", "125 EUR"), on=DRAFT)
    assert line("hotel limit Porto", draft, HOTELS) == "Porto, Limit per night: 110 EUR"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many teams are there?", "“Teams” lists 3: Vision, Quality, Firmware"),
        ("How many teams are in Aarhus?", "“Teams (Site: Aarhus)” lists 2: Quality, Firmware"),
        ("Which teams are in Aarhus?", "Quality, Firmware (Site: Aarhus)"),
        ("Which teams are there?", "“Teams” lists 3: Vision, Quality, Firmware"),
        ("Which team has the most people?", "Highest “People” in “Teams”: Firmware (9)"),
        ("Which team has the fewest people?", "Lowest “People” in “Teams”: Quality (5)"),
        (
            "Which team in Aarhus has the fewest people?",
            "Lowest “People” in “Teams (Site: Aarhus)”: Quality (5)",
        ),
        ("How many people in total?", "“People” in “Teams”, in total: 21 (3 rows)"),
        ("Compare the people of Vision and Quality", "People: Vision 7, Quality 5"),
    ],
)
def test_a_whole_table_is_counted_filtered_and_compared(question: str, said: str) -> None:
    assert line(question, TEAMS) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Wie viele Teams gibt es?", "Unter „Teams“ stehen 2: Vision, Qualität"),
        ("Welche Teams sind in Kassel?", "Qualität (Standort: Kassel)"),
        (
            "Welches Team hat die meisten Mitglieder?",
            "Höchster Wert bei „Mitglieder“ unter „Teams“: Vision (7)",
        ),
    ],
)
def test_a_whole_table_is_counted_and_compared_in_german(question: str, said: str) -> None:
    assert line(question, GERMAN_TEAMS) == said


def test_the_cheapest_is_looked_for_in_the_one_column_of_money() -> None:
    fares = table(
        ("Ticket", "Price", "Minutes"), ("Day", "€ 9.50", "1440"), ("Single", "€ 3.20", "60")
    )
    for question in ("Which ticket is the cheapest?", "What is the cheapest ticket?"):
        assert line(question, fares) == "Lowest “Price” in “Cranes”: Single (€ 3.20)"


def test_the_latest_is_looked_for_in_the_one_column_of_days() -> None:
    releases = table(("Version", "Released"), ("4.2", "17 March 2026"), ("4.10", "2026-05-01"))
    assert line("What is the latest version?", releases) == (
        "Latest “Released” in “Cranes”: 4.10 (2026-05-01)"
    )
    named = table(("Release", "Day"), ("Tern A", "17. März 2026"), ("Tern B", "01.05.2026"))
    assert line("Which release is the latest?", named) == (
        "Latest “Day” in “Cranes”: Tern B (01.05.2026)"
    )


def test_a_separator_that_may_be_read_in_two_ways_decides_nothing() -> None:
    assert line("Which city has the highest hotel limit?", HOTELS) == ""
    plain = table(("City", "Limit"), ("Porto", "110 EUR"), ("Aarhus", "1.140,50 EUR"))
    assert line("Which city has the highest limit?", plain) == (
        "Highest “Limit” in “Cranes”: Aarhus (1.140,50 EUR)"
    )


@pytest.mark.parametrize(
    "cells",
    [
        [("Vision", "7"), ("All teams in total", "7")],  # a row that adds up the others
        [("Vision", "7 km"), ("Quality", "5 h")],  # two units
        [("Vision", "7"), ("Quality", "n/a")],
    ],
)
def test_rows_that_cannot_be_compared_are_not(cells: list[tuple[str, str]]) -> None:
    assert line("Which team has the most people?", table(("Team", "People"), *cells)) == ""


def test_a_part_of_a_table_is_not_counted() -> None:
    first, second = row(1, Team="Vision", Site="Porto"), row(2, Team="Quality", Site="Aarhus")
    goes_on = Neighbour(id="next", table=1)
    whole = part(first, second).model_copy(update={"heading_path": ("Teams",)})
    beginning = whole.model_copy(update={"after": goes_on})
    assert line("How many teams are there?", hit(beginning)) == ""
    assert line("How many teams are there?", hit(whole)) != ""


def test_the_rows_that_complete_a_table_count() -> None:
    goes_on = Neighbour(id="next", table=1)
    above = {"heading_path": ("Teams",)}
    first = row(1, Team="Vision", Site="Porto").model_copy(update={"after": goes_on, **above})
    second = row(2, Team="Quality", Site="Aarhus").model_copy(update=above)
    assert line("How many teams are there?", hit(first), hit(second)) == (
        "“Teams” lists 2: Vision, Quality"
    )
    assert line("How many teams are there?", hit(first)) == ""


STEPS = (ListItem(text="Stop it", mark="1. "), ListItem(text="Wait", mark="2. "))


def test_the_items_of_a_whole_list_are_counted() -> None:
    steps = piece("1. Stop it\n2. Wait", kind=Kind.LIST, items=STEPS, heading_path=("Steps",))
    on = page("1", "Restore the gateway")
    asked = "How many steps does it take to restore the gateway?"
    assert line("How many steps to restore the gateway?", hit(steps, on)) == (
        "“Steps” lists 2: Stop it, Wait"
    )
    cut = steps.model_copy(update={"after": Neighbour(id="next", is_list=True)})
    assert line(asked, hit(cut, on)) == ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "Who owns the travel policy?",
            "“Travel policy” belongs to Ida Holm and was last changed on Feb 10, 2026",
        ),
        (
            "When was the travel policy last updated?",
            "“Travel policy” was last changed on Feb 10, 2026 and belongs to Ida Holm",
        ),
        ("Is there a page about travel?", "Yes: “Travel policy”"),
        ("link to the travel policy", "Pages on this: “Travel policy”"),
        (
            "Which pages are there about travel?",
            "Pages on this: “Travel policy”, “Travel policy 2027 (draft)”",
        ),
        (
            "Wem gehört die Seite Travel policy?",
            "„Travel policy“ gehört Ida Holm und wurde zuletzt am 10.02.2026 geändert",
        ),
        (
            "Wann wurde Travel policy zuletzt geändert?",
            "„Travel policy“ wurde zuletzt am 10.02.2026 geändert und gehört Ida Holm",
        ),
        ("Gibt es eine Seite über Travel?", "Ja: “Travel policy”"),
        (
            "When was the travel policy last touched?",
            "“Travel policy” was last changed on Feb 10, 2026 and belongs to Ida Holm",
        ),
        (
            "Who owns the page on our policy of travel costs?",
            "“Travel policy” belongs to Ida Holm and was last changed on Feb 10, 2026",
        ),
        (
            "who edited the travel policy last and when was that",
            "“Travel policy” belongs to Ida Holm and was last changed on Feb 10, 2026",
        ),
        (
            "who was the last person to change the travel policy?",
            "“Travel policy” belongs to Ida Holm and was last changed on Feb 10, 2026",
        ),
        (
            "when did the travel policy last get an update",
            "“Travel policy” was last changed on Feb 10, 2026 and belongs to Ida Holm",
        ),
        (
            "when did somebody last edit the travel policy and who was that?",
            "“Travel policy” was last changed on Feb 10, 2026 and belongs to Ida Holm",
        ),
        (
            "wann war die letzte Änderung an der Seite Travel policy?",
            "„Travel policy“ wurde zuletzt am 10.02.2026 geändert und gehört Ida Holm",
        ),
        (
            "wer hat die Travel policy zuletzt bearbeitet und wann",
            "„Travel policy“ gehört Ida Holm und wurde zuletzt am 10.02.2026 geändert",
        ),
        (
            "Wem gehört eigentlich die Seite Travel policy?",
            "„Travel policy“ gehört Ida Holm und wurde zuletzt am 10.02.2026 geändert",
        ),
    ],
)
def test_questions_about_a_page_are_answered_by_what_is_known_of_it(
    question: str, said: str
) -> None:
    hits = (hit("Trips are booked early.", TRAVEL), hit("Trips.", DRAFT))
    assert line(question, *hits) == said


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("who changed the oncall page last", "On-call guide"),
        ("wer hat den wartungsplan der linien zuletzt bearbeitet", "Wartungsplan Sortierlinien"),
    ],
)
def test_a_title_may_be_written_together_or_taken_apart(question: str, title: str) -> None:
    named = hit("Ask early.", page("9", title, owner="Ida Holm"))
    other = hit("Ask late.", page("8", "Operations Home", owner="Ben Moll"))
    assert line(question, other, named).startswith(("“" + title, "„" + title))


def test_the_end_of_a_word_names_a_page_only_beside_the_rest() -> None:
    named = hit("Ask early.", page("9", "Overtime policy", owner="Ida Holm"))
    assert line("who changed the parking time policy last", named) == ""


def test_the_address_of_an_office_is_no_link_to_a_page() -> None:
    office = hit("We have moved.", page("8", "We have moved into the new Porto office"))
    assert line("What is the address of the new Porto office?", office) == ""


def test_a_title_need_not_say_what_kind_of_page_it_is() -> None:
    leave = hit("Ask early.", page("9", "Leave and absence", updated_at="2026-02-10T08:00:00Z"))
    asked = "When was the leave policy last updated?"
    assert line(asked, leave) == "“Leave and absence” was last changed on Feb 10, 2026"
    assert line(asked.replace("leave", "parking"), leave) == ""


def test_what_is_not_called_a_page_is_taken_for_none_by_half_its_name() -> None:
    trips = hit("Trips are booked early.", TRAVEL)
    assert line("Who owns the policy of travel costs?", trips) == ""
    assert line("Who owns the page on cranes and travel by train?", trips) == ""


def test_no_page_is_named_that_is_not_among_the_hits() -> None:
    assert line("Which pages are there about travel?", hit("A crane.", CRANES)) == ""
    assert line("Who owns the salary bands?", hit("A crane.", CRANES)) == ""


@pytest.mark.parametrize("question", ["What is an induct?", "What does induct mean?"])
def test_a_word_is_explained_by_its_row_in_a_glossary(question: str) -> None:
    words = table(
        ("Word", "Meaning", "In German"),
        ("Induct", "The place where parcels enter.", "Einschleusung"),
        ("Chute", "A slide for parcels.", "Rutsche"),
    )
    assert line(question, words) == "induct: The place where parcels enter."


def test_a_word_is_explained_by_the_sentence_or_item_that_begins_with_it() -> None:
    said = hit("The K4 stands in Porto. A reefer is a container that is cooled.")
    assert line("What is a reefer?", said) == "reefer: A reefer is a container that is cooled."
    items = hit(piece("- Tern – the control software of all machines", kind=Kind.LIST))
    assert line("Was ist Tern?", items) == "Tern: the control software of all machines"
    assert line("What is a yard?", said, items) == ""


def test_a_question_that_rules_have_completed_is_not_composed() -> None:
    assert line("And who leads Vision?", TEAMS, context=("Cranes",)) == ""


def test_page_text_is_no_citation_and_no_markdown() -> None:
    odd = table(("Team", "Team lead"), ("Vision", "Priya *Raman* [7]"), ("Quality", "Emil"))
    said = lead(typed("Who leads the Vision team?"), [odd])
    assert said.text == "Team lead of Vision: **Priya ∗Raman∗ (7)** [1]"


def test_an_excerpt_is_left_out_only_under_what_is_known_of_pages_and_under_a_meaning() -> None:
    hits = [hit("Trips are booked early.", TRAVEL), TEAMS]
    of_page = lead(typed("Who owns the travel policy?"), hits)
    of_table = lead(typed("Who leads the Vision team?"), hits)
    assert (of_page.is_all, of_table.is_all) == (True, False)


TIMES = table(
    ("Day", "Counter", "Goods in"),
    ("Friday", "08:00–16:00", "07:00–15:00"),
    ("Saturday", "08:00–12:00", "closed"),
    on=page("11", "Opening hours Linden"),
)
PRICES = table(
    ("Service", "Price", "Lead time"),
    ("Pallet", "€ 89.00", "3 days"),
    ("Standard parcel", "€ 6.90", "2 days"),
    on=page("12", "Price list of delivery"),
)
SUPPLIERS = table(
    ("Supplier", "Account manager", "Minimum order"),
    ("Equisana", "Ben Kluge", "€ 500"),
    ("Frigo Nord", "Jonas Weier", "€ 2,000"),
    on=page("13", "Suppliers"),
)
ROTA = table(
    ("Week", "First", "Second"),
    ("18 (27 Apr–3 May)", "Jonas Weier", "Hatice Yıldız"),
    ("20 (11–17 May)", "Ole Brandt", "Jonas Weier"),
    on=page("14", "On-call rota"),
)
MORE = Neighbour(table=1)  # the table goes on behind the piece
DEPOTS = table(
    ("Depot", "Cold rooms", "Manager", "Fax"),
    ("Linden", "3", "Rosa Imhof", "–"),
    ("Passau", "none", "vacant (acting: Karl Bünger)", "tbd"),
    on=page("15", "Depots and contacts"),
)
EMPLOYED = table(
    ("Teacher", "Employment"),
    ("Paul Rix", "permanent"),
    ("Kofi Mensah", "permanent (parental leave until September)"),
    on=page("16", "Teachers"),
)


OLDER_PRICES = table(
    ("Service", "Price", "Lead time"),
    ("Pallet", "€ 79.00", "3 days"),
    ("Standard parcel", "€ 5.90", "2 days"),
    on=page("17", "Price list of delivery 2025"),
)


def test_of_the_rows_of_two_years_the_question_says_which() -> None:
    part = PRICES.model_copy(
        update={"evidence": PRICES.evidence.model_copy(update={"after": MORE})}
    )
    assert line("Which service is the cheapest?", OLDER_PRICES, part) == ""
    said = line("Which service is the cheapest in 2025?", OLDER_PRICES, part)
    assert said == "Lowest “Price” in “Price list of delivery 2025”: Standard parcel (€ 5.90)"


def test_a_cell_that_only_another_edition_has_is_not_of_any() -> None:
    newer = table(
        ("Service", "Price", "Lead time"),
        ("Standard parcel", "€ 6.20", "2 days"),
        on=page("19", "Price list of delivery 2026"),
    )
    assert line("price of a pallet", OLDER_PRICES, newer) == ""
    said = line("price of a pallet in 2025", OLDER_PRICES, newer)
    assert said == "Price of Pallet: € 79.00"


def test_what_stands_above_a_table_and_says_something_itself_is_not_about_its_cells() -> None:
    for above, said in (("Saturday costs € 9.00 more.", ""), ("Saturday:", "Price of Pallet: € 9")):
        slice_ = TableSlice(
            number=1,
            header=("Service", "Price"),
            rows=(TableRow(number=1, cells=("Pallet", "€ 9")),),
            above=above,
        )
        found = hit(piece(slice_.text, "18", kind=Kind.TABLE, table=slice_), page("18", "Prices"))
        assert line("price of a pallet on Saturday", found) == said


@pytest.mark.parametrize(
    ("question", "on"),
    [
        ("Is the counter in Soest open on Saturday?", TIMES),  # another site
        ("When does the counter in Soest open on Saturday?", TIMES),
        ("goods in on Saturday in Celle", TIMES),
        ("Who leads the Pallet team?", PRICES),  # another column
        ("Who leads standard parcel?", PRICES),
        ("lead time of Vision", TEAMS),
        ("price of a pallet on Saturday", PRICES),
        ("manager of Equisana", SUPPLIERS),  # whose manager that is not
        ("Who is the managing director of Equisana?", SUPPLIERS),
        ("Wer leitet Equisana?", SUPPLIERS),
        ("order number of Frigo Nord", SUPPLIERS),
        ("deputy lead of Vision", TEAMS),
        ("stellvertretender Leiter von Vision", TEAMS),
        ("second on 20 May 2026", ROTA),  # a day that is the number of a week
        ("Who is first on 18 July?", ROTA),
        ("How many cold rooms are there in total?", DEPOTS),  # a cell that is no thing
        ("How many managers are there?", DEPOTS),
        ("fax of Linden", DEPOTS),
        ("fax of Passau", DEPOTS),
        ("How many teachers are permanent?", EMPLOYED),
    ],
)
def test_what_a_question_says_besides_row_and_column_is_not_dropped(question: str, on: Hit) -> None:
    assert line(question, on) == ""


@pytest.mark.parametrize(
    ("question", "on", "said"),
    [
        ("What does a pallet cost? Price of a pallet", PRICES, "Price of Pallet: € 89.00"),
        ("account manager of Equisana", SUPPLIERS, "Account manager of Equisana: Ben Kluge"),
        ("manager of the Linden depot", DEPOTS, "Manager of Linden: Rosa Imhof"),
        ("counter hours in Linden on Friday", TIMES, "Counter of Friday: 08:00–16:00"),
        ("How many people work in Vision?", TEAMS, "People of Vision: 7"),
    ],
)
def test_what_is_understood_whole_is_composed(question: str, on: Hit, said: str) -> None:
    assert line(question, on) == said


STAFF = table(
    ("System", "Owner", "Deputy", "Backup"),
    ("Payroll", "Hilde Aerts", "", "weekly"),
    ("Badges", "Karim Saleh", "Lieve Maes", "none"),
    on=page("20", "Systems"),
)
SITE = table(
    ("Topic", "Answer", "Taxi from airport", "Built in", "Break", "Meals per day"),
    ("Canteen", "11:45 to 13:15", "not allowed", "Ghent", "17:30", "€41"),
    ("Workshop", "12 spaces, free", "allowed", "Malmö", "18:00", "€52 *"),
    on=page("21", "Ghent site"),
)
WARRANTY = table(
    ("Model", "Frame"),
    ("Merlin", "10 years"),
    ("Harrier Cargo", "10 years1"),
    ("Hobby", "8 years"),
    on=page("22", "Warranty"),
)


@pytest.mark.parametrize(
    ("question", "on"),
    [
        ("Which systems have Hilde Aerts as deputy?", STAFF),  # another column has her
        ("How many systems have Hilde Aerts as deputy?", STAFF),
        ("Which systems have a backup?", STAFF),  # not every row
        ("How many systems have a deputy?", STAFF),
        ("When is the canteen built in?", SITE),  # another kind of cell
        ("How long is the break of the canteen?", SITE),
        ("canteen break cost", SITE),
        ("How much is the break of the canteen?", SITE),
        ("How many meals per day of the canteen?", SITE),
        ("Where is the break of the canteen?", SITE),
        ("What is the taxi to airport of the canteen?", SITE),  # the other way
        ("meals per day of the workshop", SITE),  # a footnote adds to it
        ("Which models have a frame of 10 years?", WARRANTY),
        ("Who is the owner of payroll and what is its backup?", STAFF),  # two questions
    ],
)
def test_nothing_is_certain_of_another_kind_of_cell_or_of_a_column_that_is_not_used(
    question: str, on: Hit
) -> None:
    assert line(question, on) == ""


@pytest.mark.parametrize(
    ("question", "on", "said"),
    [
        ("Which systems have Hilde Aerts as owner?", STAFF, "Payroll (Owner: Hilde Aerts)"),
        ("When is the break of the canteen?", SITE, "Break of Canteen: 17:30"),
        ("Where is the canteen built?", SITE, "Canteen, Built in: Ghent"),
        ("meals per day of the canteen", SITE, "Canteen, Meals per day: €41"),
        ("taxi from airport of the canteen", SITE, "Canteen, Taxi from airport: not allowed"),
        ("How long is the frame of the Hobby?", WARRANTY, "Frame of Hobby: 8 years"),
    ],
)
def test_a_cell_of_the_kind_that_is_asked_for_is_said(question: str, on: Hit, said: str) -> None:
    assert line(question, on) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("which team has the fewest people?", "Lowest “People” in “Teams”: IT Support (3)"),
        ("Which team has the most people?", "Highest “People” in “Teams”: Field (22)"),
        ("What is the highest number of desks in the people team?", ""),
        ("Which people team has the most desks?", ""),
        ("How many people are in the people team?", ""),
    ],
)
def test_a_column_is_compared_although_a_row_is_called_as_it_is(question: str, said: str) -> None:
    assert line(question, TEAMS_WITH_PEOPLE) == said


SALES = table(
    ("Rep", "Department", "Sales"),
    ("Ana", "Sales", "10"),
    ("Ben", "Sales", "30"),
    ("Cy", "Marketing", "50"),
)
ROOMS = table(
    ("City", "Type", "Hotel"),
    ("Porto", "Hotel", "110 EUR"),
    ("Oslo", "Hotel", "180 EUR"),
    ("Rome", "Hostel", "200 EUR"),
)
POSITIONS = table(
    ("Team", "People", "Open positions"),
    ("Field", "9", "1"),
    ("People", "4", "3"),
    ("Desk", "7", "2"),
)


@pytest.mark.parametrize(
    ("question", "on"),
    [
        ("Which rep in Sales has the most sales?", SALES),
        ("Which rep in the sales department has the most sales?", SALES),
        ("What is the most expensive hotel?", ROOMS),
        ("What is the highest position in the People team?", POSITIONS),
    ],
)
def test_a_cell_that_says_which_rows_is_never_left_out(question: str, on: Hit) -> None:
    assert line(question, on) == ""


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("who edited the light plan last", "Flight plan"),
        ("When was the boarding checklist last changed?", "Offboarding checklist"),
        ("who updated the valid licences page", "Invalid licences"),
        ("Wem gehört der Wagen?", "Mietwagen"),
        ("Gibt es eine Seite über Leistung?", "Dienstleistung"),
        ("Who touched the coffee machine last?", "Coffee machine"),
        ("Who recently changed the door code?", "Door code"),
        ("When did we last review the travel policy?", "Travel policy"),
        ("Who created the travel policy and when was that?", "Travel policy"),
        ("Wie alt ist das Handbuch?", "Handbuch"),
    ],
)
def test_another_page_or_another_question_gets_no_sentence(question: str, title: str) -> None:
    on = page("9", title, owner="Ida Holm", updated_at="2026-02-10T08:00:00Z")
    assert line(question, hit("Ask early.", on)) == ""
